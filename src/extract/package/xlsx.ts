import { unreadableError } from '../errors.ts';
import { countUses, type ExtractionLimits } from '../limits.ts';
import { XLSB } from '../refused-formats.ts';
import { extraction } from '../result.ts';
import { parseXml, type XmlHandler } from '../xml/parse-xml.ts';
import type { Renderer } from '../xml/xml-renderer.ts';
import {
  graphicsWarnings,
  mainPartOf,
  missing,
  parseOneOfSeveral,
  readDrawing,
  readList,
  relationsOf,
} from './office-open.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';

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
      texts.push(reader.end());
      const drawings = (await relationsOf(parts, path, limits)).filter(
        ({ kind, path }) => kind === 'drawing' && parts.has(path),
      );
      for (const drawing of new Set(drawings.map(({ path }) => path))) {
        const drawn = await readDrawing(parts, drawing, context);
        texts.push(drawn.text);
        warnings.push(...drawn.warnings);
        graphics += drawn.graphics;
      }
    }
    const text = texts.filter((each) => each !== '').join('\n');
    return extraction(xlsx, text, [...warnings, ...graphicsWarnings(graphics)]);
  },
};

async function readTexts(parts: Package, path: string, limits: ExtractionLimits): Promise<(index: string) => string> {
  const markup = await readMarkup(parts, path);
  const texts: string[] = [];
  const reader = createStringReader('si', (text) => texts.push(text));
  if (markup !== null) parseXml(markup, reader, limits);
  return countUses((index) => texts[Number(index)] ?? '', limits);
}

interface Cell {
  readonly type: string | undefined;
  value: string;
  inline: string;
}

/** Creates a reader of the texts in the cells of a sheet (SpreadsheetML): rows are lines, with tabs between cells. */
function createSheetReader(sharedText: (index: string) => string): Renderer {
  const rows: string[] = [];
  let cells: string[] = [];
  let cell: Cell | null = null;
  let isValue = false;
  const inline = createStringReader('is', (text) => {
    if (cell !== null) cell.inline = text;
  });
  return {
    open(element) {
      const { name, attribute } = element;
      if (name === 'row') cells = [];
      else if (name === 'c') cell = { type: attribute('t'), value: '', inline: '' };
      else if (name === 'v') isValue = true;
      else inline.open(element);
    },
    text(text) {
      if (!isValue) inline.text(text);
      else if (cell !== null) cell.value += text;
    },
    close(element) {
      const { name } = element;
      if (name === 'v') isValue = false;
      else if (name === 'c') {
        const text = cell === null ? '' : textOf(cell, sharedText);
        if (text !== '') cells.push(text);
        cell = null;
      } else if (name === 'row') {
        if (cells.length > 0) rows.push(cells.join('\t'));
      } else inline.close(element);
    },
    end: () => rows.join('\n'),
  };
}

/** Returns the text of a cell; empty for a number, a date, a truth value and an error. */
function textOf({ type, value, inline }: Cell, sharedText: (index: string) => string): string {
  if (type === 's') return sharedText(value);
  if (type === 'str') return decodeEscapes(value);
  return type === 'inlineStr' ? inline : '';
}

/** Creates a reader of texts in runs, without their readings (`rPh`). */
function createStringReader(item: string, onText: (text: string) => void): XmlHandler {
  let parts: string[] = [];
  let isText = false;
  let readings = 0;
  return {
    open({ name }) {
      if (name === item) parts = [];
      else if (name === 'rPh') readings++;
      else isText = name === 't' && readings === 0;
    },
    text(text) {
      if (isText) parts.push(text);
    },
    close({ name }) {
      isText = false;
      if (name === 'rPh') readings--;
      else if (name === item) onText(decodeEscapes(parts.join('')));
    },
  };
}

/** Decodes characters that XML cannot hold (ISO/IEC 29500-1, 22.9.2.19). */
function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  const decoded = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return decoded.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}
