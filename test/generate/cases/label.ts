import { type Case, type Group, list } from '../case.ts';

type LabelRow = readonly [name: string, title: string, rules: string, flags: string, label: string];

/** Read as `simhash-doc`. */
const labels: readonly LabelRow[] = [
  ['bare', 'the label of the bare scheme', 'LAB-3', '', 'simhash-doc'],
  ['upper', 'in capitals', 'LAB-1', 'LabelCase', 'SIMHASH-DOC'],
  ['mixed', 'in both', 'LAB-1', 'LabelCase', 'SimHash-Doc'],
];

const refusedLabels: readonly LabelRow[] = [
  ['empty', 'no label', 'LAB-2', 'LabelIgnored EmptyAsZero', ''],
  ['short', 'simhash alone', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash'],
  ['prefix', 'a beginning of the label', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash-do'],
  ['longer', 'a word more', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash-docs'],
  ['no-hyphen', 'without the hyphen', 'LAB-2 LAB-3', 'LabelIgnored', 'simhashdoc'],
  ['underscore', 'an underscore for the hyphen', 'LAB-2 LAB-3', 'LabelIgnored', 'simhash_doc'],
  ['other-hyphen', 'U+2010 for the hyphen', 'LAB-2 LAB-3', 'LabelIgnored UnicodeCase', 'simhash\u2010doc'],
  ['other', 'another scheme', 'LAB-2', 'LabelIgnored', 'md5'],
  ['sw1', 'a variant that is reserved and not registered in this version', 'LAB-2', 'LabelRegistry', 'simhash-doc+sw1'],
  ['unregistered', 'a variant that nobody registered', 'LAB-2', 'LabelRegistry', 'simhash-doc+nosuch'],
  ['two', 'two variants that are not registered', 'LAB-2 LAB-3', 'LabelRegistry', 'simhash-doc+a+b'],
  ['order', 'names in another order', 'LAB-3', 'LabelSyntax', 'simhash-doc+sw1+a'],
  ['repeat', 'a name twice', 'LAB-3', 'LabelSyntax', 'simhash-doc+sw1+sw1'],
  ['empty-name', 'an empty name between two', 'LAB-3', 'LabelSyntax', 'simhash-doc++sw1'],
  ['trailing-plus', 'a plus sign at the end', 'LAB-3', 'LabelSyntax', 'simhash-doc+'],
  ['leading-plus', 'a plus sign at the start', 'LAB-3', 'LabelSyntax', '+simhash-doc'],
  ['digit-name', 'a name that begins with a digit', 'LAB-3', 'LabelSyntax', 'simhash-doc+1sw'],
  ['hyphen-name', 'a hyphen in a name', 'LAB-3', 'LabelSyntax', 'simhash-doc+sw-1'],
  ['base-twice', 'the base twice', 'LAB-3', 'LabelSyntax', 'simhash-doc+simhash-doc'],
  ['space-before', 'a space before', 'LAB-2', 'WhiteSpace', ' simhash-doc'],
  ['space-behind', 'a space behind', 'LAB-2', 'WhiteSpace', 'simhash-doc '],
  ['line-end', 'a line end behind', 'LAB-2', 'WhiteSpace', 'simhash-doc\n'],
  ['space-for-hyphen', 'a space for the hyphen', 'LAB-2', 'WhiteSpace', 'simhash doc'],
  ['colon', 'a colon behind', 'LAB-2', 'LabelSyntax', 'simhash-doc:'],
  ['long-s', 'U+017F for s', 'LAB-1 LAB-2', 'UnicodeCase', 'simha\u017fh-doc'],
  ['dotted-i', 'U+0130 for i', 'LAB-1 LAB-2', 'UnicodeCase', 's\u0130mhash-doc'],
  ['dotless-i', 'U+0131 for i', 'LAB-1 LAB-2', 'UnicodeCase', 's\u0131mhash-doc'],
  ['wide', 'full-width letters', 'LAB-1 LAB-2', 'UnicodeCase', 'simhash-\uff44\uff4f\uff43'],
  ['kelvin', 'U+212A in a name', 'LAB-1 LAB-2', 'UnicodeCase LabelRegistry', 'simhash-doc+\u212a'],
  ['soft-hyphen', 'a soft hyphen in it', 'LAB-2', 'Ignorable', 'sim\u00adhash-doc'],
  ['mark', 'a byte order mark before', 'LAB-2', 'Bom', '\ufeffsimhash-doc'],
  ['nul', 'U+0000 behind', 'LAB-2', 'NulEndsText', 'simhash-doc\0'],
];

type LabelledRow = readonly [name: string, title: string, rules: string, flags: string, labelled: string, hex?: string];

const labelled: readonly LabelledRow[] = [
  ['read', 'label, colon, fingerprint', 'SER-7', '', 'simhash-doc:GAQM5KRDOWTU4', '3020ceaa2375a74e'],
  ['read-upper', 'all of it in capitals', 'SER-7 LAB-1', 'LabelCase', 'SIMHASH-DOC:GAQM5KRDOWTU4', '3020ceaa2375a74e'],
  [
    'read-lower',
    'all of it in small letters',
    'SER-7 SER-2',
    'LetterCase',
    'simhash-doc:gaqm5krdowtu4',
    '3020ceaa2375a74e',
  ],
  [
    'read-mixed',
    'each in both',
    'SER-7 LAB-1',
    'LabelCase LetterCase',
    'Simhash-Doc:GaQm5KRDOWTU4',
    '3020ceaa2375a74e',
  ],
  [
    'read-padded',
    'with three equals signs',
    'SER-7 SER-3',
    'Padding',
    'simhash-doc:GAQM5KRDOWTU4===',
    '3020ceaa2375a74e',
  ],
  ['read-zero', 'thirteen A', 'SER-7 SIM-5', 'ZeroAsEmpty', 'simhash-doc:AAAAAAAAAAAAA', '0000000000000000'],
];

type RefusedRow = readonly [...LabelRow, error: 'invalid-label' | 'invalid-fingerprint'];

const L = 'invalid-label';
const F = 'invalid-fingerprint';

const refusedLabelled: readonly RefusedRow[] = [
  ['read-empty', 'nothing', 'LAB-2', 'LabelIgnored EmptyAsZero', '', L],
  ['read-bare', 'a fingerprint without a label', 'LAB-2 LAB-4', 'LabelIgnored', 'GAQM5KRDOWTU4', L],
  ['read-colon-first', 'an empty label', 'LAB-2', 'LabelIgnored', ':GAQM5KRDOWTU4', L],
  ['read-unregistered', 'a label that is not registered', 'LAB-2', 'LabelRegistry', 'simhash-doc+sw1:GAQM5KRDOWTU4', L],
  ['read-other', 'the label of something else', 'LAB-2', 'LabelIgnored', 'simhash:GAQM5KRDOWTU4', L],
  ['read-no-colon', 'no colon', 'SER-7 LAB-2', 'LabelSyntax', 'simhash-docGAQM5KRDOWTU4', L],
  ['read-label-alone', 'a label alone', 'SER-7 LAB-2', 'LabelSyntax', 'simhash-doc', L],
  ['read-wide-colon', 'a full-width colon', 'SER-7 LAB-2', 'UnicodeCase', 'simhash-doc\uff1aGAQM5KRDOWTU4', L],
  ['read-equals', 'an equals sign for the colon', 'SER-7 LAB-2', 'LabelSyntax', 'simhash-doc=GAQM5KRDOWTU4', L],
  ['read-space-before', 'a space before the label', 'SER-7 LAB-2', 'WhiteSpace', ' simhash-doc:GAQM5KRDOWTU4', L],
  ['read-space-before-colon', 'a space before the colon', 'SER-7 LAB-2', 'WhiteSpace', 'simhash-doc :GAQM5KRDOWTU4', L],
  [
    'read-both-wrong',
    'label and fingerprint at fault: the label comes first',
    'LAB-2 SER-5',
    'ErrorOrder',
    'nosuch:?',
    L,
  ],
  ['read-nothing-behind', 'nothing behind the colon', 'SER-7 SER-2', 'StringLength EmptyAsZero', 'simhash-doc:', F],
  ['read-two-colons', 'two colons', 'SER-7 SER-5', 'LabelSyntax', 'simhash-doc::GAQM5KRDOWTU4', F],
  ['read-label-twice', 'the label twice', 'SER-7 SER-5', 'LabelSyntax', 'simhash-doc:simhash-doc:GAQM5KRDOWTU4', F],
  ['read-space', 'a space behind the colon', 'SER-7 SER-5', 'WhiteSpace', 'simhash-doc: GAQM5KRDOWTU4', F],
  ['read-space-behind', 'a space behind the fingerprint', 'SER-7 SER-5', 'WhiteSpace', 'simhash-doc:GAQM5KRDOWTU4 ', F],
  ['read-line-end', 'a line end behind the fingerprint', 'SER-7 SER-5', 'WhiteSpace', 'simhash-doc:GAQM5KRDOWTU4\n', F],
  ['read-spare', 'the spare bit is 1', 'SER-7 SER-4', 'SpareBit', 'simhash-doc:GAQM5KRDOWTU5', F],
  ['read-1-equals', 'one equals sign', 'SER-7 SER-3', 'Padding', 'simhash-doc:GAQM5KRDOWTU4=', F],
  ['read-hex', 'the hexadecimal form', 'SER-7 SER-5', 'StringLength', 'simhash-doc:3020ceaa2375a74e', F],
  [
    'read-path',
    'a colon and more behind the fingerprint',
    'SER-7 SER-5',
    'LabelSyntax',
    'simhash-doc:GAQM5KRDOWTU4:a',
    F,
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
    'plain',
    'label, colon, fingerprint',
    'SER-7',
    '',
    'simhash-doc',
    '3020ceaa2375a74e',
    hand('simhash-doc:GAQM5KRDOWTU4'),
  ],
  [
    'upper',
    'a label in capitals is written in small letters, the fingerprint is not',
    'LAB-1 SER-7 SER-1',
    'LabelCase LetterCase',
    ...(['SIMHASH-DOC', '3020ceaa2375a74e', hand('simhash-doc:GAQM5KRDOWTU4')] as const),
  ],
  [
    'mixed',
    'a label in both',
    'LAB-1',
    'LabelCase',
    'SimHash-Doc',
    '0000000000000001',
    hand('simhash-doc:AAAAAAAAAAAAC'),
  ],
  [
    'zero',
    '64 bits 0 are written like any other fingerprint',
    'SER-7 SIM-5',
    'ZeroAsEmpty LeadingZeros',
    ...(['simhash-doc', '0000000000000000', hand('simhash-doc:AAAAAAAAAAAAA')] as const),
  ],
  [
    'ones',
    'no padding behind it',
    'SER-7 SER-1',
    'Padding SignedWords',
    ...(['simhash-doc', 'ffffffffffffffff', hand('simhash-doc:7777777777776')] as const),
  ],
  [
    'none',
    'a document without a fingerprint has no labelled form',
    'SER-7 SIM-4',
    'EmptyAsZero',
    ...(['simhash-doc', null, { error: 'no-fingerprint' }] as const),
  ],
  ['empty', 'no label', 'LAB-2', 'LabelIgnored', '', '3020ceaa2375a74e', { error: L }],
  ['other', 'the label of something else', 'LAB-2', 'LabelIgnored', 'simhash', '3020ceaa2375a74e', { error: L }],
  [
    'sw1',
    'a variant that is reserved and not registered in this version',
    'LAB-2',
    'LabelRegistry',
    ...(['simhash-doc+sw1', '3020ceaa2375a74e', { error: L }] as const),
  ],
  ['colon', 'a colon behind the label', 'LAB-2', 'LabelSyntax', 'simhash-doc:', '3020ceaa2375a74e', { error: L }],
  ['long-s', 'U+017F for s', 'LAB-1 LAB-2', 'UnicodeCase', 'simha\u017fh-doc', '3020ceaa2375a74e', { error: L }],
  ['both-wrong', 'both are at fault: the label comes first', 'LAB-2 SIM-4', 'ErrorOrder', 'nosuch', null, { error: L }],
];

export const labelGroup: Group = {
  group: 'label',
  description: 'Step 9: labels, and fingerprints with their labels, as a reader takes them and a writer gives them.',
  cases: [
    ...labels.map(
      ([name, title, rules, flags, label]): Case => ({
        ...{ name: `label-${name}`, operation: 'parse-label', title, rules: list(rules), flags: list(flags) },
        ...{ input: { label }, hand: { label: 'simhash-doc' } },
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
