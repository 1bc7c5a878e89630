import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomOf } from '../../lookup/data.ts';
import { isRunning, kill } from '../../process.ts';
import { folder, lettersOf, MAIN, PRINT_PEAK, run, runProcess } from '../command.ts';

const OPTIONS = ['--text-field', 'text', '--out', 'out.jsonl', '--duplicates', 'dup.jsonl', '--quiet'];

/** Writes rows; every fifth one is the text of the one before, every seventh one differs from it in a word. */
async function writeRows(path: string, rows: number, words: number): Promise<void> {
  const file = createWriteStream(path);
  let text = '';
  const random = randomOf(1);
  for (let row = 0; row < rows; row++) {
    if (row % 7 === 6) text += ' more';
    else if (row % 5 !== 4) text = Array.from({ length: words }, () => `w${random() % 1_000_000}`).join(' ');
    if (!file.write(`{"id":${row},"text":"${text}"}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

test('OUT is missing or whole whenever dedupe is killed', async () => {
  const cwd = folder();
  await writeRows(join(cwd, 'in.jsonl'), 20_000, 40);
  await run(['dedupe', 'in.jsonl', ...OPTIONS], { cwd });
  const whole = readFileSync(join(cwd, 'out.jsonl'));
  const outcomes = new Set<string>();
  for (let round = 0; round < 8; round++) {
    rmSync(join(cwd, 'out.jsonl'), { force: true });
    const child = spawn(process.execPath, [MAIN, 'dedupe', 'in.jsonl', ...OPTIONS], { cwd, stdio: 'ignore' });
    // Even rounds are killed while the rows are written, the others at any time before.
    const isDue = (): boolean => round % 2 === 1 || readdirSync(cwd).some((name) => name.endsWith('.tmp'));
    const start = performance.now();
    while (isRunning(child) && (!isDue() || performance.now() - start < 60 * round))
      await new Promise((resolve) => setImmediate(resolve));
    await kill(child);
    const isMissing = !existsSync(join(cwd, 'out.jsonl'));
    expect(isMissing || readFileSync(join(cwd, 'out.jsonl')).equals(whole)).toBe(true);
    outcomes.add(isMissing ? 'missing' : 'whole');
  }
  expect(outcomes.has('missing')).toBe(true);
  rmSync(join(cwd, 'out.jsonl'), { force: true });
  await run(['dedupe', 'in.jsonl', ...OPTIONS], { cwd });
  expect(readFileSync(join(cwd, 'out.jsonl')).equals(whole)).toBe(true);
  // The files that killed processes left are gone.
  expect(readdirSync(cwd).sort()).toEqual(['dup.jsonl', 'in.jsonl', 'out.jsonl']);
});

test('200,000 rows take less than 400 MB of memory', async () => {
  const cwd = folder();
  await writeRows(join(cwd, 'in.jsonl'), 200_000, 12);
  const { code, stdout, stderr } = await runProcess(['dedupe', 'in.jsonl', ...OPTIONS], { cwd, node: PRINT_PEAK });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^out.jsonl: kept \d/) });
  expect(Number(stderr.trim().split('\n').at(-1))).toBeLessThan(400_000);
});

test('copies are found among similar rows whose tokens do not fit into memory together', async () => {
  const cwd = folder();
  const random = randomOf(2);
  // By Zipf's law: the word of rank r has a share of 1/r.
  const word = (): string => `w${lettersOf(Math.floor(3000 ** (random() / 2 ** 32)))}`;
  const rows: string[][] = [];
  const copies: number[] = [];
  for (let row = 0; row < 30_000; row++) {
    if (row % 100 === 99) {
      copies.push(row);
      rows.push(rows[row - 99]!.map((each, i) => (i % 90 === 0 ? word() : each)));
    } else rows.push(Array.from({ length: 300 }, word));
  }
  writeFileSync(join(cwd, 'in.jsonl'), rows.map((text) => `${JSON.stringify({ text: text.join(' ') })}\n`).join(''));
  expect(await run(['dedupe', 'in.jsonl', ...OPTIONS], { cwd })).toMatchObject({
    code: 0,
    stdout: `out.jsonl: kept 29,700 of 30,000 rows, removed 300, of which 0 identical\n`,
  });
  const removed = readFileSync(join(cwd, 'dup.jsonl'), 'utf8').trim().split('\n');
  expect(removed.map((line) => JSON.parse(line)).map(({ row, kept }) => [row - 1, kept.row - 1])).toEqual(
    copies.map((row) => [row, row - 99]),
  );
});
