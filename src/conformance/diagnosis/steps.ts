import type { Operation } from '../types.ts';

/** The step of the specification that an operation is about; 0 for extraction, undefined for the whole pipeline and
 * for many cases of any step. */
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

/** The steps by the names that a person knows them by. */
export const STEP_NAMES: Readonly<Record<number, string>> = {
  0: 'extract',
  1: 'decode',
  2: 'classify',
  3: 'normalise',
  4: 'strip locators',
  5: 'tokenise',
  6: 'drop stop words',
  7: 'token hash',
  8: 'simhash',
  9: 'serialise',
  10: 'compare',
  11: 'lookup tables',
};

/** The step whose rules have a prefix, for rule identifiers such as `TOK-1`. */
const STEP_OF_RULE: Readonly<Record<string, number>> = {
  EXT: 0,
  HTM: 0,
  MED: 0,
  DEC: 1,
  CLS: 2,
  NRM: 3,
  LOC: 4,
  TOK: 5,
  STP: 6,
  HSH: 7,
  SIM: 8,
  SER: 9,
  LAB: 9,
  CMP: 10,
  TAB: 11,
  LKP: 11,
};

/** The step that a rule belongs to. */
export function stepOfRule(rule: string): number | undefined {
  return STEP_OF_RULE[rule.slice(0, 3)];
}

/** A conformance class (spec/simhash-doc.md, "Conformance"). */
export type ConformanceClass = 'hash' | 'text' | 'lookup' | 'extraction';

/**
 * The operations by which each class is tested. Without the first list nothing can be said of the class; the others are
 * tested where an adapter offers them.
 */
export const CLASSES: {
  readonly [C in ConformanceClass]: { readonly needed: readonly Operation[]; readonly others: readonly Operation[] };
} = {
  hash: {
    needed: ['token-hash', 'simhash', 'serialise'],
    others: ['lookup3', 'parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled', 'compare'],
  },
  text: {
    needed: ['fingerprint'],
    others: ['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash', 'simhash', 'serialise'],
  },
  lookup: { needed: ['tables', 'lookup'], others: ['unpermute', 'probe', 'parse', 'compare'] },
  extraction: { needed: ['extract-html'], others: ['extract'] },
};
