/**
 * Writes the results of the implementations of this repository to vectors/claims, which the site shows: all of them, or those
 * that are named. It takes minutes: `npx tsx test/tools/generate/claims.ts [NAME…]`, after `npm run build`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, countOutcomes } from '../../../src/conformance/judge/conformance-classes.ts';
import type { Results } from '../../../src/conformance/records/results-file.ts';
import { implementations } from '../../adapters/implementations.ts';
import { installWheel, wheelAdapter } from '../../adapters/wheel.ts';

const root = new URL('../../../', import.meta.url).pathname;

/** The implementations: the reference itself, and the adapters, with the commands that run them. */
const COMMANDS: readonly (readonly [name: string, command: () => readonly string[]])[] = [
  ['reference', () => []],
  ...implementations.map(({ name, command }) => [name, () => commandOf(name, command())] as const),
  [
    'wheel',
    () => {
      const { env, python } = installWheel();
      return ['env', `PYTHONPATH=${env['PYTHONPATH']}`, ...wheelAdapter(python)];
    },
  ],
];

function commandOf(name: string, command: readonly string[] | { readonly missing: string }): readonly string[] {
  if ('missing' in command) throw new Error(`${name}: ${command.missing} is missing`);
  return command;
}

/** Tests an implementation; the command builds a program of this machine, so the results name the folder of its source. */
function resultsOf(name: string, command: readonly string[]): Results {
  const file = join(work, `${name}.json`);
  const args = ['conformance', '--quiet', '--results', file, ...(command.length === 0 ? [] : ['--', ...command])];
  const { status } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} does not conform`);
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return {
    ...results,
    adapter: { ...results.adapter, command: command.length === 0 ? [] : [`vectors/adapters/${name}`] },
  };
}

/** Summarises results: the counts of each group stand in place of the vectors. */
function summaryOf({ vectors, ...results }: Results): Results {
  const names = new Set(Object.keys(vectors).map((id) => id.split('/')[0]!));
  const countsOf = (group: string): Counts =>
    countOutcomes(Object.entries(vectors).flatMap(([id, result]) => (id.startsWith(`${group}/`) ? [result] : [])));
  return { ...results, groups: Object.fromEntries([...names].map((name) => [name, countsOf(name)])), vectors: {} };
}

const wanted = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'simhash-doc-claims-'));
try {
  for (const [name, command] of COMMANDS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const file = join(root, 'vectors/claims', `${name}.json`);
    writeFileSync(file, JSON.stringify(summaryOf(resultsOf(name, command())), null, 2));
    execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', '--log-level=error', file], {
      cwd: root,
    });
    console.log(file);
  }
} finally {
  rmSync(work, { recursive: true });
}
