import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { decode } from '../scheme/decode.ts';
import { charsetOfMeta, chooseHtmlCharset, decodeAs, resolveCharset } from './charset.ts';
import { extraction, replacementWarnings } from './result.ts';
import type { ExtractionHints, Extractor } from './types.ts';
import { createWriter, LINE, NOTHING, type Separator, SPACE, TAB } from './writer.ts';

type Document = DefaultTreeAdapterTypes.Document;
type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type TextNode = DefaultTreeAdapterTypes.TextNode;

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** How an element is shown: what stands before and after it, and whether what it holds is text of the document. */
interface Display {
  readonly separator: Separator;
  readonly content: boolean;
}
const INLINE: Display = { separator: NOTHING, content: true };
const BLOCK: Display = { separator: LINE, content: true };
const CELL: Display = { separator: TAB, content: true };
/** A box within a line that lays out a text of its own, apart from the words on both sides. */
const BOX: Display = { separator: SPACE, content: true };
/** Without text to show. It leaves no trace: what stands on both sides are neighbours. */
const ABSENT: Display = { separator: NOTHING, content: false };

/**
 * HTML elements by their display, where that is not inline: the "Rendering" section of the HTML Standard, which gives
 * every browser its default style sheet. Left out as never shown: HTM-2, and that section's other hidden elements; `rtc`
 * is ruby annotation like `rt`. Left out because something else is shown in its place: the content of `iframe`, `video`
 * and their like, meant for browsers that know no better. Blocks: HTM-4. Cells and list items: HTM-5.
 *
 * Images, inputs and other objects within a line have no text (`alt`, `value`, `label` and `placeholder` are attributes)
 * and do not separate, as they do not when a browser copies text; being inline, they need no entry here.
 * @see https://html.spec.whatwg.org/multipage/rendering.html
 */
const HTML_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'head script style template noscript rp rt rtc title datalist noembed noframes'],
  [ABSENT, 'iframe video audio canvas meter progress'],
  [BOX, 'button select textarea marquee'],
  [CELL, 'td th'],
  [BLOCK, 'body address blockquote center dialog div figure figcaption footer form header hr legend listing main p'],
  [BLOCK, 'plaintext pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section dir dd dl dt menu ol ul li'],
  [BLOCK, 'table caption thead tbody tfoot tr fieldset details summary optgroup option'],
]);

/** SVG: what is only referred to or only describes is not shown; each `text` stands in a place of its own. */
const SVG_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'title desc metadata style script defs symbol clipPath mask marker pattern'],
  [BLOCK, 'text foreignObject'],
]);

/** MathML: other notations of the same formula are left out, and so is what is invisible. */
const MATHML_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'annotation annotation-xml mphantom'],
  [INLINE, 'math'],
]);

/** Elements in which white space is shown as it is written. */
const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'listing', 'plaintext', 'xmp', 'textarea']);

function displayTable(rows: readonly (readonly [Display, string])[]): ReadonlyMap<string, Display> {
  return new Map(rows.flatMap(([display, names]) => names.split(' ').map((name) => [name, display] as const)));
}

/**
 * HTML, and XHTML read as HTML: the text of the body as a browser shows it that applies its own style sheet, none of the
 * document's, and runs no script (HTM-1 to HTM-6).
 */
export const html: Extractor = {
  name: 'html',
  version: '1',
  mediaTypes: ['text/html'],
  async extract(octets, hints) {
    const { document, charset, warnings } = parseOctets(octets, hints);
    const root = document.childNodes.find((node) => node.nodeName === 'html') as Element;
    if (root.childNodes.some((node) => node.nodeName === 'frameset')) {
      warnings.push('a page of frames: what it shows is in other documents');
    }
    return extraction(html, renderText(root), charset, warnings);
  },
};

/** Decodes and parses (HTM-1, HTM-6), once more where the parser meets a declaration that the prescan did not find. */
function parseOctets(octets: Uint8Array, hints: ExtractionHints) {
  const fallback = isXhtml(octets, hints) ? 'UTF-8' : 'windows-1252';
  const choice = chooseHtmlCharset(octets, hints, fallback);
  const warnings = [...choice.warnings];
  let { name: charset, source } = choice;
  let decoded = decodeAs(octets, charset);
  let document = parseMarkup(decoded);
  // "Changing the encoding while parsing" of the HTML Standard: the first known declaration is final.
  if ((source === 'declared' || source === 'default') && !charset.startsWith('UTF-16')) {
    const met = declaredCharset(document);
    if (met !== null) source = 'declared';
    if (met !== null && met !== charset) {
      charset = resolveCharset(met);
      decoded = decodeAs(octets, charset);
      document = parseMarkup(decoded);
    }
  }
  if (source === 'default' && charset !== 'UTF-8' && octets.some((octet) => octet >= 0x80)) {
    const but = decode(octets).includes('\uFFFD') ? '' : ', though the octets are well-formed UTF-8';
    warnings.push(`no charset is declared: read as ${charset}${but}`);
  }
  warnings.push(...replacementWarnings(decoded, charset));
  return { document, charset, warnings };
}

/**
 * Parses markup the way of a browser with scripts, though none is run: the content of `noscript` is then one text to
 * leave out. Parsed the other way, a `p` in a `noscript` of the head would end the head and stand in the body.
 */
function parseMarkup(markup: string): Document {
  return parse(markup, { scriptingEnabled: true });
}

/** Tells XHTML, whose default encoding is UTF-8 by the XML Recommendation, by its name or its XML declaration. */
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
 * Renders the text of an element and all it holds. Words are separated where a browser would show them apart (HTM-4,
 * HTM-5); `wbr` and soft hyphens only allow a line to break, so nothing is put in place of the one, and the other stays
 * for step 3 to delete. Comments and what {@link displayOf} says is absent leave no trace (HTM-2, HTM-3). White space
 * is collapsed as CSS does it, except in preformatted text, but a line break between ideographs stays a space.
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
      if (content && isPreformatted(node)) preformatted++;
      return content;
    },
    (element) => {
      out.separate(displayOf(element).separator);
      if (isPreformatted(element)) preformatted--;
    },
  );
  return out.end();
}

/** How an element is shown (HTM-2 to HTM-5). */
function displayOf(element: Element): Display {
  const { tagName, namespaceURI } = element;
  // Any value counts, "until-found" too: nothing is shown until someone searches for it (HTM-3).
  if (attribute(element, 'hidden') !== undefined) return ABSENT;
  if (namespaceURI === SVG) {
    // A position of its own begins a new chunk of text, a new line most often.
    const placed = tagName === 'tspan' && (attribute(element, 'x') ?? attribute(element, 'y')) !== undefined;
    return placed ? BOX : (SVG_DISPLAY.get(tagName) ?? INLINE);
  }
  // Each element of a formula is a box of its own: `ab` as two identifiers is no word.
  if (namespaceURI === MATHML) return MATHML_DISPLAY.get(tagName) ?? BOX;
  // A closed dialog is not shown. Closed details are: they are a part of the document that folds.
  if (tagName === 'dialog' && attribute(element, 'open') === undefined) return ABSENT;
  // Without data, what an object holds is all there is to show; with data, it is a fallback.
  if (tagName === 'object') return attribute(element, 'data') === undefined ? INLINE : ABSENT;
  return HTML_DISPLAY.get(tagName) ?? INLINE;
}

function isPreformatted(element: Element): boolean {
  return element.namespaceURI === HTML && PREFORMATTED.has(element.tagName);
}

function isElement(node: ChildNode): node is Element {
  return 'tagName' in node;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/**
 * Visits nodes in document order, without recursion: nesting is as deep as a document cares to make it.
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
