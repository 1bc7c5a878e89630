import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { DRAW, TABLE } from './opendocument-names.ts';
import type { XmlElement } from './parse-xml.ts';

interface Cell {
  readonly times: number;
  /** False for a number, a date, a truth value or an error. */
  readonly holdsText: boolean;
  readonly paragraphs: Paragraphs;
}

interface Row {
  readonly times: number;
  readonly texts: string[];
}

/** Creates the rules of a spreadsheet: rows of texts, and the text of the shapes of a sheet after them (MED-9). */
export function createSheetRules(body: Paragraphs, count: (units: number) => void) {
  const rows: Row[] = [];
  const cells: Cell[] = [];
  let drawn = createParagraphs();
  let tables = 0;
  /** The number of open elements in a shape, and the shape itself. */
  let depth = 0;

  const repeat = (text: string, { times }: Cell | Row, separator: string): string => {
    count(times * (text.length + 1));
    return `${text}${separator}`.repeat(times - 1) + text;
  };
  const closeCell = (): void => {
    const cell = cells.pop();
    if (cell?.holdsText !== true) return;
    const text = cell.paragraphs.end();
    if (text !== '') rows.at(-1)?.texts.push(repeat(text, cell, '\t'));
  };
  const closeRow = (): void => {
    const row = rows.pop();
    if (row !== undefined && row.texts.length > 0) body.add(repeat(row.texts.join('\t'), row, '\n'));
  };
  return {
    /** Returns where text goes in an element that is opened, null for nowhere. */
    open(element: XmlElement, area: Paragraphs | null): Paragraphs | null {
      const { namespace, name, attribute } = element;
      if (depth > 0) depth++;
      else if (tables > 0 && (namespace === DRAW || (namespace === TABLE && name === 'shapes'))) {
        depth = 1;
        return drawn;
      } else if (namespace === TABLE && name === 'table') tables++;
      else if (namespace === TABLE && name === 'table-row')
        rows.push({ times: timesOf(attribute('table:number-rows-repeated')), texts: [] });
      else if (namespace === TABLE && name === 'table-cell') {
        const times = timesOf(attribute('table:number-columns-repeated'));
        const paragraphs = createParagraphs();
        const type = attribute('calcext:value-type') ?? attribute('office:value-type') ?? 'string';
        cells.push({ times, holdsText: type === 'string', paragraphs });
        return paragraphs;
      }
      return area;
    },
    /** Returns where text goes behind an element. */
    close({ namespace, name }: XmlElement, area: Paragraphs | null): Paragraphs | null {
      if (depth > 0 && --depth > 0) return area;
      if (namespace === TABLE && name === 'table-cell') closeCell();
      else if (namespace === TABLE && name === 'table-row') closeRow();
      else if (namespace === TABLE && name === 'table') {
        tables--;
        body.add(drawn.end());
        drawn = createParagraphs();
      }
      return cells.at(-1)?.paragraphs ?? null;
    },
  };
}

function timesOf(repeated: string | undefined): number {
  const times = Number(repeated ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}
