/**
 * Changes the rooms other than src/scheme/ by machine, at places that a seed chooses, and runs the tests that call
 * the function: `npm run mutate -- --rooms [ROOM…] --count 25 --seed 1`. Prints the score of each room and the
 * survivors. Everything happens in a copy in build/mutate/rooms/. The map of which test calls what takes ten minutes;
 * `--map` makes it anew, and `--tests FILE` for one test file.
 */
import { parseArgs } from 'node:util';
import { createRandom } from '../../bench/corpus.ts';
import { type Change, findPlaces } from './places.ts';
import { type Fate, hasMap, mapTests, readMap, testsOf, tryMutant } from './tests.ts';
import { copyTree, filesOf, sourceOf, writeModule } from './tree.ts';

const ROOMS = ['cli', 'conformance', 'documents', 'duplicates', 'extract', 'fingerprint', 'lookup', 'site'];

interface Mutant extends Change {
  readonly file: string;
}

/** Chooses mutants of a room: any place is as likely as another. */
function choose(room: string, count: number, seed: number): Mutant[] {
  const all = filesOf(room).flatMap((file) =>
    findPlaces(sourceOf(file)).changes.map((change) => ({ file, ...change })),
  );
  const random = createRandom(seed);
  const chosen = Array.from({ length: Math.min(count, all.length) }, () => all.splice(random() % all.length, 1));
  return chosen.flat();
}

const onOneLine = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 80);

async function run(room: string, count: number, seed: number): Promise<void> {
  const map = readMap();
  const fates: Fate[] = [];
  for (const { file, start, end, replacement, line, kind } of choose(room, count, seed)) {
    const source = sourceOf(file);
    const places = findPlaces(source);
    const tests = testsOf(map, file, places, start);
    let fate: Fate;
    try {
      writeModule(file, source.slice(0, start) + replacement + source.slice(end));
      fate = await tryMutant(tests);
    } finally {
      writeModule(file, source);
    }
    fates.push(fate);
    console.error(`${room}: ${fates.length} of ${count}`);
    if (fate !== 'killed') {
      const change = `${onOneLine(source.slice(start, end))} -> ${onOneLine(replacement)}`;
      console.log(`${fate}: ${file}:${line} (${kind}; ${tests.length} test files): ${change}`);
    }
  }
  const found = fates.filter((fate) => fate === 'killed' || fate === 'timed out').length;
  const notRun = fates.filter((fate) => fate === 'not run').length;
  console.log(`${room}: ${found} of ${fates.length} mutants fail a test; no fast test runs ${notRun}. Seed ${seed}.`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rooms: { type: 'boolean' },
    map: { type: 'boolean' },
    tests: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
  },
});
const unknown = positionals.filter((room) => !ROOMS.includes(room));
if (unknown.length > 0) throw new Error(`no such room: ${unknown.join(', ')}; known: ${ROOMS.join(', ')}`);
copyTree();
if (values.map || !hasMap()) await mapTests(ROOMS, []);
else if (values.tests.length > 0) await mapTests(ROOMS, values.tests);
for (const room of positionals.length > 0 ? positionals : ROOMS)
  await run(room, Number(values.count), Number(values.seed));
