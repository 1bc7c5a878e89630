import { deepStrictEqual } from 'node:assert';
import type { ErrorCode } from '../../../../src/errors.ts';
import { EXTRACTION_CODES as ALL_CODES } from '../../../../src/extract/errors.ts';

/** The codes of extraction that bytes alone can cause. */
export const EXTRACTION_CODES = Object.keys(ALL_CODES).filter(
  (code) => !['timeout', 'out-of-memory', 'missing-package'].includes(code),
);

export const SCHEME_CODES: readonly ErrorCode[] = ['invalid-fingerprint', 'invalid-label', 'out-of-range'];

/** Returns the result of a call, or the code of its error if that is one of those. Any other error is thrown. */
export async function outcomeOf<T>(
  codes: readonly string[],
  call: () => T | Promise<T>,
): Promise<T | { code: string }> {
  try {
    return await call();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== undefined && codes.includes(code)) return { code };
    throw error;
  }
}

/** Throws unless both are equal. */
export function agree(what: string, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    throw new Error(`disagreement: ${what}: ${(error as Error).message.slice(0, 2000)}`);
  }
}
