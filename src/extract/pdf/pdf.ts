import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ExtractionError, extractionError } from '../errors.ts';
import { extraction } from '../result.ts';
import type { ExtractionContext, Extractor } from '../types.ts';
import { countNameless, restoreSpokenOrder } from './glyphs.ts';
import { joinLines } from './join.ts';
import { buildLines, type Line, type PdfItem } from './lines.ts';
import { loadPdfParser, PackageData, type PdfParser } from './parser.ts';
import { withoutLineNumbers, withoutRepetitions } from './running.ts';
import { rejectDecompressionBombs } from './streams.ts';

/**
 * PDF: the text that its pages draw, in drawing order. Invisible text counts, such as the text that a scanner's software
 * puts behind an image. Metadata, annotations, form fields, outlines and attachments do not. Running headers and footers
 * are kept once, not on every page (MED-3).
 *
 * pdf.js runs on the calling thread. Nothing is fetched, drawn or executed; only the tables of fonts are read.
 */
export const pdf: Extractor = {
  name: 'pdf',
  version: '1',
  mediaType: 'application/pdf',
  async extract(octets, _hints, context) {
    const { getDocument } = await loadPdfParser();
    await rejectDecompressionBombs(octets, context.limits);
    const read = (document: Uint8Array<ArrayBuffer>) => readDocument(getDocument, document, context);
    // Copied each time: pdf.js detaches the buffer that it gets, and does not accept a Buffer.
    const { lines, nameless, warnings } = await read(new Uint8Array(octets)).catch(async (error: ExtractionError) => {
      const repaired = error.code === 'damaged' ? withTrailer(octets) : null;
      const left = repaired === null ? null : await read(repaired).catch(() => null);
      if (left === null || left.lines.length === 0) throw error;
      return { ...left, warnings: ['damaged: its end is missing, and so may be pages', ...left.warnings] };
    });
    const text = restoreSpokenOrder(joinLines(lines));
    if (nameless > 0) warnings.push(`${nameless} glyphs have no Unicode value: part of the text is unreadable`);
    if (text.trim() === '') throw extractionError('no-text', 'holds no text, only pictures of it or nothing');
    return extraction(pdf, text, warnings);
  },
};

interface Pages {
  readonly lines: Line[];
  /** Glyphs without a Unicode value. */
  readonly nameless: number;
  readonly warnings: string[];
}

/** Reads a document; its buffer may be detached. */
async function readDocument(
  getDocument: PdfParser['getDocument'],
  data: Uint8Array<ArrayBuffer>,
  context: ExtractionContext,
): Promise<Pages> {
  const task = getDocument({
    data,
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    enableXfa: false,
    BinaryDataFactory: PackageData,
  });
  try {
    return await readPages(await open(task), context);
  } finally {
    await task.destroy();
  }
}

/**
 * Copies a truncated document and appends the missing trailer, which names the catalog. pdf.js finds the other objects by
 * itself.
 * @returns null if there is a trailer, or no catalog
 */
function withTrailer(octets: Uint8Array): Uint8Array<ArrayBuffer> | null {
  let catalog: string | undefined;
  for (let from = 0; from < octets.length; from += WINDOW) {
    const window = String.fromCharCode(...octets.subarray(from, from + WINDOW + OVERLAP));
    if (/\btrailer\b|\/Type\s*\/XRef\b/.test(window)) return null;
    for (const { index } of window.matchAll(/\/Type\s*\/Catalog\b/g)) {
      const before = window.slice(Math.max(0, index - OVERLAP), index);
      catalog = Array.from(before.matchAll(/\b(\d+ \d+) obj\b/g)).at(-1)?.[1] ?? catalog;
    }
  }
  if (catalog === undefined) return null;
  const trailer = new TextEncoder().encode(`\nendstream\nendobj\ntrailer\n<</Root ${catalog} R>>\n%%EOF\n`);
  const repaired = new Uint8Array(octets.length + trailer.length);
  repaired.set(octets);
  repaired.set(trailer, octets.length);
  return repaired;
}

/** Octets that are searched at a time, and by how many these windows overlap. */
const WINDOW = 2 ** 15;
const OVERLAP = 2 ** 11;

/** Opens the document; fails with the reason if it cannot be opened. */
async function open(task: PDFDocumentLoadingTask): Promise<PDFDocumentProxy> {
  const locked = new Promise<never>((_resolve, reject) => {
    task.onPassword = () => reject(extractionError('encrypted', 'needs a password to be read'));
  });
  locked.catch(() => undefined);
  const opened = task.promise.catch((cause: unknown) => {
    throw damaged(cause);
  });
  opened.catch(() => undefined);
  return Promise.race([opened, locked]);
}

function damaged(cause: unknown): ExtractionError {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) };
  if (name === 'PasswordException') return extractionError('encrypted', 'needs a password or a key to be read', cause);
  return extractionError('damaged', `cannot be read as PDF: ${message}`, cause);
}

/** setTimeout takes at least a millisecond in Node. */
const nextTurn: (then: (value: unknown) => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Reads the pages one by one. A page that fails is reported, and the rest are read. */
async function readPages(document: PDFDocumentProxy, { limits, onProgress }: ExtractionContext): Promise<Pages> {
  const { numPages } = document;
  if (numPages > limits.pages)
    throw extractionError('too-many-pages', `has ${numPages} pages, more than the ${limits.pages} that may be read`);
  if (numPages < 1) throw extractionError('damaged', 'cannot be read as PDF: it has no pages');
  const pages: Line[][] = [];
  let nameless = 0;
  const failed: { page: number; reason: unknown }[] = [];
  for (let number = 1; number <= numPages; number++) {
    try {
      const items = await readPage(document, number);
      pages.push(withoutLineNumbers(buildLines(items.runs, items.isVertical)));
      for (const { str } of items.runs) nameless += countNameless(str);
    } catch (reason) {
      failed.push({ page: number, reason });
    }
    onProgress(number, numPages);
    // pdf.js may never yield to the event loop, so yield here.
    await new Promise((resolve) => nextTurn(resolve));
  }
  const lines = withoutRepetitions(pages).flat();
  const [first] = failed;
  if (first === undefined) return { lines, nameless, warnings: [] };
  if (failed.length === numPages) throw damaged(first.reason);
  const which = failed.length === 1 ? `page ${first.page}` : `${failed.length} pages, the first of them ${first.page},`;
  return { lines, nameless, warnings: [`${which} of ${numPages} could not be read: ${damaged(first.reason).message}`] };
}

/** The items that pdf.js finds on a page, and the fonts that are written vertically. */
async function readPage(document: PDFDocumentProxy, number: number) {
  const page = await document.getPage(number);
  try {
    const { items, styles } = await page.getTextContent({ disableNormalization: true });
    const runs = items.filter((item): item is (typeof items)[number] & PdfItem => 'str' in item);
    return { runs, isVertical: (fontName: string) => styles[fontName]?.vertical === true };
  } finally {
    page.cleanup();
  }
}
