import type { ErrorCode } from '../../../../src/errors.ts';
import { casesOf, type Group, type Table } from '../case.ts';

type Labels = Table<[label: string]>;

/** Read as `simhash-doc`. */
const labels: Labels = [
  'LAB-3',
  ['label-bare', 'the label of the bare scheme is read', 'simhash-doc'],
  'LAB-1 LabelCase',
  ['label-upper', 'a label in upper case is read', 'SIMHASH-DOC'],
  ['label-mixed', 'a label in both cases is read', 'SimHash-Doc'],
];

/** Read as their own lower case. */
const otherLabels: Labels = [
  'LAB-3 LabelRegistry',
  ['label-bg1', 'the label with a name is read', 'simhash-doc+bg1'],
  'LAB-3 MIN-7 LabelRegistry',
  ['label-minhash', 'the label of minhash-doc is read', 'minhash-doc'],
  ['label-minhash-256', 'the label of 256 bits is read', 'minhash-doc-256'],
  'LAB-1 LabelCase',
  ['label-bg1-upper', 'the label with a name in upper case is read', 'SIMHASH-DOC+BG1'],
  ['label-minhash-mixed', 'the label of minhash-doc in both cases is read', 'MinHash-Doc'],
  ['label-minhash-256-upper', 'the label of 256 bits in upper case is read', 'MINHASH-DOC-256'],
];

const refusedLabels: Labels = [
  'LAB-3 LabelSyntax',
  ['label-bg1-twice', 'a registered name that occurs twice is refused', 'simhash-doc+bg1+bg1'],
  'LAB-2 LabelRegistry',
  ['label-bg2', 'a name like a registered one is refused', 'simhash-doc+bg2'],
  ['label-bg10', 'a name that begins with a registered one is refused', 'simhash-doc+bg10'],
  'LAB-2 LAB-3 LabelIgnored',
  ['label-bg1-alone', 'the name of a variant alone is refused', 'bg1'],
  'LAB-2 LabelRegistry',
  ['label-cap8', 'a name that is not registered is refused', 'simhash-doc+cap8'],
  ['label-bg1-cap8', 'a registered name with another one is refused', 'simhash-doc+bg1+cap8'],
  ['label-minhash-bg1', 'minhash-doc, which includes bg1, takes no name', 'minhash-doc+bg1'],
  ['label-minhash-256-bg1', 'minhash-doc-256, which includes bg1, takes no name', 'minhash-doc-256+bg1'],
  ['label-minhash-64', 'the number of bits 64 is refused', 'minhash-doc-64'],
  ['label-minhash-128', 'the number of bits 128 is refused', 'minhash-doc-128'],
  ['label-minhash-512', 'the number of bits 512 is refused', 'minhash-doc-512'],
  ['label-simhash-256', 'simhash-doc has no form of 256 bits', 'simhash-doc-256'],
  'LAB-2 LabelIgnored',
  ['label-minhash-short', 'minhash without -doc is refused', 'minhash'],
  ['label-minhash-256-short', 'minhash-256 is refused', 'minhash-256'],
  ['label-minhash-no-hyphen', 'minhash-doc256 is refused', 'minhash-doc256'],
  ['label-minhash-hyphen', 'a hyphen at the end is refused', 'minhash-doc-'],
  'LAB-1 LAB-2 UnicodeDigits',
  ['label-minhash-wide', 'a full-width digit in a label is refused', 'minhash-doc-25\uff16'],
  'LAB-1 LAB-2 UnicodeCase',
  ['label-minhash-long-s', 'U+017F in place of s is refused in minhash', 'minha\u017fh-doc'],
  'LAB-2 LabelIgnored EmptyAsZero',
  ['label-empty', 'an empty label is refused', ''],
  'LAB-2 LAB-3 LabelIgnored',
  ['label-short', 'simhash without -doc is refused', 'simhash'],
  ['label-prefix', 'the beginning of the label is refused', 'simhash-do'],
  ['label-longer', 'the label with another word is refused', 'simhash-docs'],
  ['label-no-hyphen', 'the label without its hyphen is refused', 'simhashdoc'],
  ['label-underscore', 'an underscore in place of the hyphen is refused', 'simhash_doc'],
  'LAB-2 LAB-3 LabelIgnored UnicodeCase',
  ['label-other-hyphen', 'U+2010 in place of the hyphen is refused', 'simhash\u2010doc'],
  'LAB-2 LabelIgnored',
  ['label-other', 'the label of another scheme is refused', 'md5'],
  'LAB-2 LabelRegistry',
  ['label-unregistered', 'a variant that is not registered is refused', 'simhash-doc+nosuch'],
  'LAB-2 LAB-3 LabelRegistry',
  ['label-two', 'two variants that are not registered are refused', 'simhash-doc+a+b'],
  'LAB-3 LabelSyntax',
  ['label-order', 'names in descending order are refused', 'simhash-doc+x1+a'],
  ['label-repeat', 'a name that occurs twice is refused', 'simhash-doc+x1+x1'],
  ['label-empty-name', 'an empty name between two plus signs is refused', 'simhash-doc++bg1'],
  ['label-trailing-plus', 'a plus sign at the end is refused', 'simhash-doc+'],
  ['label-leading-plus', 'a plus sign at the start is refused', '+simhash-doc'],
  ['label-digit-name', 'a name that begins with a digit is refused', 'simhash-doc+1bg'],
  ['label-hyphen-name', 'a hyphen in a name is refused', 'simhash-doc+bg-1'],
  ['label-base-twice', 'the base of the label as a name is refused', 'simhash-doc+simhash-doc'],
  'LAB-2 WhiteSpace',
  ['label-space-before', 'a space before the label is refused', ' simhash-doc'],
  ['label-space-behind', 'a space after the label is refused', 'simhash-doc '],
  ['label-line-end', 'a line end after the label is refused', 'simhash-doc\n'],
  ['label-space-for-hyphen', 'a space in place of the hyphen is refused', 'simhash doc'],
  'LAB-2 LabelSyntax',
  ['label-colon', 'a colon after the label is refused where a label alone is read', 'simhash-doc:'],
  'LAB-1 LAB-2 UnicodeCase',
  ['label-long-s', 'U+017F in place of s is refused', 'simha\u017fh-doc'],
  ['label-dotted-i', 'U+0130 in place of i is refused', 's\u0130mhash-doc'],
  ['label-dotless-i', 'U+0131 in place of i is refused', 's\u0131mhash-doc'],
  ['label-wide', 'full-width letters in a label are refused', 'simhash-\uff44\uff4f\uff43'],
  'LAB-1 LAB-2 UnicodeCase LabelRegistry',
  ['label-kelvin', 'U+212A in a name is refused', 'simhash-doc+\u212a'],
  'LAB-2 Ignorable',
  ['label-soft-hyphen', 'a soft hyphen in the label is refused', 'sim\u00adhash-doc'],
  'LAB-2 Bom',
  ['label-mark', 'a byte order mark before the label is refused', '\ufeffsimhash-doc'],
  'LAB-2 NulEndsText',
  ['label-nul', 'U+0000 after the label is refused', 'simhash-doc\0'],
];

const labelled: Table<[labelled: string, fingerprint: string]> = [
  'SER-8',
  ['read', 'a label, a colon and a fingerprint are read', 'simhash-doc:GAQM5KRDOWTU4', '3020ceaa2375a74e'],
  'SER-8 LAB-1 LabelCase',
  ['read-upper', 'label and fingerprint in upper case are read', 'SIMHASH-DOC:GAQM5KRDOWTU4', '3020ceaa2375a74e'],
  'SER-8 SER-3 LetterCase',
  ['read-lower', 'label and fingerprint in lower case are read', 'simhash-doc:gaqm5krdowtu4', '3020ceaa2375a74e'],
  'SER-8 LAB-1 LabelCase LetterCase',
  ['read-mixed', 'label and fingerprint in both cases are read', 'Simhash-Doc:GaQm5KRDOWTU4', '3020ceaa2375a74e'],
  'SER-8 SER-2 Padding',
  [
    'read-padded',
    'three equals signs at the end of a labelled fingerprint are dropped',
    'simhash-doc:GAQM5KRDOWTU4===',
    '3020ceaa2375a74e',
  ],
  'SER-8 SIM-5 ZeroAsEmpty',
  [
    'read-zero',
    'thirteen A after the label are read as a fingerprint',
    'simhash-doc:AAAAAAAAAAAAA',
    '0000000000000000',
  ],
];

const WIDE_TEXT_OF_ZERO = 'A'.repeat(52);

const L = 'invalid-label';
const F = 'invalid-fingerprint';

const refusedLabelled: Table<[labelled: string, error: ErrorCode]> = [
  'MIN-9 SER-8 WideString',
  [
    'read-256-short',
    'a fingerprint of 64 bits under the label of 256 bits is refused',
    'minhash-doc-256:GAQM5KRDOWTU4',
    F,
  ],
  'SER-5 SER-8 WideString',
  [
    'read-256-long',
    'a fingerprint of 256 bits under a label of 64 bits is refused',
    `minhash-doc:${WIDE_TEXT_OF_ZERO}`,
    F,
  ],
  'LAB-2 SER-8 LabelRegistry',
  [
    'read-minhash-bg1',
    'a label that minhash-doc does not have is refused before a fingerprint',
    'minhash-doc+bg1:GAQM5KRDOWTU4',
    L,
  ],
  'LAB-2 LabelIgnored EmptyAsZero',
  ['read-empty', 'an empty string has no label', '', L],
  'LAB-2 LAB-4 LabelIgnored',
  ['read-bare', 'a fingerprint without a label is refused', 'GAQM5KRDOWTU4', L],
  'LAB-2 LabelIgnored',
  ['read-colon-first', 'an empty label before the colon is refused', ':GAQM5KRDOWTU4', L],
  'LAB-2 LabelRegistry',
  [
    'read-unregistered',
    'a label that is not registered is refused before a fingerprint',
    'simhash-doc+x1:GAQM5KRDOWTU4',
    L,
  ],
  'LAB-2 LabelIgnored',
  ['read-other', 'the label of another scheme is refused before a fingerprint', 'simhash:GAQM5KRDOWTU4', L],
  'SER-8 LAB-2 LabelSyntax',
  ['read-no-colon', 'a label and a fingerprint without a colon are refused', 'simhash-docGAQM5KRDOWTU4', L],
  ['read-label-and-letter', 'a label and one more letter without a colon are an unknown label', 'simhash-docA', L],
  ['read-label-alone', 'a label without a colon and a fingerprint is refused', 'simhash-doc', L],
  'SER-8 LAB-2 UnicodeCase',
  ['read-wide-colon', 'a full-width colon is refused', 'simhash-doc\uff1aGAQM5KRDOWTU4', L],
  'SER-8 LAB-2 LabelSyntax',
  ['read-equals', 'an equals sign in place of the colon is refused', 'simhash-doc=GAQM5KRDOWTU4', L],
  'SER-8 LAB-2 WhiteSpace',
  [
    'read-space-before',
    'a space before a labelled fingerprint is a fault of the label',
    ' simhash-doc:GAQM5KRDOWTU4',
    L,
  ],
  ['read-space-before-colon', 'a space before the colon is a fault of the label', 'simhash-doc :GAQM5KRDOWTU4', L],
  'LAB-2 SER-5 ErrorOrder',
  ['read-both-wrong', 'label and fingerprint are at fault: the label is reported', 'nosuch:?', L],
  'SER-8 SER-3 StringLength EmptyAsZero',
  ['read-nothing-behind', 'an empty fingerprint after the colon is refused', 'simhash-doc:', F],
  'SER-8 SER-5 LabelSyntax',
  ['read-two-colons', 'two colons in a row are a fault of the fingerprint', 'simhash-doc::GAQM5KRDOWTU4', F],
  [
    'read-label-twice',
    'a second label after the colon is a fault of the fingerprint',
    'simhash-doc:simhash-doc:GAQM5KRDOWTU4',
    F,
  ],
  'SER-8 SER-5 WhiteSpace',
  ['read-space', 'a space after the colon is a fault of the fingerprint', 'simhash-doc: GAQM5KRDOWTU4', F],
  ['read-space-behind', 'a space after the fingerprint is refused', 'simhash-doc:GAQM5KRDOWTU4 ', F],
  ['read-line-end', 'a line end after the fingerprint is refused', 'simhash-doc:GAQM5KRDOWTU4\n', F],
  'SER-8 SER-4 SpareBit',
  ['read-spare', 'a spare bit 1 is refused after a label', 'simhash-doc:GAQM5KRDOWTU5', F],
  'SER-8 SER-2 Padding',
  ['read-1-equals', 'one equals sign is refused after a labelled fingerprint', 'simhash-doc:GAQM5KRDOWTU4=', F],
  'SER-8 SER-5 StringLength',
  ['read-hex', 'the hexadecimal form is refused after a label', 'simhash-doc:3020ceaa2375a74e', F],
  'SER-8 SER-5 LabelSyntax',
  ['read-path', 'a colon and more after the fingerprint are refused', 'simhash-doc:GAQM5KRDOWTU4:a', F],
];

/** The example of 256 bits: that of simhash-doc, then other numbers. */
export const WIDE_HEX = `3020ceaa2375a74e${'0123456789abcdef'.repeat(2)}ffffffffffffffff`;
const WIDE_TEXT = base32(WIDE_HEX);

/** RFC 4648, by hand: five bits a character, four spare bits 0. */
export function base32(digits: string): string {
  const bits = Array.from(digits, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  return (bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? [])
    .map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group, 2)])
    .join('');
}

const readOthers: Table<[labelled: string, label: string, fingerprint: string]> = [
  'SER-8 LAB-1 LabelRegistry LabelCase',
  [
    'read-bg1',
    'a label with a name before a fingerprint is read',
    'simhash-doc+Bg1:GAQM5KRDOWTU4',
    'simhash-doc+bg1',
    '3020ceaa2375a74e',
  ],
  [
    'read-minhash',
    'a fingerprint of minhash-doc is read',
    'Minhash-Doc:gaqm5krdowtu4===',
    'minhash-doc',
    '3020ceaa2375a74e',
  ],
  'SER-8 MIN-9 LabelRegistry WideString',
  [
    'read-minhash-256',
    'a fingerprint of 256 bits is read',
    `minhash-doc-256:${WIDE_TEXT}`,
    'minhash-doc-256',
    WIDE_HEX,
  ],
  'SER-8 MIN-9 LAB-1 LabelCase LetterCase WideString',
  [
    'read-minhash-256-padded',
    'a padded fingerprint of 256 bits is read, in any case',
    `MINHASH-DOC-256:${WIDE_TEXT.toLowerCase()}====`,
    'minhash-doc-256',
    WIDE_HEX,
  ],
];

type Outcome = { readonly hand: { readonly labelled: string } } | { readonly error: ErrorCode };

const hand = (labelled: string): Outcome => ({ hand: { labelled } });
const invalid: Outcome = { error: L };

const writtenLabelled: Table<[label: string, fingerprint: string | null, outcome: Outcome]> = [
  'LAB-1 SER-7 LabelRegistry LabelCase',
  [
    'write-bg1',
    'a label with a name is written in lower case',
    'simhash-doc+BG1',
    '3020ceaa2375a74e',
    hand('simhash-doc+bg1:GAQM5KRDOWTU4'),
  ],
  'SER-7 LabelRegistry',
  [
    'write-minhash',
    'a fingerprint of minhash-doc is written',
    'MinHash-Doc',
    '3020ceaa2375a74e',
    hand('minhash-doc:GAQM5KRDOWTU4'),
  ],
  'SER-7 MIN-9 LabelRegistry WideString',
  [
    'write-minhash-256',
    'a fingerprint of 256 bits is written',
    'minhash-doc-256',
    WIDE_HEX,
    hand(`minhash-doc-256:${WIDE_TEXT}`),
  ],
  'SER-7 MIN-6 EmptyAsZero',
  [
    'write-minhash-256-none',
    'a document without a fingerprint of 256 bits has no labelled form',
    'minhash-doc-256',
    null,
    { error: 'no-fingerprint' },
  ],
  'LAB-2 LabelRegistry',
  [
    'write-minhash-bg1',
    'a label that minhash-doc does not have is refused on writing',
    'minhash-doc+bg1',
    '3020ceaa2375a74e',
    invalid,
  ],
  'SER-7',
  [
    'write-plain',
    'a label, a colon and a fingerprint are written',
    'simhash-doc',
    '3020ceaa2375a74e',
    hand('simhash-doc:GAQM5KRDOWTU4'),
  ],
  'LAB-1 SER-7 SER-1 LabelCase LetterCase',
  [
    'write-upper',
    'a label in upper case is written in lower case; the fingerprint is not',
    'SIMHASH-DOC',
    '3020ceaa2375a74e',
    hand('simhash-doc:GAQM5KRDOWTU4'),
  ],
  'LAB-1 LabelCase',
  [
    'write-mixed',
    'a label in both cases is written in lower case',
    'SimHash-Doc',
    '0000000000000001',
    hand('simhash-doc:AAAAAAAAAAAAC'),
  ],
  'SER-7 SIM-5 ZeroAsEmpty LeadingZeros',
  [
    'write-zero',
    '64 zeros are written like any other fingerprint',
    'simhash-doc',
    '0000000000000000',
    hand('simhash-doc:AAAAAAAAAAAAA'),
  ],
  'SER-7 SER-1 Padding SignedWords',
  [
    'write-ones',
    'a labelled fingerprint is written without padding',
    'simhash-doc',
    'ffffffffffffffff',
    hand('simhash-doc:7777777777776'),
  ],
  'SER-7 SIM-1 EmptyAsZero',
  [
    'write-none',
    'a document without a fingerprint has no labelled form',
    'simhash-doc',
    null,
    { error: 'no-fingerprint' },
  ],
  'LAB-2 LabelIgnored',
  ['write-empty', 'an empty label is refused on writing', '', '3020ceaa2375a74e', invalid],
  ['write-other', 'the label of another scheme is refused on writing', 'simhash', '3020ceaa2375a74e', invalid],
  'LAB-2 LabelRegistry',
  [
    'write-cap8',
    'a variant that is not registered is refused on writing',
    'simhash-doc+cap8',
    '3020ceaa2375a74e',
    invalid,
  ],
  'LAB-2 LabelSyntax',
  ['write-colon', 'a colon after the label is refused on writing', 'simhash-doc:', '3020ceaa2375a74e', invalid],
  'LAB-1 LAB-2 UnicodeCase',
  ['write-long-s', 'U+017F in place of s is refused on writing', 'simha\u017fh-doc', '3020ceaa2375a74e', invalid],
  'LAB-2 SIM-1 ErrorOrder',
  [
    'write-both-wrong',
    'label and fingerprint are at fault: the label, read first, is reported',
    'nosuch',
    null,
    invalid,
  ],
];

export const labelGroup: Group = {
  group: 'label',
  description: 'Step 9: labels and labelled fingerprints, read and written.',
  cases: [
    ...casesOf('parse-label', labels, (label) => ({ input: { label }, hand: { label: 'simhash-doc' } })),
    ...casesOf('parse-label', otherLabels, (label) => ({ input: { label }, hand: { label: label.toLowerCase() } })),
    ...casesOf('parse-labelled', readOthers, (labelled, label, fingerprint) => ({
      input: { labelled },
      hand: { label, fingerprint },
    })),
    ...casesOf('parse-label', refusedLabels, (label) => ({ input: { label }, error: L })),
    ...casesOf('parse-labelled', labelled, (labelled, fingerprint) => ({
      input: { labelled },
      hand: { label: 'simhash-doc', fingerprint },
    })),
    ...casesOf('parse-labelled', refusedLabelled, (labelled, error) => ({ input: { labelled }, error })),
    ...casesOf('format-labelled', writtenLabelled, (label, fingerprint, outcome) => ({
      input: { label, fingerprint },
      ...outcome,
    })),
  ],
};
