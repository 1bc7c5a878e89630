import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { MARKS, RUN_REPORTS, type RunReport } from '../../../src/cli/commands/conformance/report-options.ts';
import { parsePage } from '../../page.ts';
import { firstRows } from '../../suite.ts';
import { folder, jsonLines, jsonOf, run, stdoutOf } from '../command.ts';
import { SHORT, wrong } from './conformance-adapters.ts';

describe('conformance reports', () => {
  const cwd = folder();
  const paths = RUN_REPORTS.map((name) => [name, join(cwd, `report.${name}`)]);
  const files = Object.fromEntries(paths) as Record<RunReport, string>;
  const options = Object.entries(files).flatMap(([name, path]) => [`--${name}`, path]);
  const env = { SOURCE_DATE_EPOCH: '1700000000' };
  const read = (path: string): string => readFileSync(path, 'utf8');

  test('are written all at once', async () => {
    const { code, stdout } = await run(['conformance', ...SHORT, ...options, ...wrong('words-swapped')], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Conformance to simhash-doc/);
    for (const name of RUN_REPORTS) expect(read(files[name]), `--${name}`).toMatch(MARKS[name]);

    const xml = new SaxesParser();
    const names: string[] = [];
    xml.on('error', (error) => {
      throw error;
    });
    xml.on('opentag', ({ name }) => names.push(name));
    xml.write(read(files.junit)).close();
    expect(new Set(names)).toEqual(
      new Set(['testsuites', 'testsuite', 'properties', 'property', 'testcase', 'failure', 'system-out']),
    );

    expect(parsePage(read(files.html)).errors).toEqual([]);

    expect(JSON.parse(read(files.results))).toMatchObject({
      ...{ kind: 'simhash-doc-results', format: 1, date: '2023-11-14T22:13:20Z' },
      adapter: { name: 'words-swapped' },
      selection: '--filter token-hash/four,token-hash/ascii-,simhash/,tables/digits',
      random: { seed: 1 },
    });
  });

  test('compare several results side by side', async () => {
    const other = join(cwd, 'other.json');
    const args = ['conformance', ...SHORT, '--quiet', '--results', other, ...wrong('right')];
    expect((await run(args, { env })).code).toBe(0);
    const stdout = await stdoutOf(['conformance', 'report', files.results, other, '--html', '-']);
    expect(stdout).toContain('<th scope="col"><span>words-swapped</span></th><th scope="col"><span>right</span></th>');
    const bad = await run(['conformance', 'report', 'package.json', '--html', '-']);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('expected "kind": "simhash-doc-results"');
  });

  test('compare our results with the report card', async () => {
    const theirs = new URL('../../../vectors/reports/', import.meta.url).pathname;
    const results = [files.results, `${theirs}npm-simhash.json`];
    const stdout = await stdoutOf(['conformance', 'report', ...results, '--html', '-']);
    expect(stdout).toContain(
      '<th scope="col"><span>words-swapped</span></th><th scope="col"><span>simhash</span></th>',
    );
    expect(stdout).toContain('<p>Summaries without single vectors: simhash.</p>');
  });

  test('claim nothing for a part of the vectors', async () => {
    const path = join(cwd, 'claim.json');
    const { code, stderr } = await run(['conformance', 'report', files.results, '--claim', path]);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing can be claimed');
    expect(existsSync(path)).toBe(false);
  });

  test.each(
    firstRows(1, [
      ['junit', /^<\?xml version="1\.0"/],
      ['html', /^<!DOCTYPE html>/],
      ['results', /^\{\n {2}"kind": "simhash-doc-results"/],
    ]),
  )('go to standard output alone with --%s -', async (name, start) => {
    const { stdout, stderr } = await run(['conformance', ...SHORT, `--${name}`, '-']);
    expect(stdout).toMatch(start);
    expect(stdout).not.toContain('Conformance classes\n');
    expect(stderr).toBe('');
  });

  test('have an object for each vector, then the rest, with --json', async () => {
    const lines = jsonLines((await run(['conformance', ...SHORT, '--json', ...wrong('words-swapped')])).stdout);
    expect(lines.slice(0, -1).every(({ type }) => type === 'vector')).toBe(true);
    expect(lines.filter(({ status }) => status === 'fail')[0]).toMatchObject({
      ...{ operation: 'token-hash', place: 'hash', expected: {}, actual: {}, outcome: expect.any(String) },
    });
    const summary = lines.at(-1)!;
    expect(summary).toMatchObject({ type: 'summary', suite: { version: expect.any(String) }, random: { seed: 1 } });
    expect(summary).toMatchObject({ counts: { failed: lines.filter(({ status }) => status === 'fail').length } });
  });

  test('repeat random cases with --seed', async () => {
    const seeds = await Promise.all(
      [['--seed', '7'], []].map(async (seed) => {
        const args = ['conformance', '--json', '--filter', 'token-hash/ab', '--random', '3', ...seed];
        return ((await jsonOf(args)).at(-1)!['random'] as { seed: number }).seed;
      }),
    );
    expect(seeds[0]).toBe(7);
    expect(seeds[1]).not.toBe(7);
  });
});

test.each([
  ['an adapter that cannot be run', [...SHORT, '--', process.execPath, '-e', 'process.exit(1)'], 3],
  ['wrong usage', ['--skip', 'missing.txt'], 2],
])('no report is written for %s', async (_, args, code) => {
  const cwd = folder();
  const options = RUN_REPORTS.flatMap((name) => [`--${name}`, name]);
  expect(await run(['conformance', ...options, ...args], { cwd })).toMatchObject({ code });
  expect(readdirSync(cwd)).toEqual([]);
});
