import type { Operation } from '../types.ts';

/** The step of each operation; 0 for extraction, undefined for operations that are about several steps. */
export const STEP_OF_OPERATION: { readonly [O in Operation]: number | undefined } = {
  extract: 0,
  'extract-html': 0,
  decode: 1,
  classify: 2,
  normalise: 3,
  'strip-locators': 4,
  tokenise: 5,
  'token-hash': 7,
  lookup3: 7,
  simhash: 8,
  draw: 8,
  minhash: 8,
  truncate: 9,
  serialise: 9,
  parse: 9,
  'parse-hex': 9,
  'parse-label': 9,
  'parse-labelled': 9,
  'format-labelled': 9,
  compare: 10,
  tables: 11,
  unpermute: 11,
  probe: 11,
  lookup: 11,
  fingerprint: undefined,
  accumulate: undefined,
};

export const STEP_NAMES: Readonly<Record<number, string>> = {
  0: 'extract',
  1: 'decode',
  2: 'classify',
  3: 'normalise',
  4: 'strip locators',
  5: 'tokenise',
  6: 'drop stop words',
  7: 'token hash',
  8: 'simhash or minhash',
  9: 'serialise',
  10: 'compare',
  11: 'lookup tables',
};

/** The step of a rule by the prefix of its identifier. */
const STEP_OF_RULE: Readonly<Record<string, number>> = {
  EXT: 0,
  HTM: 0,
  MED: 0,
  DEC: 1,
  CLS: 2,
  NRM: 3,
  LOC: 4,
  TOK: 5,
  BIG: 5,
  STP: 6,
  HSH: 7,
  SIM: 8,
  MIN: 8,
  SER: 9,
  LAB: 9,
  CMP: 10,
  TAB: 11,
  LKP: 11,
};

/** The rules of minhash-doc that are about later steps. */
const LATER_RULES: Readonly<Record<string, number>> = { 'MIN-8': 9, 'MIN-9': 9, 'MIN-10': 10, 'MIN-11': 11 };

export function stepOfRule(rule: string): number | undefined {
  const later = LATER_RULES[rule];
  if (later !== undefined) return later;
  return STEP_OF_RULE[rule.slice(0, 3)];
}
