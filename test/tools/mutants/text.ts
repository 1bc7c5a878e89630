/** Wrong implementations of the steps 1 to 3: decode, classify, normalise. */
import { type ByteRange, type ClassName, type Steps, steps } from '../../twin/twin.ts';
import { type Mutation, mistakesBy, mistakesOfStep } from './mutation.ts';
import { changedBy, isNewIn12, newerVersions } from './unicode-versions.ts';

const R = '\ufffd';

// ------------------------------------------------------------------------------------------------- step 1: decode

/** Decodes like the twin, with something else in the place of each ill-formed subsequence. */
function decodeWith(bytes: Uint8Array, s: Steps, illFormed: (part: Uint8Array) => string): string {
  let text = '';
  let at = s.byteOrderMarkLength(bytes);
  while (at < bytes.length) {
    let longest = 1;
    let complete = false;
    for (const sequence of s.utf8Sequences) {
      const fitting = sequence.findIndex(([low, high], i) => !(bytes[at + i]! >= low && bytes[at + i]! <= high));
      const length = fitting === -1 ? sequence.length : fitting;
      if (length > longest || fitting === -1) [longest, complete] = [length, fitting === -1];
    }
    const part = bytes.slice(at, at + longest);
    text += complete ? steps.decode(part, { ...s, byteOrderMarkLength: () => 0 }) : illFormed(part);
    at += longest;
  }
  return text;
}

/** Decodes UTF-8 like a decoder that trusts every lead byte, and reads the rest if possible. */
function decodeByLead(bytes: Uint8Array, s: Steps): string {
  let text = '';
  for (let at = s.byteOrderMarkLength(bytes); at < bytes.length; ) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
    const rest = bytes.slice(at + 1, at + length);
    const whole = rest.length === length - 1 && rest.every((byte) => byte >= 0x80 && byte <= 0xbf);
    const first = length < 2 ? lead : lead % 2 ** (7 - length);
    const codePoint = rest.reduce((sum, byte) => sum * 64 + (byte % 64), first);
    const fits = whole && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
    text += length > 0 && fits ? String.fromCodePoint(codePoint) : R;
    at += Math.max(length, 1);
  }
  return text;
}

const HIGH_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

const windows1252 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => HIGH_1252[byte - 0x80] ?? String.fromCharCode(byte)).join('');

function decodeUtf16(bytes: Uint8Array, high: 0 | 1): string {
  const units = Array.from({ length: bytes.length >> 1 }, (_, i) =>
    String.fromCharCode(bytes[2 * i + high]! * 256 + bytes[2 * i + 1 - high]!),
  );
  return steps.toWellFormed(units.join(''), steps);
}

const CHUNK = 65536;

/** Does something piece by piece that has to be done with the whole. */
function inChunks<T extends string | Uint8Array>(whole: T, run: (piece: T) => string): string {
  let result = '';
  for (let at = 0; at < whole.length; at += CHUNK) result += run(whole.slice(at, at + CHUNK) as T);
  return result;
}

/** Puts an encoded U+FFFD in the place of each lead byte that fits and the continuation bytes after it. */
function replaced(bytes: Uint8Array, length: number, fits: (lead: number, second: number) => boolean): Uint8Array {
  const result: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const rest = bytes.slice(at + 1, at + length);
    const whole = rest.length === length - 1 && rest.every((byte) => byte >= 0x80 && byte <= 0xbf);
    if (whole && fits(bytes[at]!, rest[0]!)) {
      result.push(0xef, 0xbf, 0xbd);
      at += length - 1;
    } else result.push(bytes[at]!);
  }
  return Uint8Array.from(result);
}

/** The well-formed sequences without those that begin with these bytes, and with others. */
function sequences(without: readonly number[], others: readonly (readonly ByteRange[])[]): Partial<Steps> {
  const kept = steps.utf8Sequences.filter(([lead]) => !without.includes(lead![0]));
  return { utf8Sequences: [...kept, ...others] };
}

const any: ByteRange = [0x80, 0xbf];

const decode = mistakesOfStep(1);

/** Mistakes in the text decoded from bytes. */
const decodedBytes = mistakesBy(1, (change: (text: string) => string) => ({
  decode: (bytes, s) => change(steps.decode(bytes, s)),
}));

/** Mistakes in the text of bytes, decoded alone or for a document. */
const readBytes = mistakesBy(1, (change: (text: string) => string) => ({
  read: (input, s) => change(steps.read(input, s)),
  decode: (bytes, s) => change(steps.decode(bytes, s)),
}));

/** Mistakes in every text that is read, from bytes or 16-bit units. */
const readTexts = mistakesBy(1, (change: (text: string) => string) => ({
  read: (input, s) => change(steps.read(input, s)),
  decode: (bytes, s) => change(steps.decode(bytes, s)),
  toWellFormed: (text, s) => change(steps.toWellFormed(text, s)),
}));

const decodeMistakes: readonly Mutation[] = [
  decode(
    'bom-kept',
    'keeps a leading byte order mark',
    { byteOrderMarkLength: () => 0 },
    'UTF-8 decoders of Java, Python ("utf-8"), Go, Rust',
  ),
  decode(
    'ill-formed-dropped',
    'drops ill-formed octets',
    { illFormedReplacement: '' },
    'errors="ignore" of Python, //IGNORE of iconv',
  ),
  decode(
    'ill-formed-each-octet',
    'writes U+FFFD for each octet of an ill-formed sequence',
    { illFormedLength: () => 1 },
    'range loops of Go',
  ),
  decode(
    'ill-formed-run-as-one',
    'writes one U+FFFD for a whole run of ill-formed octets',
    { decode: (bytes, s) => decodeWith(bytes, s, () => '\ud800').replace(/\ud800+(?![\udc00-\udfff])/g, R) },
    'strings.ToValidUTF8 of Go',
  ),
  decode(
    'ill-formed-skips-all',
    'skips as many octets as an ill-formed first octet announces',
    { decode: decodeByLead },
    'decoders written by hand',
  ),
  decode(
    'ill-formed-ends-text',
    'reads nothing after the first ill-formed octet',
    { decode: (bytes, s) => decodeWith(bytes, s, () => '\ud800').replace(/\ud800(?![\udc00-\udfff])[\s\S]*/, '') },
    'iconv without //IGNORE',
  ),
  decode(
    'windows-1252-fallback',
    'reads the whole text as windows-1252 if anything is ill-formed',
    {
      decode: (bytes, s) => {
        let wrong = false;
        const text = decodeWith(bytes, s, () => {
          wrong = true;
          return R;
        });
        return wrong ? windows1252(bytes) : text;
      },
    },
    'readers that guess an encoding',
  ),
  decode(
    'utf-16-sniffed',
    'reads octets after a byte order mark of UTF-16 as UTF-16',
    {
      decode: (bytes, s) => {
        if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.slice(2), 1);
        if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.slice(2), 0);
        return steps.decode(bytes, s);
      },
    },
    'readers that guess an encoding',
  ),
  decode(
    'overlong-nul-accepted',
    'decodes C0 80 as U+0000',
    sequences(
      [],
      [
        [
          [0xc0, 0xc0],
          [0x80, 0x80],
        ],
      ],
    ),
    'modified UTF-8 of Java (DataInput.readUTF)',
  ),
  decode(
    'surrogates-accepted',
    'decodes encoded surrogates, and pairs of them as one code point',
    {
      ...sequences([0xed], [[[0xed, 0xed], any, any]]),
      decode: (bytes, s) => steps.toWellFormed(steps.decode(bytes, s), s),
    },
    'CESU-8, "surrogatepass" of Python',
  ),
  decode(
    'surrogate-as-one',
    'writes one U+FFFD for an encoded surrogate',
    {
      decode: (bytes, s) =>
        steps.decode(
          replaced(bytes, 3, (lead, second) => lead === 0xed && second >= 0xa0),
          s,
        ),
    },
    'decoders that find surrogates after they read three octets',
  ),
  decode(
    'above-10ffff-as-one',
    'writes one U+FFFD for a form of four octets above 10FFFF',
    {
      decode: (bytes, s) =>
        steps.decode(
          replaced(bytes, 4, (lead, second) => (lead === 0xf4 && second >= 0x90) || (lead >= 0xf5 && lead <= 0xf7)),
          s,
        ),
    },
    'decoders that check the range after they read four octets',
  ),
  decode(
    'three-octets-at-most',
    'does not decode forms of four octets',
    sequences([0xf0, 0xf1, 0xf4], []),
    'utf8 (utf8mb3) of MySQL',
  ),
  readBytes('nul-ends-text', 'reads nothing after U+0000', (text) => text.replace(/\0[\s\S]*/, ''), 'strings of C'),
  readBytes(
    'line-ends-changed',
    'converts CR LF to LF',
    (text) => text.replaceAll('\r\n', '\n'),
    'files opened in text mode',
  ),
  readTexts(
    'noncharacters-replaced',
    'writes U+FFFD for noncharacters',
    (text) => text.replace(/\p{Noncharacter_Code_Point}/gu, R),
    'decoders from before Corrigendum 9 of Unicode',
  ),
  readTexts(
    'delete-dropped',
    'drops control characters except tabs and line ends',
    (text) => text.replace(/(?![\t\n\r])\p{Cc}/gu, ''),
    'clean-up of text before indexing',
  ),
  decode(
    'first-of-length-refused',
    'treats the first code points of two, three and four octets as overlong',
    {
      utf8Sequences: steps.utf8Sequences.flatMap((sequence) => {
        const first = [0xc2, 0xe0, 0xf0].includes(sequence[0]![0]);
        if (!first) return [sequence];
        const [lead, second, ...rest] = sequence;
        if (lead![0] !== 0xc2) return [[lead!, [second![0] + 1, second![1]], ...rest]];
        return [[[0xc3, 0xdf], second!]];
      }),
    },
    'code point <= 80, 800, 10000 in range checks',
  ),
  decodedBytes(
    'last-code-point-refused',
    'treats 10FFFF as too large',
    (text) => text.replaceAll('\u{10ffff}', R),
    'code point < 10FFFF in range checks',
  ),
  decode(
    'replacement-is-error',
    'treats an encoded U+FFFD as an error and drops it',
    {
      decode: (bytes, s) =>
        decodeWith(bytes, s, () => '\ud800')
          .replaceAll(R, '')
          .replace(/\ud800(?![\udc00-\udfff])/g, R),
    },
    'decoders that tell errors by U+FFFD (utf8.RuneError of Go)',
  ),
  decode(
    'declaration-obeyed',
    'uses the encoding of an XML declaration',
    {
      decode: (bytes, s) => {
        const text = steps.decode(bytes, s);
        return /^<\?xml[^>]*encoding=["'](?:latin1|iso-8859-1)["']/i.test(text) ? windows1252(bytes) : text;
      },
    },
    'readers that guess an encoding',
  ),
  decodedBytes(
    'utf-7-decoded',
    'reads a plus sign and what follows it as UTF-7',
    (text) =>
      text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, digits: string) =>
        digits === '' ? '+' : Buffer.from(digits, 'base64').toString('latin1'),
      ),
    'readers that guess an encoding',
  ),
  decode(
    'units-swapped',
    'swaps the octets of 16-bit units after U+FFFE',
    {
      toWellFormed: (text, s) =>
        steps.toWellFormed(
          text.startsWith('\ufffe')
            ? Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
                .map((unit) => String.fromCharCode((unit % 256) * 256 + (unit >> 8)))
                .join('')
            : text,
          s,
        ),
    },
    'decoders of UTF-16 in the place of none',
  ),
  decode(
    'pairs-apart',
    'writes U+FFFD for each unit of a surrogate pair',
    { toWellFormed: (text) => text.replace(/[\ud800-\udfff]/g, R) },
    'loops over char of Java and C#',
  ),
  decode(
    'decoded-in-chunks',
    `decodes blocks of ${CHUNK} octets one by one`,
    {
      read: (input, s) =>
        input.length < CHUNK / 4
          ? steps.read(input, s)
          : inChunks(typeof input === 'string' ? s.encode(s.toWellFormed(input, s)) : input, (piece) =>
              s.decode(piece, s),
            ),
    },
    {
      source: 'streams decoded with toString() for each chunk',
      long: ['fingerprint/buffers-2', 'fingerprint/buffers-3-later', 'fingerprint/buffers-4'],
    },
  ),
  decode(
    'lone-surrogate-as-three',
    'writes three U+FFFD for a lone surrogate',
    { loneSurrogateReplacement: R + R + R },
    'CESU-8 octets of a surrogate, decoded as UTF-8',
  ),
  decode(
    'lone-surrogate-as-question-mark',
    'writes a question mark for a lone surrogate',
    { loneSurrogateReplacement: '?' },
    'String.getBytes of Java',
  ),
];

// ----------------------------------------------------------------------------------------------- step 2: classify

const classify = mistakesOfStep(2);
const { letterCategories, wordCategories, generalCategory, isIgnorable } = steps;

/** Another class for some code points, whatever data say. */
const takenFor = (className: ClassName) =>
  mistakesBy(2, (test: (codePoint: number, s: Steps) => boolean) => ({
    classify: (codePoint, s) => (test(codePoint, s) ? className : steps.classify(codePoint, s)),
  }));
const takenForBreak = takenFor('break');
const takenForWord = takenFor('word');

/** Takes more code points for ignorable. */
const alsoIgnorable = mistakesBy(2, (test: (codePoint: number) => boolean) => ({
  isIgnorable: (codePoint) => test(codePoint) || isIgnorable(codePoint),
}));

/** Classes by two patterns of the runtime, for code points of Unicode 12.0. */
const byPatterns = (letter: RegExp, word: RegExp): Partial<Steps> => ({
  classify: (codePoint, s) => {
    const own = steps.classify(codePoint, s);
    if (own === 'ignorable' || own === 'unassigned') return own;
    const character = String.fromCodePoint(codePoint);
    return letter.test(character) ? 'letter' : word.test(character) ? 'word' : 'break';
  },
});

/** Lines of UnicodeData.txt that name a range by its ends. */
const namedRanges: readonly (readonly [first: number, last: number])[] = [
  [0x3400, 0x4db5],
  [0x4e00, 0x9fef],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
  [0x17000, 0x187f7],
  [0x20000, 0x2a6d6],
  [0x2a700, 0x2b734],
  [0x2b740, 0x2b81d],
  [0x2b820, 0x2cea1],
  [0x2ceb0, 0x2ebe0],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
];

const knownBy: Readonly<Record<string, string>> = {
  '13.0': 'Java 15 to 18, Python 3.9 and 3.10, Go 1.16 to 1.20',
  '14.0': 'Java 19, Python 3.11',
  '15.0': 'Java 20 and 21, Python 3.12, Go 1.21 and later',
  '15.1': 'Java 22 and 23, Python 3.13',
  '16.0': 'Java 24 and later, Python 3.14',
  '17.0': 'ICU 78',
};

const classifyMistakes: readonly Mutation[] = [
  classify(
    'mc-as-word',
    'treats spacing marks (Mc) as word characters',
    { wordCategories: [...wordCategories, 'Mc'] },
    '\\w of engines that follow UTS #18',
  ),
  classify(
    'me-as-word',
    'treats enclosing marks (Me) as word characters',
    { wordCategories: [...wordCategories, 'Me'] },
    '\\w of engines that follow UTS #18',
  ),
  classify(
    'mn-as-break',
    'treats non-spacing marks (Mn) as breaks',
    { wordCategories: ['Nd', 'Pc'] },
    'isLetterOrDigit of Java, unicode.IsLetter of Go',
  ),
  classify(
    'nl-as-letter',
    'treats letter numbers (Nl) as letters',
    { letterCategories: [...letterCategories, 'Nl'] },
    'Alphabetic, ID_Start',
  ),
  classify(
    'no-as-word',
    'treats other numbers (No) as word characters',
    { wordCategories: [...wordCategories, 'No'] },
    'str.isalnum of Python, \\p{N}',
  ),
  classify(
    'n-as-word',
    'treats all numbers (Nd, Nl, No) as word characters',
    { wordCategories: [...wordCategories, 'Nl', 'No'] },
    '\\p{N} of patterns',
  ),
  classify(
    'm-as-word',
    'treats all marks (Mn, Mc, Me) as word characters',
    { wordCategories: [...wordCategories, 'Mc', 'Me'] },
    '\\p{M} of patterns',
  ),
  classify(
    'pc-as-letter',
    'treats connector punctuation (Pc) as a letter',
    { letterCategories: [...letterCategories, 'Pc'], wordCategories: ['Mn', 'Nd'] },
    'identifiers of programming languages',
  ),
  classify(
    'dashes-as-word',
    'treats dashes (Pd) as word characters',
    { wordCategories: [...wordCategories, 'Pd'] },
    'words with hyphens',
  ),
  takenForWord(
    'quotes-as-word',
    'treats apostrophes and typographic quotes as word characters',
    (codePoint) => codePoint === 0x27 || (codePoint >= 0x2018 && codePoint <= 0x201d),
    "[\\w'] of patterns",
  ),
  takenForWord(
    'no-break-spaces-as-word',
    'treats no-break spaces as word characters',
    (codePoint) => [0xa0, 0x2007, 0x202f].includes(codePoint),
    'Character.isWhitespace of Java, isspace of C',
  ),
  alsoIgnorable(
    'controls-ignorable',
    'treats control characters as ignorable',
    (codePoint) => generalCategory(codePoint) === 'Cc' && ![9, 10, 13].includes(codePoint),
    'isIdentifierIgnorable of Java',
  ),
  classify(
    'alphabetic-as-letter',
    'treats the property Alphabetic as a letter',
    byPatterns(/\p{Alphabetic}/u, /[\p{Mn}\p{Nd}\p{Pc}]/u),
    'char::is_alphabetic of Rust, Character.isAlphabetic of Java',
  ),
  classify(
    'uts-18-word',
    'treats the word characters of UTS #18 as word: Alphabetic, all marks, Nd, Pc',
    byPatterns(/\p{L}/u, /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u),
    '\\w of Rust, ICU, Perl',
  ),
  classify(
    'python-word',
    'treats what str.isalnum accepts, and the underscore, as word characters',
    byPatterns(/\p{L}/u, /[\p{N}_]/u),
    '\\w of Python (re)',
  ),
  classify(
    'ascii-only',
    'treats only ASCII letters, digits and the underscore as letter and word',
    byPatterns(/[A-Za-z]/, /[0-9_]/),
    '\\w of JavaScript, Go (RE2), PCRE without (*UCP)',
  ),
  takenForBreak(
    'latin-1-only',
    'treats code points above U+00FF as a break',
    (codePoint, s) => codePoint > 0xff && ['letter', 'word'].includes(steps.classify(codePoint, s)),
    'isalpha of C in a Latin-1 locale',
  ),
  takenForBreak(
    'bmp-only',
    'treats code points above U+FFFF as a break',
    (codePoint) => codePoint > 0xffff,
    'Character.isLetter(char) of Java, classes looked up for each 16-bit unit',
  ),
  takenFor('unassigned')(
    'named-ranges-by-ends',
    'recognises only the ends of blocks that UnicodeData.txt names by their ends',
    (codePoint) => namedRanges.some(([first, last]) => first < codePoint && codePoint < last),
    'tables made from UnicodeData.txt line by line',
  ),
  takenForBreak(
    'unassigned-as-break',
    'treats unassigned code points as breaks, like control characters',
    (codePoint, s) => steps.classify(codePoint, s) === 'unassigned',
    'libraries that answer Cc or Cn for both',
  ),
  ...newerVersions.map((version) => {
    const changed = changedBy(version);
    return classify(
      `newer-unicode-${version.replace('.', '-')}`,
      `takes classes from the data of Unicode ${version}`,
      {
        isIgnorable: (codePoint) => changed.get(codePoint) === 'ignorable' || isIgnorable(codePoint),
        generalCategory: (codePoint) => {
          const newer = changed.get(codePoint);
          return newer === undefined
            ? generalCategory(codePoint)
            : newer === 'letter'
              ? 'Lo'
              : newer === 'word'
                ? 'Mn'
                : 'So';
        },
      },
      `the runtimes of ${knownBy[version]}`,
    );
  }),
  classify(
    'older-unicode',
    'takes classes from the data of Unicode 11.0',
    { generalCategory: (codePoint) => (isNewIn12(codePoint) ? 'Cn' : generalCategory(codePoint)) },
    'the runtimes of Java 12, Python 3.7',
  ),
  classify(
    'ignorable-when-assigned',
    'treats unassigned code points that are ignorable as unassigned',
    { isIgnorable: (codePoint) => isIgnorable(codePoint) && generalCategory(codePoint) !== 'Cn' },
    'tables made from assigned code points',
  ),
  alsoIgnorable(
    'zero-width-space-ignorable',
    'treats U+200B as ignorable',
    (codePoint) => codePoint === 0x200b,
    'Default_Ignorable_Code_Point as it is',
  ),
  takenForWord(
    'joiners-as-word',
    'treats U+200C and U+200D as word characters',
    (codePoint) => codePoint === 0x200c || codePoint === 0x200d,
    'Join_Control in \\w of UTS #18',
  ),
  alsoIgnorable(
    'tatweel-ignorable',
    'treats tatweel (U+0640) as ignorable',
    (codePoint) => codePoint === 0x640,
    'normalisers of Arabic',
  ),
];

// ---------------------------------------------------------------------------------------------- step 3: normalise

const normalise = mistakesOfStep(3);

/** Mistakes that change a normalised text further. */
const normalised = mistakesBy(3, (change: (text: string) => string) => ({
  normalise: (text, s) => change(steps.normalise(text, s)),
}));

const form = (name: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Partial<Steps> => ({ compose: (text) => text.normalize(name) });

const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3');

const normaliseMistakes: readonly Mutation[] = [
  normalise('no-nfc', 'does not compose', { compose: (text) => text }, 'most libraries of simhash'),
  normalise('nfkc', 'replaces compatibility characters (NFKC)', form('NFKC'), 'iscc-core (Python)'),
  normalise('nfd', 'decomposes (NFD)', form('NFD'), 'file names of macOS'),
  normalise(
    'nfc-without-hangul',
    'does not compose Hangul',
    { compose: (text) => text.replace(/[^\u1100-\u11ff]+/g, (part) => part.normalize('NFC')) },
    'normalisers that work by a table alone',
  ),
  normalise(
    'hangul-t-base',
    'composes a syllable with U+11A7',
    {
      compose: (text) =>
        text
          .normalize('NFC')
          .replace(/([\uac00-\ud7a3])\u11a7/g, (both, syllable: string) =>
            (syllable.charCodeAt(0) - 0xac00) % 28 === 0 ? syllable : both,
          ),
    },
    'the sample code of old versions of UAX #15',
  ),
  normalise(
    'nfc-stream-safe',
    'inserts U+034F into runs of more than 30 marks',
    { compose: (text) => withJoiners(text, /\p{M}{31,}/gu).normalize('NFC') },
    'golang.org/x/text/unicode/norm',
  ),
  normalise(
    'nfc-stream-safe-vowels',
    'inserts U+034F into runs of more than 30 vowels of class 0 that combine with what is before them',
    { compose: (text) => withJoiners(text, /[\u09be\u1161-\u1175]{31,}/gu).normalize('NFC') },
    'golang.org/x/text/unicode/norm with long runs of marks taken care of',
  ),
  normalise(
    'nfc-in-chunks',
    `composes blocks of ${CHUNK} code points one by one`,
    {
      compose: (text) => {
        const all = Array.from(text);
        let result = '';
        for (let at = 0; at < all.length; at += CHUNK)
          result += all
            .slice(at, at + CHUNK)
            .join('')
            .normalize('NFC');
        return result;
      },
    },
    {
      source: 'streams normalised chunk by chunk',
      long: ['fingerprint/buffers-marks', 'fingerprint/buffers-marks-later'],
    },
  ),
  normalise(
    'controls-deleted',
    'deletes control characters',
    { prepare: (character, s) => (/(?![\t\n\r])\p{Cc}/u.test(character) ? '' : steps.prepare(character, s)) },
    'clean-up of text before indexing',
  ),
  normalised(
    'lower-case',
    'converts the text to lower case',
    (text) => text.toLowerCase(),
    '1e0ng/simhash (Python), mfonda/simhash (Go), most search engines',
  ),
  normalised(
    'ascii-lower-case',
    'converts ASCII letters to lower case',
    (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    'tolower of C',
  ),
  normalised('case-folded', 'applies full case folding', fold, 'str.casefold of Python'),
  normalise(
    'marks-stripped',
    'strips accents',
    {
      compose: (text) =>
        text
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
          .normalize('NFC'),
    },
    'unaccent of PostgreSQL, ASCIIFoldingFilter of Lucene',
  ),
];

/** Inserts U+034F after every 30 code points of each run, as the Stream-Safe Text Format does. */
const withJoiners = (text: string, runs: RegExp): string =>
  text.replace(runs, (run) => (run.match(/.{1,30}/gsu) ?? []).join('\u034f'));

export const textMutations: readonly Mutation[] = [...decodeMistakes, ...classifyMistakes, ...normaliseMistakes];
