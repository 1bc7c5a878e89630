import type { XmlVocabulary } from '../formats.ts';
import { HTML } from '../html/html-display.ts';
import type { ExtractionLimits } from '../limits.ts';
import { BLOCK } from '../render/display.ts';
import { extraction, leftOutWarnings } from '../result.ts';
import { chooseXmlCharset } from '../text/charset.ts';
import { decodeGuessed } from '../text/guess-charset.ts';
import type { Extractor } from '../types.ts';
import { createOpenDocumentReader, flatOpenDocumentOf } from './opendocument-reader.ts';
import { parseXml, type XmlElement, type XmlHandler } from './parse-xml.ts';
import { docbook } from './vocabularies/docbook.ts';
import { fictionBook } from './vocabularies/fictionbook.ts';
import { jats } from './vocabularies/jats.ts';
import { tei } from './vocabularies/tei.ts';
import { createRenderer, type Frame, GENERIC, type Renderer, type Vocabulary } from './xml-renderer.ts';

/** The readers of the vocabularies: the first one that recognises a root reads it. */
const VOCABULARIES = Object.values<Vocabulary>({
  TEI: tei,
  JATS: jats,
  DocBook: docbook,
  FB2: fictionBook,
} satisfies Record<XmlVocabulary, Vocabulary>);

/** XML of known vocabularies by their structure, XHTML like HTML, any other as its text (MED-2). */
export const xml: Extractor = {
  name: 'xml',
  version: '3',
  mediaType: 'application/xml',
  async extract(bytes, hints, context) {
    const choice = chooseXmlCharset(bytes, hints);
    const { charset, decoded, warnings, doubts } = await decodeGuessed(choice, bytes, hints, true);
    const { text, mediaType, malformed, isHtml, isXhtml, warnings: found } = renderXml(decoded, context.limits);
    if (isHtml && (malformed !== null || !isXhtml)) {
      const { html } = await import('../html/html.ts');
      // The extractor's name says that it was read as HTML, as browsers read what is not well-formed or lacks its namespace.
      const extracted = await html.extract(bytes, { ...hints, charset }, context);
      return { ...extracted, warnings: [...warnings, ...extracted.warnings] };
    }
    return extraction({ ...xml, mediaType }, text, [...warnings, ...found, ...doubts], charset);
  },
};

export function renderXml(markup: string, limits: ExtractionLimits) {
  let doctype = '';
  let { mediaType } = xml;
  let root: XmlElement | undefined;
  // A document in an envelope, as in repositories, is recognised by its own root.
  const within: Vocabulary['within'] = (element, parent) => vocabularyOf(element, parent, doctype);
  let renderer: Renderer = createRenderer({ ...GENERIC, within });
  const handler: XmlHandler = {
    open(element) {
      if (root === undefined) {
        root = element;
        const flat = flatOpenDocumentOf(element);
        mediaType = flat?.mediaType ?? vocabularyOf(element, null, doctype)?.mediaType ?? xml.mediaType;
        if (flat !== null) renderer = createOpenDocumentReader({ kind: flat.kind, limits, objectAt: () => undefined });
      }
      renderer.open(element);
    },
    text: (text) => renderer.text(text),
    close: (element) => renderer.close(element),
    doctype(declaration) {
      // Only the part before the internal subset names the vocabulary.
      doctype = declaration.split('[', 1)[0]!;
    },
  };
  const report = parseXml(markup, handler, limits);
  const isHtml = root?.name === 'html';
  const warnings = [...report.warnings, ...leftOutWarnings(renderer.leftOut ?? 0, 'embedded object')];
  // The root of XHTML has its namespace.
  return { ...report, mediaType, warnings, text: renderer.end(), isHtml, isXhtml: isHtml && root?.namespace === HTML };
}

function vocabularyOf(element: XmlElement, parent: Frame | null, doctype: string): Vocabulary | null {
  let isShared = false;
  for (const vocabulary of VOCABULARIES) {
    const isRoot = vocabulary.isRoot?.(element, doctype, parent);
    if (isRoot === true) return vocabulary;
    isShared ||= isRoot === null;
  }
  return isShared ? byFirstChild() : null;
}

/** Returns the vocabulary of `article` or `book`, which several have as root: the first child decides. */
function byFirstChild(): Vocabulary {
  let vocabulary: Vocabulary | null = null;
  return {
    display: () => BLOCK,
    within(child) {
      vocabulary ??= VOCABULARIES.find(({ isFirst }) => isFirst?.(child)) ?? GENERIC;
      return vocabulary;
    },
  };
}
