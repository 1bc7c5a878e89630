import type { AccumulatedStep, AccumulatingRule } from '../../../../src/conformance/types.ts';
import { list, rangesOf } from '../case.ts';

/** The numbers of cases in a vector. A larger one begins with the smaller one. */
const TIERS: readonly number[] = [100, 10_000, 100_000];

type Row = readonly [name: string, title: string, step: AccumulatedStep, rules: string, rule: AccumulatingRule];

type Ranges = Extract<AccumulatingRule, { rule: 'code-points' }>['ranges'];

const codePoints = (least: number, most: number, ranges: Ranges): AccumulatingRule => ({
  ...{ rule: 'code-points', least, most, ranges },
});
const bytes = (least: number, most: number): AccumulatingRule => ({ rule: 'octets', least, most });
const words = (least: number, most: number, vocabulary: readonly string[], separators: readonly string[]) =>
  ({ rule: 'words', least, most, vocabulary, separators }) as const;

/** All scalar values, those in use more often. */
const scalars = rangesOf('0-33ff*8 3400-d7ff e000-1ffff*3 20000-10ffff');

/** Letters that compose, marks of many classes, jamo and syllables, what is decomposed for good, what is ignorable. */
const composing = rangesOf(
  '41-7a*6 c0-24f 300-36f*4 370-3ff 591-5ea*2 621-669 900-dff 1100-11ff*2 1dc0-1dff*2 1e00-1fff 200b-2064 ' +
    '3041-30ff ac00-ad00 f900-faff fe00-fe2f 1d157-1d1c0 1f600-1f64f 2f800-2fa1d',
);

const locatorPieces = list(
  'http:// https://e.org/a?b=c :// ftp: www. WWW.x doi: DOI:10.1000/182 isbn: ISBN 978-3 urn:x pmid: 10. 10.1000/ 10.123/x ' +
    '10.1234567890/x me@ me@example.org a@b..c .org 550e8400-e29b-41d4-a716-446655440000 d41d8cd98f00b204e9800998ecf8427e ' +
    'abcdefabcdefabcdefabcdefabcdefab + - : / @ . , ( x 7 \u00e9 \u017f \u212a',
);

const plainWords = list(
  'the document naive H2O 2026 don\u2019t Fu\u00dfe caf\u00e9 \u043f\u0440\u0438\u0432\u0435\u0442 \u6587\u66f8 \uff21\uff22 ' +
    'zero\u200cwidth soft\u00adhyphen \u{1f600} snake_case x ab c++ http://example.org/a info@example.org \u32ff',
);

const hardWords = [
  ...plainWords,
  ...list(
    'cafe\u0301 A\u030angstro\u0308m \u0939\u093f\u0928\u094d\u0926\u0940 \u0627\u0644\u0639\u0631\u0628\u064a\u0629 ' +
      '\u1112\u1161\u11ab\u1100\u116e\u11a8 \ud55c\uad6d \u0e20\u0e32\u0e29\u0e32 \u05e9\u05bc\u05c1 \ufb01n \u2126 ' +
      'q\u0323\u0307 q\u0307\u0323 \u0958 \u{1d15e} a\u0344 \u2160\u2161 \u0661\u0662 \u30ab\u3099 \u212b',
  ),
];

const rows: readonly Row[] = [
  ['decode', 'octets are decoded', 'decode', 'DEC-1 DEC-2', bytes(0, 24)],
  ['classify', 'code points are classified', 'classify', 'CLS-1 CLS-3 CLS-4 CLS-5 CLS-6', codePoints(4, 16, scalars)],
  [
    'normalise',
    'texts with marks and jamo are normalised',
    'normalise',
    'NRM-1 NRM-2 NRM-3',
    codePoints(0, 10, composing),
  ],
  [
    'normalise-any',
    'texts of any code points are normalised',
    'normalise',
    'NRM-1 NRM-2 NRM-3',
    codePoints(0, 8, [...scalars, [0x300, 0x36f, 100]]),
  ],
  [
    'normalise-plain',
    'texts that need no composition are normalised',
    'normalise',
    'NRM-1 NRM-2',
    words(0, 6, plainWords, [' ', '', '\u00ad', '\u200d', '\ue000']),
  ],
  [
    'strip-locators',
    'pieces of locators in any order are stripped',
    'strip-locators',
    'LOC-1 LOC-2 LOC-5 LOC-6 LOC-7 LOC-8 LOC-9 LOC-10 LOC-11',
    words(1, 10, locatorPieces, ['', '', '', ' ']),
  ],
  [
    'tokenise',
    'texts of any code points are cut into tokens',
    'tokenise',
    'TOK-2 TOK-3 TOK-1',
    codePoints(0, 20, scalars),
  ],
  [
    'tokenise-words',
    'words and punctuation are cut into tokens',
    'tokenise',
    'TOK-2 TOK-3 TOK-1 TOK-4',
    words(0, 8, hardWords, [' ', '-', '_', '.', '\u200b', '\u3001', '']),
  ],
  ['token-hash', 'tokens of 0 to 40 octets are hashed', 'token-hash', 'HSH-1 HSH-3 HSH-2', bytes(0, 40)],
  ['simhash', 'the simhash of up to eight hashes', 'simhash', 'SIM-2 SIM-3 SIM-4 SIM-1', bytes(0, 71)],
  ['serialise', 'fingerprints are written', 'serialise', 'SER-1 SER-6', bytes(8, 8)],
  [
    'parse',
    'strings of 13 characters, most of them of the alphabet, are read or refused',
    'parse',
    'SER-3 SER-4 SER-5',
    codePoints(13, 13, [
      [0x41, 0x5a, 100],
      [0x32, 0x37, 100],
      [0x61, 0x7a, 100],
      [0x0, 0x7f],
    ]),
  ],
  [
    'parse-padded',
    'strings of 12 to 17 characters, some of them equals signs, are read or refused',
    'parse',
    'SER-3 SER-2 SER-5',
    codePoints(12, 17, [
      [0x41, 0x41, 30],
      [0x47, 0x47, 30],
      [0x3d, 0x3d, 20],
    ]),
  ],
  ['tables', 'keys and permuted fingerprints of fingerprints', 'tables', 'TAB-1 TAB-2 TAB-3 TAB-4', bytes(8, 8)],
  ['probe', 'probes for distances 0 to 7', 'probe', 'LKP-5', bytes(8, 8)],
  [
    'fingerprint',
    'fingerprints of short texts in many languages',
    'fingerprint',
    'SIM-4 TOK-4',
    words(0, 9, hardWords, [' ', ', ', '\n', '-']),
  ],
  [
    'fingerprint-plain',
    'fingerprints of short texts that need no composition',
    'fingerprint',
    'SIM-4 TOK-4',
    words(0, 12, plainWords, [' ', ' ', '. ', '-']),
  ],
  ['fingerprint-octets', 'fingerprints of octets', 'fingerprint', 'DEC-2 SIM-4 TOK-4', bytes(0, 40)],
];

const written = (count: number): string => count.toLocaleString('en');

/** The accumulated vectors of a tier, without their digests. */
export const accumulated = rows.flatMap(([name, title, step, rules, rule], number) =>
  TIERS.map((count) => ({
    ...{ name: `${name}-${count}`, operation: 'accumulate' as const, title: `${title}: ${written(count)} cases` },
    ...{ rules: list(rules), flags: [], input: { step, rule, seed: 1_000_000 * number, count } },
  })),
);

/** The largest tier that the twin is asked for each time. */
export const TWIN = TIERS[0]!;
