import { mkdirSync, writeFileSync } from 'node:fs';
import { formatJson } from '../generate/json.ts';
import { type Card, REPORTS, readCards, readNotes } from './card.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { PAGE, pageOf } from './page.ts';

/** The report on a library with its texts as they are now. */
export function withTexts(library: Library, card: Card): Card {
  const { chosen, strengths, differs, changes, licence, released } = library;
  const { released: _, ...about } = card.library;
  return {
    ...card,
    library: { ...about, licence, ...(released !== undefined && { released }) },
    ...{ chosen, strengths, differs, changes },
  };
}

/** The text of a report. */
export function textOf(card: Card): string {
  return `${formatJson(card, '', 0, 2)}\n`;
}

/** Writes the report on a library. */
export function writeCard(library: Library, card: Card): void {
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(new URL(`${library.id}.json`, REPORTS), textOf(withTexts(library, card)));
}

/** Writes the texts of libraries.ts in the reports of those that were run before. */
export function writeTexts(): void {
  const cards = readCards();
  for (const library of LIBRARIES) {
    const card = cards.get(library.id);
    if (card !== undefined) writeCard(library, card);
  }
}

/** Writes the page of all reports. */
export function writePage(): void {
  writeFileSync(PAGE, pageOf(readCards(), readNotes()));
}
