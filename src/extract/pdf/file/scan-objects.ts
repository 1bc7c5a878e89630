export type Scan = ReturnType<typeof newScan>;

export function newScan() {
  return {
    /** The numbers of objects that are in the file, and that something drawn refers to. */
    defined: new Set<number>(),
    named: new Set<number>(),
    /** The objects and their offsets, as the tables of the file list them. */
    places: [] as (readonly [number: number, place: number])[],
    /** The object numbers of pages, of the children of each node of the page tree, and of the page tree of each catalog. */
    pages: new Set<number>(),
    kids: new Map<number, number[]>(),
    trees: new Map<number, number>(),
    /** The object numbers of the catalog that the trailer names, and of the last catalog in the file; 0 without one. */
    root: 0,
    catalog: 0,
    /** The name of each font, `''` for one of type 3, and the object of its encoding; what the glyphs of encodings mean. */
    fonts: new Map<number, string>(),
    encodings: new Map<number, number>(),
    glyphs: new Map<number, GlyphTexts>(),
  };
}

/** The meanings of the codes of a font by the names of its glyphs, where Unicode has no character of that name. */
export type GlyphTexts = Map<number, string>;

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

/** Returns what the glyphs of fonts mean, by the name of the font. A code of two fonts of one name has to mean the same. */
export function glyphTexts({ fonts, encodings, glyphs }: Scan): ReadonlyMap<string, GlyphTexts> {
  const texts = new Map<string, GlyphTexts>();
  for (const [object, name] of fonts) {
    const known = texts.get(name) ?? new Map<number, string>();
    for (const [code, text] of glyphs.get(encodings.get(object) ?? object) ?? [])
      known.set(code, (known.get(code) ?? text) === text ? text : '');
    if (known.size > 0) texts.set(name, known);
  }
  return texts;
}

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

/** Forgets what an earlier object with this number was: a later one replaces it. */
function define({ defined, pages, kids, fonts, encodings, glyphs }: Scan, number: number): void {
  defined.add(number);
  for (const facts of [pages, kids, fonts, encodings, glyphs]) facts.delete(number);
}

const END = '(?![^\\s<>[\\]()/%])';
const REFERENCE = `(\\d{1,10})\\s{1,9}\\d{1,5}\\s{1,9}R${END}`;
/** The beginning of an object, what it is, what it refers to, and the beginning of a table of objects. */
const FACT = [
  `(\\d{1,10})\\s{1,9}\\d{1,5}\\s{1,9}obj${END}`,
  `/(?:Type|Subtype)\\s{0,9}/(Page|Catalog|Type3)${END}`,
  `/BaseFont\\s{0,9}/([^\\s<>[\\]()/%]{1,127})`,
  `/(Contents|DescendantFonts|Encoding|Font|Pages|Resources|Root|ToUnicode|XObject)\\s{0,9}${REFERENCE}`,
  '/(Contents|DescendantFonts|Differences|Font|Kids|XObject)\\s{0,9}(?=\\[|<<)',
  '\\b(xref)\\b',
].join('|');

/** Reads objects and tables of objects. The text belongs to `object` until another begins; 0 is none. */
export function scanObjects(scan: Scan, text: string, object = 0): void {
  const { named, pages, trees, kids, fonts, encodings } = scan;
  let own = object;
  const fact = new RegExp(FACT, 'g');
  for (let found = fact.exec(text); found !== null; found = fact.exec(text)) {
    const [, head, type, font, key, target, list, table] = found;
    if (head !== undefined) {
      own = Number(head);
      define(scan, own);
    } else if (type === 'Catalog') scan.catalog = own;
    else if (type === 'Page') pages.add(own);
    else if (type !== undefined) fonts.set(own, '');
    else if (font !== undefined) fonts.set(own, decodeName(font));
    else if (key !== undefined) {
      named.add(Number(target));
      if (key === 'Root') scan.root = Number(target);
      else if (key === 'Pages') trees.set(own, Number(target));
      else if (key === 'Encoding') encodings.set(own, Number(target));
    } else if (list !== undefined) {
      const start = fact.lastIndex;
      END_OF_LIST.lastIndex = start;
      fact.lastIndex = END_OF_LIST.exec(text)?.index ?? text.length;
      const items = text.slice(start, fact.lastIndex);
      if (list === 'Differences') readDifferences(scan, own, items);
      else if (list === 'Kids') kids.set(own, referencesOf(items));
      else for (const each of referencesOf(items)) named.add(each);
    } else if (table !== undefined) fact.lastIndex = readTable(scan, text, fact.lastIndex);
  }
}

const END_OF_LIST = /[\]>]/g;

function decodeName(name: string): string {
  return name.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function referencesOf(list: string): number[] {
  return Array.from(list.matchAll(new RegExp(REFERENCE, 'g')), ([, number]) => Number(number));
}

/** Notes what the glyphs of an encoding mean. PDFium knows most names, but not in every font of type 3. */
function readDifferences({ glyphs }: Scan, object: number, list: string): void {
  const texts: GlyphTexts = new Map();
  let code = 0;
  for (const [token] of list.matchAll(/\d+|\/[^\s<>[\]()/%]*/g)) {
    if (token[0] !== '/') code = Number(token);
    else {
      const text = textOfName(token.slice(1));
      if (text !== undefined) texts.set(code, text);
      code++;
    }
  }
  glyphs.set(object, texts);
}

/** Names of the characters from U+0020 to U+0040, and of letters that ligatures are made of, by the list of Adobe (AGL). */
const SIGNS =
  'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash ' +
  'zero one two three four five six seven eight nine colon semicolon less equal greater question at';
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...SIGNS.split(' ').map((name, index) => [name, String.fromCharCode(0x20 + index)] as const),
  ...['ff', 'fi', 'fl', 'ffi', 'ffl'].map((letters) => [letters, letters] as const),
  ...Object.entries({ longs: 'ſ', dotlessi: 'ı', dotlessj: 'ȷ', germandbls: 'ß' }),
]);

/** Returns the text for the name of a glyph: letters between underscores, or code points in hexadecimal digits. */
function textOfName(name: string): string | undefined {
  const parts = name.replace(/\..*/s, '').split('_');
  const texts = parts.map((part) => {
    const [, units, point] = /^(?:uni((?:[\dA-F]{4})+)|u([\dA-F]{4,6}))$/.exec(part) ?? [];
    if (units !== undefined) return units.replace(/.{4}/g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)));
    if (point !== undefined)
      return Number.parseInt(point, 16) > 0x10ffff ? undefined : String.fromCodePoint(Number.parseInt(point, 16));
    return /^[a-z]$/i.test(part) ? part : LETTERS.get(part);
  });
  return texts.includes(undefined) ? undefined : texts.join('').replace(/\p{Cs}/gu, '');
}

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

/** Tests whether objects, or content that draws text, have a string without an end, or bytes that stand nowhere but in strings. */
export function hasErrors(text: string): boolean {
  const sign = /\\.|[()%]|\/[^\s<>[\]()/%\\\0]*|\bID\b|[^\s -~\0]/gs;
  const lineEnd = /[\r\n]|$/g;
  let depth = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    const [first = ''] = found[0];
    if (first === '(') depth++;
    else if (first === ')') depth = Math.max(0, depth - 1);
    else if (depth > 0 || first === '/' || first === '\\') continue;
    else if (first === '%') {
      lineEnd.lastIndex = found.index;
      sign.lastIndex = lineEnd.exec(text)!.index;
    } else if (first === 'I') {
      // The data of an image.
      const end = text.indexOf('EI', sign.lastIndex);
      if (end < 0) return true;
      sign.lastIndex = end;
    } else return true;
  }
  return depth > 0;
}
