import type { ExtractionLimits } from '../limits.ts';
import { type DateKind, dateText, numberText, shortDate } from '../render/values.ts';
import { parseXml, type XmlElement, type XmlHandler } from '../xml/parser.ts';

/** What the sheets of a workbook share. */
export interface Workbook {
  /** Gives a text by its place in the table that the cells refer to. */
  sharedText(index: string): string;
  /** Gives the kind of a date by the style of its cell; undefined if the style shows a number. */
  dateKind(style: string): DateKind | undefined;
  /** Whether dates count from 1904. */
  readonly is1904: boolean;
}

/** A cell that is open. */
interface Cell {
  readonly type: string;
  readonly style: string;
  value: string;
  /** The text that stands in the cell itself. */
  inline: string;
}

/** Reads the cells of a sheet (SpreadsheetML). */
export interface SheetReader extends XmlHandler {
  /** Returns the rows as lines, with tabs between cells. */
  end(): string;
}

/** Creates a reader of one sheet. */
export function createSheetReader(workbook: Workbook): SheetReader {
  const rows: string[] = [];
  let cells: string[] = [];
  let cell: Cell | null = null;
  const inline = createStringReader((text) => {
    if (cell !== null) cell.inline = text;
  }, 'is');
  let isValue = false;
  return {
    open(element) {
      const { name, attribute } = element;
      if (name === 'row') cells = [];
      else if (name === 'c')
        cell = { type: attribute('t') ?? 'n', style: attribute('s') ?? '0', value: '', inline: '' };
      else if (name === 'v') isValue = true;
      else inline.open(element);
    },
    text(text) {
      if (isValue && cell !== null) cell.value += text;
      else inline.text(text);
    },
    close(element) {
      const { name } = element;
      if (name === 'v') isValue = false;
      else if (name === 'c') {
        const text = cell === null ? '' : cellText(cell, workbook);
        if (text !== '') cells.push(text);
        cell = null;
      } else if (name === 'row') {
        if (cells.length > 0) rows.push(cells.join('\t'));
      } else inline.close(element);
    },
    end: () => rows.join('\n'),
  };
}

/** Writes the value of a cell, as it is stored; that of an error is none. */
function cellText({ type, style, value, inline }: Cell, workbook: Workbook): string {
  if (type === 'inlineStr') return inline;
  if (value === '' || type === 'e') return '';
  if (type === 's') return workbook.sharedText(value);
  if (type === 'str') return decodeEscapes(value);
  if (type === 'b') return value.trim() === '0' ? 'FALSE' : 'TRUE';
  if (type === 'd') return shortDate(value);
  const kind = workbook.dateKind(style);
  return kind === undefined ? numberText(value) : dateText(value, kind, workbook.is1904);
}

/** Reads the table of texts that cells refer to. */
export function readSharedStrings(markup: string, limits: ExtractionLimits): string[] {
  const texts: string[] = [];
  parseXml(
    markup,
    createStringReader((text) => texts.push(text), 'si'),
    limits,
  );
  return texts;
}

/** Creates a reader of texts in runs, without their readings (`rPh`). */
function createStringReader(onText: (text: string) => void, item: string): XmlHandler {
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

/** The formats of dates and times that have a number of their own. */
const DATES: ReadonlySet<number> = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);
const TIMES: ReadonlySet<number> = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]);

/**
 * Reads which styles of cells show dates.
 * @returns the kind by the place of the style
 */
export function readDateStyles(markup: string, limits: ExtractionLimits): (DateKind | undefined)[] {
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let isCells = false;
  const handler: XmlHandler = {
    open({ name, attribute }: XmlElement) {
      const id = Number(attribute('numFmtId'));
      if (name === 'cellXfs') isCells = true;
      else if (name === 'numFmt') formats.set(id, attribute('formatCode') ?? '');
      else if (name === 'xf' && isCells) styles.push(id);
    },
    close({ name }) {
      if (name === 'cellXfs') isCells = false;
    },
    text: () => undefined,
  };
  parseXml(markup, handler, limits);
  return styles.map((id) => kindOf(id, formats.get(id)));
}

/** Excel's formats are no longer, in UTF-16 units. */
const MAX_FORMAT = 255;

/** The kind of dates that a format shows; undefined for one of numbers. */
function kindOf(id: number, format: string | undefined): DateKind | undefined {
  if (format === undefined) return DATES.has(id) ? 'date' : TIMES.has(id) ? 'time' : undefined;
  // Only the format of positive numbers, without texts, escaped signs, colours, currencies and conditions.
  const [shown = ''] = format
    .slice(0, MAX_FORMAT)
    .replace(/"[^"]*"?|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';', 1);
  if (/general/i.test(shown)) return undefined;
  if (/[yd]|mmm|(?<![e0#?])e(?![+-])/i.test(shown)) return 'date';
  return /[hs]|\[m/i.test(shown) ? 'time' : /m/i.test(shown) ? 'date' : undefined;
}
