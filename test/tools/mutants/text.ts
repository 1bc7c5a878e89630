/** Wrong implementations of the steps 1 to 3: decode, classify, normalise. */
import { type ByteRange, type ClassName, type Steps, steps } from '../../twin/twin.ts';
import type { Change, Changes } from './mutation.ts';
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

/** Mistakes in the text decoded from bytes. */
const decodedBytes = (change: (text: string) => string): Partial<Steps> => ({
  decode: (bytes, s) => change(steps.decode(bytes, s)),
});

/** Mistakes in the text of bytes, decoded alone or for a document. */
const readBytes = (change: (text: string) => string): Partial<Steps> => ({
  read: (input, s) => change(steps.read(input, s)),
  decode: (bytes, s) => change(steps.decode(bytes, s)),
});

/** Mistakes in every text that is read, from bytes or 16-bit units. */
const readTexts = (change: (text: string) => string): Partial<Steps> => ({
  read: (input, s) => change(steps.read(input, s)),
  decode: (bytes, s) => change(steps.decode(bytes, s)),
  toWellFormed: (text, s) => change(steps.toWellFormed(text, s)),
});

const decodeChanges: Changes = {
  'bom-kept': { byteOrderMarkLength: () => 0 },
  'ill-formed-dropped': { illFormedReplacement: '' },
  'ill-formed-each-octet': { illFormedLength: () => 1 },
  'ill-formed-run-as-one': {
    decode: (bytes, s) => decodeWith(bytes, s, () => '\ud800').replace(/\ud800+(?![\udc00-\udfff])/g, R),
  },
  'ill-formed-skips-all': { decode: decodeByLead },
  'ill-formed-ends-text': {
    decode: (bytes, s) => decodeWith(bytes, s, () => '\ud800').replace(/\ud800(?![\udc00-\udfff])[\s\S]*/, ''),
  },
  'windows-1252-fallback': {
    decode: (bytes, s) => {
      let wrong = false;
      const text = decodeWith(bytes, s, () => {
        wrong = true;
        return R;
      });
      return wrong ? windows1252(bytes) : text;
    },
  },
  'utf-16-sniffed': {
    decode: (bytes, s) => {
      if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.slice(2), 1);
      if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.slice(2), 0);
      return steps.decode(bytes, s);
    },
  },
  'overlong-nul-accepted': sequences(
    [],
    [
      [
        [0xc0, 0xc0],
        [0x80, 0x80],
      ],
    ],
  ),
  'surrogates-accepted': {
    ...sequences([0xed], [[[0xed, 0xed], any, any]]),
    decode: (bytes, s) => steps.toWellFormed(steps.decode(bytes, s), s),
  },
  'surrogate-as-one': {
    decode: (bytes, s) =>
      steps.decode(
        replaced(bytes, 3, (lead, second) => lead === 0xed && second >= 0xa0),
        s,
      ),
  },
  'above-10ffff-as-one': {
    decode: (bytes, s) =>
      steps.decode(
        replaced(bytes, 4, (lead, second) => (lead === 0xf4 && second >= 0x90) || (lead >= 0xf5 && lead <= 0xf7)),
        s,
      ),
  },
  'three-octets-at-most': sequences([0xf0, 0xf1, 0xf4], []),
  'nul-ends-text': readBytes((text) => text.replace(/\0[\s\S]*/, '')),
  'line-ends-changed': readBytes((text) => text.replaceAll('\r\n', '\n')),
  'noncharacters-replaced': readTexts((text) => text.replace(/\p{Noncharacter_Code_Point}/gu, R)),
  'delete-dropped': readTexts((text) => text.replace(/(?![\t\n\r])\p{Cc}/gu, '')),
  'first-of-length-refused': {
    utf8Sequences: steps.utf8Sequences.flatMap((sequence) => {
      const first = [0xc2, 0xe0, 0xf0].includes(sequence[0]![0]);
      if (!first) return [sequence];
      const [lead, second, ...rest] = sequence;
      if (lead![0] !== 0xc2) return [[lead!, [second![0] + 1, second![1]], ...rest]];
      return [[[0xc3, 0xdf], second!]];
    }),
  },
  'last-code-point-refused': decodedBytes((text) => text.replaceAll('\u{10ffff}', R)),
  'replacement-is-error': {
    decode: (bytes, s) =>
      decodeWith(bytes, s, () => '\ud800')
        .replaceAll(R, '')
        .replace(/\ud800(?![\udc00-\udfff])/g, R),
  },
  'declaration-obeyed': {
    decode: (bytes, s) => {
      const text = steps.decode(bytes, s);
      return /^<\?xml[^>]*encoding=["'](?:latin1|iso-8859-1)["']/i.test(text) ? windows1252(bytes) : text;
    },
  },
  'utf-7-decoded': decodedBytes((text) =>
    text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, digits: string) =>
      digits === '' ? '+' : Buffer.from(digits, 'base64').toString('latin1'),
    ),
  ),
  'units-swapped': {
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
  'pairs-apart': { toWellFormed: (text) => text.replace(/[\ud800-\udfff]/g, R) },
  'decoded-in-chunks': {
    read: (input, s) =>
      input.length < CHUNK / 4
        ? steps.read(input, s)
        : inChunks(typeof input === 'string' ? s.encode(s.toWellFormed(input, s)) : input, (piece) =>
            s.decode(piece, s),
          ),
    long: ['fingerprint/buffers-2', 'fingerprint/buffers-3-later', 'fingerprint/buffers-4'],
  },
  'lone-surrogate-as-three': { loneSurrogateReplacement: R + R + R },
  'lone-surrogate-as-question-mark': { loneSurrogateReplacement: '?' },
};
const { letterCategories, wordCategories, generalCategory, isIgnorable } = steps;

/** Another class for some code points, whatever data say. */
const takenFor =
  (className: ClassName) =>
  (test: (codePoint: number, s: Steps) => boolean): Partial<Steps> => ({
    classify: (codePoint, s) => (test(codePoint, s) ? className : steps.classify(codePoint, s)),
  });
const takenForBreak = takenFor('break');
const takenForWord = takenFor('word');

/** Takes more code points for ignorable. */
const alsoIgnorable = (test: (codePoint: number) => boolean): Partial<Steps> => ({
  isIgnorable: (codePoint) => test(codePoint) || isIgnorable(codePoint),
});

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

const classifyChanges: Changes = {
  'mc-as-word': { wordCategories: [...wordCategories, 'Mc'] },
  'me-as-word': { wordCategories: [...wordCategories, 'Me'] },
  'mn-as-break': { wordCategories: ['Nd', 'Pc'] },
  'nl-as-letter': { letterCategories: [...letterCategories, 'Nl'] },
  'no-as-word': { wordCategories: [...wordCategories, 'No'] },
  'n-as-word': { wordCategories: [...wordCategories, 'Nl', 'No'] },
  'm-as-word': { wordCategories: [...wordCategories, 'Mc', 'Me'] },
  'pc-as-letter': { letterCategories: [...letterCategories, 'Pc'], wordCategories: ['Mn', 'Nd'] },
  'dashes-as-word': { wordCategories: [...wordCategories, 'Pd'] },
  'quotes-as-word': takenForWord((codePoint) => codePoint === 0x27 || (codePoint >= 0x2018 && codePoint <= 0x201d)),
  'no-break-spaces-as-word': takenForWord((codePoint) => [0xa0, 0x2007, 0x202f].includes(codePoint)),
  'controls-ignorable': alsoIgnorable(
    (codePoint) => generalCategory(codePoint) === 'Cc' && ![9, 10, 13].includes(codePoint),
  ),
  'alphabetic-as-letter': byPatterns(/\p{Alphabetic}/u, /[\p{Mn}\p{Nd}\p{Pc}]/u),
  'uts-18-word': byPatterns(/\p{L}/u, /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u),
  'python-word': byPatterns(/\p{L}/u, /[\p{N}_]/u),
  'ascii-only': byPatterns(/[A-Za-z]/, /[0-9_]/),
  'latin-1-only': takenForBreak(
    (codePoint, s) => codePoint > 0xff && ['letter', 'word'].includes(steps.classify(codePoint, s)),
  ),
  'bmp-only': takenForBreak((codePoint) => codePoint > 0xffff),
  'named-ranges-by-ends': takenFor('unassigned')((codePoint) =>
    namedRanges.some(([first, last]) => first < codePoint && codePoint < last),
  ),
  'unassigned-as-break': takenForBreak((codePoint, s) => steps.classify(codePoint, s) === 'unassigned'),
  ...Object.fromEntries(
    newerVersions.map((version) => {
      const changed = changedBy(version);
      const change: Change = {
        isIgnorable: (codePoint) => changed.get(codePoint) === 'Cf' || isIgnorable(codePoint),
        generalCategory: (codePoint) => changed.get(codePoint) ?? generalCategory(codePoint),
      };
      return [`newer-unicode-${version.replace('.', '-')}`, change];
    }),
  ),
  'older-unicode': { generalCategory: (codePoint) => (isNewIn12(codePoint) ? 'Cn' : generalCategory(codePoint)) },
  'ignorable-when-assigned': {
    isIgnorable: (codePoint) => isIgnorable(codePoint) && generalCategory(codePoint) !== 'Cn',
  },
  'zero-width-space-ignorable': alsoIgnorable((codePoint) => codePoint === 0x200b),
  'joiners-as-word': takenForWord((codePoint) => codePoint === 0x200c || codePoint === 0x200d),
  'tatweel-ignorable': alsoIgnorable((codePoint) => codePoint === 0x640),
};

/** Mistakes that change a normalised text further. */
const normalised = (change: (text: string) => string): Partial<Steps> => ({
  normalise: (text, s) => change(steps.normalise(text, s)),
});

const form = (name: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Partial<Steps> => ({ compose: (text) => text.normalize(name) });

const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3');

const normaliseChanges: Changes = {
  'no-nfc': { compose: (text) => text },
  nfkc: form('NFKC'),
  nfd: form('NFD'),
  'nfc-without-hangul': { compose: (text) => text.replace(/[^\u1100-\u11ff]+/g, (part) => part.normalize('NFC')) },
  'hangul-t-base': {
    compose: (text) =>
      text
        .normalize('NFC')
        .replace(/([\uac00-\ud7a3])\u11a7/g, (both, syllable: string) =>
          (syllable.charCodeAt(0) - 0xac00) % 28 === 0 ? syllable : both,
        ),
  },
  'nfc-stream-safe': { compose: (text) => withJoiners(text, /\p{M}{31,}/gu).normalize('NFC') },
  'nfc-stream-safe-vowels': { compose: (text) => withJoiners(text, /[\u09be\u1161-\u1175]{31,}/gu).normalize('NFC') },
  'nfc-in-chunks': {
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
    long: ['fingerprint/buffers-marks', 'fingerprint/buffers-marks-later'],
  },
  'controls-deleted': {
    prepare: (character, s) => (/(?![\t\n\r])\p{Cc}/u.test(character) ? '' : steps.prepare(character, s)),
  },
  'lower-case': normalised((text) => text.toLowerCase()),
  'ascii-lower-case': normalised((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  'case-folded': normalised(fold),
  'marks-stripped': {
    compose: (text) =>
      text
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC'),
  },
};

/** Inserts U+034F after every 30 code points of each run, as the Stream-Safe Text Format does. */
const withJoiners = (text: string, runs: RegExp): string =>
  text.replace(runs, (run) => (run.match(/.{1,30}/gsu) ?? []).join('\u034f'));

export const textChanges: Changes = { ...decodeChanges, ...classifyChanges, ...normaliseChanges };
