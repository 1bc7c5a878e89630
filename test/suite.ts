import fc from 'fast-check';
import { type TestContext, test } from 'vitest';

/** True if the slow suite runs (`npm run test:slow`), with tests at full size; `npm test` has a small size of each. */
export const IS_SLOW = process.env['SIMHASH_DOC_SLOW'] === '1';

/**
 * Returns the number of random cases of a test whose full size has `count`: this many times SIMHASH_DOC_RUNS, which is 1 in the
 * slow suite, and less in the fast one. It is a whole number: fast-check never ends with another.
 */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env['SIMHASH_DOC_RUNS'] ?? (IS_SLOW ? 1 : 0.1)));
}

/** The step of slow loops over all cases: 1, or 2 if SIMHASH_DOC_RUNS asks for less than half of the random cases. */
export const STRIDE = runs(4) < 2 ? 2 : 1;

/** Defines a test that has no small size: the slow suite alone runs it. */
export function slowTest(name: string, run: (context: TestContext) => void | Promise<void>, timeout?: number): void {
  if (IS_SLOW) test(name, run, timeout);
}

/** Chooses rows for `test.each`: all of them in the slow suite, the first ones in the fast one. */
export function firstRows<T>(count: number, rows: readonly T[]): readonly T[] {
  return IS_SLOW ? rows : rows.slice(0, count);
}

/** Returns the code of the error that a call throws or rejects with, or undefined. */
export async function codeOf(call: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
  return undefined;
}

/** Collects what something yields. */
export async function all<T>(values: Iterable<T> | AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

type Arbitraries<T extends unknown[]> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** Checks a property of random values this many times; fast-check looks for a small counterexample. */
export function forAll<T extends [unknown, ...unknown[]]>(
  values: Arbitraries<T>,
  numRuns: number,
  check: (...values: T) => void,
): void {
  fc.assert(fc.property(...values, check), { numRuns });
}

/** The same for a check that takes time. */
export function forAllAsync<T extends [unknown, ...unknown[]]>(
  values: Arbitraries<T>,
  numRuns: number,
  check: (...values: T) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(...values, check), { numRuns });
}
