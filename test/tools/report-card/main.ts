/**
 * The report card: `npm run report-card` installs each library of vectors/reports/ in build/report-card/, runs it, and writes
 * its report and vectors/REPORT-CARD.md. `npm run report-card -- ID…` runs only these; `npm run generate -- report-card` runs
 * none and writes the page. What a library depends on is installed in the versions of its last report; `-- --update` takes newer ones. A library that cannot be installed or run keeps its last report, and the exit code is then 1.
 */
import { join } from 'node:path';
import { readCards } from './card.ts';
import { install } from './install.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { measure } from './measure.ts';
import { writeCard, writePage } from './write.ts';

const FOLDER = new URL('../../../build/report-card/', import.meta.url).pathname;

async function run(library: Library): Promise<void> {
  const started = Date.now();
  const pinned = isUpdate ? {} : cards.get(library.id)?.library.installed;
  const card = await measure(library, install(library, join(FOLDER, library.id), pinned));
  writeCard(library.id, card);
  const { passed, failed } = card.counts;
  console.log(`${library.id}: ${passed} right, ${failed} wrong; ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

const cards = readCards();
const ids = process.argv.slice(2).filter((word) => word !== '--update');
const isUpdate = process.argv.includes('--update');
const unknown = ids.filter((id) => !LIBRARIES.some((library) => library.id === id));
if (unknown.length > 0) {
  console.error(`no such library: ${unknown.join(', ')}; known: ${LIBRARIES.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}
const chosen = LIBRARIES.filter(({ id }) => ids.includes(id) || ids.length === 0);
for (const library of chosen)
  await run(library).catch((error: Error) => {
    console.error(`${library.id}: ${error.message}`);
    process.exitCode = 1;
  });
writePage();
