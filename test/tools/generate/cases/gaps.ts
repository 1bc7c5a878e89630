/**
 * Cases for gaps that measurements found: rules that were not the first rule of any vector, and mistakes that no
 * vector detected.
 */
import { readFileSync } from 'node:fs';
import type { Verdict } from '../../../../src/index.ts';
import { type Case, list } from '../case.ts';
import { bare } from '../oracle.ts';

/** The version of the suite that brought them. */
const since = '0.2.0';

const labelled = (hex: string): string => `simhash-doc:${bare.serialise(BigInt(`0x${hex}`))}`;
const one = '3020ceaa2375a74e';
const hex = (value: bigint): string => value.toString(16).padStart(16, '0');

type CompareRow = readonly [
  name: string,
  title: string,
  rules: string,
  mask: bigint,
  distance: number,
  verdict: Verdict,
];

const comparisons: readonly CompareRow[] = [
  ['similarity-d-1', 'the similarity at distance 1 is 0.984375, not rounded', 'CMP-4 CMP-5', 0x10n, 1, 'close'],
  ['similarity-d-7', 'the similarity at distance 7 is 0.890625, not rounded', 'CMP-4', 0x7fn, 7, 'none'],
  ['similarity-d-63', 'the similarity at distance 63 is 0.015625, not 0', 'CMP-4', 0xffff_ffff_ffff_fffen, 63, 'none'],
  ['close-at-most', 'distance 1 is the last that is close', 'CMP-5', 0x8000_0000_0000n, 1, 'close'],
  ['close-no-more', 'distance 2, a similarity of 0.97 rounded, is not close', 'CMP-5 CMP-6', 0x300n, 2, 'loose'],
  ['loose-at-most', 'distance 6, a similarity of 0.90625, is the last that is loose', 'CMP-6', 0x3fn, 6, 'loose'],
  ['loose-no-more', 'distance 7, a similarity of 0.89, is not loose', 'CMP-6', 0x7f00n, 7, 'none'],
];

const compare = comparisons.map(([name, title, rules, mask, distance, verdict]): Case => {
  const other = hex(BigInt(`0x${one}`) ^ mask);
  return {
    ...{ name, operation: 'compare', title, since, rules: list(rules), flags: ['Threshold'] },
    input: { a: labelled(one), b: labelled(other) },
    hand: { distance, similarity: 1 - distance / 64, verdict },
  };
});

const label: readonly Case[] = [
  {
    ...{ name: 'bare-wide', operation: 'parse-labelled', since, rules: ['LAB-4', 'LAB-2'], flags: ['LabelIgnored'] },
    title: 'a bare fingerprint of 256 bits is refused where a labelled one is expected',
    input: { labelled: 'A'.repeat(52) },
    error: 'invalid-label',
  },
];

const serialise: readonly Case[] = [
  {
    ...{ name: 'bare-under-label', operation: 'parse', since, rules: ['LAB-4', 'SER-3'], flags: ['LabelIgnored'] },
    title: 'a bare fingerprint is read under the label that the reader names',
    input: { serialised: 'GAQM5KRDOWTU4', label: 'simhash-doc+bg1' },
    hand: { fingerprint: one },
  },
];

/** The numbers of probes for k = 9 to 12, by hand: the sum of products of binomial coefficients of 16 and 12. */
const PROBES = [2903, 10_823, 10_823, 55_283];

const tables = PROBES.flatMap((count, i): Case[] =>
  [0, 6, 15].map((table) => ({
    ...{ name: `probe-k${i + 9}-table-${table}`, operation: 'probe', since, rules: ['LKP-5'], flags: ['ProbeSet'] },
    title: `the probes of table ${table} for distance ${i + 9}`,
    input: { fingerprint: one, table, k: i + 9 },
    hand: { count },
  })),
);

const same = (...ids: readonly string[]) => ids.map((id) => ({ id, fingerprint: one, distance: 0 }));

const lookup: readonly Case[] = [
  {
    ...{ name: 'order-nul', operation: 'lookup', since, rules: ['LKP-3'], flags: ['IdOrder', 'NulEndsText'] },
    title: 'identifiers that differ behind U+0000 are ordered by it',
    input: {
      entries: same('a\0c', 'a\0b', 'a\0', 'a\0d', 'a').map(({ distance: _, ...entry }) => entry),
      ...{ query: one, k: 0 },
    },
    hand: { matches: same('a', 'a\0', 'a\0b', 'a\0c', 'a\0d') },
  },
  {
    ...{ name: 'id-nul-first', operation: 'lookup', since, rules: ['LKP-2', 'LKP-3'], flags: ['NulEndsText'] },
    title: 'identifiers that begin with U+0000 are identifiers, and are kept whole',
    input: { entries: same('\0b', '\0', '\0a').map(({ distance: _, ...entry }) => entry), ...{ query: one, k: 3 } },
    hand: { matches: same('\0', '\0a', '\0b') },
  },
];

const locators: readonly Case[] = [
  ['doi-no-directory', 'a number and a slash without "10." are no DOI', '1234/x', '1234/x'],
  [
    'doi-other-directory',
    'a number other than 10 before the dot is no DOI',
    '11.1234/x 1.1234/x',
    '11.1234/x 1.1234/x',
  ],
].map(
  ([name, title, text, stripped]): Case => ({
    ...{ name: name!, operation: 'strip-locators', title: title!, since, rules: ['LOC-8'], flags: ['LocatorDoi'] },
    ...{ input: { text: text! }, hand: { text: stripped! } },
  }),
);

const BG1 = 'simhash-doc+bg1';

/** First and last code points of the ranges of spec/bigrams/bg1.txt. */
const ranges = readFileSync(new URL('../../../../spec/bigrams/bg1.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const ends = /^([0-9A-F]+)\.\.([0-9A-F]+);/.exec(line);
    return ends === null ? [] : [[Number.parseInt(ends[1]!, 16), Number.parseInt(ends[2]!, 16)] as const];
  });

const ends = (which: 'first' | 'last'): string =>
  ranges.map((range) => `\u6587${String.fromCodePoint(range[which === 'first' ? 0 : 1])}\u66f8`).join(' ');

const variants: readonly Case[] = [
  ...(['first', 'last'] as const).map(
    (which): Case => ({
      ...{
        name: `ranges-${which}`,
        operation: 'tokenise',
        since,
        rules: ['BIG-1', 'BIG-2'],
        flags: ['PairScripts', 'MarkClass'],
      },
      title: `the ${which} code point of each range of bg1.txt between two ideographs`,
      input: { text: ends(which), label: BG1 },
    }),
  ),
  ...(
    [
      ['mark-first-latin', 'a mark before Latin letters belongs to them', '\u0302abc', ['\u0302abc']],
      [
        'mark-first-mixed',
        'a mark before a Latin letter and an ideograph belongs to the letter',
        '\u0302a\u6587\u66f8',
        ['\u0302a', '\u6587\u66f8'],
      ],
      [
        'marks-first',
        'marks before an ideograph belong to the others, and are dropped with them',
        '\u0302\u0303\u6587',
        ['\u6587'],
      ],
    ] as const
  ).map(
    ([name, title, text, tokens]): Case => ({
      ...{ name, operation: 'tokenise', title, since, rules: ['BIG-2', 'BIG-4'], flags: ['MarkClass'] },
      ...{ input: { text, label: BG1 }, hand: { tokens } },
    }),
  ),
];

/** By the group that they belong to. */
export const gapsByGroup: Readonly<Record<string, readonly Case[]>> = {
  ...{ serialise, compare, label, tables, lookup, variants },
  'strip-locators': locators,
};
