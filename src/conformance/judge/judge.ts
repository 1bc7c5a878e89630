import { distance, parse } from '../../index.ts';
import type { Operation, Outcome } from '../vector.ts';

/** Judges an outcome (vectors/README.md, "Judging"); returns the place of the first difference, as `difference` does. */
export function judge(operation: Operation, expected: Outcome, actual: Outcome): string | null {
  if ('error' in expected) return 'error' in actual && actual.error === expected.error ? null : '';
  return 'result' in actual ? judgeResult(operation, expected.result, actual.result) : '';
}

/** Compares results. Intermediates of a fingerprint count only if the reply has them; a lookup may be complete to a larger distance. */
export function judgeResult(operation: Operation, expected: unknown, actual: unknown): string | null {
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null)
    return difference(expected, actual);
  if (operation === 'fingerprint') {
    const given = Object.entries(expected).filter(([key]) => key === 'fingerprint' || Object.hasOwn(actual, key));
    return difference(Object.fromEntries(given), actual);
  }
  if (operation === 'lookup') {
    const { completeTo: least, ...rest } = expected as { readonly completeTo?: unknown };
    const { completeTo } = actual as { readonly completeTo?: unknown };
    const complete = Number.isInteger(completeTo) && Number.isInteger(least) && Number(completeTo) >= Number(least);
    return complete ? difference(rest, actual) : 'completeTo';
  }
  if (operation === 'extract') {
    // Extraction is graded by the distance of the fingerprints (EXT-3).
    const { fingerprint, within = 0 } = expected as { readonly fingerprint?: unknown; readonly within?: unknown };
    const { fingerprint: given } = actual as { readonly fingerprint?: unknown };
    if (typeof within !== 'number') return 'within';
    const [right, own] = [numberOf(fingerprint), numberOf(given)];
    if (right === null || own === null) return fingerprint === null && given === null ? null : 'fingerprint';
    return distance(right, own) <= within ? null : 'fingerprint';
  }
  return difference(expected, actual);
}

function numberOf(characters: unknown): bigint | null {
  if (typeof characters !== 'string' || !/^[A-Za-z2-7]{13}$/.test(characters)) return null;
  try {
    return parse(characters);
  } catch {
    // The spare bit of the last character is set.
    return null;
  }
}

/** Finds the place of the first difference, such as `tokens[3]`; null if there is none. Other members of objects do not count. */
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

export function valueAt(result: unknown, place: string): unknown {
  let value = result;
  for (const [, key, index] of place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key ?? index!];
  }
  return value;
}

/** Characters and items that are kept beyond those that are expected. */
const MAX_MORE_CHARACTERS = 1000;
const MAX_MORE_ITEMS = 100;

/** Shortens a wrong result, so that a report is not much larger than the expected results. */
export function prune(actual: unknown, expected: unknown): unknown {
  if (typeof actual === 'string') {
    const length = (typeof expected === 'string' ? expected.length : 0) + MAX_MORE_CHARACTERS;
    return actual.length > length ? `${actual.slice(0, length)}…` : actual;
  }
  if (Array.isArray(actual)) {
    const items: readonly unknown[] = Array.isArray(expected) ? expected : [];
    return actual.slice(0, items.length + MAX_MORE_ITEMS).map((item, i) => prune(item, items[i]));
  }
  if (typeof actual !== 'object' || actual === null) return actual;
  const members = typeof expected === 'object' && expected !== null ? (expected as Record<string, unknown>) : {};
  const kept = Object.entries(actual).filter(([name], i) => i < MAX_MORE_ITEMS || Object.hasOwn(members, name));
  return Object.fromEntries(kept.map(([name, value]) => [name, prune(value, members[name])]));
}
