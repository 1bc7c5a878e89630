/** Facts about the objects of a file. */
export type Scan = ReturnType<typeof newScan>;

export function newScan() {
  return {
    /** The numbers of objects that are in the file, that something drawn refers to, and that have errors. */
    defined: new Set<number>(),
    named: new Set<number>(),
    wrong: new Set<number>(),
    /** The objects and their offsets, as the tables of the file list them. */
    places: [] as (readonly [number: number, place: number])[],
    /** The object numbers of pages, of the children of each node of the page tree, and of the page tree of each catalog. */
    pages: new Set<number>(),
    kids: new Map<number, number[]>(),
    trees: new Map<number, number>(),
    /** The object numbers of the catalog that the trailer names, and of the last catalog in the file; 0 without one. */
    root: 0,
    catalog: 0,
  };
}

export function countPages({ root, catalog, trees, kids, pages }: Scan): number {
  const seen = new Set<number>();
  const parts = [trees.get(root) ?? trees.get(catalog) ?? 0];
  let count = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    if (pages.has(part)) count++;
    else for (const kid of kids.get(part) ?? []) parts.push(kid);
  }
  return count;
}

/** The classes of characters. A token of digits, of those of numbers, or of others, ends at white space or a delimiter. */
const [DIGIT, NUMERIC, PLAIN, ODD, SPACE, NUL, DELIMITER] = [0, 1, 2, 3, 4, 5, 6];
const CLASSES = Uint8Array.from({ length: 256 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (unit === 0) return NUL;
  if (/\s/.test(character)) return SPACE;
  if ('<>[]()/%'.includes(character)) return DELIMITER;
  if (/\d/.test(character)) return DIGIT;
  return /[+.-]/.test(character) ? NUMERIC : /[!-~]/.test(character) ? PLAIN : ODD;
});

/** The kinds of tokens: `SIGN` is a bracket or the start of a string in parentheses, and `WORD` includes keywords. */
const [NUMBER, WORD, STRANGE, NAME, SIGN, HEXADECIMAL, COMMENT, REFERENCE, HEAD] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

interface Token {
  kind: number;
  start: number;
  end: number;
}

/** Reads the token at or after a place; returns false at the end. An expression would take several times as long. */
function readToken(text: string, from: number, token: Token): boolean {
  let at = from;
  while (at < text.length && (classAt(text, at) === SPACE || classAt(text, at) === NUL)) at++;
  if (at >= text.length) return false;
  token.start = at;
  if (classAt(text, at) === DELIMITER) readDelimited(text, token);
  else {
    let highest = 0;
    for (; at < text.length && classAt(text, at) < SPACE; at++) highest = Math.max(highest, classAt(text, at));
    token.end = at;
    token.kind = highest <= NUMERIC ? NUMBER : highest === PLAIN ? WORD : STRANGE;
    if (highest === DIGIT && at - token.start <= 10) readReferenceAt(text, token);
  }
  return true;
}

function classAt(text: string, at: number): number {
  return CLASSES[text.charCodeAt(at)]!;
}

function readDelimited(text: string, token: Token): void {
  const { start } = token;
  const sign = text[start]!;
  let end = start + 1;
  if (sign === '/') {
    while (end < text.length && classAt(text, end) < SPACE) end++;
    token.kind = NAME;
  } else if (sign === '%') {
    while (end < text.length && text[end] !== '\r' && text[end] !== '\n') end++;
    token.kind = COMMENT;
  } else if (sign === '<' && text[end] !== '<') {
    while (end < text.length && text[end] !== '<' && text[end] !== '>') end++;
    end = text[end] === '>' ? end + 1 : start + 1;
    token.kind = HEXADECIMAL;
  } else {
    if (sign === text[end] && (sign === '<' || sign === '>')) end++;
    token.kind = SIGN;
  }
  token.end = end;
}

/** Extends a token, if it is the number at the start of a reference or of the head of an object. */
function readReferenceAt(text: string, token: Token): void {
  const generation = skipSpace(text, token.end);
  let end = generation;
  while (end < generation + 5 && end < text.length && classAt(text, end) === DIGIT) end++;
  const word = skipSpace(text, end);
  if (generation === token.end || end === generation || word === end) return;
  const isHead = text.startsWith('obj', word);
  if (!isHead && text[word] !== 'R') return;
  end = isHead ? word + 3 : word + 1;
  if (end < text.length && classAt(text, end) < SPACE) return;
  token.kind = isHead ? HEAD : REFERENCE;
  token.end = end;
}

/** Returns the place after at most 9 characters of white space. */
function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < from + 9 && at < text.length && classAt(text, at) === SPACE) at++;
  return at;
}

const KEYWORD = /^(?:true|false|null|R)$/;
/** The keyword after an object, which may lack its end. */
const ENDS_OBJECT = /^(?:\d*endobj|xref|trailer|startxref)$/;

/** The keys of objects that are drawn, without pages, and of those that hold them by names of their own. */
const DRAWN: ReadonlySet<string> = new Set([
  ...['Contents', 'Pages', 'Resources', 'Font', 'XObject', 'DescendantFonts', 'ToUnicode', 'Encoding'],
  ...['FontDescriptor', 'Annots', 'Fields', 'AcroForm', 'Root'],
]);

/** Keys and values without which text is lost. A name that differs from one of them in a single character is damaged. */
const NAMES = (
  'Contents Resources ToUnicode DescendantFonts Encoding FlateDecode FirstChar BaseFont Subtype Differences XObject ' +
  'FontDescriptor Widths LastChar Filter Length Parent DecodeParms WinAnsiEncoding CIDToGIDMap MediaBox Catalog Pages ' +
  'Count Kids Font'
).split(' ');

/** Reads the objects in a stream of objects; returns false for any other stream. */
export function scanPacked(scan: Scan, text: string, dictionary: string): boolean {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? Number.NaN);
  const numbers = text.slice(0, first).match(/\d+/g) ?? [];
  if (Number.isNaN(first) || numbers.length < 2 || numbers.length % 2 !== 0) return false;
  for (let at = 0; at < numbers.length; at += 2) {
    const number = Number(numbers[at]);
    const end = Number(numbers[at + 3] ?? text.length);
    if (end < Number(numbers[at + 1])) return false;
    define(scan, number);
    scanObjects(scan, text.slice(first + Number(numbers[at + 1]), first + end), number);
  }
  return true;
}

function define({ defined, pages, kids }: Scan, number: number): void {
  defined.add(number);
  // A later one replaces it.
  pages.delete(number);
  kids.delete(number);
}

/** An array or a dictionary that is read. */
interface Open {
  readonly isDictionary: boolean;
  /** The key under which it is found. */
  readonly key: string;
  size: number;
  /** True if it has keywords that do not exist. */
  isSloppy: boolean;
}

/** The place that is read: an object, what is open in it, and the last name. Object 0 means none. */
interface Place {
  object: number;
  open: Open[];
  name: string;
}

/** Reads objects and tables of objects. The text belongs to `object` until another begins; 0 is none. */
export function scanObjects(scan: Scan, text: string, object = 0): void {
  const place: Place = { object, open: [], name: '' };
  const token: Token = { kind: 0, start: 0, end: 0 };
  let at = 0;
  while (at >= 0 && readToken(text, at, token)) {
    at = token.end;
    const { kind } = token;
    const holder = place.open.at(-1);
    if (kind === COMMENT) continue;
    if (kind === HEAD) {
      begin(place, numberAt(text, token));
      define(scan, place.object);
    } else if (kind === SIGN) at = readSign(scan, place, text, token);
    else if (kind === WORD && ENDS_OBJECT.test(text.slice(token.start, at))) {
      if (place.open.length > 0) fail(scan, place);
      begin(place, 0);
      if (text.startsWith('xref', token.start)) at = readTable(scan, text, at);
    } else {
      if (holder !== undefined) holder.size++;
      if (kind === NAME) readName(scan, place, text.slice(token.start + 1, at));
      else if (kind === REFERENCE) readReference(scan, place, numberAt(text, token));
      else if (kind === STRANGE) fail(scan, place);
      else if (kind === WORD && holder !== undefined) {
        const word = text.slice(token.start, at);
        if (/^[a-z]/i.test(word) && !KEYWORD.test(word)) holder.isSloppy = true;
      }
    }
  }
}

function begin(place: Place, object: number): void {
  place.object = object;
  if (place.open.length > 0) place.open = [];
}

function numberAt(text: string, { start, end }: Token): number {
  return Number.parseInt(text.slice(start, end), 10);
}

/** Reads a bracket or a string. Returns its end, or -1 for a string that has none. */
function readSign(scan: Scan, place: Place, text: string, { start, end }: Token): number {
  const sign = text[start];
  if (sign === ']' || (end - start === 2 && sign === '>')) {
    close(scan, place, sign === '>');
    return end;
  }
  const holder = place.open.at(-1);
  if (holder !== undefined) holder.size++;
  if (sign === '<' || sign === '[')
    place.open.push({ isDictionary: sign === '<', key: place.name, size: 0, isSloppy: false });
  if (sign !== '(') return end;
  const behind = endOfString(text, start);
  if (behind <= text.length) return behind;
  fail(scan, place);
  return -1;
}

function fail({ wrong }: Scan, { object }: Place): void {
  if (object !== 0) wrong.add(object);
}

function close(scan: Scan, place: Place, isDictionary: boolean): void {
  const closed = place.open.pop();
  const isEven = closed === undefined || !closed.isDictionary || closed.size % 2 === 0 || closed.isSloppy;
  if (closed?.isDictionary !== isDictionary || !isEven) fail(scan, place);
}

function readName(scan: Scan, place: Place, name: string): void {
  if (place.name === 'Type' && name === 'Page' && place.object !== 0) scan.pages.add(place.object);
  else if (place.name === 'Type' && name === 'Catalog') scan.catalog = place.object;
  if (isMisspelt(name)) fail(scan, place);
  place.name = name;
}

function readReference(scan: Scan, { object, open, name }: Place, number: number): void {
  const key = open.at(-1)?.key;
  if (DRAWN.has(name) || key === 'Font' || key === 'XObject') scan.named.add(number);
  if (name === 'Root') scan.root = number;
  else if (name === 'Pages') scan.trees.set(object, number);
  else if (name === 'Kids') {
    const kids = scan.kids.get(object);
    if (kids === undefined) scan.kids.set(object, [number]);
    else kids.push(number);
  }
}

/** Returns the end of a string in parentheses; behind that of the text if it has none. */
function endOfString(text: string, start: number): number {
  const sign = /[()\\]/g;
  sign.lastIndex = start;
  let depth = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '\\') sign.lastIndex++;
    else depth += found[0] === '(' ? 1 : -1;
    if (depth === 0) return sign.lastIndex;
  }
  return text.length + 1;
}

/** Tests whether a name differs from one of {@link NAMES} in a single letter, and not only in its case. */
function isMisspelt(name: string): boolean {
  for (const right of NAMES) {
    if (right.length !== name.length || right === name) continue;
    let other = 0;
    for (let at = 0; at < name.length && other < 2; at++)
      if (right.charCodeAt(at) !== name.charCodeAt(at)) other += classAt(name, at) === DIGIT ? 2 : 1;
    if (other === 1 && right.toLowerCase() !== name.toLowerCase()) return true;
  }
  return false;
}

/** Reads a table of objects. Returns its end. */
function readTable({ places }: Scan, text: string, start: number): number {
  const section = /\s*(\d{1,10})\s+\d{1,10}\s*(?=\d{10} \d{5} [nf])/y;
  const entry = /(\d{10}) \d{5} ([nf])\s*/y;
  let end = start;
  for (let head = matchAt(section, text, end); head !== null; head = matchAt(section, text, end)) {
    end = section.lastIndex;
    let number = Number(head[1]);
    for (let found = matchAt(entry, text, end); found !== null; found = matchAt(entry, text, end)) {
      end = entry.lastIndex;
      if (found[2] === 'n' && Number(found[1]) > 0) places.push([number, Number(found[1])]);
      number++;
    }
  }
  return end;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The part of content that must be ASCII, and how much of it is looked at. */
const [ASCII_PART, LOOKED_AT] = [0.9, 512];

/** Tests whether content that draws text has strings without an end, or bytes outside of strings that no operator has. */
export function hasErrors(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  const ascii = start.match(/[\s -~]/g)?.length ?? 0;
  if (ascii < ASCII_PART * start.length || !/\bBT\b/.test(text)) return false;
  const token: Token = { kind: 0, start: 0, end: 0 };
  for (let at = 0; readToken(text, at, token); ) {
    at = token.end;
    const { kind, start } = token;
    const opens = kind === SIGN && text[start] === '(';
    if (opens || (kind === WORD && at - start === 2 && text.startsWith('ID', start))) {
      at = opens ? endOfString(text, start) : text.indexOf('EI', at);
      if (at < 0 || at > text.length) return true;
    } else if (kind === STRANGE || kind === REFERENCE || kind === HEAD) return true;
  }
  return false;
}
