import type { ExtractionError } from '../errors.ts';
import { HTML } from '../html/display.ts';
import type { ExtractionLimits } from '../limits.ts';
import { BLOCK } from '../render/display.ts';
import { extraction, replacementWarnings } from '../result.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { ExtractionContext, ExtractionHints, Extractor } from '../types.ts';
import { parseXml, type XmlElement, type XmlHandler, type XmlReport } from './parser.ts';
import { createRenderer, type Frame, GENERIC, type Vocabulary } from './render.ts';
import { beginsDocbook, docbook, isDocbook } from './vocabularies/docbook.ts';
import { beginsJats, isJats, jats } from './vocabularies/jats.ts';
import { isTei, tei } from './vocabularies/tei.ts';

/** Root of an OpenDocument text in one file. */
const ODF_OFFICE = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';

/**
 * XML: JATS (and BITS and NLM), TEI and DocBook by their structure, a flat OpenDocument text like one in a package, XHTML
 * like HTML, and all other XML as its text content. The first element decides (MED-2).
 */
export const xml: Extractor = {
  name: 'xml',
  version: '1',
  mediaTypes: ['application/xml'],
  async extract(octets, hints, context) {
    const { name: charset, warnings } = chooseXmlCharset(octets, hints);
    const decoded = decodeAs(octets, charset);
    const root = peekRoot(decoded, context.limits);
    if (root?.namespace === ODF_OFFICE && root.name === 'document') {
      const { extractFlatOdt } = await import('../package/odt.ts');
      const { text, warnings: found } = extractFlatOdt(decoded, context.limits);
      return extraction(xml, text, charset, [...warnings, ...found, ...replacementWarnings(decoded, charset)]);
    }
    if (root?.name === 'html') {
      const { text, malformed, isXhtml } = renderXml(decoded, context.limits);
      if (malformed === null && isXhtml)
        return extraction(xml, text, charset, [...warnings, ...replacementWarnings(decoded, charset)]);
      return extractAsHtml(octets, { ...hints, charset }, context);
    }
    const { text, warnings: found } = renderXml(decoded, context.limits);
    return extraction(xml, text, charset, [...warnings, ...found, ...replacementWarnings(decoded, charset)]);
  },
};

/** Reads XHTML that is no XML, or lacks its namespace, as browsers read HTML; the extractor's name tells. */
async function extractAsHtml(octets: Uint8Array, hints: ExtractionHints, context: ExtractionContext) {
  const { html } = await import('../html/html.ts');
  return html.extract(octets, hints, context);
}

/** Whether an element is the root of XHTML, with its namespace. */
function isXhtml({ namespace, name }: XmlElement): boolean {
  return namespace === HTML && name === 'html';
}

export interface RenderedXml extends XmlReport {
  readonly text: string;
  /** Whether it is XHTML. */
  readonly isXhtml: boolean;
}

/**
 * Renders the text of an XML document of any vocabulary.
 * @param markup - the document, decoded
 * @param limits - `depth` is read
 * @throws Error `damaged`, `too-deep`, `too-large`
 */
export function renderXml(markup: string, limits: ExtractionLimits): RenderedXml {
  let doctype = '';
  let root: XmlElement | null = null;
  const renderer = createRenderer({
    ...GENERIC,
    // What is wrapped in an envelope, as repositories do, is known by its own root.
    within: (element, parent) => vocabularyOf(element, parent, doctype),
  });
  const handler: XmlHandler = {
    ...renderer,
    open(element) {
      root ??= element;
      renderer.open(element);
    },
    doctype(declaration) {
      // Only what stands before the internal subset names the vocabulary.
      doctype = declaration.split('[', 1)[0]!;
    },
  };
  const report = parseXml(markup, handler, limits);
  return { ...report, text: renderer.end(), isXhtml: root !== null && isXhtml(root) };
}

/** The vocabulary that begins with an element, or null. */
function vocabularyOf(element: XmlElement, parent: Frame | null, doctype: string): Vocabulary | null {
  if (isTei(element, parent)) return tei;
  const isJatsRoot = isJats(element, doctype);
  if (isJatsRoot === true) return jats;
  if (isDocbook(element, doctype)) return docbook;
  return isJatsRoot === null ? toldByFirstChild() : null;
}

/** `article` and `book` are roots of several vocabularies: their first child tells. */
function toldByFirstChild(): Vocabulary {
  let told: Vocabulary | null = null;
  return {
    display: () => BLOCK,
    within(child) {
      told ??= beginsJats(child) ? jats : beginsDocbook(child) ? docbook : GENERIC;
      return told;
    },
  };
}

/** How much of a document is searched for its root, in characters. */
const PROLOG = 1 << 16;

/** The root of a document, or null where its start shows none. */
function peekRoot(markup: string, limits: ExtractionLimits): XmlElement | null {
  const found: { root?: XmlElement } = {};
  const done = new Error('found');
  const handler = {
    open(element: XmlElement): void {
      found.root = element;
      throw done;
    },
    close: () => undefined,
    text: () => undefined,
  };
  try {
    parseXml(markup.slice(0, PROLOG), handler, limits);
  } catch (error) {
    if (error !== done && (error as ExtractionError).code !== 'damaged') throw error;
  }
  return found.root ?? null;
}
