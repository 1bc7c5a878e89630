import { concatenate, latin1 } from '../../common/bytes.ts';
import { pluralize } from '../../common/text.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { extraction, leftOutWarnings } from '../result.ts';
import type { ExtractionContext, Extractor } from '../types.ts';
import { type Damage, findDamage } from './file/find-damage.ts';
import { find, rejectDecompressionBombs, rejectUnendedStreams } from './file/find-streams.ts';
import { type MapFaults, mendCharacterMaps, noteMapFaults } from './file/tounicode.ts';
import { joinLines } from './join-lines.ts';
import { restoreSpokenOrder } from './letter-forms.ts';
import { withPdfium } from './pdfium.ts';
import { type Pages, readPages } from './read-pages.ts';
import { withoutRepetitions } from './repeated-lines.ts';

/**
 * PDF: the text that its pages draw, in drawing order (MED-3). PDFium runs on the calling thread as WebAssembly:
 * nothing is fetched, drawn or executed, and no font of the system is read.
 */
export const pdf: Extractor = {
  name: 'pdf',
  version: '4',
  mediaType: 'application/pdf',
  async extract(document, _hints, context) {
    const bytes = withHeader(document);
    rejectUnendedStreams(bytes);
    await rejectDecompressionBombs(bytes, context.limits);
    const faults: MapFaults = { total: 0, maps: [] };
    const damage = findDamage(bytes, (stream) => noteMapFaults(faults, stream));
    const mended = await mendCharacterMaps(bytes, faults);
    const { pages, warnings } = await readDocument(mended, damage, context);
    const damaged = describeDamage(damage);
    if (damaged !== '') warnings.push(`damaged: ${damaged}; some text may be missing`);
    if (damage.pages > pages.total) warnings.push(`damaged: ${pages.total} of ${damage.pages} pages can be found`);
    const text = restoreSpokenOrder(joinLines(withoutRepetitions(pages.pages).flat()));
    if (pages.unmapped > 0) warnings.push(`unreadable: ${pluralize(pages.unmapped, 'glyph')} without a Unicode value`);
    warnings.push(
      ...leftOutWarnings(pages.symbols, 'glyph', ' of music or symbol fonts without a Unicode value'),
      ...leftOutWarnings(pages.attachments, 'attached file'),
    );
    if (text.trim() === '') throw noTextError(pages, damaged);
    return extraction(pdf, text, warnings);
  },
  load: () => withPdfium(async () => undefined),
};

function describeDamage({ streams, objects }: Damage): string {
  const parts = [
    streams > 0 ? `${pluralize(streams, 'stream')} of text with errors` : '',
    objects > 0 ? `${pluralize(objects, 'object')} missing or with errors` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

function noTextError({ unmapped, symbols }: Pages, damaged: string): ExtractionError {
  const glyphs = unmapped + symbols;
  if (glyphs === 0 && damaged !== '')
    return extractionError('damaged', `contains no text that can be read: ${damaged}`);
  const reason =
    glyphs > 0
      ? `contains no text that can be read: ${pluralize(glyphs, 'glyph')} without a Unicode value`
      : 'contains no text: it is empty, or only has images';
  return extractionError('no-text', reason);
}

async function readDocument(bytes: Uint8Array, { hasWrongTable, catalog, glyphs }: Damage, context: ExtractionContext) {
  // The last part locates the table of objects.
  const isCutOff = find(bytes.subarray(-AFTER_END), START_OF_TABLE, 0) < 0;
  const warnings = isCutOff ? ['damaged: its end is missing, and pages may also be missing'] : [];
  try {
    return withWarnings(await readPages(hasWrongTable ? withoutTables(bytes) : bytes, glyphs, context), warnings);
  } catch (error) {
    if ((error as ExtractionError).code !== 'damaged' || catalog === 0) throw error;
    const left = await readPages(withTrailer(bytes, catalog), glyphs, context).catch(() => null);
    if (left === null || left.pages.length === 0) throw error;
    return withWarnings(left, warnings);
  }
}

/** Adds a warning about unreadable pages. Throws `damaged` if no page can be read. */
function withWarnings(pages: Pages, warnings: readonly string[]) {
  const { failed, total, reason } = pages;
  if (failed.length === 0) return { pages, warnings: [...warnings] };
  const message = reason instanceof Error ? reason.message : 'PDFium failed on too many pages before';
  const code = (reason as Partial<ExtractionError> | undefined)?.code === 'out-of-memory' ? 'out-of-memory' : 'damaged';
  if (failed.length === total) throw extractionError(code, `cannot be read as PDF: ${message}`, reason);
  const which = failed.length === 1 ? `page ${failed[0]}` : `${failed.length} pages, the first of them ${failed[0]},`;
  return { pages, warnings: [...warnings, `${which} of ${total} could not be read: ${message}`] };
}

/** The number of bytes among which PDFium looks for the header. */
const MAX_JUNK = 1024;
const NEW_HEADER = new TextEncoder().encode('%PDF-1.7\n');

/** Returns a document with a header where PDFium finds it, if possible in the place of a damaged one, so that no object moves. */
function withHeader(bytes: Uint8Array): Uint8Array {
  const at = find(bytes, '%PDF-', 0);
  if (at >= 0 && at < MAX_JUNK) return bytes;
  const object = /(?<!\d)\d{1,10}\s{1,9}\d{1,5}\s{1,9}obj/.exec(latin1(bytes.subarray(0, MAX_JUNK)));
  if (object === null) return at < 0 ? bytes : bytes.subarray(at);
  return concatenate([NEW_HEADER, bytes.subarray(object.index < NEW_HEADER.length ? 0 : NEW_HEADER.length)]);
}

/** The number of bytes that may follow the end of a document. */
const AFTER_END = 2048;

/** Copies a document and erases the pointers to its tables of objects: PDFium then builds one itself. */
function withoutTables(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  for (let at = find(copy, START_OF_TABLE, 0); at >= 0; at = find(copy, START_OF_TABLE, at + 1)) {
    const digits = latin1(copy.subarray(at + START_OF_TABLE.length, at + START_OF_TABLE.length + 16));
    if (/^\s+\d/.test(digits)) copy[at] = 0x20;
  }
  return copy;
}

const START_OF_TABLE = 'startxref';

/** Copies a document and appends a trailer, which names the catalog. PDFium finds the other objects by itself. */
function withTrailer(bytes: Uint8Array, catalog: number): Uint8Array {
  const trailer = `\nendstream\nendobj\ntrailer\n<</Root ${catalog} 0 R>>\n%%EOF\n`;
  return concatenate([bytes, new TextEncoder().encode(trailer)]);
}
