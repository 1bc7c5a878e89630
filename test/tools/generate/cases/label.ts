import { type Case, type Group, list } from '../case.ts';

type LabelRow = readonly [name: string, title: string, rules: string, flags: string, label: string];

/** Read as `simhash-doc`. */
const labels: readonly LabelRow[] = [
  ['bare', 'the label of the bare scheme is read', 'LAB-3', '', 'simhash-doc'],
  ['upper', 'a label in upper case is read', 'LAB-1', 'LabelCase', 'SIMHASH-DOC'],
  ['mixed', 'a label in both cases is read', 'LAB-1', 'LabelCase', 'SimHash-Doc'],
];

/** Read as their own lower case. */
const otherLabels: readonly LabelRow[] = [
  ['bg1', 'the label with a name is read', 'LAB-3', 'LabelRegistry', 'simhash-doc+bg1'],
  ['minhash', 'the label of minhash-doc is read', 'LAB-3 MIN-7', 'LabelRegistry', 'minhash-doc'],
  ['minhash-256', 'the label of 256 bits is read', 'LAB-3 MIN-7', 'LabelRegistry', 'minhash-doc-256'],
  ['bg1-upper', 'the label with a name in upper case is read', 'LAB-1', 'LabelCase', 'SIMHASH-DOC+BG1'],
  ['minhash-mixed', 'the label of minhash-doc in both cases is read', 'LAB-1', 'LabelCase', 'MinHash-Doc'],
  ['minhash-256-upper', 'the label of 256 bits in upper case is read', 'LAB-1', 'LabelCase', 'MINHASH-DOC-256'],
];

const refusedLabels: readonly LabelRow[] = [
  ['bg1-twice', 'a registered name that occurs twice is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+bg1+bg1'],
  ['bg2', 'a name like a registered one is refused', 'LAB-2', 'LabelRegistry', 'simhash-doc+bg2'],
  ['bg10', 'a name that begins with a registered one is refused', 'LAB-2', 'LabelRegistry', 'simhash-doc+bg10'],
  ['bg1-alone', 'the name of a variant alone is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'bg1'],
  ['cap8', 'a name that is not registered is refused', 'LAB-2', 'LabelRegistry', 'simhash-doc+cap8'],
  ['bg1-cap8', 'a registered name with another one is refused', 'LAB-2', 'LabelRegistry', 'simhash-doc+bg1+cap8'],
  ['minhash-bg1', 'minhash-doc, which includes bg1, takes no name', 'LAB-2', 'LabelRegistry', 'minhash-doc+bg1'],
  [
    'minhash-256-bg1',
    'minhash-doc-256, which includes bg1, takes no name',
    'LAB-2',
    'LabelRegistry',
    'minhash-doc-256+bg1',
  ],
  ['minhash-64', 'the number of bits 64 is refused', 'LAB-2', 'LabelRegistry', 'minhash-doc-64'],
  ['minhash-128', 'the number of bits 128 is refused', 'LAB-2', 'LabelRegistry', 'minhash-doc-128'],
  ['minhash-512', 'the number of bits 512 is refused', 'LAB-2', 'LabelRegistry', 'minhash-doc-512'],
  ['simhash-256', 'simhash-doc has no form of 256 bits', 'LAB-2', 'LabelRegistry', 'simhash-doc-256'],
  ['minhash-short', 'minhash without -doc is refused', 'LAB-2', 'LabelIgnored', 'minhash'],
  ['minhash-256-short', 'minhash-256 is refused', 'LAB-2', 'LabelIgnored', 'minhash-256'],
  ['minhash-no-hyphen', 'minhash-doc256 is refused', 'LAB-2', 'LabelIgnored', 'minhash-doc256'],
  ['minhash-hyphen', 'a hyphen at the end is refused', 'LAB-2', 'LabelIgnored', 'minhash-doc-'],
  ['minhash-wide', 'a full-width digit in a label is refused', 'LAB-1 LAB-2', 'UnicodeDigits', 'minhash-doc-25\uff16'],
  ['minhash-long-s', 'U+017F in place of s is refused in minhash', 'LAB-1 LAB-2', 'UnicodeCase', 'minha\u017fh-doc'],
  ['empty', 'an empty label is refused', 'LAB-2', 'LabelIgnored EmptyAsZero', ''],
  ['short', 'simhash without -doc is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash'],
  ['prefix', 'the beginning of the label is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash-do'],
  ['longer', 'the label with another word is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash-docs'],
  ['no-hyphen', 'the label without its hyphen is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'simhashdoc'],
  ['underscore', 'an underscore in place of the hyphen is refused', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash_doc'],
  [
    'other-hyphen',
    'U+2010 in place of the hyphen is refused',
    'LAB-2 LAB-3',
    'LabelIgnored UnicodeCase',
    'simhash\u2010doc',
  ],
  ['other', 'the label of another scheme is refused', 'LAB-2', 'LabelIgnored', 'md5'],
  ['unregistered', 'a variant that is not registered is refused', 'LAB-2', 'LabelRegistry', 'simhash-doc+nosuch'],
  ['two', 'two variants that are not registered are refused', 'LAB-2 LAB-3', 'LabelRegistry', 'simhash-doc+a+b'],
  ['order', 'names in descending order are refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+x1+a'],
  ['repeat', 'a name that occurs twice is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+x1+x1'],
  ['empty-name', 'an empty name between two plus signs is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc++bg1'],
  ['trailing-plus', 'a plus sign at the end is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+'],
  ['leading-plus', 'a plus sign at the start is refused', 'LAB-3', 'LabelSyntax', '+simhash-doc'],
  ['digit-name', 'a name that begins with a digit is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+1bg'],
  ['hyphen-name', 'a hyphen in a name is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+bg-1'],
  ['base-twice', 'the base of the label as a name is refused', 'LAB-3', 'LabelSyntax', 'simhash-doc+simhash-doc'],
  ['space-before', 'a space before the label is refused', 'LAB-2', 'WhiteSpace', ' simhash-doc'],
  ['space-behind', 'a space after the label is refused', 'LAB-2', 'WhiteSpace', 'simhash-doc '],
  ['line-end', 'a line end after the label is refused', 'LAB-2', 'WhiteSpace', 'simhash-doc\n'],
  ['space-for-hyphen', 'a space in place of the hyphen is refused', 'LAB-2', 'WhiteSpace', 'simhash doc'],
  ['colon', 'a colon after the label is refused where a label alone is read', 'LAB-2', 'LabelSyntax', 'simhash-doc:'],
  ['long-s', 'U+017F in place of s is refused', 'LAB-1 LAB-2', 'UnicodeCase', 'simha\u017fh-doc'],
  ['dotted-i', 'U+0130 in place of i is refused', 'LAB-1 LAB-2', 'UnicodeCase', 's\u0130mhash-doc'],
  ['dotless-i', 'U+0131 in place of i is refused', 'LAB-1 LAB-2', 'UnicodeCase', 's\u0131mhash-doc'],
  ['wide', 'full-width letters in a label are refused', 'LAB-1 LAB-2', 'UnicodeCase', 'simhash-\uff44\uff4f\uff43'],
  ['kelvin', 'U+212A in a name is refused', 'LAB-1 LAB-2', 'UnicodeCase LabelRegistry', 'simhash-doc+\u212a'],
  ['soft-hyphen', 'a soft hyphen in the label is refused', 'LAB-2', 'Ignorable', 'sim\u00adhash-doc'],
  ['mark', 'a byte order mark before the label is refused', 'LAB-2', 'Bom', '\ufeffsimhash-doc'],
  ['nul', 'U+0000 after the label is refused', 'LAB-2', 'NulEndsText', 'simhash-doc\0'],
];

type LabelledRow = readonly [name: string, title: string, rules: string, flags: string, labelled: string, hex?: string];

const labelled: readonly LabelledRow[] = [
  ['read', 'a label, a colon and a fingerprint are read', 'SER-8', '', 'simhash-doc:GAQM5KRDOWTU4', '3020ceaa2375a74e'],
  [
    'read-upper',
    'label and fingerprint in upper case are read',
    'SER-8 LAB-1',
    'LabelCase',
    'SIMHASH-DOC:GAQM5KRDOWTU4',
    '3020ceaa2375a74e',
  ],
  [
    'read-lower',
    'label and fingerprint in lower case are read',
    'SER-8 SER-3',
    'LetterCase',
    'simhash-doc:gaqm5krdowtu4',
    '3020ceaa2375a74e',
  ],
  [
    'read-mixed',
    'label and fingerprint in both cases are read',
    'SER-8 LAB-1',
    'LabelCase LetterCase',
    'Simhash-Doc:GaQm5KRDOWTU4',
    '3020ceaa2375a74e',
  ],
  [
    'read-padded',
    'three equals signs at the end of a labelled fingerprint are dropped',
    'SER-8 SER-2',
    'Padding',
    'simhash-doc:GAQM5KRDOWTU4===',
    '3020ceaa2375a74e',
  ],
  [
    'read-zero',
    'thirteen A after the label are read as a fingerprint',
    'SER-8 SIM-5',
    'ZeroAsEmpty',
    'simhash-doc:AAAAAAAAAAAAA',
    '0000000000000000',
  ],
];

const WIDE_TEXT_OF_ZERO = 'A'.repeat(52);

type RefusedRow = readonly [...LabelRow, error: 'invalid-label' | 'invalid-fingerprint'];

const L = 'invalid-label';
const F = 'invalid-fingerprint';

const refusedLabelled: readonly RefusedRow[] = [
  [
    'read-256-short',
    'a fingerprint of 64 bits under the label of 256 bits is refused',
    'MIN-9 SER-8',
    'WideString',
    'minhash-doc-256:GAQM5KRDOWTU4',
    F,
  ],
  [
    'read-256-long',
    'a fingerprint of 256 bits under a label of 64 bits is refused',
    'SER-5 SER-8',
    'WideString',
    `minhash-doc:${WIDE_TEXT_OF_ZERO}`,
    F,
  ],
  [
    'read-minhash-bg1',
    'a label that minhash-doc does not have is refused before a fingerprint',
    'LAB-2 SER-8',
    'LabelRegistry',
    'minhash-doc+bg1:GAQM5KRDOWTU4',
    L,
  ],
  ['read-empty', 'an empty string has no label', 'LAB-2', 'LabelIgnored EmptyAsZero', '', L],
  ['read-bare', 'a fingerprint without a label is refused', 'LAB-2 LAB-4', 'LabelIgnored', 'GAQM5KRDOWTU4', L],
  ['read-colon-first', 'an empty label before the colon is refused', 'LAB-2', 'LabelIgnored', ':GAQM5KRDOWTU4', L],
  [
    'read-unregistered',
    'a label that is not registered is refused before a fingerprint',
    'LAB-2',
    'LabelRegistry',
    'simhash-doc+x1:GAQM5KRDOWTU4',
    L,
  ],
  [
    'read-other',
    'the label of another scheme is refused before a fingerprint',
    'LAB-2',
    'LabelIgnored',
    'simhash:GAQM5KRDOWTU4',
    L,
  ],
  [
    'read-no-colon',
    'a label and a fingerprint without a colon are refused',
    'SER-8 LAB-2',
    'LabelSyntax',
    'simhash-docGAQM5KRDOWTU4',
    L,
  ],
  [
    'read-label-and-letter',
    'a label and one more letter without a colon are an unknown label',
    'SER-8 LAB-2',
    'LabelSyntax',
    'simhash-docA',
    L,
  ],
  [
    'read-label-alone',
    'a label without a colon and a fingerprint is refused',
    'SER-8 LAB-2',
    'LabelSyntax',
    'simhash-doc',
    L,
  ],
  [
    'read-wide-colon',
    'a full-width colon is refused',
    'SER-8 LAB-2',
    'UnicodeCase',
    'simhash-doc\uff1aGAQM5KRDOWTU4',
    L,
  ],
  [
    'read-equals',
    'an equals sign in place of the colon is refused',
    'SER-8 LAB-2',
    'LabelSyntax',
    'simhash-doc=GAQM5KRDOWTU4',
    L,
  ],
  [
    'read-space-before',
    'a space before a labelled fingerprint is a fault of the label',
    'SER-8 LAB-2',
    'WhiteSpace',
    ' simhash-doc:GAQM5KRDOWTU4',
    L,
  ],
  [
    'read-space-before-colon',
    'a space before the colon is a fault of the label',
    'SER-8 LAB-2',
    'WhiteSpace',
    'simhash-doc :GAQM5KRDOWTU4',
    L,
  ],
  [
    'read-both-wrong',
    'label and fingerprint are at fault: the label is reported',
    'LAB-2 SER-5',
    'ErrorOrder',
    'nosuch:?',
    L,
  ],
  [
    'read-nothing-behind',
    'an empty fingerprint after the colon is refused',
    'SER-8 SER-3',
    'StringLength EmptyAsZero',
    'simhash-doc:',
    F,
  ],
  [
    'read-two-colons',
    'two colons in a row are a fault of the fingerprint',
    'SER-8 SER-5',
    'LabelSyntax',
    'simhash-doc::GAQM5KRDOWTU4',
    F,
  ],
  [
    'read-label-twice',
    'a second label after the colon is a fault of the fingerprint',
    'SER-8 SER-5',
    'LabelSyntax',
    'simhash-doc:simhash-doc:GAQM5KRDOWTU4',
    F,
  ],
  [
    'read-space',
    'a space after the colon is a fault of the fingerprint',
    'SER-8 SER-5',
    'WhiteSpace',
    'simhash-doc: GAQM5KRDOWTU4',
    F,
  ],
  [
    'read-space-behind',
    'a space after the fingerprint is refused',
    'SER-8 SER-5',
    'WhiteSpace',
    'simhash-doc:GAQM5KRDOWTU4 ',
    F,
  ],
  [
    'read-line-end',
    'a line end after the fingerprint is refused',
    'SER-8 SER-5',
    'WhiteSpace',
    'simhash-doc:GAQM5KRDOWTU4\n',
    F,
  ],
  ['read-spare', 'a spare bit 1 is refused after a label', 'SER-8 SER-4', 'SpareBit', 'simhash-doc:GAQM5KRDOWTU5', F],
  [
    'read-1-equals',
    'one equals sign is refused after a labelled fingerprint',
    'SER-8 SER-2',
    'Padding',
    'simhash-doc:GAQM5KRDOWTU4=',
    F,
  ],
  [
    'read-hex',
    'the hexadecimal form is refused after a label',
    'SER-8 SER-5',
    'StringLength',
    'simhash-doc:3020ceaa2375a74e',
    F,
  ],
  [
    'read-path',
    'a colon and more after the fingerprint are refused',
    'SER-8 SER-5',
    'LabelSyntax',
    'simhash-doc:GAQM5KRDOWTU4:a',
    F,
  ],
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

const readOthers: readonly (readonly [
  ...row: readonly [name: string, title: string, rules: string, flags: string, labelled: string],
  label: string,
  fingerprint: string,
])[] = [
  [
    'bg1',
    'a label with a name before a fingerprint is read',
    'SER-8 LAB-1',
    'LabelRegistry LabelCase',
    'simhash-doc+Bg1:GAQM5KRDOWTU4',
    'simhash-doc+bg1',
    '3020ceaa2375a74e',
  ],
  [
    'minhash',
    'a fingerprint of minhash-doc is read',
    'SER-8 LAB-1',
    'LabelRegistry LabelCase',
    'Minhash-Doc:gaqm5krdowtu4===',
    'minhash-doc',
    '3020ceaa2375a74e',
  ],
  [
    'minhash-256',
    'a fingerprint of 256 bits is read',
    'SER-8 MIN-9',
    'LabelRegistry WideString',
    `minhash-doc-256:${WIDE_TEXT}`,
    'minhash-doc-256',
    WIDE_HEX,
  ],
  [
    'minhash-256-padded',
    'a padded fingerprint of 256 bits is read, in any case',
    'SER-8 MIN-9 LAB-1',
    'LabelCase LetterCase WideString',
    `MINHASH-DOC-256:${WIDE_TEXT.toLowerCase()}====`,
    'minhash-doc-256',
    WIDE_HEX,
  ],
];

type WrittenRow = readonly [
  ...LabelRow,
  fingerprint: string | null,
  outcome: { readonly hand: { readonly labelled: string } } | { readonly error: 'invalid-label' | 'no-fingerprint' },
];

const hand = (labelled: string): { hand: { labelled: string } } => ({ hand: { labelled } });

const writtenLabelled: readonly WrittenRow[] = [
  [
    'bg1',
    'a label with a name is written in lower case',
    'LAB-1 SER-7',
    'LabelRegistry LabelCase',
    'simhash-doc+BG1',
    '3020ceaa2375a74e',
    hand('simhash-doc+bg1:GAQM5KRDOWTU4'),
  ],
  [
    'minhash',
    'a fingerprint of minhash-doc is written',
    'SER-7',
    'LabelRegistry',
    'MinHash-Doc',
    '3020ceaa2375a74e',
    hand('minhash-doc:GAQM5KRDOWTU4'),
  ],
  [
    'minhash-256',
    'a fingerprint of 256 bits is written',
    'SER-7 MIN-9',
    'LabelRegistry WideString',
    'minhash-doc-256',
    WIDE_HEX,
    hand(`minhash-doc-256:${WIDE_TEXT}`),
  ],
  [
    'minhash-256-none',
    'a document without a fingerprint of 256 bits has no labelled form',
    'SER-7 MIN-6',
    'EmptyAsZero',
    ...(['minhash-doc-256', null, { error: 'no-fingerprint' }] as const),
  ],
  [
    'minhash-bg1',
    'a label that minhash-doc does not have is refused on writing',
    'LAB-2',
    'LabelRegistry',
    ...(['minhash-doc+bg1', '3020ceaa2375a74e', { error: L }] as const),
  ],
  [
    'plain',
    'a label, a colon and a fingerprint are written',
    'SER-7',
    '',
    'simhash-doc',
    '3020ceaa2375a74e',
    hand('simhash-doc:GAQM5KRDOWTU4'),
  ],
  [
    'upper',
    'a label in upper case is written in lower case; the fingerprint is not',
    'LAB-1 SER-7 SER-1',
    'LabelCase LetterCase',
    ...(['SIMHASH-DOC', '3020ceaa2375a74e', hand('simhash-doc:GAQM5KRDOWTU4')] as const),
  ],
  [
    'mixed',
    'a label in both cases is written in lower case',
    'LAB-1',
    'LabelCase',
    'SimHash-Doc',
    '0000000000000001',
    hand('simhash-doc:AAAAAAAAAAAAC'),
  ],
  [
    'zero',
    '64 zeros are written like any other fingerprint',
    'SER-7 SIM-5',
    'ZeroAsEmpty LeadingZeros',
    ...(['simhash-doc', '0000000000000000', hand('simhash-doc:AAAAAAAAAAAAA')] as const),
  ],
  [
    'ones',
    'a labelled fingerprint is written without padding',
    'SER-7 SER-1',
    'Padding SignedWords',
    ...(['simhash-doc', 'ffffffffffffffff', hand('simhash-doc:7777777777776')] as const),
  ],
  [
    'none',
    'a document without a fingerprint has no labelled form',
    'SER-7 SIM-1',
    'EmptyAsZero',
    ...(['simhash-doc', null, { error: 'no-fingerprint' }] as const),
  ],
  ['empty', 'an empty label is refused on writing', 'LAB-2', 'LabelIgnored', '', '3020ceaa2375a74e', { error: L }],
  [
    'other',
    'the label of another scheme is refused on writing',
    'LAB-2',
    'LabelIgnored',
    'simhash',
    '3020ceaa2375a74e',
    { error: L },
  ],
  [
    'cap8',
    'a variant that is not registered is refused on writing',
    'LAB-2',
    'LabelRegistry',
    ...(['simhash-doc+cap8', '3020ceaa2375a74e', { error: L }] as const),
  ],
  [
    'colon',
    'a colon after the label is refused on writing',
    'LAB-2',
    'LabelSyntax',
    'simhash-doc:',
    '3020ceaa2375a74e',
    { error: L },
  ],
  [
    'long-s',
    'U+017F in place of s is refused on writing',
    'LAB-1 LAB-2',
    'UnicodeCase',
    'simha\u017fh-doc',
    '3020ceaa2375a74e',
    { error: L },
  ],
  [
    'both-wrong',
    'label and fingerprint are at fault: the label, read first, is reported',
    'LAB-2 SIM-1',
    'ErrorOrder',
    'nosuch',
    null,
    { error: L },
  ],
];

export const labelGroup: Group = {
  group: 'label',
  description: 'Step 9: labels and labelled fingerprints, read and written.',
  cases: [
    ...labels.map(
      ([name, title, rules, flags, label]): Case => ({
        ...{ name: `label-${name}`, operation: 'parse-label', title, rules: list(rules), flags: list(flags) },
        ...{ input: { label }, hand: { label: 'simhash-doc' } },
      }),
    ),
    ...otherLabels.map(
      ([name, title, rules, flags, label]): Case => ({
        ...{ name: `label-${name}`, operation: 'parse-label', title, rules: list(rules), flags: list(flags) },
        ...{ input: { label }, hand: { label: label.toLowerCase() } },
      }),
    ),
    ...readOthers.map(
      ([name, title, rules, flags, labelled, label, fingerprint]): Case => ({
        ...{ name: `read-${name}`, operation: 'parse-labelled', title, rules: list(rules), flags: list(flags) },
        ...{ input: { labelled }, hand: { label, fingerprint } },
      }),
    ),
    ...refusedLabels.map(
      ([name, title, rules, flags, label]): Case => ({
        ...{ name: `label-${name}`, operation: 'parse-label', title, rules: list(rules) },
        ...{ flags: [...list(flags), 'InvalidInput'], input: { label }, error: L },
      }),
    ),
    ...labelled.map(
      ([name, title, rules, flags, labelled, fingerprint = '']): Case => ({
        ...{ name, operation: 'parse-labelled', title, rules: list(rules), flags: list(flags) },
        ...{ input: { labelled }, hand: { label: 'simhash-doc', fingerprint } },
      }),
    ),
    ...refusedLabelled.map(
      ([name, title, rules, flags, labelled, error]): Case => ({
        ...{ name, operation: 'parse-labelled', title, rules: list(rules) },
        ...{ flags: [...list(flags), 'InvalidInput'], input: { labelled }, error },
      }),
    ),
    ...writtenLabelled.map(
      ([name, title, rules, flags, label, fingerprint, outcome]): Case => ({
        ...{ name: `write-${name}`, operation: 'format-labelled', title, rules: list(rules) },
        ...{ flags: 'error' in outcome ? [...list(flags), 'InvalidInput'] : list(flags) },
        ...{ input: { label, fingerprint }, ...outcome },
      }),
    ),
  ],
};
