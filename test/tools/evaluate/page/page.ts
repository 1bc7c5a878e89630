import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fillParts } from '../../generate/spec.ts';
import { choicesTable, meaningTable } from './choices.ts';
import { drawPlot, LAYOUTS } from './figure.ts';
import { makePanels } from './figures.ts';
import { drawPicture } from './picture.ts';
import * as scheme from './scheme.ts';

/** Generated parts of each page, by their names. */
const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'spec/evaluation.md': {
    collections: scheme.collectionsTable,
    ranges: () => scheme.rangesTable('thresholds'),
    'ranges-grams': () => scheme.rangesTable('grams'),
    entries: scheme.entriesTable,
    strangers: scheme.strangersTable,
    edits: scheme.editsTable,
    media: scheme.mediaTable,
    rivals: scheme.rivalsTable,
    removals: scheme.removalsTable,
    judged: scheme.judgedTable,
  },
  'src/site/guides/choosing.md': { choices: choicesTable, meaning: meaningTable, beside: scheme.rivalsTable },
};

/**
 * Makes the pages and plots of the evaluation from its results.
 * @returns contents by paths
 */
export function makeEvaluationPages(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [path, parts] of Object.entries(PAGES))
    files.set(path, fillParts(path, readFileSync(path, 'utf8'), parts));
  for (const [suffix, layout] of Object.entries(LAYOUTS))
    files.set(`spec/evaluation/thresholds${suffix}.svg`, drawPlot(makePanels(), layout));
  for (const scheme of ['light', 'dark'] as const)
    files.set(`spec/evaluation/found-${scheme}.svg`, drawPicture(scheme));
  return files;
}

/** Writes them. */
export function writeEvaluationPages(): void {
  mkdirSync('spec/evaluation', { recursive: true });
  for (const [path, content] of makeEvaluationPages()) writeFileSync(path, content);
}
