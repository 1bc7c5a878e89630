import { distance, parse } from '../../index.ts';
import type { Operation, Outcome } from '../types.ts';
import { difference } from './difference.ts';

/** Judges an outcome (spec/conformance.md, "Judging"); returns the place of the first difference, as `difference` does. */
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
  if (operation === 'extract') return judgeExtraction(expected, actual);
  return difference(expected, actual);
}

type Graded = { readonly fingerprint?: unknown; readonly within?: unknown };

/** Extraction is graded by the distance of the fingerprints (EXT-3). */
function judgeExtraction({ fingerprint, within = 0 }: Graded, actual: Graded): string | null {
  if (typeof within !== 'number') return 'within';
  const [right, own] = [numberOf(fingerprint), numberOf(actual.fingerprint)];
  if (right === null || own === null) return fingerprint === null && actual.fingerprint === null ? null : 'fingerprint';
  return distance(right, own) <= within ? null : 'fingerprint';
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
