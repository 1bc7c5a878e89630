import { parseFragment } from 'parse5';
import { SaxesParser } from 'saxes';
import { extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';

/** An element, as its start tag tells it. */
export interface XmlElement {
  /** URI of its namespace; empty where it has none. A prefix that is bound to nothing stands for itself. */
  readonly namespace: string;
  /** Name without prefix. */
  readonly name: string;
  /** Value of an attribute by its name as it is written most often: with a prefix, if with one. */
  attribute(name: string): string | undefined;
}

/** Who is told of what a document holds, in its order. */
export interface XmlHandler {
  open(element: XmlElement): void;
  /** Told of every element that was opened, the innermost first. */
  close(element: XmlElement): void;
  /** Text, in pieces of any size; references in it are resolved, CDATA is text. */
  text(text: string): void;
  /** Told what stands between `<!DOCTYPE` and its `>`, before any element. */
  doctype?(declaration: string): void;
}

/** What a person should know of a document that was read. */
export interface XmlReport {
  /** How it is not well-formed, or null. */
  readonly malformed: string | null;
  readonly warnings: readonly string[];
}

/** How many offences against well-formedness are forgiven; a document has more when it is no XML at all. */
const OFFENCES = 10_000;

/** An element that is open, with what is undone at its end. */
interface Open {
  readonly element: XmlElement;
  readonly tagName: string;
  readonly prefixes: readonly string[];
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/**
 * Reads an XML document to its end. No external entity, DTD or style sheet is ever loaded. What is not well-formed is
 * read on as well as can be: stray end tags are passed over, missing ones are put in, a `&` or `<` that begins nothing
 * is text. Unknown entities are dropped; those of HTML are known, as so much XML uses them undeclared.
 * @param markup - the document, decoded
 * @param handler - told of all it holds
 * @param limits - `depth` is read
 * @throws Error `damaged` for what has no element, or is no XML in too many places; `too-deep`; `too-large` where
 *   entities come to more than is sensible; whatever the handler throws
 */
export function parseXml(markup: string, handler: XmlHandler, limits: ExtractionLimits): XmlReport {
  const open: Open[] = [];
  const namespaces = new Map<string, string[]>([['xml', [XML_NAMESPACE]]]);
  const entities = createEntities(markup.length);
  let offences = 0;
  let malformed: string | null = null;
  let rooted = false;
  // End tags that the parser has seen and that the handler is not told of yet: a stray one closes everything that is
  // open, as far as the parser is concerned, and says so only afterwards.
  let closing = 0;
  let stray: string | null = null;

  function closeOne(): void {
    const { element, prefixes } = open.pop()!;
    for (const prefix of prefixes) namespaces.get(prefix)!.pop();
    handler.close(element);
  }
  function settle(): void {
    for (; closing > 0; closing--) closeOne();
  }

  const parser = new SaxesParser({ xmlns: false, position: true });
  parser.ENTITIES = entities.table;
  parser.on('error', ({ message }) => {
    if (++offences > OFFENCES)
      throw extractionError('damaged', `is no well-formed XML in more than ${OFFENCES} places`);
    malformed ??= message.replace(/\.$/, '');
    const name = /unmatched closing tag: ([\s\S]*)\.$/.exec(message)?.[1];
    if (name === undefined) return;
    closing = 0;
    stray = `</${name}>`;
    // For the parser, everything is closed from here on, so that this may be the end tag of what is open still.
    const at = open.findLastIndex(({ tagName }) => tagName === name);
    if (at >= 0) while (open.length > at) closeOne();
  });
  parser.on('doctype', (declaration) => {
    entities.declare(declaration);
    handler.doctype?.(declaration);
  });
  parser.on('opentag', (tag) => {
    settle();
    stray = null;
    rooted = true;
    if (open.length >= limits.depth)
      throw extractionError('too-deep', `more than ${limits.depth} elements are open at once in its markup`);
    const attributes = tag.attributes as Record<string, string>;
    const prefixes: string[] = [];
    for (const name in attributes) {
      if (!name.startsWith('xmlns')) continue;
      const prefix = name === 'xmlns' ? '' : name[5] === ':' ? name.slice(6) : null;
      if (prefix === null) continue;
      const bound = namespaces.get(prefix);
      if (bound === undefined) namespaces.set(prefix, [attributes[name]!.trim()]);
      else bound.push(attributes[name]!.trim());
      prefixes.push(prefix);
    }
    const colon = tag.name.indexOf(':');
    const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
    const element: XmlElement = {
      namespace: namespaces.get(prefix)?.at(-1) ?? prefix,
      name: tag.name.slice(colon + 1),
      attribute: (name) => attributes[name],
    };
    open.push({ element, tagName: tag.name, prefixes });
    handler.open(element);
  });
  parser.on('closetag', () => {
    closing++;
  });
  const text = (value: string): void => {
    settle();
    // The parser makes text of a stray end tag.
    if (stray !== null && value.startsWith(stray)) value = value.slice(stray.length);
    stray = null;
    if (open.length > 0 && value !== '') handler.text(value);
  };
  parser.on('text', text);
  parser.on('cdata', text);

  // The parser would look for the end of the declaration through the whole document.
  const declaration = BROKEN_DECLARATION.exec(markup)?.[0] ?? '';
  if (declaration !== '') malformed = 'the XML declaration does not end in "?>"';
  const whole = markup.slice(declaration.length);
  const repaired = STRAY.test(whole) ? repair(whole) : whole;
  if (repaired !== whole) malformed ??= 'a "&" or "<" begins nothing';
  parser.write(repaired);
  parser.close();
  settle();
  while (open.length > 0) closeOne();
  if (!rooted) throw extractionError('damaged', 'is no XML document: it has no element');
  const warnings = [...entities.warnings()];
  if (malformed !== null) {
    warnings.unshift(`not well-formed XML (${malformed}): read as well as can be`);
  }
  return { malformed, warnings };
}

/** An XML declaration that ends as if it were a tag. */
const BROKEN_DECLARATION = /^\uFEFF?<\?xml\s[^<>]*(?<!\?)>/;

/** A `&` that begins no reference, and a `<` that begins no markup. */
const STRAY = /&(?!(?:#[0-9]+|#x[0-9A-Fa-f]+|[\p{L}_:][\p{L}\p{N}_:.-]*);)|<(?![\p{L}_:/!?])/u;
/** The same, and what they are no offence in. */
const STRAY_OR_OPAQUE = new RegExp(`<!--|<!\\[CDATA\\[|<\\?|${STRAY.source}`, 'gu');

/** Writes as references what stands for itself where XML does not allow it: the parser would read on to the next `;`. */
function repair(markup: string): string {
  const parts: string[] = [];
  let from = 0;
  STRAY_OR_OPAQUE.lastIndex = 0;
  for (let match = STRAY_OR_OPAQUE.exec(markup); match !== null; match = STRAY_OR_OPAQUE.exec(markup)) {
    const [found] = match;
    if (found === '&' || found === '<') {
      parts.push(markup.slice(from, match.index), found === '&' ? '&amp;' : '&lt;');
      from = match.index + 1;
    } else {
      const end = markup.indexOf(found === '<!--' ? '-->' : found === '<?' ? '?>' : ']]>', match.index + found.length);
      if (end < 0) break;
      STRAY_OR_OPAQUE.lastIndex = end;
    }
  }
  parts.push(markup.slice(from));
  return parts.join('');
}

const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Entities in each other, beyond which a declaration is taken for a joke. */
const ENTITY_DEPTH = 40;

/** Characters that declared entities may come to, besides ten for each of the document. */
const EXPANSION = 1 << 20;

/** Keeps what entities stand for. What comes of declared ones is counted: ten declarations can come to gigabytes. */
function createEntities(length: number) {
  const most = EXPANSION + 10 * length;
  const declared = new Map<string, string>();
  const expanded = new Map<string, string | null>();
  const unknown = new Set<string>();
  let total = 0;

  /** Reads the internal subset: entities with a text of their own; the first declaration of a name counts. */
  function declare(declaration: string): void {
    const subset = declaration.slice(declaration.indexOf('[') + 1).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
    for (const [, name, quoted] of subset.matchAll(/<!ENTITY\s+([^\s%"'<>]+)\s+("[^"]*"|'[^']*')\s*>/g))
      if (!declared.has(name!)) declared.set(name!, quoted!.slice(1, -1));
  }

  function expand(name: string, within: readonly string[]): string | null {
    const predefined = Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name]! : undefined;
    if (predefined !== undefined) return predefined;
    const known = expanded.get(name);
    if (known !== undefined) return known;
    const value = declared.get(name);
    let text: string | null = null;
    if (value === undefined) text = htmlEntity(name);
    else if (!within.includes(name) && within.length < ENTITY_DEPTH) {
      let size = 0;
      // Tags among the replacement would be markup; here, only their borders are kept.
      text = value
        .replace(/&(#[^\s&;]+);/g, (_whole, each: string) => character(each))
        .replace(/(?:<[^<>]*>\s*)+/g, (tags) => (/>\s*</.test(tags) ? ' ' : ''))
        .replace(/&([^\s&;]+);/g, (_whole, each: string) => {
          const inner = each.startsWith('#') ? character(each) : (expand(each, [...within, name]) ?? '');
          size += inner.length;
          if (size > most) throw tooLarge();
          return inner;
        });
    }
    expanded.set(name, text);
    return text;
  }

  function tooLarge(): Error {
    return extractionError('too-large', `its entities come to more than ${most} characters`);
  }

  function lookUp(name: string): string {
    const text = expand(name, []);
    if (text === null) unknown.add(name.slice(0, 40));
    total += text?.length ?? 0;
    if (total > most && declared.has(name)) throw tooLarge();
    return text ?? '';
  }

  return {
    declare,
    table: new Proxy<Record<string, string>>(
      {},
      { get: (_target, name) => (typeof name === 'string' ? lookUp(name) : undefined) },
    ),
    warnings(): string[] {
      if (unknown.size === 0) return [];
      const names = [...unknown].slice(0, 5).map((name) => `&${name};`);
      return [`unknown entities are left out: ${names.join(' ')}${unknown.size > 5 ? ' and others' : ''}`];
    },
  };
}

/** The character of a numeric reference's `#65` or `#x41`; nothing for what is none. */
function character(reference: string): string {
  const code = /^#x[0-9a-f]+$/i.test(reference)
    ? Number.parseInt(reference.slice(2), 16)
    : /^#[0-9]+$/.test(reference)
      ? Number.parseInt(reference.slice(1), 10)
      : Number.NaN;
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
}

/** What a name stands for in HTML, or null. */
function htmlEntity(name: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9]{1,31}$/.test(name)) return null;
  const [node] = parseFragment(`&${name};`).childNodes;
  const value = node !== undefined && 'value' in node ? node.value : '';
  return value === '' || value.includes(';') ? null : value;
}
