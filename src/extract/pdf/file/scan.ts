/** Facts about the objects of a file. */
export interface Scan {
  /** The numbers of objects that are there, of those that something names that is drawn, and of those with errors. */
  readonly defined: Set<number>;
  readonly named: Set<number>;
  readonly wrong: Set<number>;
  /** The objects and their places by the tables of the file. */
  readonly places: (readonly [number: number, place: number])[];
  /** The numbers of pages, the parts of each part of the page tree, and the page tree of each catalog. */
  readonly pages: Set<number>;
  readonly kids: Map<number, number[]>;
  readonly trees: Map<number, number>;
  /** The number of the catalog by the file's trailer, and of the last object that is one; 0 is none. */
  root: number;
  catalog: number;
}

/** Creates an empty scan. */
export function newScan(): Scan {
  const sets = {
    defined: new Set<number>(),
    named: new Set<number>(),
    wrong: new Set<number>(),
    pages: new Set<number>(),
  };
  return { ...sets, places: [], kids: new Map(), trees: new Map(), root: 0, catalog: 0 };
}

/** Counts the pages of the page tree that are there. */
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

/** A reference, the head of an object, a name, a bracket, a string of digits, a comment, a number or a keyword. */
const TOKEN =
  /(\d{1,10})\s{1,9}\d{1,5}\s{1,9}(R|obj)(?![^\s\0<>[\]()/%])|\/([^\s\0<>[\]()/%]*)|<<|>>|[[\](]|<[^<>]*>|%[^\r\n]*|[^\s\0<>[\]()/%]+|[^\s\0]/g;
/** The only characters of numbers and keywords. A name with a space, as of a font, goes on with others. */
const IS_PLAIN = /^[!-~]+$/;
const KEYWORD = /^(?:true|false|null|R)$/;
/** The keyword after an object, which may lack its end. */
const ENDS_OBJECT = /^(?:\d*endobj|xref|trailer|startxref)$/;

/** The keys of objects that are drawn, without pages, and of those that hold them by names of their own. */
const DRAWN =
  /^(?:Contents|Pages|Resources|Font|XObject|DescendantFonts|ToUnicode|Encoding|FontDescriptor|Annots|Fields|AcroForm|Root)$/;
const HOLDS_DRAWN = /^(?:Font|XObject)$/;

/** Keys and values without which text is lost. A name that differs from one of them in a single character is damaged. */
const NAMES = [
  ...[
    'Contents',
    'Resources',
    'ToUnicode',
    'DescendantFonts',
    'Encoding',
    'FlateDecode',
    'FirstChar',
    'BaseFont',
    'Subtype',
  ],
  ...['Differences', 'XObject', 'FontDescriptor', 'Widths', 'LastChar', 'Filter', 'Length', 'Parent', 'DecodeParms'],
  ...['WinAnsiEncoding', 'CIDToGIDMap', 'MediaBox', 'Catalog', 'Pages', 'Count', 'Kids', 'Font'],
];

/**
 * Reads the objects in a stream of objects.
 * @returns false if it is none
 */
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
  /** It has keywords that do not exist. */
  isSloppy: boolean;
}

/** The place that is read: an object, what is open in it, and the last name. Object 0 means none. */
interface Place {
  object: number;
  open: Open[];
  name: string;
}

/**
 * Reads objects and tables of objects, and notes what is wrong with them.
 * @param object - to which the text belongs until another begins; 0 is none
 */
export function scanObjects(scan: Scan, text: string, object = 0): void {
  const place: Place = { object, open: [], name: '' };
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const { 0: whole, 1: number, 2: kind, 3: name } = token;
    const holder = place.open.at(-1);
    // Most tokens are numbers in arrays.
    if (holder?.isDictionary === false && kind === undefined && isNumber(whole)) continue;
    if (kind === 'obj' || ENDS_OBJECT.test(whole)) {
      if (kind !== 'obj' && place.open.length > 0) fail(scan, place);
      Object.assign(place, { object: kind === 'obj' ? Number(number) : 0, open: [] });
      if (kind === 'obj') define(scan, place.object);
      else if (whole === 'xref') TOKEN.lastIndex = readTable(scan, text, TOKEN.lastIndex);
    } else if (whole === '>>' || whole === ']') close(scan, place, whole === '>>');
    else if (!whole.startsWith('%')) {
      if (holder !== undefined) holder.size++;
      if (whole === '<<' || whole === '[')
        place.open.push({ isDictionary: whole === '<<', key: place.name, size: 0, isSloppy: false });
      else if (whole === '(') {
        TOKEN.lastIndex = endOfString(text, token.index);
        if (TOKEN.lastIndex > text.length) {
          fail(scan, place);
          return;
        }
      } else if (name !== undefined) readName(scan, place, name);
      else if (kind === 'R') readReference(scan, place, Number(number));
      else if (!whole.startsWith('<') && !IS_PLAIN.test(whole)) fail(scan, place);
      else if (holder !== undefined && /^[a-z]/i.test(whole) && !KEYWORD.test(whole)) holder.isSloppy = true;
    }
  }
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
  if (DRAWN.test(name) || HOLDS_DRAWN.test(open.at(-1)?.key ?? '')) scan.named.add(number);
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

function isNumber(token: string): boolean {
  for (let at = 0; at < token.length; at++) {
    const unit = token.charCodeAt(at);
    // Digits, signs and the point.
    if (unit > 0x39 || unit < 0x2b || unit === 0x2f || unit === 0x2c) return false;
  }
  return true;
}

function isMisspelt(name: string): boolean {
  return NAMES.some((right) => {
    if (right.length !== name.length || right.toLowerCase() === name.toLowerCase()) return false;
    let other = 0;
    for (let at = 0; at < name.length && other < 2; at++)
      if (right[at] !== name[at]) other += /\d/.test(name[at]!) ? 2 : 1;
    return other === 1;
  });
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
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [whole] = token;
    if (whole === '(' || whole === 'ID') {
      const end = whole === '(' ? endOfString(text, token.index) : text.indexOf('EI', TOKEN.lastIndex);
      if (end < 0 || end > text.length) return true;
      TOKEN.lastIndex = end;
    } else if (!/^[/<%]/.test(whole) && !IS_PLAIN.test(whole)) return true;
  }
  return false;
}
