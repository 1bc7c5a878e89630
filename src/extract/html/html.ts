import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { decode } from '../../scheme/decode.ts';
import { extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import type { Display } from '../render/display.ts';
import { createWriter } from '../render/writer.ts';
import { extraction, replacementWarnings } from '../result.ts';
import { charsetOfMeta, chooseHtmlCharset, decodeAs, guessCharset, isAuto, resolveCharset } from '../text/charset.ts';
import type { ExtractionHints, Extractor } from '../types.ts';
import { HTML, htmlDisplay, isPreformatted } from './display.ts';

type Document = DefaultTreeAdapterTypes.Document;
type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type TextNode = DefaultTreeAdapterTypes.TextNode;

/**
 * HTML, and XHTML read as HTML: the text of the body as a browser renders it with its default style sheet, without the
 * document's own styles and scripts (HTM-1 to HTM-6).
 */
export const html: Extractor = {
  name: 'html',
  version: '1',
  mediaType: 'text/html',
  async extract(octets, hints, { limits }) {
    const { document, charset, warnings } = await parseOctets(octets, hints, limits);
    const root = document.childNodes.find((node) => node.nodeName === 'html') as Element;
    if (root.childNodes.some((node) => node.nodeName === 'frameset')) {
      warnings.push('a page of frames: what it shows is in other documents');
    }
    return extraction(html, renderText(root), warnings, charset);
  },
};

/** Decodes and parses (HTM-1, HTM-6), once more where the parser meets a declaration that the prescan did not find. */
async function parseOctets(octets: Uint8Array, hints: ExtractionHints, limits: ExtractionLimits) {
  const fallback = isXhtml(octets, hints) ? 'UTF-8' : 'windows-1252';
  const choice = chooseHtmlCharset(octets, hints, fallback);
  const guess = choice.source === 'default' && isAuto(hints.charset) ? await guessCharset(octets, true) : null;
  const warnings = [...choice.warnings];
  let { name: charset, source } = { ...choice, ...(guess === null ? {} : { name: guess.name }) };
  let decoded = decodeAs(octets, charset);
  let document = parseMarkup(decoded, limits);
  // "Changing the encoding while parsing" of the HTML Standard: the first known declaration is final.
  if ((source === 'declared' || source === 'default') && !charset.startsWith('UTF-16')) {
    const met = declaredCharset(document);
    if (met !== null) source = 'declared';
    if (met !== null && met !== charset) {
      charset = resolveCharset(met);
      decoded = decodeAs(octets, charset);
      document = parseMarkup(decoded, limits);
    }
  }
  if (source === 'default' && guess !== null) warnings.push(guess.warning);
  else if (source === 'default' && charset !== 'UTF-8' && octets.some((octet) => octet >= 0x80)) {
    const but = decode(octets).includes('\uFFFD') ? '' : ', though the octets are well-formed UTF-8';
    warnings.push(`no charset is declared: read as ${charset}${but}`);
  }
  warnings.push(...replacementWarnings(decoded, charset));
  return { document, charset, warnings };
}

/**
 * The most elements of a document, besides two for each character. Markup has at most one for three characters, but each
 * block reopens the formatting that was left open (HTML Standard, "reconstruct the active formatting elements"): 17 KB can
 * become a million elements, and the number grows quadratically.
 */
const ELEMENTS = 100_000;

/**
 * Parses markup as a browser with scripts does, though none is run: the content of `noscript` is then a single text, which is
 * left out. Otherwise a `p` in a `noscript` of the head would end the head and become part of the body.
 * @param markup - the document
 * @param limits - `depth` is read. (Browsers flatten what is deeper than 512 elements; the text is the same.)
 * @throws Error `too-deep`, `too-large`
 */
function parseMarkup(markup: string, limits: ExtractionLimits): Document {
  const most = ELEMENTS + 2 * markup.length;
  let elements = 0;
  let depth = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...made) {
      if (++elements > most)
        throw extractionError(
          'too-large',
          `its markup comes to more than ${most} elements, as formatting is left open`,
        );
      return defaultTreeAdapter.createElement(...made);
    },
    onItemPush() {
      if (++depth > limits.depth)
        throw extractionError('too-deep', `more than ${limits.depth} elements are open at once in its markup`);
    },
    onItemPop() {
      depth--;
    },
  };
  return parse(markup, { scriptingEnabled: true, treeAdapter });
}

/** Recognizes XHTML by its name or XML declaration; its default encoding is UTF-8 (XML Recommendation). */
function isXhtml(octets: Uint8Array, hints: ExtractionHints): boolean {
  return /\.xht(?:ml)?$/i.test(hints.path ?? '') || String.fromCharCode(...octets.subarray(0, 5)) === '<?xml';
}

/** The encoding that the first `meta` with a known one declares, or null (HTM-1). */
function declaredCharset(document: Document): string | null {
  let charset: string | null = null;
  walk(document.childNodes, (node) => {
    if (isElement(node) && node.tagName === 'meta') charset ??= charsetOfMeta((name) => attribute(node, name));
    return charset === null;
  });
  return charset;
}

/**
 * Renders the text of an element and its content. Words are separated where a browser renders them apart (HTM-4, HTM-5).
 * `wbr` and soft hyphens only allow a line break: the former is dropped, and step 3 deletes the latter. Comments, and
 * elements that {@link displayOf} calls absent, leave no trace (HTM-2, HTM-3). White space collapses as in CSS, except in
 * preformatted text, but a line break between ideographs remains a space.
 * @param root - the element to start from
 * @returns lines; table cells are separated by tabs, blocks by line ends, and each `br` is one line end
 */
function renderText(root: Element): string {
  const out = createWriter();
  let preformatted = 0;
  walk(
    [root],
    (node) => {
      if (node.nodeName === '#text') {
        const { value } = node as TextNode;
        if (preformatted > 0) out.write(value);
        else out.collapse(value);
      }
      if (!isElement(node)) return false;
      if (node.namespaceURI === HTML && node.tagName === 'br') out.lineBreak();
      const { separator, content } = displayOf(node);
      out.separate(separator);
      if (content && isPreformatted(node.namespaceURI, node.tagName)) preformatted++;
      return content;
    },
    (element) => {
      out.separate(displayOf(element).separator);
      if (isPreformatted(element.namespaceURI, element.tagName)) preformatted--;
    },
  );
  return out.end();
}

/** The display of an element (HTM-2 to HTM-5). */
function displayOf(element: Element): Display {
  return htmlDisplay(element.namespaceURI, element.tagName, (name) => attribute(element, name));
}

function isElement(node: ChildNode): node is Element {
  return 'tagName' in node;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/**
 * Visits nodes in document order, without recursion, since nesting can be arbitrarily deep.
 * @param nodes - where to start
 * @param enter - called for every node; answers whether to visit what an element holds
 * @param leave - called for every element that was entered, after all it holds
 */
function walk(
  nodes: ChildNode[],
  enter: (node: ChildNode) => boolean,
  leave: (element: Element) => void = () => {},
): void {
  const open: { element: Element | null; nodes: ChildNode[]; next: number }[] = [{ element: null, nodes, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      open.pop();
      if (top.element !== null) leave(top.element);
    } else if (enter(node) && isElement(node)) open.push({ element: node, nodes: node.childNodes, next: 0 });
  }
}
