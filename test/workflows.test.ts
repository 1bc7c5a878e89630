import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import './built.ts';
import { isThere, succeeds } from './adapters/implementations.ts';
import { address, addressedFiles } from './tools/generate/address.ts';

const root = new URL('../', import.meta.url).pathname;
const folder = `${root}.github/workflows/`;
const workflows = readdirSync(folder).map((name) => [name, readFileSync(folder + name, 'utf8')] as const);
const textOf = (name: string): string => workflows.find(([each]) => each === name)?.[1] ?? '';

test.each(workflows)('the actions of %s are pinned, with read-only permissions by default', (_name, text) => {
  const used = [...text.matchAll(/uses: *(\S+)/g)].map(([, action]) => action!);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^\.\/|@[\da-f]{40}$/);
  expect(text).toContain('\npermissions:\n  contents: read\n');
  // Text of a pull request must not become part of a command, nor run with the secrets of the repository.
  expect(text).not.toMatch(/pull_request_target|github\.event/);
});

test('the fast suite runs on every change, and all of them each night and before a release', () => {
  expect(textOf('ci.yml')).toMatch(
    /pull_request:[\s\S]*ubuntu[^\n]*run: npm test[\s\S]*macos[^\n]*run: npm test[\s\S]*windows/,
  );
  expect(textOf('nightly.yml')).toMatch(/schedule:[\s\S]*- run: \.ci\/run\n/);
  expect(textOf('release.yml')).toMatch(/uses: \.\/\.github\/workflows\/nightly\.yml[\s\S]*needs: all\n/);
});

test('the action writes the summary of the job, and fails if the implementation does', () => {
  if (!isThere('python3', succeeds('python3', '--version'))) return;
  const text = readFileSync(`${root}.github/actions/conformance/action.yml`, 'utf8');
  const script = /run: \|\n((?: {8}.*\n)+)/.exec(text)![1]!.replace(/^ {8}/gm, '');
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-action-'));
  const runWith = (command: string): [code: number | null, summary: string] => {
    const summary = join(folder, 'summary.md');
    const env = { ...process.env, COMMAND: command, OPTIONS: '--group serialise --random 0', PACKAGE: root };
    const files = { RESULTS: join(folder, 'results.json'), RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: summary };
    writeFileSync(summary, '');
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd: root, env: { ...env, ...files } });
    return [status, readFileSync(summary, 'utf8')];
  };
  expect(runWith('python3 vectors/adapters/python/adapter.py')).toEqual([
    0,
    expect.stringMatching(/```\n[\s\S]*✓ all/),
  ]);
  expect(runWith('python3 -c pass')).toEqual([3, expect.stringContaining('## simhash-doc conformance')]);
});

test('the image installs every optional package', () => {
  const { peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const text = readFileSync(`${root}Dockerfile`, 'utf8');
  for (const name of Object.keys(peerDependencies)) expect(text).toMatch(new RegExp(` ${name}[ \\n]`));
});

test('the address is written only in homepage of package.json, and is the same everywhere', () => {
  const home = address();
  expect(home).toMatch(/^https:\/\/[^\s"]+\/$/);
  for (const [path, text] of addressedFiles(home)) expect(readFileSync(root + path, 'utf8'), path).toBe(text);
  // It is an address of each schema, and no two have the same.
  const ids = [...addressedFiles('https://other.example/')].flatMap(([path, text]) =>
    path.endsWith('.schema.json') ? [[path, JSON.parse(text).$id]] : [],
  );
  expect(ids.length).toBeGreaterThan(20);
  for (const [path, id] of ids) expect(id).toBe(`https://other.example/${path}`);
});
