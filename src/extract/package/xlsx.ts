import { extractionError, unreadableError } from '../errors.ts';
import { countUses, type ExtractionLimits } from '../limits.ts';
import { XLSB } from '../refused-formats.ts';
import { extraction } from '../result.ts';
import { readElements } from '../xml/parser.ts';
import {
  graphicsWarnings,
  mainPartOf,
  missing,
  type OfficeContext,
  parseOneOfSeveral,
  type Relation,
  readDrawing,
  relationsOf,
  unrelatedWarnings,
} from './office-open.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';
import { createSheetReader, readSharedStrings, type SharedText } from './sheet-reader.ts';

/**
 * XLSX (and XLSM, XLTX): the texts in the cells of the sheets that are shown, row by row, each sheet with the text of its
 * shapes after it. Left out: numbers, dates, truth values and errors, hidden sheets, names of sheets, formulas, comments,
 * headers and footers, charts, readings above words (MED-9).
 */
export const xlsx: PackageExtractor = {
  name: 'xlsx',
  version: '1',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  async extract(parts, { limits, onProgress }) {
    const path = await mainPartOf(parts, limits, 'xl/workbook.xml');
    if (path.endsWith('.bin')) throw unreadableError(XLSB);
    const markup = await readMarkup(parts, path);
    if (markup === null) throw extractionError('damaged', 'damaged XLSX: the workbook is missing');
    const relations = await relationsOf(parts, path, limits);
    const { sheets, warnings } = readSheets(markup, relations, limits);
    const texts: string[] = [];
    const shared = relations.find(({ kind }) => kind === 'sharedStrings')?.path;
    if (shared !== undefined && !parts.has(shared)) warnings.push(missing(shared));
    const sharedText = await readTexts(parts, shared ?? '', limits);
    const context = { limits, medium: 'XLSX' };
    let graphics = 0;
    let done = 0;
    for (const [path, kind] of sheets) {
      onProgress(++done, sheets.size);
      if (kind === 'chartsheet') graphics++;
      if (kind !== 'worksheet') continue;
      if (!parts.has(path)) {
        warnings.push(missing(path));
        continue;
      }
      const reader = createSheetReader(sharedText);
      warnings.push(...(await parseOneOfSeveral(parts, path, reader, context)));
      const drawn = await readDrawings(parts, path, context);
      texts.push(reader.end(), ...drawn.texts);
      warnings.push(...drawn.warnings);
      graphics += drawn.graphics;
    }
    const text = texts.filter((each) => each !== '').join('\n');
    return extraction(xlsx, text, [...warnings, ...graphicsWarnings(graphics)]);
  },
};

/** Reads which sheets are shown, in their order: their paths, and the kinds of their relationships. */
function readSheets(markup: string, relations: readonly Relation[], limits: ExtractionLimits) {
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  // Any number of entries may name one sheet.
  const sheets = new Map<string, string>();
  let unrelated = 0;
  readElements(markup, limits, ({ name, attribute }) => {
    if (name !== 'sheet' || (attribute('state') ?? 'visible') !== 'visible') return;
    const relation = byId.get(attribute('r:id') ?? '');
    if (relation === undefined) unrelated++;
    else sheets.set(relation.path, relation.kind);
  });
  return { sheets, warnings: unrelatedWarnings(unrelated, 'sheet') };
}

async function readTexts(parts: Package, path: string, limits: ExtractionLimits): Promise<SharedText> {
  const markup = await readMarkup(parts, path);
  const texts = markup === null ? [] : readSharedStrings(markup, limits);
  return countUses((index) => texts[Number(index)] ?? '', limits);
}

async function readDrawings(parts: Package, path: string, context: OfficeContext) {
  const texts: string[] = [];
  const warnings: string[] = [];
  let graphics = 0;
  const drawings = (await relationsOf(parts, path, context.limits)).filter(
    ({ kind, path }) => kind === 'drawing' && parts.has(path),
  );
  for (const drawing of new Set(drawings.map(({ path }) => path))) {
    const read = await readDrawing(parts, drawing, context);
    warnings.push(...read.warnings);
    texts.push(read.text);
    graphics += read.graphics;
  }
  return { texts, warnings, graphics };
}
