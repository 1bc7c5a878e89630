import { unreadableError } from '../errors.ts';
import { countUses, type ExtractionLimits } from '../limits.ts';
import { XLSB } from '../refused-formats.ts';
import { extraction } from '../result.ts';
import {
  graphicsWarnings,
  mainPartOf,
  missing,
  type OfficeContext,
  parseOneOfSeveral,
  readDrawing,
  readList,
  relationsOf,
} from './office-open.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';
import { createSheetReader, readSharedStrings, type SharedText } from './sheet-reader.ts';

/** XLSX, XLSM and XLTX (MED-9). */
export const xlsx: PackageExtractor = {
  name: 'xlsx',
  version: '1',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  async extract(parts, { limits, onProgress }) {
    const path = await mainPartOf(parts, limits, 'xl/workbook.xml');
    if (path.endsWith('.bin')) throw unreadableError(XLSB);
    const found = await readList(parts, path, ['XLSX', 'workbook', 'sheet'], limits, ({ name, attribute }) =>
      name === 'sheet' && (attribute('state') ?? 'visible') === 'visible' ? (attribute('r:id') ?? '') : undefined,
    );
    const { relations, listed: sheets, warnings } = found;
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
