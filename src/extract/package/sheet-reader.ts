import type { ExtractionLimits } from '../limits.ts';
import { parseXml, type XmlHandler } from '../xml/parser.ts';
import type { Renderer } from '../xml/render.ts';

/** Returns a text by its place in the table that the cells of all sheets refer to. */
export type SharedText = (index: string) => string;

interface Cell {
  readonly type: string | undefined;
  value: string;
  inline: string;
}

/** Creates a reader of the texts in the cells of a sheet (SpreadsheetML): rows are lines, with tabs between cells. */
export function createSheetReader(sharedText: SharedText): Renderer {
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
function textOf({ type, value, inline }: Cell, sharedText: SharedText): string {
  if (type === 's') return sharedText(value);
  if (type === 'str') return decodeEscapes(value);
  return type === 'inlineStr' ? inline : '';
}

export function readSharedStrings(markup: string, limits: ExtractionLimits): string[] {
  const texts: string[] = [];
  const reader = createStringReader('si', (text) => texts.push(text));
  parseXml(markup, reader, limits);
  return texts;
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
