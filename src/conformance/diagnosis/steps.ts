import type { Operation } from '../vector.ts';

const STEPS: readonly (readonly [name: string, operations: readonly Operation[], rules: string])[] = [
  ['extract', ['extract', 'extract-html'], 'EXT HTM MED'],
  ['decode', ['decode'], 'DEC'],
  ['classify', ['classify'], 'CLS'],
  ['normalise', ['normalise'], 'NRM'],
  ['strip locators', ['strip-locators'], 'LOC'],
  ['tokenise', ['tokenise'], 'TOK BIG'],
  ['drop stop words', [], 'STP'],
  ['token hash', ['token-hash', 'lookup3'], 'HSH'],
  ['simhash or minhash', ['simhash', 'draw', 'minhash'], 'SIM MIN'],
  [
    'serialise',
    ['truncate', 'serialise', 'parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled'],
    'SER LAB',
  ],
  ['compare', ['compare'], 'CMP'],
  ['lookup tables', ['tables', 'unpermute', 'probe', 'lookup'], 'TAB LKP'],
];

export const STEP_NAMES: readonly string[] = STEPS.map(([name]) => name);

/** The step of each operation of the protocol; undefined for operations that are about several steps. */
export const STEP_OF_OPERATION = Object.fromEntries([
  ...STEPS.flatMap(([, operations], step) => operations.map((operation) => [operation, step] as const)),
  ...(['fingerprint', 'accumulate'] as const).map((operation) => [operation, undefined] as const),
]) as { readonly [O in Operation]: number | undefined };

const LATER_RULES: Readonly<Record<string, number>> = { 'MIN-8': 9, 'MIN-9': 9, 'MIN-10': 10, 'MIN-11': 11 };

export function stepOfRule(rule: string): number | undefined {
  const step = LATER_RULES[rule] ?? STEPS.findIndex(([, , rules]) => rules.split(' ').includes(rule.slice(0, 3)));
  return step < 0 ? undefined : step;
}
