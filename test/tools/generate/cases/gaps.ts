/**
 * Cases for gaps that measurements found: rules that were not the first rule of any vector, and mistakes that no
 * vector detected.
 */
import { readFileSync } from 'node:fs';
import type { LookupEntry } from '../../../../src/conformance/types.ts';
import type { Verdict } from '../../../../src/index.ts';
import { type Case, casesOf, list, type Table } from '../case.ts';
import { labelled } from './compare.ts';
import { hex16 } from './inputs.ts';
import { probesOf } from './tables.ts';

const one = '3020ceaa2375a74e';

const comparisons: Table<[mask: bigint, distance: number, verdict: Verdict]> = [
  'CMP-4 CMP-5 Threshold',
  ['similarity-d-1', 'the similarity at distance 1 is 0.984375, not rounded', 0x10n, 1, 'close'],
  'CMP-4 Threshold',
  ['similarity-d-7', 'the similarity at distance 7 is 0.890625, not rounded', 0x7fn, 7, 'none'],
  ['similarity-d-63', 'the similarity at distance 63 is 0.015625, not 0', 0xffff_ffff_ffff_fffen, 63, 'none'],
  'CMP-5 Threshold',
  ['close-at-most', 'distance 1 is the last that is close', 0x8000_0000_0000n, 1, 'close'],
  'CMP-5 CMP-6 Threshold',
  ['close-no-more', 'distance 2, a similarity of 0.97 rounded, is not close', 0x300n, 2, 'loose'],
  'CMP-6 Threshold',
  ['loose-at-most', 'distance 6, a similarity of 0.90625, is the last that is loose', 0x3fn, 6, 'loose'],
  ['loose-no-more', 'distance 7, a similarity of 0.89, is not loose', 0x7f00n, 7, 'none'],
];

/** The numbers of probes for k = 9 to 12, by hand: the sum of products of binomial coefficients of 16 and 12. */
const probes = probesOf([2903, 10_823, 10_823, 55_283], 9);

const same = (...ids: readonly string[]): LookupEntry[] => ids.map((id) => ({ id, fingerprint: one }));

/** Identifiers in the order in which they are entered, and in that of the answer. */
const lookups: Table<[entered: readonly string[], k: number, answered: readonly string[]]> = [
  'LKP-3 IdOrder NulEndsText',
  [
    'order-nul',
    'identifiers that differ behind U+0000 are ordered by it',
    ['a\0c', 'a\0b', 'a\0', 'a\0d', 'a'],
    0,
    ['a', 'a\0', 'a\0b', 'a\0c', 'a\0d'],
  ],
  'LKP-2 LKP-3 NulEndsText',
  [
    'id-nul-first',
    'identifiers that begin with U+0000 are identifiers, and are kept whole',
    ['\0b', '\0', '\0a'],
    3,
    ['\0', '\0a', '\0b'],
  ],
];

const locators: Table<[text: string]> = [
  'LOC-8 LocatorDoi',
  ['doi-no-directory', 'a number and a slash without "10." are no DOI', '1234/x'],
  ['doi-other-directory', 'a number other than 10 before the dot is no DOI', '11.1234/x 1.1234/x'],
];

const BG1 = 'simhash-doc+bg1';

/** First and last code points of the ranges of spec/bigrams/bg1.txt. */
const ranges = Array.from(
  readFileSync(new URL('../../../../spec/bigrams/bg1.txt', import.meta.url), 'utf8').matchAll(
    /^([0-9A-F]+)\.\.([0-9A-F]+);/gm,
  ),
  ([, first, last]) => [Number.parseInt(first!, 16), Number.parseInt(last!, 16)] as const,
);

const ends = (which: 0 | 1): string =>
  ranges.map((range) => `\u6587${String.fromCodePoint(range[which])}\u66f8`).join(' ');

const units: Table<[text: string, tokens?: string]> = [
  'BIG-1 BIG-2 PairScripts MarkClass',
  ['ranges-first', 'the first code point of each range of bg1.txt between two ideographs', ends(0)],
  ['ranges-last', 'the last code point of each range of bg1.txt between two ideographs', ends(1)],
  'BIG-2 BIG-4 MarkClass',
  ['mark-first-latin', 'a mark before Latin letters belongs to them', '\u0302abc', '\u0302abc'],
  [
    'mark-first-mixed',
    'a mark before a Latin letter and an ideograph belongs to the letter',
    '\u0302a\u6587\u66f8',
    '\u0302a \u6587\u66f8',
  ],
  [
    'marks-first',
    'marks before an ideograph belong to the others, and are dropped with them',
    '\u0302\u0303\u6587',
    '\u6587',
  ],
];

/** By the group that they belong to. */
export const gapsByGroup: Readonly<Record<string, readonly Case[]>> = {
  serialise: casesOf(
    'parse',
    [
      'LAB-4 SER-3 LabelIgnored',
      ['bare-under-label', 'a bare fingerprint is read under the label that the reader names', 'GAQM5KRDOWTU4'],
    ],
    (serialised) => ({ input: { serialised, label: BG1 }, hand: { fingerprint: one } }),
  ),
  compare: casesOf('compare', comparisons, (mask, distance, verdict) => ({
    input: { a: labelled(one), b: labelled(hex16(BigInt(`0x${one}`) ^ mask)) },
    hand: { distance, similarity: 1 - distance / 64, verdict },
  })),
  label: [
    {
      ...{ name: 'bare-wide', operation: 'parse-labelled', rules: ['LAB-4', 'LAB-2'], flags: ['LabelIgnored'] },
      title: 'a bare fingerprint of 256 bits is refused where a labelled one is expected',
      input: { labelled: 'A'.repeat(52) },
      error: 'invalid-label',
    },
  ],
  tables: casesOf('probe', probes, (table, k, count) => ({ input: { fingerprint: one, table, k }, hand: { count } })),
  lookup: casesOf('lookup', lookups, (entered, k, answered) => ({
    input: { entries: same(...entered), query: one, k },
    hand: { matches: same(...answered).map((entry) => ({ ...entry, fingerprint: one, distance: 0 })) },
  })),
  variants: casesOf('tokenise', units, (text, tokens?) => ({
    input: { text, label: BG1 },
    ...(tokens !== undefined && { hand: { tokens: list(tokens) } }),
  })),
  'strip-locators': casesOf('strip-locators', locators, (text) => ({ input: { text }, hand: { text } })),
};
