/**
 * Finds where a result departs from what is expected. Of objects only the keys that `expected` has are compared, so that
 * a result may hold more than a vector pins; lists are compared whole.
 * @param expected - from a vector
 * @param actual - what an implementation gave
 * @param place - where in the result these two stand
 * @returns the place of the first difference, such as `tokens[3]`, `''` for the whole; `null` where there is none
 */
export function difference(expected: unknown, actual: unknown, place = ''): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return place;
    for (const [i, each] of expected.entries()) {
      if (i >= actual.length) return `${place}[${i}]`;
      const found = difference(each, actual[i], `${place}[${i}]`);
      if (found !== null) return found;
    }
    return actual.length > expected.length ? `${place}[${expected.length}]` : null;
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return place;
    for (const [key, each] of Object.entries(expected)) {
      const inside = place === '' ? key : `${place}.${key}`;
      if (!Object.hasOwn(actual, key)) return inside;
      const found = difference(each, (actual as Readonly<Record<string, unknown>>)[key], inside);
      if (found !== null) return found;
    }
    return null;
  }
  return expected === actual ? null : place;
}
