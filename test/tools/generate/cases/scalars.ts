import type { ScalarCases, ScalarsRule } from '../../../../src/conformance/types.ts';
import { casesOf, endsOf, type Group, list, type Table } from '../case.ts';

const ALL: ScalarsRule['ranges'] = [[0x0, 0x10ffff]];

/** Code points that are assigned in Unicode 12.0 or nearly so, and the ends of the other planes in use. */
const ASSIGNED: ScalarsRule['ranges'] = list('0-3007f dff80-e0fff eff80-f007f 10ff80-10ffff').map(endsOf);

/** The same without most of the ideographs, of the syllables of Hangul and of private use. */
const VARIED: ScalarsRule['ranges'] = list(
  '0-343f 4d80-4e3f 9fc0-ac3f d780-e03f f8c0-1703f 187c0-2003f 2a6c0-2a73f 2b700-2b83f 2ce80-2cebf 2ebc0-2ebff ' +
    '2f7c0-2fa3f 2ffc0-3003f dffc0-e023f effc0-f003f 10ffc0-10ffff',
).map(endsOf);

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

const rows: Table<[input: ScalarCases]> = [
  'CLS-1 NewerUnicode',
  ['classes', 'every scalar value: the class of each', { step: 'classify', rule: rule(STEP, ALL, [''], ['']) }],
  'NRM-1 NRM-2 NRM-3 NRM-5 NewerUnicode',
  [
    'normal-forms',
    'every scalar value: the normal form of each',
    { step: 'normalise', rule: rule(STEP, ALL, [''], ['\n']) },
  ],
  [
    'normal-forms-marks',
    'every scalar value: the normal form of each behind a letter and before two marks',
    { step: 'normalise', rule: rule(STEP, ASSIGNED, ['e'], ['\u0323\u0301\n']) },
  ],
  'TOK-2 TOK-3 NewerUnicode',
  [
    'tokens',
    'every scalar value: each alone is a token or none',
    { step: 'tokenise', rule: rule(STEP, ASSIGNED, [''], [' ']) },
  ],
  [
    'tokens-between',
    'every scalar value: each between letters joins them or not',
    { step: 'tokenise', rule: rule(STEP, ASSIGNED, ['a'], ['a ']) },
  ],
  'BIG-1 BIG-2 NewerUnicode',
  [
    'units-bg1',
    'every scalar value: each between ideographs is joined, a mark or neither',
    { step: 'tokenise', label: 'simhash-doc+bg1', rule: rule(STEP, ALL, ['\u6587'], ['']) },
  ],
  'CLS-1 NRM-2 NewerUnicode',
  [
    'documents-marks',
    'every scalar value: the fingerprints of documents of each before two marks',
    { step: 'fingerprint', rule: rule(DOCUMENT, VARIED, [''], ['\u0323\u0301 ']) },
  ],
  'CLS-1 TOK-2 NewerUnicode',
  [
    'documents-between',
    'every scalar value: the fingerprints of documents of each between letters',
    { step: 'fingerprint', rule: between },
  ],
  'BIG-1 BIG-2 NewerUnicode',
  [
    'documents-bg1',
    'every scalar value: the fingerprints of documents of each between ideographs',
    { step: 'fingerprint', label: 'simhash-doc+bg1', rule: between },
  ],
];

export const scalarsGroup: Group = {
  group: 'scalars',
  description:
    'Every scalar value of Unicode, for each table: a runner sends them in turn and forms one digest of the answers. If it is ' +
    'wrong, `simhash-doc conformance explain` finds the scalar values at fault.',
  cases: casesOf('accumulate', rows, (input) => ({ input })),
};
