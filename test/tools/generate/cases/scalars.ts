import type { ScalarCases, ScalarsRule } from '../../../../src/conformance/types.ts';
import { type Group, list } from '../case.ts';

const ALL: ScalarsRule['ranges'] = [[0x0, 0x10ffff]];

/** Code points that are assigned in Unicode 12.0 or nearly so, and the ends of the other planes in use. */
const ASSIGNED: ScalarsRule['ranges'] = [
  [0x0, 0x3007f],
  [0xdff80, 0xe0fff],
  [0xeff80, 0xf007f],
  [0x10ff80, 0x10ffff],
];

/** The same without most of the ideographs, of the syllables of Hangul and of private use. */
const VARIED: ScalarsRule['ranges'] = [
  [0x0, 0x343f],
  [0x4d80, 0x4e3f],
  [0x9fc0, 0xac3f],
  [0xd780, 0xe03f],
  [0xf8c0, 0x1703f],
  [0x187c0, 0x2003f],
  [0x2a6c0, 0x2a73f],
  [0x2b700, 0x2b83f],
  [0x2ce80, 0x2cebf],
  [0x2ebc0, 0x2ebff],
  [0x2f7c0, 0x2fa3f],
  [0x2ffc0, 0x3003f],
  [0xdffc0, 0xe023f],
  [0xeffc0, 0xf003f],
  [0x10ffc0, 0x10ffff],
];

/** Scalar values in a request for a step, and in a document: few, so that one that is wrong changes the fingerprint. */
const STEP = 4096;
const DOCUMENT = 16;

/** Ideographs, which compose with nothing, so that each token of a document is another one. */
const ideographs = (first: number): string[] =>
  Array.from({ length: DOCUMENT }, (_, i) => String.fromCodePoint(first + i));

const rule = (each: number, ranges: ScalarsRule['ranges'], before: readonly string[], after: readonly string[]) =>
  ({ rule: 'scalars', ranges, each, before, after }) as const;

const between = rule(
  DOCUMENT,
  VARIED,
  ideographs(0x4e00),
  ideographs(0x4e10).map((each) => `${each} `),
);

type Row = readonly [name: string, title: string, rules: string, flags: string, input: ScalarCases];

const rows: readonly Row[] = [
  ['classes', 'the class of each', 'CLS-1', 'NewerUnicode', { step: 'classify', rule: rule(STEP, ALL, [''], ['']) }],
  [
    'normal-forms',
    'the normal form of each',
    'NRM-1 NRM-2 NRM-3 NRM-5',
    'NewerUnicode',
    { step: 'normalise', rule: rule(STEP, ALL, [''], ['\n']) },
  ],
  [
    'normal-forms-marks',
    'the normal form of each behind a letter and before two marks',
    'NRM-1 NRM-2 NRM-3 NRM-5',
    'NewerUnicode',
    { step: 'normalise', rule: rule(STEP, ASSIGNED, ['e'], ['\u0323\u0301\n']) },
  ],
  [
    'tokens',
    'each alone is a token or none',
    'TOK-2 TOK-3',
    'NewerUnicode',
    { step: 'tokenise', rule: rule(STEP, ASSIGNED, [''], [' ']) },
  ],
  [
    'tokens-between',
    'each between letters joins them or not',
    'TOK-2 TOK-3',
    'NewerUnicode',
    { step: 'tokenise', rule: rule(STEP, ASSIGNED, ['a'], ['a ']) },
  ],
  [
    'units-bg1',
    'each between ideographs is joined, a mark or neither',
    'BIG-1 BIG-2',
    'NewerUnicode',
    { step: 'tokenise', label: 'simhash-doc+bg1', rule: rule(STEP, ALL, ['\u6587'], ['']) },
  ],
  [
    'documents-marks',
    'the fingerprints of documents of each before two marks',
    'CLS-1 NRM-2',
    'NewerUnicode',
    { step: 'fingerprint', rule: rule(DOCUMENT, VARIED, [''], ['\u0323\u0301 ']) },
  ],
  [
    'documents-between',
    'the fingerprints of documents of each between letters',
    'CLS-1 TOK-2',
    'NewerUnicode',
    { step: 'fingerprint', rule: between },
  ],
  [
    'documents-bg1',
    'the fingerprints of documents of each between ideographs',
    'BIG-1 BIG-2',
    'NewerUnicode',
    { step: 'fingerprint', label: 'simhash-doc+bg1', rule: between },
  ],
];

export const scalarsGroup: Group = {
  group: 'scalars',
  description:
    'Every scalar value of Unicode, for each table: a runner sends them in turn and forms one digest of the answers. If it is ' +
    'wrong, `simhash-doc conformance explain` finds the scalar values at fault.',
  cases: rows.map(([name, title, rules, flags, input]) => ({
    ...{ name, operation: 'accumulate' as const, title: `every scalar value: ${title}`, since: '0.2.0' },
    ...{ rules: list(rules), flags: list(flags), input },
  })),
};
