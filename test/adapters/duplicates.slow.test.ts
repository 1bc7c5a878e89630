import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { findDuplicatePairs, findDuplicates, removeDuplicates } from '../../src/duplicates/index.ts';
import { MIN_BANDED } from '../../src/duplicates/near/bands.ts';
import { fingerprint } from '../../src/index.ts';
import { run as command } from '../cli/command.ts';
import { runs } from '../suite.ts';
import { createRandom } from '../tools/bench/corpus.ts';
import { isThere } from './implementations.ts';
import { canBuildWheel, type InstalledWheel, installWheel } from './wheel.ts';

/** Defines `rows` and the form in which removals are printed. */
const READ = `
import json, sys, simhash_doc as sd
def read(name): return [json.loads(line) for line in open(f"{name}.jsonl")]
def removed(found): return [found.kept, [[m.row, m.kept, m.distance, int(m.overlap * 10000)] for m in found.removed], found.different]
rows = read("rows")
`;

const REMOVE = `${READ}
print(json.dumps(removed(sd.dedupe(rows, text="text", ignore_numbers=True))))
`;

/** Compares the rows of a file, and with `against` those of another one; prints a JSON object. */
const FIND = `${READ}
least = float(sys.argv[1])
references = read("references")
print(json.dumps({
    "dedupe": removed(sd.dedupe(rows, text="text")),
    "longest": removed(sd.dedupe(iter(rows), text="text", keep="longest", ignore_numbers=True, min_overlap=least)),
    "against": removed(sd.dedupe(rows, text=lambda row: row["text"], against=references)),
    "groups": [[g.kept, [[m.row, m.distance, m.overlap, list(m.differs)] for m in g.members]] for g in sd.find_duplicates(rows, text="text")],
    "pairs": [[m.kept, m.row, m.distance, m.overlap, list(m.differs)] for m in sd.find_pairs(rows, text="text")],
}))
`;

const root = new URL('../../', import.meta.url).pathname;

/** Documents of the repository, whole and in paragraphs. */
function documents(): string[] {
  const pages = readdirSync(join(root, 'spec')).filter((name) => name.endsWith('.md'));
  const texts = ['README.md', 'SECURITY.md', ...pages.map((name) => `spec/${name}`)].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  return texts.flatMap((text) => [text, ...text.split('\n\n')]);
}

const word = fc.constantFrom(
  'water',
  'light',
  '7',
  '12.5',
  '東京',
  'Ma\u0308dchen',
  '٣',
  'x1y2',
  'not',
  'https://x.y/a',
  '—',
);
const page = fc
  .tuple(fc.nat(9), fc.nat(3), word, fc.nat(9))
  .map(
    ([a, b, c, d]) => `Command ${a}\n\n- Do the thing ${b} with ${c}:\n\n\`run --x ${d}\`\n- and more of this command`,
  );
/** A page with front matter, by each line end. */
const titled = fc
  .tuple(fc.constantFrom('\n', '\r\n', '\r'), fc.nat(2), word)
  .map(([end, title, last]) =>
    ['---', `title: ${title}`, '---', 'Of tides', 'They rise', `and fall ${last}`].join(end),
  );
const numbers = fc.array(fc.nat(3), { maxLength: 9 }).map((list) => `the price of item ${list.join(' ')} is fixed`);
const plain = fc.array(fc.nat(3), { maxLength: 2 }).map((list) => list.join(' '));
const edits = fc.array(fc.tuple(fc.nat(1 << 20), fc.nat(2), word), { maxLength: 6 });

/** A text with some words replaced, left out or put in. */
function edit(text: string, changes: readonly (readonly [number, number, string])[]): string {
  const words = text.split(' ');
  for (const [at, removed, added] of changes) words.splice(at % words.length, removed, added);
  return words.join(' ');
}

const rowsOf = (originals: readonly string[]): fc.Arbitrary<string[]> => {
  const copy = fc.tuple(fc.constantFrom(...originals), edits).map(([text, changes]) => edit(text, changes));
  const row = fc.oneof({ weight: 5, arbitrary: copy }, page, titled, numbers, plain);
  return fc.array(row, { minLength: 100, maxLength: 1000, size: 'max' });
};

describe.skipIf(!isThere('cargo, or maturin in build/python,', canBuildWheel()))('duplicates in Python', () => {
  let wheel: InstalledWheel;
  let folder: string;

  beforeAll(() => {
    wheel = installWheel();
  });

  const write = (name: string, texts: readonly string[]): void =>
    writeFileSync(join(folder, name), texts.map((text, id) => `${JSON.stringify({ id: `${id}`, text })}\n`).join(''));
  const read = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  function runPython(...args: readonly string[]) {
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
    const { status, stdout, stderr } = spawnSync(wheel.python, ['-B', '-c', ...args], options);
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  /** Returns what the command removes, in the form that Python prints. */
  async function dedupe(...options: readonly string[]): Promise<unknown[]> {
    const lists = ['--groups', 'groups.jsonl', '--duplicates', 'removed.jsonl'];
    for (const name of ['groups.jsonl', 'removed.jsonl']) rmSync(join(folder, name), { force: true });
    const fields = ['--text-field', 'text', '--id-field', 'id'];
    const { code, stderr } = await command(['dedupe', 'rows.jsonl', ...fields, ...lists, ...options], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    const groups = read('groups.jsonl');
    return [
      groups.filter(({ kept }) => kept).map(({ id }) => Number(id)),
      read('removed.jsonl').map(({ id, kept, distance, overlap }) => [
        Number(id),
        Number(kept.id),
        distance,
        Math.round(10_000 * overlap),
      ]),
      Object.fromEntries(groups.filter(({ differs }) => differs).map(({ id, differs }) => [id, differs])),
    ];
  }

  async function expectSame(rows: readonly string[], references: readonly string[], least: number): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'duplicates-'));
    write('rows.jsonl', rows);
    write('references.jsonl', references);
    const found = runPython(FIND, `${least}`);
    expect(found.dedupe).toEqual(await dedupe());
    const longest = ['--keep', 'longest', '--ignore-numbers', '--min-overlap', `${least}`];
    expect(found.longest).toEqual(await dedupe(...longest));
    expect(found.against).toEqual(await dedupe('--against', 'references.jsonl'));
    const items = rows.map((text, id) => ({ id: `${id}`, text }));
    const groups: unknown[] = [];
    for await (const { kept, members } of findDuplicates(items))
      groups.push([Number(kept), members.map(({ id, ...rest }) => [Number(id), ...Object.values(rest)])]);
    expect(found.groups).toEqual(groups);
    const pairs: unknown[] = [];
    for await (const { a, b, distance, overlap, differs } of findDuplicatePairs(items))
      pairs.push([Number(a), Number(b), distance, overlap, differs]);
    expect(found.pairs).toEqual(pairs);
    // The library keeps all texts without tokens; the command one of several equal ones.
    const kept: number[] = [];
    for await (const { id } of removeDuplicates(items)) kept.push(Number(id));
    const gone = new Set(found.dedupe[1].map(([row]: [number]) => row));
    expect(kept.filter((row) => gone.has(row)).every((row) => fingerprint(rows[row]!) === null)).toBe(true);
    expect(found.dedupe[0].filter((row: number) => !kept.includes(row))).toEqual([]);
  }

  test('are those of the command and of the library, row for row, in random edits of documents', async () => {
    // Below 0.8, pairs are farther apart.
    const least = fc.constantFrom(0.2, 0.5, 0.7, 0.9);
    const property = fc.asyncProperty(
      rowsOf(documents()),
      fc.array(fc.nat(999)),
      least,
      async (rows, picked, ...rest) => {
        await expectSame(rows, ['no row is like this one', ...picked.flatMap((at) => rows[at] ?? [])], ...rest);
      },
    );
    // Each smaller case takes a second: looking for the smallest would take hours.
    await fc.assert(property, { numRuns: runs(8), endOnFailure: true });
  });

  const letters = (i: number): string => i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
  test.each([
    [
      '4,000 rows that differ in numbers alone',
      Array.from({ length: 4000 }, (_, i) => `the report of station ${i % 1500} says ${i % 7} and no more`),
    ],
    [
      // Most rows are near each other, and only some overlap enough.
      '1,200 rows of one template',
      Array.from({ length: 1200 }, (_, i) =>
        Array.from(
          { length: 90 },
          (_, word) => `w${letters(word < 65 ? word : 99 + (((word % 4 === 0 ? i : i % 60) * word) % 101))}`,
        ).join(' '),
      ),
    ],
  ])('are the same of %s', async (_, rows) => {
    await expectSame(rows, [rows[17]!], 0.7);
  });

  test('are the same of so many rows that they are found by bands', async () => {
    const random = createRandom(3);
    const word = (): string => `w${letters(random() % 5000)}`;
    const rows = Array.from({ length: MIN_BANDED + 1 }, () => Array.from({ length: 33 }, word));
    for (const [i, row] of rows.slice(0, 20_000).entries())
      rows.push(row.map((each, at) => (at % 11 === i % 11 ? word() : each)));
    const texts = rows.map((row) => row.join(' '));
    folder = mkdtempSync(join(tmpdir(), 'duplicates-'));
    write('rows.jsonl', texts);
    const found = runPython(REMOVE);
    // In nearly every row whose copy is near it, 30 of 36 words are the same.
    expect(found[1].length).toBeGreaterThan(19_900);
    expect(await dedupe('--ignore-numbers')).toEqual(found);
    const items = texts.map((text, id) => ({ id: `${id}`, text }));
    const kept: number[] = [];
    for await (const { id } of removeDuplicates(items, { ignoreNumbers: true })) kept.push(Number(id));
    expect(kept).toEqual(found[0]);
  });
});
