/**
 * Finds the first difference between two results: its place, such as `tokens[3]`, or `''` for the whole; null if there
 * is none. Only the members of `expected` are compared in objects; lists have to be equal.
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

/** Reads the value at a place such as `matches[2].id`; undefined if the result has no such place. */
export function valueAt(result: unknown, place: string): unknown {
  let value = result;
  for (const [, key, index] of place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key ?? index!];
  }
  return value;
}
