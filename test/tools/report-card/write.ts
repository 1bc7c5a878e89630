import { writeFileSync } from 'node:fs';
import { formatJson } from '../generate/json.ts';
import { type Card, REPORTS, readCards, readNotes } from './card.ts';
import { PAGE, pageOf } from './page.ts';

/** The text of a report. */
export function textOf(card: Card): string {
  return `${formatJson(card, '', 0, 2)}\n`;
}

/** Writes the report on a library. */
export function writeCard(id: string, card: Card): void {
  writeFileSync(new URL(`${id}.json`, REPORTS), textOf(card));
}

/** Writes the page of all reports, and the reports in their form. A library that was never run has only what was written by hand. */
export function writePage(): void {
  const cards = new Map([...readCards()].filter(([, card]) => 'asked' in card));
  for (const [id, card] of cards) writeCard(id, card);
  writeFileSync(PAGE, pageOf(cards, readNotes()));
}
