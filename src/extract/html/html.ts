import { type ExtractionError, extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { extraction, replacementWarnings } from '../result.ts';
import {
  charsetOfMeta,
  chooseHtmlCharset,
  chooseXmlCharset,
  decodeAs,
  hasNonAscii,
  mislabelledWarnings,
  resolveCharset,
} from '../text/charset.ts';
import { sevenBitWarnings } from '../text/content-warnings.ts';
import { decodeGuessed, guessIfAsked } from '../text/guess-charset.ts';
import type { ExtractionHints, Extractor, ExtractorName } from '../types.ts';
import type { XmlHandler } from '../xml/parse-xml.ts';
import { HTML } from './html-display.ts';
import { parseHtml } from './parse-html.ts';
import { type ArticleFinder, attributeOf, TextTree } from './text-tree.ts';

/** HTML and XHTML: the text that a browser shows without the document's own styles and scripts (HTM-1 to HTM-6). */
export const html: Extractor = {
  name: 'html',
  version: '2',
  mediaType: 'text/html',
  async extract(bytes, hints, { limits }) {
    if (hints.extractor === 'article') return extractArticle(bytes, hints, limits);
    const { text, hasFrames, charset, warnings } = await parseBytes(bytes, hints, limits);
    if (hasFrames) warnings.push(FRAMES);
    return extraction(html, text, warnings, charset);
  },
};

/** The article of a page instead of its whole body (HTM-7). */
export const htmlArticle: ExtractorName = { name: 'html-article', version: '2', mediaType: 'text/html' };

const FRAMES = 'a frameset: its content is in other documents';

async function extractArticle(bytes: Uint8Array, hints: ExtractionHints, limits: ExtractionLimits) {
  const { createArticleFinder } = await import('./find-article.ts');
  let { text, hasFrames, charset, warnings } = await parseBytes(bytes, hints, limits, createArticleFinder);
  // A whole page may be a form.
  if (!/[\p{L}\p{N}]/u.test(text)) {
    ({ text, hasFrames, charset, warnings } = await parseBytes(bytes, hints, limits));
    warnings.push('no text outside of navigation and forms: the whole body is read');
  }
  if (hasFrames) warnings.push(FRAMES);
  return extraction(htmlArticle, text, warnings, charset);
}

/** Decodes and parses (HTM-1, HTM-2): XHTML as XML, and as HTML what is not well-formed. */
async function parseBytes(...[bytes, hints, limits, createFinder = () => null]: Parameters<typeof parseAsHtml>) {
  if (!hasNameOfXhtml(hints)) return parseAsHtml(bytes, hints, limits, createFinder);
  const choice = chooseXmlCharset(bytes, hints);
  const { charset, decoded, warnings, doubts } = await decodeGuessed(choice, bytes, hints, true);
  const found = await parseXhtml(decoded, limits, createFinder());
  if (typeof found !== 'string') return { ...found, charset, warnings: [...warnings, ...found.warnings, ...doubts] };
  const result = await parseAsHtml(bytes, hints, limits, createFinder);
  return { ...result, warnings: [`not well-formed XML (${found}): read as HTML`, ...result.warnings] };
}

/** The attributes that decide what is shown and what is an article. */
const ATTRIBUTES = ['hidden', 'open', 'data', 'x', 'y', 'role'];

/** Parses XHTML as XML; elements without a namespace are HTML. Returns why it is not well-formed, if it is not. */
async function parseXhtml(markup: string, limits: ExtractionLimits, article: ArticleFinder | null) {
  const { parseXml } = await import('../xml/parse-xml.ts');
  const ignore = (): void => undefined;
  const tree = new TextTree({ onElement: ignore, onPlaced: ignore, onDepth: ignore }, article);
  const open = [tree.createDocument()];
  const handler: XmlHandler = {
    open({ namespace, name, attribute }) {
      const attributes = ATTRIBUTES.flatMap((each) => {
        const value = attribute(each);
        return value === undefined ? [] : [{ name: each, value }];
      });
      const element = tree.createElement(
        name,
        (namespace || HTML) as Parameters<typeof tree.createElement>[1],
        attributes,
      );
      tree.appendChild(open.at(-1)!, element);
      element.isInTemplate ||= name === 'template';
      tree.onItemPush(element);
      open.push(element);
    },
    text: (text) => tree.insertText(open.at(-1)!, text),
    close: () => tree.onItemPop(open.pop()!),
  };
  try {
    const { malformed, warnings } = parseXml(markup, handler, limits);
    return malformed ?? { text: tree.end(), hasFrames: tree.hasFrames, warnings };
  } catch (error) {
    if ((error as ExtractionError).code !== 'damaged') throw error;
    return (error as ExtractionError).message;
  }
}

/** Decodes and parses HTML, once more where the parser meets a declaration that the prescan did not find. */
async function parseAsHtml(
  bytes: Uint8Array,
  hints: ExtractionHints,
  limits: ExtractionLimits,
  createFinder: () => ArticleFinder | null = () => null,
) {
  // The default encoding of XHTML, which its name or XML declaration shows, is UTF-8 (XML Recommendation).
  const isXhtml = hasNameOfXhtml(hints) || String.fromCharCode(...bytes.subarray(0, 5)) === '<?xml';
  const fallback = isXhtml ? 'UTF-8' : 'windows-1252';
  const first = chooseHtmlCharset(bytes, hints, fallback);
  const choice = await guessIfAsked(first, bytes, hints, true);
  const isGuessed = choice !== first;
  let { name: charset, source } = choice;
  const warnings = [...(isGuessed && source === 'default' ? first : choice).warnings];
  let decoded = decodeAs(bytes, charset);
  // "Changing the encoding while parsing" of the HTML Standard: the first known declaration is final.
  const isTentative = (source === 'declared' || source === 'default') && !charset.startsWith('UTF-16');
  let result = parseMarkup(decoded, limits, isTentative ? charset : null, createFinder());
  if (result.declared !== null) source = 'declared';
  if (!('text' in result)) {
    charset = resolveCharset(result.declared);
    decoded = decodeAs(bytes, charset);
    result = parseMarkup(decoded, limits, null, createFinder()) as ParsedMarkup;
  }
  if (source === 'default' && !isGuessed) warnings.push(...sevenBitWarnings(bytes));
  if (source === 'default' && isGuessed) warnings.push(choice.warnings.at(-1)!);
  else if (source === 'default' && charset !== 'UTF-8' && hasNonAscii(bytes))
    warnings.push(`no charset is declared: read as ${charset}`);
  else warnings.push(...mislabelledWarnings(bytes, charset));
  warnings.push(...replacementWarnings(decoded, charset));
  return { text: result.text, hasFrames: result.hasFrames, charset, warnings };
}

/** The elements allowed besides two for each character: formatting left open makes a million of them from 17 KB. */
const ELEMENTS = 100_000;

interface ParsedMarkup {
  readonly text: string;
  readonly hasFrames: boolean;
  /** The encoding that the first `meta` with a known one declares, or null (HTM-1). */
  readonly declared: string | null;
}

/** Thrown to stop the parser. */
const OTHER_CHARSET = new Error('another charset is declared');

/**
 * Parses markup as a browser with scripts does: otherwise a `p` in a `noscript` of the head would end the head.
 * @param tentative - the encoding that a declaration may replace, which is then returned; null to ignore declarations
 */
function parseMarkup(
  markup: string,
  limits: ExtractionLimits,
  tentative: string | null,
  article: ArticleFinder | null,
): ParsedMarkup | { readonly declared: string } {
  const max = ELEMENTS + 2 * markup.length;
  let elements = 0;
  let declared: string | null = null;
  const tree = new TextTree(
    {
      onElement() {
        if (++elements > max)
          throw extractionError(
            'too-large',
            `its markup expands to more than ${max} elements, because formatting tags are left open`,
          );
      },
      onDepth(depth) {
        if (depth > limits.depth)
          throw extractionError('too-deep', `has elements nested deeper than the limit of ${limits.depth}`);
      },
      onPlaced({ name, attributes, isInTemplate }) {
        if (name !== 'meta' || tentative === null || declared !== null || isInTemplate) return;
        declared = charsetOfMeta((each) => attributeOf(attributes, each));
        if (declared !== null && declared !== tentative) throw OTHER_CHARSET;
      },
    },
    article,
  );
  try {
    parseHtml(markup, tree);
  } catch (error) {
    if (error !== OTHER_CHARSET) throw error;
    return { declared: declared! };
  }
  return { text: tree.end(), hasFrames: tree.hasFrames, declared };
}

/** Recognises XHTML by its name, which stands for the media type of a member of an archive. */
function hasNameOfXhtml({ path = '' }: ExtractionHints): boolean {
  return /\.xht(?:ml)?$/i.test(path);
}
