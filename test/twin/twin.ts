/**
 * The slow, obvious twin: the whole scheme once more, written from the design text alone and sharing nothing with the
 * implementation. It is an oracle for tests. Nothing here is clever and nothing is fast: a few thousand characters are
 * its range (locators cost quadratic time here, against LOC-14, which is about implementations).
 *
 * Everything is a step of the object `steps`. A step takes its arguments and then the steps in force, and calls other
 * steps only through them; `makePipeline(overrides)` therefore yields a consistent *other* scheme from a few lines, which
 * is how wrong implementations ("mutants") are made for testing the tests.
 */
import { type Category, generalCategory, isDefaultIgnorable, isOfSpacelessScript } from './unicode-12.ts';

// ---------------------------------------------------------------------------------------------------------- types

export type ClassName = 'letter' | 'word' | 'break' | 'ignorable' | 'unassigned';

export type ErrorCode =
  | 'wrong-type'
  | 'out-of-range'
  | 'invalid-fingerprint'
  | 'invalid-label'
  | 'label-mismatch'
  | 'no-fingerprint';

/** The error of the twin; `code` is from the closed set of the interface. */
export class TwinError extends RangeError {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

export interface Locator {
  /** UTF-16 places in the text that step 4 received. */
  readonly start: number;
  readonly end: number;
  readonly form: number;
}

export interface LocatorForm {
  readonly form: number;
  readonly name: string;
  /** The end of the longest match of this form that starts exactly at `at` (UTF-16 places), or undefined. */
  match(text: string, at: number): number | undefined;
}

export interface Token {
  readonly text: string;
  /** UTF-16 places in the text that step 5 received. */
  readonly start: number;
  readonly end: number;
}

/** A fingerprint cut for one table, as strings of '0' and '1' (TAB-1, TAB-2). */
export interface Pieces {
  readonly block: string;
  readonly sub: string;
  readonly rest: readonly string[];
}

/** A fingerprint: a number of 64 bits, or 32 bytes (MIN-7). */
export type Print = bigint | Uint8Array;

export interface Entry {
  readonly id: string;
  readonly fingerprint: Print;
}

/** A draw of an element (MIN-3). */
export interface Draw {
  readonly round: number;
  readonly bin: number;
  readonly value: bigint;
}

/** The constants of SplitMix64 (MIN-2). */
interface SplitMix {
  readonly increment: bigint;
  readonly shifts: readonly [bigint, bigint, bigint];
  readonly factors: readonly [bigint, bigint];
}

export interface Match extends Entry {
  readonly distance: number;
}

interface Explanation {
  readonly input: string | Uint8Array;
  readonly decoded: string;
  readonly normalised: string;
  readonly locators: Locator[];
  readonly stripped: string;
  /** All tokens, with places in `stripped`. */
  readonly tokens: Token[];
  /** The tokens that are hashed: all of them in the bare scheme (step 6). */
  readonly selected: string[];
  readonly hashes: bigint[];
  /** Those of simhash-doc, whatever the label. */
  readonly counters: bigint[];
  /** The draws that win, word after word; none with the labels of simhash-doc. */
  readonly draws: bigint[];
  readonly fingerprint: Print | null;
  readonly octets: Uint8Array | null;
  readonly hex: string | null;
  readonly base32: string | null;
  /** Only for 64 bits. */
  readonly keys: number[] | null;
}

// ------------------------------------------------------------------------------------------------- step 1: decode

/** One byte range, both ends included. */
export type ByteRange = readonly [low: number, high: number];

/** The well-formed UTF-8 sequences (The Unicode Standard, table 3-7): the range of each byte. */
const wellFormedSequences = [
  ...['00-7f', 'c2-df 80-bf', 'e0-e0 a0-bf 80-bf', 'e1-ec 80-bf 80-bf', 'ed-ed 80-9f 80-bf', 'ee-ef 80-bf 80-bf'],
  ...['f0-f0 90-bf 80-bf 80-bf', 'f1-f3 80-bf 80-bf 80-bf', 'f4-f4 80-8f 80-bf 80-bf'],
].map((sequence) =>
  sequence
    .split(' ')
    .map((range): ByteRange => [Number.parseInt(range.slice(0, 2), 16), Number.parseInt(range.slice(3), 16)]),
);

/** Counts the bytes from `at` on that fit the sequence, one after the other. */
function fittingBytes(bytes: Uint8Array, at: number, sequence: readonly ByteRange[]): number {
  let fitting = 0;
  for (const [low, high] of sequence) {
    const byte = bytes[at + fitting];
    if (byte === undefined || byte < low || byte > high) break;
    fitting += 1;
  }
  return fitting;
}

/** The code point of one well-formed sequence. */
function codePointOf(sequence: Uint8Array): number {
  const lead = sequence[0]!;
  if (sequence.length === 1) return lead;
  let codePoint = sequence.length === 2 ? lead - 0xc0 : sequence.length === 3 ? lead - 0xe0 : lead - 0xf0;
  for (const byte of sequence.slice(1)) codePoint = codePoint * 64 + (byte - 0x80);
  return codePoint;
}

/** DEC-1, DEC-2, DEC-3: bytes are UTF-8, whatever their content. */
function decode(bytes: Uint8Array, s: Steps): string {
  let at = s.byteOrderMarkLength(bytes);
  let text = '';
  while (at < bytes.length) {
    // The lead ranges do not overlap, so at most one sequence fits at all.
    let fitting = 0;
    let complete = false;
    for (const sequence of s.utf8Sequences) {
      const length = fittingBytes(bytes, at, sequence);
      if (length > fitting) {
        fitting = length;
        complete = length === sequence.length;
      }
    }
    if (complete) {
      text += String.fromCodePoint(codePointOf(bytes.slice(at, at + fitting)));
      at += fitting;
    } else {
      text += s.illFormedReplacement;
      at += s.illFormedLength(fitting);
    }
  }
  return text;
}

/** DEC-1: the length of the byte order mark to drop, once, at the very start. */
function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** DEC-2: an ill-formed subsequence is the part of a sequence that fits, or a single byte when nothing does. */
function illFormedLength(fitting: number): number {
  return Math.max(fitting, 1);
}

/** DEC-4: each lone surrogate becomes U+FFFD. */
function toWellFormed(text: string, s: Steps): string {
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    const high = unit >= 0xd800 && unit <= 0xdbff;
    const low = unit >= 0xdc00 && unit <= 0xdfff;
    if (high && next >= 0xdc00 && next <= 0xdfff) {
      result += text.slice(at, at + 2);
      at += 1;
    } else if (high || low) {
      result += s.loneSurrogateReplacement;
    } else {
      result += text.charAt(at);
    }
  }
  return result;
}

// ----------------------------------------------------------------------------------------------- step 2: classify

/** CLS-2: Default_Ignorable_Code_Point of Unicode 12.0, except U+200B. */
function isIgnorable(codePoint: number): boolean {
  return isDefaultIgnorable(codePoint) && codePoint !== 0x200b;
}

/** CLS-1 to CLS-6: the class of a code point. */
function classify(codePoint: number, s: Steps): ClassName {
  if (!Number.isInteger(codePoint) || codePoint < 0 || codePoint > 0x10ffff) {
    throw new TwinError('out-of-range', `not a code point: ${codePoint}`);
  }
  if (s.isIgnorable(codePoint)) return 'ignorable';
  const category = s.generalCategory(codePoint);
  if (s.letterCategories.includes(category)) return 'letter';
  if (s.wordCategories.includes(category)) return 'word';
  if (category === 'Cn') return 'unassigned';
  return 'break';
}

// ---------------------------------------------------------------------------------------------- step 3: normalise

/** NRM-1, NRM-2: what a code point becomes before NFC: itself, U+FFFD, or nothing. */
function prepare(character: string, s: Steps): string {
  const className = s.classify(character.codePointAt(0)!, s);
  if (className === 'unassigned') return s.unassignedReplacement;
  if (className === 'ignorable') return '';
  return character;
}

/** NRM-1, NRM-2, NRM-3, NRM-4. */
function normalise(text: string, s: Steps): string {
  let prepared = '';
  for (const character of text) prepared += s.prepare(character, s);
  return s.compose(prepared);
}

/** NRM-3: NFC. After `prepare` only code points of Unicode 12.0 are left, for which every later version answers alike. */
function compose(text: string): string {
  return text.normalize('NFC');
}

// ------------------------------------------------------------------------------------------ step 4: strip locators

/** LOC-13: the insides of bracketed classes and other parts the forms are put together from. No flag folds case. */
export interface LocatorParts {
  readonly letter: string;
  readonly digit: string;
  readonly hexDigit: string;
  readonly uric: string;
  readonly schemeFirst: string;
  readonly schemeRest: string;
  readonly www: string;
  readonly prefixes: readonly string[];
  /** A word as a pattern that matches it in any case of the 26 ASCII letters. */
  anyCase(word: string): string;
  readonly doiDigits: string;
  readonly doiGroups: string;
  readonly localPart: string;
  readonly label: string;
  readonly emailGroups: string;
  readonly uuidGroups: readonly number[];
  readonly uuidEnd: string;
  readonly digestLength: string;
  /** The condition at the start of a digest: its run of hex digits holds one of 0–9. */
  readonly digestStart: string;
  readonly digestEnd: string;
}

function anyCase(word: string): string {
  let pattern = '';
  for (const character of word) {
    const isLetter = /^[A-Za-z]$/.test(character);
    pattern += isLetter ? `[${character.toUpperCase()}${character.toLowerCase()}]` : `[${character}]`;
  }
  return pattern;
}

export const locatorParts: LocatorParts = {
  letter: 'A-Za-z',
  digit: '0-9',
  hexDigit: '0-9A-Fa-f',
  uric: "A-Za-z0-9\\-._~%:/?#[\\]@!$&'()*+,;=",
  schemeFirst: 'A-Za-z',
  schemeRest: 'A-Za-z0-9+.\\-',
  www: 'www',
  prefixes: 'ark arxiv cid data did doi hdl info isbn issn magnet mailto orcid pmcid pmid swh tel urn'.split(' '),
  anyCase,
  doiDigits: '{4,9}',
  doiGroups: '*',
  localPart: 'A-Za-z0-9._%+\\-',
  label: 'A-Za-z0-9\\-',
  emailGroups: '+',
  uuidGroups: [8, 4, 4, 4, 12],
  uuidEnd: '(?![A-Za-z0-9])',
  digestLength: '{32,}',
  digestStart: '(?=[A-Fa-f]*[0-9])',
  digestEnd: '(?![A-Za-z0-9])',
};

/**
 * A form from a pattern, tried at exactly one place. Greedy repetition over classes whose neighbours in the pattern
 * cannot be swallowed by them takes the longest match; no nested repetition can split one text in two ways.
 */
function locatorForm(form: number, name: string, pattern: string): LocatorForm {
  const expression = new RegExp(pattern, 'y');
  return {
    form,
    name,
    match(text, at) {
      expression.lastIndex = at;
      const match = expression.exec(text);
      return match === null ? undefined : at + match[0].length;
    },
  };
}

/** The patterns of the seven forms. */
export function locatorPatterns(p: LocatorParts): Record<LocatorName, string> {
  const uric = `[${p.uric}]+`;
  const label = `[${p.label}]+`;
  return {
    // LOC-5: scheme, `://`, one or more uric; scheme is one letter, then zero or more of letters, digits, `+ . -`
    scheme: `[${p.schemeFirst}][${p.schemeRest}]*://${uric}`,
    // LOC-6: `www.` in any case, one or more uric
    www: `${p.anyCase(p.www)}[.]${uric}`,
    // LOC-7: a prefix in any case, `:`, one or more uric
    prefix: `(?:${p.prefixes.map(p.anyCase).join('|')}):${uric}`,
    // LOC-8: `10.`, 4 to 9 digits, zero or more of `.` and digits, `/`, one or more uric
    doi: `10[.][${p.digit}]${p.doiDigits}(?:[.][${p.digit}]+)${p.doiGroups}/${uric}`,
    // LOC-9: local part, `@`, a label, one or more of `.` and a label
    email: `[${p.localPart}]+@${label}(?:[.]${label})${p.emailGroups}`,
    // LOC-10: 8, 4, 4, 4 and 12 hex digits with `-` between; LOC-12: not followed by a letter or digit
    uuid: `${p.uuidGroups.map((length) => `[${p.hexDigit}]{${length}}`).join('-')}${p.uuidEnd}`,
    // LOC-11: 32 or more hex digits, at least one of them 0–9; LOC-12: not followed by a letter or digit
    digest: `${p.digestStart}[${p.hexDigit}]${p.digestLength}${p.digestEnd}`,
  };
}

export type LocatorName = 'scheme' | 'www' | 'prefix' | 'doi' | 'email' | 'uuid' | 'digest';

export const locatorNames: readonly LocatorName[] = ['scheme', 'www', 'prefix', 'doi', 'email', 'uuid', 'digest'];

/** LOC-3: the forms in their order, with some parts replaced when asked. */
export function makeLocatorForms(parts: Partial<LocatorParts> = {}): LocatorForm[] {
  const patterns = locatorPatterns({ ...locatorParts, ...parts });
  return locatorNames.map((name, index) => locatorForm(index + 1, name, patterns[name]));
}

/** LOC-1: may a match start after this code point? `undefined` stands for the start of the text. */
function mayStart(preceding: string | undefined): boolean {
  return preceding === undefined || !/^[A-Za-z0-9]$/.test(preceding);
}

/** LOC-2: the code point that stands before `at` in the text that the step received, whatever was matched before. */
function precedingCharacter(text: string, at: number, _found: readonly Locator[]): string | undefined {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1);
}

/** LOC-1 to LOC-4. */
function findLocators(text: string, s: Steps): Locator[] {
  const found: Locator[] = [];
  let at = 0;
  while (at < text.length) {
    let locator: Locator | undefined;
    if (s.mayStart(s.precedingCharacter(text, at, found))) {
      for (const candidate of s.locatorForms) {
        const end = candidate.match(text, at);
        if (end !== undefined) {
          locator = { start: at, end, form: candidate.form };
          break;
        }
      }
    }
    if (locator === undefined) {
      at += String.fromCodePoint(text.codePointAt(at)!).length;
    } else {
      found.push(locator);
      at = locator.end;
    }
  }
  return found;
}

/** LOC-4: what each form matched is replaced by one U+0020. */
function stripLocators(text: string, s: Steps): string {
  let result = '';
  let behind = 0;
  for (const { start, end } of s.findLocators(text, s)) {
    result += text.slice(behind, start) + s.locatorReplacement;
    behind = end;
  }
  return result + text.slice(behind);
}

// ----------------------------------------------------------------------------------------------- step 5: tokenise

/** TOK-2, TOK-3, TOK-1. */
function tokenise(text: string, s: Steps): Token[] {
  const tokens: Token[] = [];
  let run = '';
  let classes: ClassName[] = [];
  let at = 0;
  const endRun = () => {
    if (run !== '' && s.isToken(run, classes)) tokens.push({ text: run, start: at - run.length, end: at });
    run = '';
    classes = [];
  };
  for (const character of text) {
    const className = s.classify(character.codePointAt(0)!, s);
    if (s.isTokenClass(className)) {
      run += character;
      classes.push(className);
    } else {
      endRun();
    }
    at += character.length;
  }
  endRun();
  return tokens;
}

/** TOK-2: the classes a token is made of. */
function isTokenClass(className: ClassName): boolean {
  return className === 'letter' || className === 'word';
}

/** TOK-3: is this maximal run a token? */
function isToken(_run: string, classes: readonly ClassName[]): boolean {
  return classes.includes('letter');
}

// --------------------------------------------------------------------------------------------- after step 5: bg1

/** BIG-1: `j` for a joined code point, `m` for a mark, `o` for others. */
function bigramKind(codePoint: number): 'j' | 'm' | 'o' {
  const category = generalCategory(codePoint);
  if (category === 'Mn') return 'm';
  return category.startsWith('L') && isOfSpacelessScript(codePoint) ? 'j' : 'o';
}

/** BIG-3: the tokens that a joined part of these units gives. */
function pairsOfUnits(units: readonly string[]): string[] {
  return units.length === 1 ? [...units] : units.slice(1).map((unit, i) => units[i]! + unit);
}

/** BIG-1 to BIG-4 for one token. */
function pairUnits(token: string, s: Steps): string[] {
  const characters = [...token];
  const kinds = characters.map((character) => s.bigramKind(character.codePointAt(0)!)).join('');
  const slice = (from: number, length: number) => characters.slice(from, from + length).join('');
  return Array.from(kinds.matchAll(s.bigramParts)).flatMap(({ 0: part, index }) => {
    if (!part.startsWith('j')) {
      const text = slice(index, part.length);
      const classes = [...text].map((character) => s.classify(character.codePointAt(0)!, s));
      return s.isToken(text, classes) ? [text] : [];
    }
    return s.pairsOfUnits(
      Array.from(part.matchAll(s.bigramUnits), (unit) => slice(index + unit.index, unit[0].length)),
    );
  });
}

// ---------------------------------------------------------------------------------------- step 6: select tokens

/** STP-1, TOK-4: the bare scheme hashes every occurrence of every token. */
function selectTokens(tokens: readonly string[]): string[] {
  return [...tokens];
}

// --------------------------------------------------------------------------------------------- step 7: token hash

/** TOK-5: UTF-8, one scalar value after the other. */
function encode(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) throw new TwinError('wrong-type', 'a lone surrogate has no UTF-8');
    const sixBits = (place: number) => 0x80 + (Math.floor(codePoint / 64 ** place) % 64);
    if (codePoint < 0x80) bytes.push(codePoint);
    else if (codePoint < 0x800) bytes.push(0xc0 + Math.floor(codePoint / 64), sixBits(0));
    else if (codePoint < 0x10000) bytes.push(0xe0 + Math.floor(codePoint / 64 ** 2), sixBits(1), sixBits(0));
    else bytes.push(0xf0 + Math.floor(codePoint / 64 ** 3), sixBits(2), sixBits(1), sixBits(0));
  }
  return Uint8Array.from(bytes);
}

const low32 = (x: bigint): bigint => x & 0xffffffffn;

export type Three = readonly [a: bigint, b: bigint, c: bigint];

/** The details of lookup3 that one can get wrong, each by itself (HSH-1, HSH-3). */
export interface Lookup3 {
  /** The start of a, b and c, before the length and the initial values. */
  readonly initial: bigint;
  /** The initial values; both are 0 in the scheme. */
  readonly pc: bigint;
  readonly pb: bigint;
  /** Returns what the length adds to all three. */
  lengthTerm(bytes: Uint8Array): bigint;
  readonly mixRotations: readonly number[];
  readonly finalRotations: readonly number[];
  rotate(x: bigint, by: number): bigint;
  mix(abc: Three, l: Lookup3): Three;
  final(abc: Three, l: Lookup3): Three;
  /** One 32-bit word of one to four bytes. */
  word(bytes: Uint8Array): bigint;
  /** Is there a block to be mixed, with this many bytes left? Only when it is not the last. */
  isInnerBlock(left: number): boolean;
  /** Returns what the last 0 to 12 bytes add to a, b and c. */
  tail(bytes: Uint8Array, l: Lookup3): Three;
  /** Does a last block of this length (0 only for the empty input) pass the final mixing? */
  hasFinal(tailLength: number): boolean;
}

function add(abc: Three, xyz: Three): Three {
  return [low32(abc[0] + xyz[0]), low32(abc[1] + xyz[1]), low32(abc[2] + xyz[2])];
}

function mix([a, b, c]: Three, l: Lookup3): Three {
  const r = l.mixRotations;
  a = low32(a - c) ^ l.rotate(c, r[0]!);
  c = low32(c + b);
  b = low32(b - a) ^ l.rotate(a, r[1]!);
  a = low32(a + c);
  c = low32(c - b) ^ l.rotate(b, r[2]!);
  b = low32(b + a);
  a = low32(a - c) ^ l.rotate(c, r[3]!);
  c = low32(c + b);
  b = low32(b - a) ^ l.rotate(a, r[4]!);
  a = low32(a + c);
  c = low32(c - b) ^ l.rotate(b, r[5]!);
  b = low32(b + a);
  return [a, b, c];
}

function final([a, b, c]: Three, l: Lookup3): Three {
  const r = l.finalRotations;
  c = low32((c ^ b) - l.rotate(b, r[0]!));
  a = low32((a ^ c) - l.rotate(c, r[1]!));
  b = low32((b ^ a) - l.rotate(a, r[2]!));
  c = low32((c ^ b) - l.rotate(b, r[3]!));
  a = low32((a ^ c) - l.rotate(c, r[4]!));
  b = low32((b ^ a) - l.rotate(a, r[5]!));
  c = low32((c ^ b) - l.rotate(b, r[6]!));
  return [a, b, c];
}

export const lookup3: Lookup3 = {
  initial: 0xdeadbeefn,
  pc: 0n,
  pb: 0n,
  lengthTerm: (bytes) => BigInt(bytes.length),
  mixRotations: [4, 6, 8, 16, 19, 4],
  finalRotations: [14, 11, 25, 16, 4, 14, 24],
  rotate: (x, by) => low32(x << BigInt(by)) | (x >> BigInt(32 - by)),
  mix,
  final,
  // HSH-3: the first byte is the least significant.
  word: (bytes) => bytes.reduceRight((word, byte) => word * 256n + BigInt(byte), 0n),
  isInnerBlock: (left) => left > 12,
  tail: (bytes, l) => [l.word(bytes.slice(0, 4)), l.word(bytes.slice(4, 8)), l.word(bytes.slice(8, 12))],
  hasFinal: (tailLength) => tailLength > 0,
};

/** HSH-1, HSH-3: lookup3 hashlittle2 (Bob Jenkins, 2006, public domain). */
function hashlittle2(bytes: Uint8Array, pc: bigint, pb: bigint, s: Steps): { c: bigint; b: bigint } {
  const l = s.lookup3;
  const start = low32(l.initial + l.lengthTerm(bytes) + pc);
  let abc: Three = [start, start, low32(start + pb)];
  let at = 0;
  while (l.isInnerBlock(bytes.length - at)) {
    const words = [0, 4, 8].map((from) => l.word(bytes.slice(at + from, at + from + 4)));
    abc = l.mix(add(abc, [words[0]!, words[1]!, words[2]!]), l);
    at += 12;
  }
  const tail = bytes.slice(at);
  abc = add(abc, l.tail(tail, l));
  if (l.hasFinal(tail.length)) abc = l.final(abc, l);
  return { c: abc[2], b: abc[1] };
}

/** HSH-2: b·2³² + c. */
function joinWords(c: bigint, b: bigint): bigint {
  return b * 0x100000000n + c;
}

/** HSH-1, HSH-2, TOK-5: the hash of a token given as text or as bytes. */
function hashToken(token: string | Uint8Array, s: Steps): bigint {
  const bytes = typeof token === 'string' ? s.encode(token) : token;
  const { c, b } = s.hashlittle2(bytes, s.lookup3.pc, s.lookup3.pb, s);
  return s.joinWords(c, b);
}

// ------------------------------------------------------------------------------------------------ step 8: simhash

/** A number of 64 bits as a string of 64 '0' and '1', the most significant first (SIM-3). */
function toBits(number: bigint): string {
  if (number < 0n || number >= 1n << 64n) throw new TwinError('out-of-range', `not a number of 64 bits: ${number}`);
  return number.toString(2).padStart(64, '0');
}

function fromBits(bits: string): bigint {
  return BigInt(`0b${bits}`);
}

/** SIM-2, SIM-3: the 64 counters; index 0 is bit 0. */
function counters(hashes: Iterable<bigint>, s: Steps): bigint[] {
  const result: bigint[] = new Array(64).fill(0n);
  for (const hash of hashes) {
    const bits = s.toBits(hash);
    for (let i = 0; i < 64; i += 1) result[i]! += bits[i] === '1' ? 1n : -1n;
  }
  return result;
}

/** SIM-4: 1 when the counter is greater than 0; a tie is 0. */
function fingerprintBit(counter: bigint): '0' | '1' {
  return counter > 0n ? '1' : '0';
}

/** SIM-1, SIM-5: null without tokens, and only then. */
function simhash(hashes: Iterable<bigint>, s: Steps): bigint | null {
  const list = [...hashes];
  if (list.length === 0) return null;
  return s.fromBits(
    s
      .counters(list, s)
      .map((counter) => s.fingerprintBit(counter))
      .join(''),
  );
}

// ------------------------------------------------------------------------------------ in place of step 8: minhash

const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** MIN-2: output n of SplitMix64 seeded with x. */
function draw(x: bigint, n: number, s: Steps): bigint {
  if (!Number.isInteger(n) || n < 0 || n > 511) throw new TwinError('out-of-range', `draw ${n}`);
  const { increment, shifts, factors } = s.splitMix;
  const state = low64(x + BigInt(n + 1) * increment);
  const first = low64((state ^ (state >> shifts[0])) * factors[0]);
  const second = low64((first ^ (first >> shifts[1])) * factors[1]);
  return second ^ (second >> shifts[2]);
}

/** MIN-1: the different hashes. */
function elementsOf(hashes: Iterable<bigint>): bigint[] {
  return [...new Set(hashes)];
}

/** MIN-3: which output of SplitMix64 a round of a word takes. */
function drawNumber(word: number, round: number): number {
  return 128 * word + round;
}

/** MIN-3: the bin that a draw of a round falls into. */
function binOf(value: bigint, round: number): number {
  return round < 64 ? Number(value >> 58n) : round - 64;
}

/** MIN-4: does the first draw win against the second? */
function wins(x: Draw, y: Draw): boolean {
  return x.round < y.round || (x.round === y.round && x.value < y.value);
}

/** MIN-3, MIN-4: the winner of each bin of a word; every element makes all its draws. */
function winnersOfWord(elements: readonly bigint[], word: number, s: Steps): Draw[] {
  const winners: (Draw | undefined)[] = new Array(64).fill(undefined);
  for (const x of elements) {
    for (let round = 0; round < s.rounds; round += 1) {
      const value = s.draw(x, s.drawNumber(word, round), s);
      const bin = s.binOf(value, round);
      const challenger = { round, bin, value };
      const winner = winners[bin];
      if (winner === undefined || s.wins(challenger, winner)) winners[bin] = challenger;
    }
  }
  return winners.map((winner, bin) => winner ?? { round: s.rounds, bin, value: 0n });
}

/** MIN-5: the bit that a winner gives. */
function drawBit(value: bigint): '0' | '1' {
  return value % 2n === 1n ? '1' : '0';
}

/** MIN-5: the number of a word, bit 0 being that of bin 0. */
function wordOfWinners(winners: readonly Draw[], s: Steps): bigint {
  return s.fromBits(winners.map(({ value }) => s.drawBit(value)).join(''));
}

/** MIN-7: the fingerprint of one word, or of four. */
function joinWordsOfPrint(words: readonly bigint[], s: Steps): Print {
  if (words.length === 1) return words[0]!;
  return Uint8Array.from(words.flatMap((word) => [...s.toBytes(word, s)]));
}

/** MIN-1 to MIN-7: the fingerprint of hashes, and the winning draws of all its words. */
function minhash(hashes: Iterable<bigint>, words: number, s: Steps): { fingerprint: Print | null; draws: bigint[] } {
  const elements = s.elementsOf(hashes);
  if (elements.length === 0) return { fingerprint: null, draws: [] };
  const winners = Array.from({ length: words }, (_, word) => s.winnersOfWord(elements, word, s));
  const fingerprint = s.joinWordsOfPrint(
    winners.map((each) => s.wordOfWinners(each, s)),
    s,
  );
  return { fingerprint, draws: winners.flat().map(({ value }) => value) };
}

/** MIN-8: the first eight bytes. */
function truncate(fingerprint: Print, s: Steps): bigint {
  if (typeof fingerprint === 'bigint') throw new TwinError('wrong-type', 'nothing to truncate');
  return s.fromBytes(fingerprint.slice(0, 8), s) as bigint;
}

/** MIN-11: the words of a fingerprint. */
function wordsOf(fingerprint: Print): bigint[] {
  if (typeof fingerprint === 'bigint') return [fingerprint];
  return [0, 8, 16, 24].map((at) => fromBits(bitsOfBytes(fingerprint.slice(at, at + 8))));
}

// ---------------------------------------------------------------------------------------------- step 9: serialise

/** SIM-3, MIN-7: the bytes of a fingerprint; bit 0 is the most significant bit of byte 0. */
function toBytes(fingerprint: Print, s: Steps): Uint8Array {
  if (typeof fingerprint !== 'bigint') return Uint8Array.from(fingerprint);
  const bits = s.toBits(fingerprint);
  return Uint8Array.from({ length: 8 }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2));
}

function fromBytes(bytes: Uint8Array, s: Steps): Print {
  if (bytes.length === 32) return bytes;
  if (bytes.length !== 8) throw new TwinError('invalid-fingerprint', `${bytes.length} octets`);
  return s.fromBits(bitsOfBytes(bytes));
}

function bitsOfBytes(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}

/** SER-6, MIN-9: 16 or 64 lower-case digits, leading zeros kept. */
function toHex(fingerprint: Print, s: Steps): string {
  return [...s.toBytes(fingerprint, s)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SER-6, MIN-9: a reader takes either case. */
function fromHex(text: string, s: Steps, bytes = 8): Print {
  if (text.length !== 2 * bytes || !/^[0-9a-fA-F]*$/.test(text)) throw new TwinError('invalid-fingerprint', text);
  return s.fromBytes(
    Uint8Array.from({ length: bytes }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)),
    s,
  );
}

/** SER-1, MIN-9: 64 bits and one 0 make 13 groups of five; 256 bits and four 0 make 52. */
function serialise(fingerprint: Print, s: Steps): string {
  const bytes = s.toBytes(fingerprint, s);
  const bits = bitsOfBytes(bytes) + '0'.repeat(bytes.length === 8 ? 1 : 4);
  let text = '';
  for (let at = 0; at < bits.length; at += 5) {
    text += s.base32Alphabet.charAt(Number.parseInt(bits.slice(at, at + 5), 2));
  }
  return text + s.base32Padding;
}

/** SER-3: the value 0 to 31 of a character, in either case of the 26 ASCII letters; otherwise undefined (SER-5). */
function base32Value(character: string, s: Steps): number | undefined {
  const upper = /^[a-z]$/.test(character) ? character.toUpperCase() : character;
  const value = s.base32Alphabet.indexOf(upper);
  return character.length === 1 && value >= 0 ? value : undefined;
}

/** SER-2, SER-5, MIN-9: what may stand after the characters of so many bytes. */
function isTrailer(trailer: string, bytes = 8): boolean {
  return trailer === '' || trailer === (bytes === 8 ? '===' : '====');
}

/** SER-4, MIN-9: the lowest bits of the last character. */
function isSpareBit(bits: string): boolean {
  return !bits.includes('1');
}

/** SER-3, SER-2, SER-4, SER-5, MIN-9. */
function parse(text: string, s: Steps, bytes = 8): Print {
  const refuse = (why: string) => new TwinError('invalid-fingerprint', `${why} in ${JSON.stringify(text)}`);
  const length = bytes === 8 ? 13 : 52;
  if (text.length < length) throw refuse('too few characters');
  if (!s.isTrailer(text.slice(length), bytes)) throw refuse(`something behind the ${length} characters`);
  let bits = '';
  for (let at = 0; at < length; at += 1) {
    const value = s.base32Value(text.charAt(at), s);
    if (value === undefined) throw refuse(`a character outside the alphabet at ${at}`);
    bits += value.toString(2).padStart(5, '0');
  }
  if (!s.isSpareBit(bits.slice(8 * bytes))) throw refuse('the spare bits');
  return s.fromBytes(
    Uint8Array.from({ length: bytes }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2)),
    s,
  );
}

/** LAB-1: only the 26 ASCII letters fold. */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** LAB-1, LAB-2, LAB-3: the label in lower case, or a refusal. */
function parseLabel(text: string, s: Steps): string {
  const label = s.foldLabel(text);
  if (!s.labels.includes(label)) throw new TwinError('invalid-label', `not registered: ${JSON.stringify(text)}`);
  return label;
}

/** The number of bytes of the fingerprints of a label (MIN-7). */
function bytesOfLabel(label: string): number {
  return label === 'minhash-doc-256' ? 32 : 8;
}

/** SER-7, LAB-1. */
function formatLabelled(label: string, fingerprint: Print, s: Steps): string {
  return `${s.parseLabel(label, s)}:${s.serialise(fingerprint, s)}`;
}

/** SER-7, LAB-2, LAB-4: label, one `:`, fingerprint. */
function parseLabelled(text: string, s: Steps): { label: string; fingerprint: Print } {
  const colon = text.indexOf(':');
  if (colon < 0) throw new TwinError('invalid-label', `no label in ${JSON.stringify(text)}`);
  const label = s.parseLabel(text.slice(0, colon), s);
  return { label, fingerprint: s.parse(text.slice(colon + 1), s, s.bytesOfLabel(label)) };
}

// ----------------------------------------------------------------------------------------------- step 10: compare

/** The bits of a fingerprint as a string. */
function bitsOfPrint(fingerprint: Print): string {
  return typeof fingerprint === 'bigint' ? toBits(fingerprint) : bitsOfBytes(fingerprint);
}

/** The number of bits of a fingerprint. */
export function widthOf(fingerprint: Print | null): number {
  return fingerprint === null || typeof fingerprint === 'bigint' ? 64 : 256;
}

/** CMP-3, CMP-1, MIN-10: how many of the 64 or 256 bits differ. */
function distance(a: Print | null, b: Print | null): number {
  if (a === null || b === null) throw new TwinError('no-fingerprint', 'nothing to compare');
  const left = bitsOfPrint(a);
  const right = bitsOfPrint(b);
  let different = 0;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) different += 1;
  return different;
}

/** CMP-4, MIN-10. */
function similarity(a: Print | null, b: Print | null, s: Steps): number {
  return 1 - s.distance(a, b) / widthOf(a);
}

/** CMP-6, CMP-5, MIN-10: a close match is a loose match as well; the narrower word wins. */
function verdict(d: number, bits = 64): 'close' | 'loose' | 'none' {
  if (d <= (bits === 64 ? 1 : 5)) return 'close';
  if (d <= (bits === 64 ? 6 : 25)) return 'loose';
  return 'none';
}

export interface Comparison {
  readonly label: string;
  readonly distance: number;
  readonly similarity: number;
  readonly verdict: 'close' | 'loose' | 'none';
}

/** CMP-2: two labelled fingerprints. */
function compare(a: string, b: string, s: Steps): Comparison {
  const left = s.parseLabelled(a, s);
  const right = s.parseLabelled(b, s);
  if (left.label !== right.label) throw new TwinError('label-mismatch', `${left.label} and ${right.label}`);
  const d = s.distance(left.fingerprint, right.fingerprint);
  return {
    label: left.label,
    distance: d,
    similarity: s.similarity(left.fingerprint, right.fingerprint, s),
    verdict: s.verdict(d, widthOf(left.fingerprint)),
  };
}

// ------------------------------------------------------------------------------------------ step 11: lookup tables

/** TAB-1, TAB-2: the 64 characters cut for table t. */
function cut(bits: string, table: number): Pieces {
  if (!Number.isInteger(table) || table < 0 || table > 15) throw new TwinError('out-of-range', `table ${table}`);
  const i = Math.floor(table / 4);
  const j = table % 4;
  const blocks = [bits.slice(0, 16), bits.slice(16, 32), bits.slice(32, 48), bits.slice(48, 64)];
  const others = blocks.filter((_, index) => index !== i).join('');
  const subs = [others.slice(0, 12), others.slice(12, 24), others.slice(24, 36), others.slice(36, 48)];
  return { block: blocks[i]!, sub: subs[j]!, rest: subs.filter((_, index) => index !== j) };
}

/** TAB-3: the key of one table, a number of 28 bits. */
function tableKey(fingerprint: bigint, table: number, s: Steps): number {
  const { block, sub } = s.cut(s.toBits(fingerprint), table);
  return Number.parseInt(block + sub, 2);
}

/** TAB-3: the keys of tables 0 to 15. */
function tableKeys(fingerprint: bigint, s: Steps): number[] {
  return Array.from({ length: 16 }, (_, table) => s.tableKey(fingerprint, table, s));
}

/** TAB-4. */
function permute(fingerprint: bigint, table: number, s: Steps): bigint {
  const { block, sub, rest } = s.cut(s.toBits(fingerprint), table);
  return s.fromBits(block + sub + rest.join(''));
}

/** TAB-4 backwards: the 64 places, written as 64 different characters, are cut like the bits; each bit goes home. */
function unpermute(permuted: bigint, table: number, s: Steps): bigint {
  const places = Array.from({ length: 64 }, (_, place) => String.fromCharCode(0x100 + place)).join('');
  const { block, sub, rest } = s.cut(places, table);
  const order = block + sub + rest.join('');
  const bits = s.toBits(permuted);
  return s.fromBits([...places].map((place) => bits.charAt(order.indexOf(place))).join(''));
}

/** TAB-5: the rows of one table: the permuted fingerprints, ascending as unsigned numbers. */
function tableRows(fingerprints: Iterable<bigint>, table: number, s: Steps): bigint[] {
  return [...fingerprints]
    .map((fingerprint) => s.permute(fingerprint, table, s))
    .sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
}

const knownMasks = new Map<string, number[]>();

/** All masks of `width` bits with exactly `ones` of them set, ascending; found by looking at every number. */
export function masks(width: number, ones: number): readonly number[] {
  const known = knownMasks.get(`${width} ${ones}`);
  if (known !== undefined) return known;
  const result: number[] = [];
  for (let mask = 0; mask < 2 ** width; mask += 1) {
    if ([...mask.toString(2)].filter((bit) => bit === '1').length === ones) result.push(mask);
  }
  knownMasks.set(`${width} ${ones}`, result);
  return result;
}

/** LKP-5: how many bits may be flipped in the sub-block when e1 are flipped in the block, for distance k. */
function subFlips(k: number, e1: number): number {
  return Math.floor((k - e1) / 4);
}

/** LKP-5: how many bits may be flipped in the block, for distance k. */
function blockFlips(k: number): number {
  return Math.floor(k / 4);
}

/** LKP-5: the keys to probe in one table, ascending. The scheme fixes the set; the order here means nothing. */
function probeKeys(fingerprint: bigint, table: number, k: number, s: Steps): number[] {
  if (!Number.isInteger(k) || k < 0 || k > 64) throw new TwinError('out-of-range', `distance ${k}`);
  const key = s.tableKey(fingerprint, table, s);
  const keys: number[] = [];
  for (let e1 = 0; e1 <= s.blockFlips(k); e1 += 1) {
    for (let e2 = 0; e2 <= s.subFlips(k, e1); e2 += 1) {
      for (const blockMask of masks(16, e1)) {
        for (const subMask of masks(12, e2)) keys.push(key ^ (blockMask * 2 ** 12 + subMask));
      }
    }
  }
  return keys.sort((x, y) => x - y);
}

/** LKP-3: ascending order of the UTF-8 bytes. */
function compareIds(x: string, y: string): number {
  const left = encode(x);
  const right = encode(y);
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

/** LKP-3: by distance, then by id. */
function compareMatches(x: Match, y: Match, s: Steps): number {
  return x.distance - y.distance || s.compareIds(x.id, y.id);
}

/** LKP-2, MIN-11: is at least one word within k of the same word of the query? */
function isNear(fingerprint: Print, query: Print, k: number, s: Steps): boolean {
  const words = s.wordsOf(query);
  return s.wordsOf(fingerprint).some((word, w) => s.distance(word, words[w]!) <= k);
}

/** LKP-2, LKP-3, MIN-11: every entry within k, found by looking at every entry. */
function matches(entries: Iterable<Entry>, query: Print, k: number, s: Steps): Match[] {
  return [...entries]
    .filter((entry) => s.isNear(entry.fingerprint, query, k, s))
    .map((entry): Match => ({ ...entry, distance: s.distance(entry.fingerprint, query) }))
    .sort((x, y) => s.compareMatches(x, y, s));
}

/** LKP-6, LKP-5, LKP-2, MIN-11: the same answer for k ≤ 7 by way of the tables of each word, to test that claim. */
function lookup(entries: Iterable<Entry>, query: Print, k: number, s: Steps): Match[] {
  const candidates = new Set<Entry>();
  const list = [...entries];
  for (const [w, word] of s.wordsOf(query).entries()) {
    for (let table = 0; table < 16; table += 1) {
      const keys = new Set(s.probeKeys(word, table, k, s));
      for (const entry of list) {
        if (keys.has(s.tableKey(s.wordsOf(entry.fingerprint)[w]!, table, s))) candidates.add(entry);
      }
    }
  }
  return s.matches(candidates, query, k, s);
}

// ------------------------------------------------------------------------------------------------ the whole scheme

/** Step 1 for either kind of input. */
function read(input: string | Uint8Array, s: Steps): string {
  return typeof input === 'string' ? s.toWellFormed(input, s) : s.decode(input, s);
}

/** All steps, with everything in between. */
function explain(input: string | Uint8Array, s: Steps, label = s.labels[0]!): Explanation {
  const { bg1, words } = s.schemeOf(s.parseLabel(label, s));
  const decoded = s.read(input, s);
  const normalised = s.normalise(decoded, s);
  const locators = s.findLocators(normalised, s);
  const stripped = s.stripLocators(normalised, s);
  const tokens = s.tokenise(stripped, s);
  const texts = tokens.map((token) => token.text);
  const selected = s.selectTokens(bg1 ? texts.flatMap((text) => s.pairUnits(text, s)) : texts);
  const hashes = selected.map((token) => s.hashToken(token, s));
  const { fingerprint, draws } =
    words === 0 ? { fingerprint: s.simhash(hashes, s), draws: [] } : s.minhash(hashes, words, s);
  const isNarrow = typeof fingerprint === 'bigint';
  return {
    ...{ input, decoded, normalised, locators, stripped, tokens, selected, hashes, draws, fingerprint },
    counters: words === 0 ? s.counters(hashes, s) : [],
    octets: fingerprint === null ? null : s.toBytes(fingerprint, s),
    hex: fingerprint === null ? null : s.toHex(fingerprint, s),
    base32: fingerprint === null ? null : s.serialise(fingerprint, s),
    keys: isNarrow ? s.tableKeys(fingerprint, s) : null,
  };
}

/** The meaning of a label (LAB-3, MIN-1, MIN-7): pairs after step 5; words of minhash-doc, 0 for simhash-doc. */
interface LabelMeaning {
  readonly bg1: boolean;
  readonly words: number;
}

function schemeOf(label: string): LabelMeaning {
  if (label === 'minhash-doc') return { bg1: true, words: 1 };
  if (label === 'minhash-doc-256') return { bg1: true, words: 4 };
  return { bg1: label === 'simhash-doc+bg1', words: 0 };
}

const functions = {
  ...{ read, byteOrderMarkLength, illFormedLength, decode, toWellFormed },
  ...{ isIgnorable, generalCategory, classify },
  ...{ prepare, compose, normalise },
  ...{ mayStart, precedingCharacter, findLocators, stripLocators },
  ...{ isTokenClass, isToken, tokenise, selectTokens },
  ...{ bigramKind, pairsOfUnits, pairUnits },
  ...{ encode, hashlittle2, joinWords, hashToken },
  ...{ toBits, fromBits, counters, fingerprintBit, simhash },
  ...{ draw, elementsOf, drawNumber, binOf, wins, winnersOfWord, drawBit, wordOfWinners },
  ...{ joinWordsOfPrint, minhash, truncate, wordsOf },
  ...{ toBytes, fromBytes, toHex, fromHex },
  ...{ base32Value, isTrailer, isSpareBit, serialise, parse },
  ...{ foldLabel: asciiLowerCase, parseLabel, bytesOfLabel, formatLabelled, parseLabelled },
  ...{ distance, similarity, verdict, compare },
  ...{ cut, tableKey, tableKeys, permute, unpermute, tableRows },
  ...{ blockFlips, subFlips, probeKeys, compareIds, compareMatches, isNear, matches, lookup },
  ...{ schemeOf, explain },
};

/** Every step. Functions take the steps in force last; those that call no other step leave them out. */
export type Steps = Readonly<typeof functions> & {
  readonly utf8Sequences: readonly (readonly ByteRange[])[];
  readonly illFormedReplacement: string;
  readonly loneSurrogateReplacement: string;
  readonly letterCategories: readonly Category[];
  readonly wordCategories: readonly Category[];
  readonly unassignedReplacement: string;
  readonly locatorForms: readonly LocatorForm[];
  readonly locatorReplacement: string;
  /** The parts of a token, by the kinds of its code points, and the units of a joined part. */
  readonly bigramParts: RegExp;
  readonly bigramUnits: RegExp;
  readonly lookup3: Lookup3;
  readonly splitMix: SplitMix;
  readonly rounds: number;
  readonly base32Alphabet: string;
  readonly base32Padding: string;
  /** The registered labels; the first is that of the bare scheme. */
  readonly labels: readonly string[];
  /** CMP-7. */
  readonly defaultDistance: number;
};

export const steps: Steps = {
  ...functions,
  utf8Sequences: wellFormedSequences,
  illFormedReplacement: '\ufffd',
  loneSurrogateReplacement: '\ufffd',
  letterCategories: ['Lu', 'Ll', 'Lt', 'Lm', 'Lo'],
  wordCategories: ['Mn', 'Nd', 'Pc'],
  unassignedReplacement: '\ufffd',
  locatorForms: makeLocatorForms(),
  locatorReplacement: ' ',
  bigramParts: /(?:jm*)+|[^j]+/g,
  bigramUnits: /jm*/g,
  lookup3,
  splitMix: {
    increment: 0x9e3779b97f4a7c15n,
    shifts: [30n, 27n, 31n],
    factors: [0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn],
  },
  rounds: 128,
  base32Alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  base32Padding: '',
  labels: ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc', 'minhash-doc-256'],
  defaultDistance: 3,
};

/** The scheme, or another one: `steps` with some of them replaced, bound together. */
export function makePipeline(overrides: Partial<Steps> = {}) {
  const s: Steps = { ...steps, ...overrides };
  return {
    steps: s,
    decode: (bytes: Uint8Array) => s.decode(bytes, s),
    toWellFormed: (text: string) => s.toWellFormed(text, s),
    classify: (codePoint: number) => s.classify(codePoint, s),
    normalise: (text: string) => s.normalise(text, s),
    findLocators: (text: string) => s.findLocators(text, s),
    stripLocators: (text: string) => s.stripLocators(text, s),
    tokenise: (text: string) => s.tokenise(text, s),
    encode: (text: string) => s.encode(text),
    hashlittle2: (bytes: Uint8Array, pc = 0n, pb = 0n) => s.hashlittle2(bytes, pc, pb, s),
    hashToken: (token: string | Uint8Array) => s.hashToken(token, s),
    counters: (hashes: Iterable<bigint>) => s.counters(hashes, s),
    simhash: (hashes: Iterable<bigint>) => s.simhash(hashes, s),
    draw: (x: bigint, n: number) => s.draw(x, n, s),
    minhash: (hashes: Iterable<bigint>, words: number) => s.minhash(hashes, words, s),
    truncate: (fingerprint: Print) => s.truncate(fingerprint, s),
    toBytes: (fingerprint: Print) => s.toBytes(fingerprint, s),
    fromBytes: (bytes: Uint8Array) => s.fromBytes(bytes, s),
    toHex: (fingerprint: Print) => s.toHex(fingerprint, s),
    fromHex: (text: string, bytes = 8) => s.fromHex(text, s, bytes),
    serialise: (fingerprint: Print) => s.serialise(fingerprint, s),
    parse: (text: string, bytes = 8) => s.parse(text, s, bytes),
    parseLabel: (text: string) => s.parseLabel(text, s),
    schemeOf: (label = s.labels[0]!) => s.schemeOf(label),
    bytesOfLabel: (label = s.labels[0]!) => s.bytesOfLabel(label),
    formatLabelled: (label: string, fingerprint: Print) => s.formatLabelled(label, fingerprint, s),
    parseLabelled: (text: string) => s.parseLabelled(text, s),
    distance: (a: Print | null, b: Print | null) => s.distance(a, b),
    similarity: (a: Print | null, b: Print | null) => s.similarity(a, b, s),
    verdict: (a: Print | null, b: Print | null) => s.verdict(s.distance(a, b), widthOf(a)),
    compare: (a: string, b: string) => s.compare(a, b, s),
    tableKeys: (fingerprint: bigint) => s.tableKeys(fingerprint, s),
    permute: (fingerprint: bigint, table: number) => s.permute(fingerprint, table, s),
    unpermute: (permuted: bigint, table: number) => s.unpermute(permuted, table, s),
    tableRows: (fingerprints: Iterable<bigint>, table: number) => s.tableRows(fingerprints, table, s),
    probeKeys: (fingerprint: bigint, table: number, k: number) => s.probeKeys(fingerprint, table, k, s),
    matches: (entries: Iterable<Entry>, query: Print, k: number) => s.matches(entries, query, k, s),
    lookup: (entries: Iterable<Entry>, query: Print, k: number) => s.lookup(entries, query, k, s),
    pairUnits: (token: string) => s.pairUnits(token, s),
    fingerprint: (input: string | Uint8Array, label?: string) => s.explain(input, s, label).fingerprint,
    explain: (input: string | Uint8Array, label?: string) => s.explain(input, s, label),
    /** The tokens of an input, in order. */
    tokens: (input: string | Uint8Array) => s.explain(input, s).selected,
  };
}

export type Pipeline = ReturnType<typeof makePipeline>;

export const twin: Pipeline = makePipeline();

/** The number of keys that LKP-5 probes in each table: a sum of products of binomial coefficients. */
export function probesPerTableTwin(k: number): number {
  const choose = (n: number, r: number): number => (r === 0 ? 1 : (choose(n - 1, r - 1) * n) / r);
  let count = 0;
  for (let e1 = 0; e1 <= Math.floor(k / 4); e1 += 1) {
    for (let e2 = 0; e2 <= Math.floor((k - e1) / 4); e2 += 1) count += choose(16, e1) * choose(12, e2);
  }
  return count;
}
