import { encode } from '../common/utf8.ts';
import { toWellFormed } from './decode.ts';

// LOC-13: the sets of bytes that the forms are made of. No byte of a non-ASCII code point is in any of them.
export const ALPHANUMERIC = 1;
export const ASCII_LETTER = 2;
export const DIGIT = 4;
export const HEX = 8;
export const SCHEME = 16;
export const LOCAL = 32;
export const LABEL = 64;
export const URIC = 128;

/** The sets that each byte is in. */
export const SETS = new Uint8Array(256);
for (const [set, members] of [
  [ALPHANUMERIC | SCHEME | LOCAL | LABEL | URIC | ASCII_LETTER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'],
  [ALPHANUMERIC | SCHEME | LOCAL | LABEL | URIC | DIGIT, '0123456789'],
  [HEX, '0123456789ABCDEFabcdef'],
  [SCHEME, '+.-'],
  [LOCAL, '._%+-'],
  [LABEL, '-'],
  [URIC, "-._~%:/?#[]@!$&'()*+,;="],
] as const)
  for (const member of members) SETS[member.charCodeAt(0)]! |= set;

/** The prefixes of form 3 (LOC-7). */
export const PREFIXES: readonly string[] =
  'ark arxiv cid data did doi hdl info isbn issn magnet mailto orcid pmcid pmid swh tel urn'.split(' ');

/** Up to six ASCII letters in any case as a number: five bits each, the first letter in the highest. */
function packed(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) number = (number << 5) | (bytes[i]! & 0x1f);
  return number;
}

/** The prefixes as {@link packed} numbers. */
const PACKED_PREFIXES: ReadonlySet<number> = new Set(
  PREFIXES.map((prefix) => packed(encode(prefix), 0, prefix.length)),
);
const PREFIX_LENGTHS = PREFIXES.map((prefix) => prefix.length);
const MIN_PREFIX = Math.min(...PREFIX_LENGTHS);
const MAX_PREFIX = Math.max(...PREFIX_LENGTHS);

const COLON = 0x3a;
const SLASH = 0x2f;
const DOT = 0x2e;
const AT = 0x40;
const HYPHEN = 0x2d;

/** The number of a form (LOC-5 to LOC-11). */
export type LocatorForm = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const NOT_SWALLOWING = 0;
const SWALLOWING_URIC = 1;
const SWALLOWING_LABELS = 2;

type LocatorScan = ReturnType<typeof createLocatorScan>;

/**
 * Makes the state of the scanner of step 4 for the beginning of a text that arrives in parts. Places count from the
 * beginning of the bytes passed, so {@link moveLocatorScan} must be called when those are moved.
 */
export function createLocatorScan() {
  return {
    /** Result: the bytes from where the last call began up to here belong to no locator. */
    clean: 0,
    /**
     * Result: the bytes from `clean` up to here belong to one, and scanning goes on here. Equal to `clean` when there
     * is none: then all is scanned, or the bytes from here on must be passed again with more after them.
     */
    resume: 0,
    /** Result: the form of that locator. */
    form: 1 as LocatorForm,
    /** Result: whether it begins at `clean`, rather than goes on from the call before. */
    begins: false,
    /** True if the code point before the next one is a letter or digit (LOC-1, LOC-2). */
    preceded: false,
    /** The state of a locator that goes on and whose form is decided: NOT_SWALLOWING, SWALLOWING_URIC or SWALLOWING_LABELS. */
    swallowing: NOT_SWALLOWING as number,
    /** The run of LOCAL bytes last measured: where it ends, */
    runEnd: -1,
    /** and how far that was looked for. */
    measured: 0,
    /** The place after the last byte of the run that no scheme may hold: form 1 begins here or later. */
    schemeStart: 0,
    /** The place up to which the label after an @ was measured. */
    labelMeasured: 0,
    /** True if `:` and uric follow the run, */
    colon: false,
    /** or `://` and uric, */
    colonSlashSlash: false,
    /** or `@`, a label, `.` and the beginning of another label, */
    domain: false,
    /** or `/` and uric: the beginning of the digits and dots before it, where form 4 begins or later; else Infinity. */
    chainStart: Infinity,
    /** None of these, so that only forms 2, 6 and 7 are left. */
    plain: true,
  };
}

/** Adjusts the state after its bytes were moved `by` places towards the beginning. */
export function moveLocatorScan(scan: LocatorScan, by: number): void {
  scan.runEnd -= by;
  scan.measured -= by;
  scan.schemeStart -= by;
  scan.labelMeasured -= by;
  scan.chainStart -= by;
}

function isIn(set: number, bytes: Uint8Array, at: number, end: number): boolean {
  return at < end && (SETS[bytes[at]!]! & set) !== 0;
}

/** Measures the run that holds `at`. Returns whether everything that the forms depend on is available. */
function measure(scan: LocatorScan, bytes: Uint8Array, at: number, end: number, final: boolean): boolean {
  if (at < scan.runEnd) return true;
  if (scan.measured < at) {
    scan.measured = at;
    scan.schemeStart = at;
  }
  let i = scan.measured;
  for (; i < end; i++) {
    const set = SETS[bytes[i]!]!;
    if ((set & LOCAL) === 0) break;
    if ((set & SCHEME) === 0) scan.schemeStart = i + 1;
  }
  scan.measured = i;
  if (i === end && !final) return false;
  scan.colon = scan.colonSlashSlash = scan.domain = false;
  scan.chainStart = Infinity;
  scan.plain = true;
  const next = i < end ? bytes[i]! : -1;
  if (next === COLON) {
    if (i + 3 >= end && !final) return false;
    scan.colon = isIn(URIC, bytes, i + 1, end);
    scan.colonSlashSlash =
      scan.colon && bytes[i + 1] === SLASH && bytes[i + 2] === SLASH && isIn(URIC, bytes, i + 3, end);
    scan.plain = !scan.colon;
  } else if (next === SLASH) {
    if (i + 1 >= end && !final) return false;
    if (isIn(URIC, bytes, i + 1, end)) scan.chainStart = findChain(bytes, at, i);
    scan.plain = scan.chainStart === Infinity;
  } else if (next === AT) {
    let label = Math.max(scan.labelMeasured, i + 1);
    while (isIn(LABEL, bytes, label, end)) label++;
    scan.labelMeasured = label;
    if (label + 1 >= end && !final) return false;
    scan.domain = label > i + 1 && label < end && bytes[label] === DOT && isIn(LABEL, bytes, label + 1, end);
    scan.plain = !scan.domain;
  }
  scan.runEnd = i;
  return true;
}

/** Finds the beginning of digits in groups with one dot between that end at `end`, not before `start`. */
function findChain(bytes: Uint8Array, start: number, end: number): number {
  let chain = Infinity;
  for (let i = end - 1; i >= start; i--) {
    if ((SETS[bytes[i]!]! & DIGIT) !== 0) chain = i;
    else if (bytes[i] !== DOT || chain !== i + 1) break;
  }
  return chain;
}

/** Tests whether the bytes from `at` spell an ASCII word in any case; `word` is in lower case. */
function isWord(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[at + i]!;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** Counts the bytes of a set from `at`, up to `max` of them. */
function count(bytes: Uint8Array, at: number, max: number, set: number): number {
  let length = 0;
  while (length < max && (SETS[bytes[at + length]!]! & set) !== 0) length++;
  return length;
}

/** Matches form 1: scheme, `://`, uric (LOC-5). */
function isScheme(scan: LocatorScan, bytes: Uint8Array, at: number): boolean {
  return scan.colonSlashSlash && at >= scan.schemeStart && (SETS[bytes[at]!]! & ASCII_LETTER) !== 0;
}

/**
 * Matches form 2: `www.`, uric (LOC-6). After the four bytes comes one of the run (all of them are uric) or the end
 * of the run.
 */
function isWww(scan: LocatorScan, bytes: Uint8Array, at: number, end: number): boolean {
  return scan.runEnd - at >= 4 && isWord(bytes, at, 'www.') && isIn(URIC, bytes, at + 4, end);
}

/** Matches form 3: a registered prefix, `:`, uric (LOC-7). */
function isPrefix(scan: LocatorScan, bytes: Uint8Array, at: number): boolean {
  const length = scan.runEnd - at;
  if (!scan.colon || length < MIN_PREFIX || length > MAX_PREFIX) return false;
  if (count(bytes, at, length, ASCII_LETTER) < length) return false;
  return PACKED_PREFIXES.has(packed(bytes, at, scan.runEnd));
}

/** Matches form 4: `10.`, four to nine digits, groups of a dot and digits, `/`, uric (LOC-8). */
function isDoi(scan: LocatorScan, bytes: Uint8Array, at: number): boolean {
  const left = scan.runEnd - at;
  if (at < scan.chainStart || left < 7 || !isWord(bytes, at, '10.')) return false;
  const digits = count(bytes, at + 3, left - 3, DIGIT);
  return digits >= 4 && digits <= 9;
}

/** Matches form 6: 8, 4, 4, 4 and 12 hex digits with hyphens between (LOC-10), not followed by a letter or digit (LOC-12). */
function isUuid(scan: LocatorScan, bytes: Uint8Array, at: number): boolean {
  if (scan.runEnd - at < 36) return false;
  let i = at;
  for (const length of [8, 4, 4, 4, 12]) {
    if (i > at && bytes[i++] !== HYPHEN) return false;
    if (count(bytes, i, length, HEX) < length) return false;
    i += length;
  }
  return !isIn(ALPHANUMERIC, bytes, i, scan.runEnd);
}

/**
 * Measures form 7: 32 or more hex digits, at least one of 0 to 9 among them (LOC-11), not followed by a letter or
 * digit (LOC-12).
 */
function digestLength(scan: LocatorScan, bytes: Uint8Array, at: number): number {
  const length = count(bytes, at, scan.runEnd - at, HEX);
  if (length < 32 || isIn(ALPHANUMERIC, bytes, at + length, scan.runEnd)) return 0;
  for (let i = at; i < at + length; i++) if ((SETS[bytes[i]!]! & DIGIT) !== 0) return length;
  return 0;
}

/** Finds the first form that matches at `at`, in their order (LOC-3). Returns how far it is decided, or -1. */
function match(scan: LocatorScan, bytes: Uint8Array, at: number, end: number): number {
  // Most words end here: form 2 begins with a w, and forms 6 and 7 need at least 32 bytes that begin with eight hex
  // digits.
  const left = scan.runEnd - at;
  if (scan.plain && (bytes[at]! | 0x20) !== 0x77 && (left < 32 || count(bytes, at, 8, HEX) < 8)) return -1;
  if (isScheme(scan, bytes, at)) return begin(scan, 1, SWALLOWING_URIC, scan.runEnd + 4);
  if (isWww(scan, bytes, at, end)) return begin(scan, 2, SWALLOWING_URIC, at + 5);
  if (isPrefix(scan, bytes, at)) return begin(scan, 3, SWALLOWING_URIC, scan.runEnd + 2);
  if (isDoi(scan, bytes, at)) return begin(scan, 4, SWALLOWING_URIC, scan.runEnd + 2);
  // LOC-9: any bytes of the run are a local part.
  if (scan.domain) return begin(scan, 5, SWALLOWING_LABELS, scan.labelMeasured + 2);
  if (isUuid(scan, bytes, at)) return begin(scan, 6, NOT_SWALLOWING, at + 36);
  const digest = digestLength(scan, bytes, at);
  if (digest > 0) return begin(scan, 7, NOT_SWALLOWING, at + digest);
  return -1;
}

function begin(scan: LocatorScan, form: LocatorForm, swallowing: number, decided: number): number {
  scan.form = form;
  scan.swallowing = swallowing;
  return decided;
}

/** Goes on in a locator whose form is decided, to its longest (LOC-3), and returns its end so far. */
function swallow(scan: LocatorScan, bytes: Uint8Array, at: number, end: number, final: boolean): number {
  if (scan.swallowing === SWALLOWING_URIC) {
    while (isIn(URIC, bytes, at, end)) at++;
    if (at < end || final) scan.swallowing = NOT_SWALLOWING;
  } else if (scan.swallowing === SWALLOWING_LABELS) {
    for (;;) {
      while (isIn(LABEL, bytes, at, end)) at++;
      if (at + 1 >= end && !final) break;
      if (at < end && bytes[at] === DOT && isIn(LABEL, bytes, at + 1, end)) at++;
      else {
        scan.swallowing = NOT_SWALLOWING;
        break;
      }
    }
  }
  return at;
}

/**
 * Scans bytes up to and including the first locator, or a part of it, and leaves the results in `scan` (step 4; LOC-1
 * to LOC-4, LOC-12, LOC-14).
 *
 * The local part of form 5 has the largest set of bytes that a form can begin with and go on with without being
 * decided: every form begins inside a run of such bytes, and forms 1, 3, 4 and 5 are decided by what stands directly
 * after the run. So a run is measured once, whatever number of places in it a locator might begin at, and its verdict
 * is kept: this makes the cost linear (LOC-14). At most one such run and, after an `@`, one label are held back at
 * the end of a part. Text inside a locator is not held.
 * @param scan - the state
 * @param bytes - well-formed UTF-8
 * @param from - the place to continue: `scan.resume` of the call before
 * @param end - the end of the bytes
 * @param final - whether the text ends there; if not, the result may depend on bytes to come
 */
export function findLocator(scan: LocatorScan, bytes: Uint8Array, from: number, end: number, final: boolean): void {
  if (scan.swallowing !== NOT_SWALLOWING) {
    const at = swallow(scan, bytes, from, end, final);
    if (at > from) scan.preceded = isIn(ALPHANUMERIC, bytes, at - 1, at);
    if (at > from || scan.swallowing !== NOT_SWALLOWING) {
      scan.begins = false;
      scan.clean = from;
      scan.resume = at;
      return;
    }
  }
  scan.begins = true;
  let at = from;
  let preceded = scan.preceded;
  while (at < end) {
    // LOC-1: nothing begins after a letter or digit, so the run of them and its end are skipped.
    if (preceded) {
      while (at < end && (SETS[bytes[at]!]! & ALPHANUMERIC) !== 0) at++;
      if (at === end) break;
      at++;
      preceded = false;
      continue;
    }
    const set = SETS[bytes[at]!]!;
    if ((set & LOCAL) !== 0) {
      if (!measure(scan, bytes, at, end, final)) break;
      const decided = match(scan, bytes, at, end);
      if (decided >= 0) {
        const resume = swallow(scan, bytes, decided, end, final);
        // LOC-2: the next code point is preceded by the last one of the match.
        scan.preceded = isIn(ALPHANUMERIC, bytes, resume - 1, resume);
        scan.clean = at;
        scan.resume = resume;
        return;
      }
      preceded = (set & ALPHANUMERIC) !== 0;
    }
    at++;
  }
  scan.preceded = preceded;
  scan.clean = at;
  scan.resume = at;
}

/** A span of a text that step 4 strips. */
export interface Locator {
  /** The start, in 16-bit units. */
  readonly start: number;
  /** The end, in 16-bit units. */
  readonly end: number;
  /** The form that it matched, by its number in the specification. */
  readonly form: LocatorForm;
}

/**
 * Finds the locators of a text, in time linear in its length (step 4; LOC-1 to LOC-14).
 * @param text - a text that has passed step 3; lone surrogates count as U+FFFD
 * @returns the locators in their order
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-4
 * @example
 * findLocators('see https://a.example/b now'); // [{ start: 4, end: 23, form: 1 }]
 */
export function findLocators(text: string): Locator[] {
  const bytes = encode(toWellFormed(text));
  const scan = createLocatorScan();
  const found: Locator[] = [];
  // Bytes before a place become 16-bit units before it: continuation bytes count 0, lead bytes of four count 2.
  let counted = 0;
  let units = 0;
  const unitsAt = (end: number): number => {
    for (; counted < end; counted++) {
      const byte = bytes[counted]!;
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
  for (let from = 0; from < bytes.length; from = scan.resume) {
    findLocator(scan, bytes, from, bytes.length, true);
    if (scan.resume > scan.clean)
      found.push({ start: unitsAt(scan.clean), end: unitsAt(scan.resume), form: scan.form });
  }
  return found;
}

/**
 * Replaces every locator of a text (web address, prefixed identifier, DOI, e-mail address, UUID, digest) by one U+0020
 * (step 4; LOC-4).
 * @param text - a text that has passed step 3; lone surrogates become U+FFFD
 * @returns the text without its locators
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-4
 * @example
 * stripLocators('see https://a.example/b now'); // 'see   now'
 */
export function stripLocators(text: string): string {
  const given = toWellFormed(text);
  let stripped = '';
  let from = 0;
  for (const { start, end } of findLocators(given)) {
    stripped += `${given.slice(from, start)} `;
    from = end;
  }
  return stripped + given.slice(from);
}
