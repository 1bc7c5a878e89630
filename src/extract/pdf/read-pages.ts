import { formatNumber } from '../../common/text.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import type { ExtractionContext } from '../types.ts';
import { closeForm, type FormHandle, readAnnotations } from './annotations.ts';
import { buildLines, type PdfLine } from './build-lines.ts';
import { buildRuns } from './build-runs.ts';
import { inDrawingOrder } from './drawing-order.ts';
import type { Damage } from './file/find-damage.ts';
import { countUnmapped } from './letter-forms.ts';
import { guard, isBroken, type Pdfium, setBudget, withPdfium } from './pdfium.ts';
import { type Fonts, newFonts, readGlyphs } from './read-glyphs.ts';
import { withoutLineNumbers } from './repeated-lines.ts';

export type Pages = ReturnType<typeof newPages>;

function newPages(size: number, texts: Damage['glyphs']) {
  return {
    pages: [] as PdfLine[][],
    /** The pages that could not be read, from 1, and why the first of them could not. */
    failed: [] as number[],
    reason: undefined as unknown,
    texts,
    total: 0,
    /** Glyphs without a Unicode value; those of symbol fonts are left out. */
    unmapped: 0,
    symbols: 0,
    attachments: 0,
    /** The rest of the budgets for work and glyphs. */
    work: undefined as number | undefined,
    glyphs: MIN_GLYPHS + GLYPHS_PER_BYTE * size,
    /** The number of instances of PDFium that ran out of memory. */
    exhausted: 0,
  };
}

/** The number of times that a document is opened again after PDFium failed on a page. */
const MAX_REOPENED = 8;

/** The number of instances that may run out of memory: the memory of one is not freed before the next one has its own. */
const MAX_EXHAUSTED = 2;

/** The number of pages that stay open: PDFium keeps the fonts of open pages, and reads them again for every page otherwise. */
const MAX_OPEN = 32;
/** Above this amount of memory only the last page stays open. */
const MAX_OPEN_MEMORY = 2 ** 26;

/** The maximum number of glyphs of a document: a replacement text may give thousands of characters to each. */
const [MIN_GLYPHS, GLYPHS_PER_BYTE] = [2 ** 18, 16];
/** The maximum number of glyphs of a page, each of which takes about 230 bytes. */
const MAX_PAGE_GLYPHS = 2 ** 20;

/** The values of `FPDF_GetLastError` for a password and for a security handler that is not known. */
const [PASSWORD, SECURITY] = [4, 5];

/** setTimeout takes at least a millisecond in Node. */
const nextTurn: (then: (value: unknown) => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Reads all pages but those that fail. `texts` says what glyphs mean whose names PDFium does not know. */
export async function readPages(
  bytes: Uint8Array,
  texts: Damage['glyphs'],
  context: ExtractionContext,
): Promise<Pages> {
  const read = newPages(bytes.length, texts);
  let next = 0;
  for (let opened = 0; opened <= MAX_REOPENED && read.exhausted < MAX_EXHAUSTED; opened++) {
    next = await withPdfium((pdfium) => readFrom(pdfium, bytes, next, read, context));
    if (next === read.total) return read;
  }
  for (; next < read.total; next++) read.failed.push(next + 1);
  return read;
}

/** Reads pages until the last one, or until PDFium breaks down. Returns the index of the next page. */
async function readFrom(
  pdfium: Pdfium,
  bytes: Uint8Array,
  first: number,
  read: Pages,
  { limits, onProgress }: ExtractionContext,
): Promise<number> {
  setBudget(pdfium, bytes.length, read);
  const pointer = guard(pdfium, () => pdfium.malloc(Math.max(1, bytes.length)));
  new Uint8Array(pdfium.memory.buffer).set(bytes, pointer);
  const document = openDocument(pdfium, pointer, bytes.length);
  const open: OpenDocument = {
    pdfium,
    document,
    info: 0,
    form: 0,
    pages: [],
    fonts: newFonts(pdfium, document, read.texts),
  };
  try {
    read.total = guard(pdfium, () => pdfium.FPDF_GetPageCount(document));
    if (read.total > limits.pages)
      throw extractionError('too-many-pages', `has ${read.total} pages, more than the limit of ${limits.pages}`);
    read.attachments = guard(pdfium, () => pdfium.FPDFDoc_GetAttachmentCount(document));
    if (read.total < 1) throw extractionError('damaged', 'cannot be read as PDF: it has no pages');
    for (let index = first; index < read.total; index++) {
      try {
        guard(pdfium, () => readPage(open, index, read));
      } catch (error) {
        const { code } = error as Partial<ExtractionError>;
        if (code === 'too-large') throw error;
        if (code === 'out-of-memory') read.exhausted++;
        read.failed.push(index + 1);
        read.reason ??= error;
      }
      onProgress(index + 1, read.total);
      if (isBroken(pdfium)) return index + 1;
      await new Promise(nextTurn);
    }
    return read.total;
  } finally {
    read.work = pdfium.work.value;
    if (!isBroken(pdfium)) closeDocument(open, pointer);
  }
}

interface OpenDocument extends FormHandle {
  readonly pages: number[];
  readonly fonts: Fonts;
}

function openDocument(pdfium: Pdfium, pointer: number, size: number): number {
  const document = guard(pdfium, () => pdfium.FPDF_LoadMemDocument(pointer, size, 0));
  if (document !== 0) return document;
  const error = pdfium.FPDF_GetLastError();
  pdfium.free(pointer);
  if (error === PASSWORD || error === SECURITY)
    throw extractionError('encrypted', 'is encrypted: save it without a password');
  throw extractionError('damaged', 'cannot be read as PDF: damaged or truncated, or not a PDF');
}

function closeDocument(open: OpenDocument, pointer: number): void {
  const { pdfium, document, pages } = open;
  guard(pdfium, () => {
    for (const page of pages) pdfium.FPDF_ClosePage(page);
    closeForm(open);
    pdfium.FPDF_CloseDocument(document);
    pdfium.free(pointer);
  });
}

function readPage(open: OpenDocument, index: number, read: Pages): void {
  const { pdfium, document, pages, fonts } = open;
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page !== 0) pages.push(page);
  const lines = withoutLineNumbers(readLines(pdfium, page, fonts, read));
  const written = readAnnotations(open, page, (shown) =>
    readLines(pdfium, shown, newFonts(pdfium, document, read.texts), read),
  );
  const kept = pdfium.memory.buffer.byteLength > MAX_OPEN_MEMORY ? 1 : MAX_OPEN;
  while (pages.length > kept) pdfium.FPDF_ClosePage(pages.shift()!);
  read.pages.push([...lines, ...written]);
}

function readLines(pdfium: Pdfium, page: number, fonts: Fonts, read: Pages): PdfLine[] {
  const text = page === 0 ? 0 : pdfium.FPDFText_LoadPage(page);
  if (text === 0) throw new Error('PDFium cannot load it');
  const count = pdfium.FPDFText_CountChars(text);
  if (count > MAX_PAGE_GLYPHS)
    throw extractionError('too-large', `has a page of ${formatNumber(count)} characters, more than 1,048,576`);
  read.glyphs -= count;
  if (read.glyphs < 0) throw extractionError('too-large', 'draws too many characters for its size (possible bomb)');
  const glyphs = inDrawingOrder(pdfium, page, readGlyphs(pdfium, text, fonts));
  pdfium.FPDFText_ClosePage(text);
  const runs = buildRuns(glyphs);
  for (const glyph of glyphs)
    if (glyph.unit !== 0) continue;
    else if (glyph.style.isSymbols) read.symbols++;
    else read.unmapped++;
  for (const { text, isPlain } of runs) if (!isPlain) read.unmapped += countUnmapped(text);
  return buildLines(runs);
}
