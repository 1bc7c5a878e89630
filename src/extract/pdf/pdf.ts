import { pluralize } from '../../common/text.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { extraction } from '../result.ts';
import type { ExtractionContext, Extractor } from '../types.ts';
import { type Pages, readPages } from './document.ts';
import { restoreSpokenOrder } from './glyphs.ts';
import { joinLines } from './join.ts';
import { withPdfium } from './pdfium.ts';
import { withoutRepetitions } from './running.ts';
import { countDamagedStreams, rejectDecompressionBombs, rejectUnendedStreams } from './streams.ts';
import { mendCharacterMaps } from './tounicode.ts';

/**
 * PDF: the text that its pages draw, in drawing order. Invisible text counts, such as the text that a scanner's software
 * puts after an image. Metadata, outlines and attachments do not. Running headers and footers are kept once, not on every
 * page (MED-3).
 *
 * PDFium runs on the calling thread as WebAssembly. Nothing is fetched, drawn or executed, and no font of the system is read.
 */
export const pdf: Extractor = {
  name: 'pdf',
  version: '2',
  mediaType: 'application/pdf',
  async extract(octets, _hints, context) {
    rejectUnendedStreams(octets);
    await rejectDecompressionBombs(octets, context.limits);
    const mended = await mendCharacterMaps(octets);
    const { pages, warnings } = await readDocument(mended.octets, context);
    warnings.push(...mended.warnings);
    const damaged = countDamagedStreams(octets);
    if (damaged > 0) warnings.push(`damaged: ${pluralize(damaged, 'stream')} with errors, so that text may be missing`);
    const text = restoreSpokenOrder(joinLines(withoutRepetitions(pages.pages).flat()));
    if (pages.unmapped > 0) warnings.push(`unreadable: ${pluralize(pages.unmapped, 'glyph')} without a Unicode value`);
    if (pages.symbols > 0)
      warnings.push(`left out: ${pluralize(pages.symbols, 'glyph')} of music or symbol fonts without a Unicode value`);
    if (pages.attachments > 0) warnings.push(`left out: ${pluralize(pages.attachments, 'attached file')}`);
    if (text.trim() === '') throw noTextError(pages, damaged);
    return extraction(pdf, text, warnings);
  },
  load: () => withPdfium(async () => undefined),
};

/** Makes the error for a document without text, which may be damaged, or drawn by glyphs that have no meaning. */
function noTextError({ unmapped, symbols }: Pages, damaged: number): ExtractionError {
  if (damaged > 0)
    return extractionError('damaged', `contains no text that can be read: ${pluralize(damaged, 'stream')} with errors`);
  const glyphs = unmapped + symbols;
  const reason =
    glyphs > 0
      ? `contains no text that can be read: ${pluralize(glyphs, 'glyph')} without a Unicode value`
      : 'contains no text: it is empty, or only has images';
  return extractionError('no-text', reason);
}

interface ReadDocument {
  readonly pages: Pages;
  readonly warnings: string[];
}

async function readDocument(octets: Uint8Array, context: ExtractionContext): Promise<ReadDocument> {
  const warnings = isCutOff(octets) ? ['damaged: its end is missing, and pages may be missing, too'] : [];
  try {
    return withWarnings(await readPages(octets, context), warnings);
  } catch (error) {
    const repaired = (error as ExtractionError).code === 'damaged' ? withTrailer(octets) : null;
    const left = repaired === null ? null : await readPages(repaired, context).catch(() => null);
    if (left === null || left.pages.length === 0) throw error;
    return withWarnings(left, warnings);
  }
}

/** Adds what is missing; a document without a single page that can be read is damaged. */
function withWarnings(pages: Pages, warnings: readonly string[]): ReadDocument {
  const { failed, total, reason } = pages;
  if (failed.length === 0) return { pages, warnings: [...warnings] };
  const message = reason instanceof Error ? reason.message : 'too many pages before it could not be read';
  if (failed.length === total) throw extractionError('damaged', `cannot be read as PDF: ${message}`, reason);
  const which = failed.length === 1 ? `page ${failed[0]}` : `${failed.length} pages, the first of them ${failed[0]},`;
  return { pages, warnings: [...warnings, `${which} of ${total} could not be read: ${message}`] };
}

/** The number of bytes that may follow the end of a document. */
const AFTER_END = 2048;

/** Tests whether the last part is missing, which tells where the table of objects is. */
function isCutOff(octets: Uint8Array): boolean {
  return !String.fromCharCode(...octets.subarray(-AFTER_END)).includes('startxref');
}

/**
 * Copies a truncated document and appends the missing trailer, which names the catalog. PDFium finds the other objects by
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
