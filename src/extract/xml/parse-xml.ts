import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { formatNumber } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { createEntities } from './xml-entities.ts';

export interface XmlElement {
  /** URI of its namespace; empty if it has none. An undeclared prefix stands for itself. */
  readonly namespace: string;
  /** Name without prefix. */
  readonly name: string;
  /** The element that it is in; null for the root. */
  readonly parent: XmlElement | null;
  /** Value of an attribute by its name with its usual prefix. */
  attribute(name: string): string | undefined;
}

export interface XmlHandler {
  open(element: XmlElement): void;
  /** Called for every element that was opened, the innermost first. */
  close(element: XmlElement): void;
  /** Text in pieces of any size; references are resolved, CDATA is text. */
  text(text: string): void;
  /** The text between `<!DOCTYPE` and its `>`, before any element. */
  doctype?(declaration: string): void;
}

/** The maximum number of errors against well-formedness; a document with more is not XML. */
const MAX_ERRORS = 10_000;

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

interface OpenElement {
  readonly element: XmlElement;
  readonly tagName: string;
  readonly prefixes: readonly string[];
}

type State = ReturnType<typeof newState>;

function newState(handler: XmlHandler, limits: ExtractionLimits, malformed: string | null) {
  return {
    handler,
    limits,
    open: [] as OpenElement[],
    /** The namespaces of each prefix, the innermost last. */
    namespaces: new Map([['xml', [XML_NAMESPACE]]]),
    errors: 0,
    malformed,
    hasRoot: false,
    /** End tags not yet passed to the handler. A stray one closes all elements for the parser, which reports that afterwards. */
    closing: 0,
    stray: null as string | null,
    /** True once a prefix stands for a namespace that has another usual one. */
    hasOtherPrefixes: false,
  };
}

/**
 * Parses an XML document to its end; external entities, DTDs and style sheets are never loaded. Stray end tags are
 * ignored, missing ones are added, a `&` or `<` that begins nothing is text. Entities of HTML are known, since much XML
 * uses them undeclared.
 * @returns warnings, and why the document is not well-formed, or null
 * @throws Error `damaged` for a document without an element, or with too many errors; `too-deep`; `too-large` if
 *   entities expand to too much; whatever the handler throws
 */
export function parseXml(markup: string, handler: XmlHandler, limits: ExtractionLimits) {
  const prepared = prepare(markup);
  const state = newState(handler, limits, prepared.malformed);
  const entities = createEntities(markup.length);
  const parser = createParser(state, entities);
  parser.write(prepared.markup);
  parser.close();
  settle(state);
  while (state.open.length > 0) closeOne(state);
  if (!state.hasRoot) throw extractionError('damaged', 'is not XML: it has no element');
  const { malformed } = state;
  const warnings = malformed === null ? [] : [`not well-formed XML (${malformed}): some content may be misread`];
  return { malformed, warnings: [...warnings, ...entities.warnings()] };
}

/** Parses a document for its start tags only; throws as {@link parseXml} does. */
export function readElements(markup: string, limits: ExtractionLimits, open: (element: XmlElement) => void): void {
  parseXml(markup, { open, close: () => undefined, text: () => undefined }, limits);
}

/** Passes on all elements but those that are absent, with all their content. */
export function withoutAbsent(isAbsent: (element: XmlElement) => boolean, handler: XmlHandler): XmlHandler {
  /** The number of open elements from the outermost absent one on. */
  let absent = 0;
  return {
    open(element) {
      if (absent > 0 || isAbsent(element)) absent++;
      else handler.open(element);
    },
    text(text) {
      if (absent === 0) handler.text(text);
    },
    close(element) {
      if (absent > 0) absent--;
      else handler.close(element);
    },
  };
}

function createParser(state: State, entities: ReturnType<typeof createEntities>) {
  const parser = new SaxesParser({ xmlns: false, position: true });
  parser.ENTITIES = entities.table;
  parser.on('error', ({ message }) => recordError(state, message));
  parser.on('doctype', (declaration) => {
    entities.declare(declaration);
    state.handler.doctype?.(declaration);
  });
  parser.on('opentag', (tag) => openTag(state, tag));
  parser.on('closetag', () => {
    state.closing++;
  });
  const onText = (text: string): void => writeText(state, text);
  parser.on('text', onText);
  parser.on('cdata', onText);
  return parser;
}

function closeOne({ open, namespaces, handler }: State): void {
  const { element, prefixes } = open.pop()!;
  for (const prefix of prefixes) namespaces.get(prefix)!.pop();
  handler.close(element);
}

function settle(state: State): void {
  for (; state.closing > 0; state.closing--) closeOne(state);
}

function recordError(state: State, message: string): void {
  if (++state.errors > MAX_ERRORS)
    throw extractionError('damaged', `is not XML: more than ${formatNumber(MAX_ERRORS)} errors`);
  state.malformed ??= message.replace(/\.$/, '');
  const [, unmatched] = message.split('unmatched closing tag: ', 2);
  if (unmatched === undefined) return;
  const name = unmatched.slice(0, -1);
  state.closing = 0;
  state.stray = `</${name}>`;
  // The parser has closed all elements: this may be the end tag of one that is still open here.
  const { open } = state;
  const at = open.findLastIndex(({ tagName }) => tagName === name);
  if (at >= 0) while (open.length > at) closeOne(state);
}

function openTag(state: State, { name: tagName, attributes }: SaxesTagPlain): void {
  const { open, namespaces, limits, handler } = state;
  settle(state);
  state.stray = null;
  state.hasRoot = true;
  if (open.length >= limits.depth)
    throw extractionError('too-deep', `has elements nested deeper than the limit of ${limits.depth}`);
  const prefixes = declareNamespaces(state, attributes);
  if (state.hasOtherPrefixes) addUsualNames(attributes, namespaces);
  const colon = tagName.indexOf(':');
  const prefix = colon < 0 ? '' : tagName.slice(0, colon);
  const element: XmlElement = {
    namespace: namespaces.get(prefix)?.at(-1) ?? prefix,
    name: tagName.slice(colon + 1),
    parent: open.at(-1)?.element ?? null,
    attribute: (name) => attributes[name],
  };
  open.push({ element, tagName, prefixes });
  handler.open(element);
}

function declareNamespaces(state: State, attributes: Record<string, string>): string[] {
  const { namespaces } = state;
  const prefixes: string[] = [];
  for (const name in attributes) {
    if (!name.startsWith('xmlns')) continue;
    const prefix = name === 'xmlns' ? '' : name[5] === ':' ? name.slice(6) : null;
    if (prefix === null) continue;
    const uri = attributes[name]!.trim();
    const declared = namespaces.get(prefix);
    if (declared === undefined) namespaces.set(prefix, [uri]);
    else declared.push(uri);
    prefixes.push(prefix);
    if (prefix !== '' && (usualPrefix(uri) ?? prefix) !== prefix) state.hasOtherPrefixes = true;
  }
  return prefixes;
}

/** Returns the prefix by which the readers of OpenDocument and Office Open XML know the attributes of a namespace. */
function usualPrefix(uri: string): string | undefined {
  if (/\/officeDocument(?:\/2006)?\/relationships$/.test(uri)) return 'r';
  if (/\/wordprocessingml(?:\/2006)?\/main$/.test(uri)) return 'w';
  if (/\/1999\/xlink$/.test(uri)) return 'xlink';
  return /:opendocument:xmlns:([a-z]+):1\.0$/.exec(uri)?.[1]?.replace('drawing', 'draw');
}

/** Adds attributes by their usual names where a program has made up other prefixes, such as `ns0` or `d3p1`. */
function addUsualNames(attributes: Record<string, string>, namespaces: State['namespaces']): void {
  for (const [name, value] of Object.entries(attributes)) {
    const [prefix, local] = name.split(':') as [string, string | undefined];
    const usual = local === undefined ? undefined : usualPrefix(namespaces.get(prefix)?.at(-1) ?? '');
    if (usual !== undefined) attributes[`${usual}:${local}`] ??= value;
  }
}

function writeText(state: State, text: string): void {
  const { stray, open, handler } = state;
  settle(state);
  state.stray = null;
  // The parser makes text of a stray end tag.
  const own = stray !== null && text.startsWith(stray) ? text.slice(stray.length) : text;
  if (open.length > 0 && own !== '') handler.text(own);
}

/** An XML declaration that ends like a tag. */
const BROKEN_DECLARATION = /^\uFEFF?<\?xml\s[^<>]*(?<!\?)>/;

/** A `&` that begins no reference, and a `<` that begins no markup. */
const STRAY = /&(?!(?:#[0-9]+|#x[0-9A-Fa-f]+|[\p{L}_:][\p{L}\p{N}_:.-]*);)|<(?![\p{L}_:/!?])/u;
/** {@link STRAY}, and the starts of constructs that may contain it. */
const STRAY_OR_OPAQUE = new RegExp(`<!--|<!\\[CDATA\\[|<\\?|${STRAY.source}`, 'gu');

/** Removes what would make the parser read on to the end of the document. */
function prepare(markup: string): { readonly markup: string; readonly malformed: string | null } {
  const declaration = BROKEN_DECLARATION.exec(markup)?.[0] ?? '';
  const rest = markup.slice(declaration.length);
  const repaired = STRAY.test(rest) ? escapeStray(rest) : rest;
  if (declaration !== '') return { markup: repaired, malformed: 'the XML declaration does not end in "?>"' };
  return { markup: repaired, malformed: repaired === rest ? null : 'a "&" or "<" begins nothing' };
}

/** Escapes each stray `&` and `<`: the parser would search for the next `;`. */
function escapeStray(markup: string): string {
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
