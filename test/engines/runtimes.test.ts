import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadManifest } from '../../src/conformance/suite/load-suite.ts';
import { isThere } from '../adapters/implementations.ts';
import { runToEnd } from '../process.ts';
import { PDFS, textsOfPdfs } from './pdfs.ts';
import { installed, root } from './tools.ts';

/** Engines of JavaScript outside a browser: the npm package that has it, its program there, and arguments of its own. */
const RUNTIMES = [
  ['node@20', 'node/bin/node', []],
  ['node@22', 'node/bin/node', []],
  ['node@24', 'node/bin/node', []],
  ['node@26', 'node/bin/node', []],
  ['bun@1.4', '.bin/bun', []],
  ['deno@2.9', '.bin/deno', ['run', '--allow-all', '--quiet']],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-engines-'));
beforeAll(() => {
  writeFileSync(join(folder, 'fox.txt'), 'The quick brown fox jumps over the lazy dog.\n');
  for (const [name, bytes] of PDFS) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'fox.html'), '<p>The quick brown <b>fox</b> jumps over the <i>lazy</i> dog.');
});

describe.each(RUNTIMES)('the runtime %s', (specifier, path, args) => {
  const modules = installed(specifier);
  const program = modules && join(modules, path);
  const there = isThere(`the npm package ${specifier}`, program !== undefined && existsSync(program));
  const run = (file: string, ...more: string[]) => {
    return runToEnd([program!, ...args, join(root, file), ...more], { cwd: folder });
  };

  test.skipIf(!there)('computes every vector', () => {
    const { stdout, end } = run('dist/cli/start.js');
    const groups = [...stdout.matchAll(/^ {2}(\S+) +(\d+) passed, 0 failed$/gm)];
    expect(groups.map(([, group]) => group)).toEqual(Object.keys(loadManifest().groups));
    for (const [, , passed] of groups) expect(Number(passed)).toBeGreaterThan(0);
    expect(stdout).toMatch(/\n\d+ passed, 0 failed\n/);
    expect(end).toBe('exit 0');
  });

  test.skipIf(!there).each([
    ['alone', ['-j', '1', 'fox.txt', 'fox.html']],
    ['with workers', ['-j', '2', 'fox.txt', 'fox.html']],
  ])('runs the command, %s', (_how, names) => {
    expect(run('dist/cli/main.js', 'hash', ...names)).toEqual({
      end: 'exit 0',
      stdout: 'simhash-doc:4L3UPEMLCUTGM  fox.txt\nsimhash-doc:4L3UPEMLCUTGM  fox.html\n',
      stderr: expect.stringMatching(/^simhash-doc: warning: 2 documents have fewer than 80 tokens: .*\n$/),
    });
  });

  test.skipIf(!there)('extracts the exact text of every PDF', async () => {
    const { stdout, stderr, end } = run('test/engines/texts.mjs', folder);
    expect({ end, stderr }).toEqual({ end: 'exit 0', stderr: '' });
    expect(JSON.parse(stdout)).toEqual(await textsOfPdfs());
  });

  test.skipIf(!there)('runs workers, and reads and writes index files', () => {
    const { stdout, stderr, end } = run('test/engines/workers.mjs', folder);
    expect({ end, stderr }).toEqual({ end: 'exit 0', stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      html: 'The quick brown fox',
      pdf: true,
      timeout: 'timeout',
      index: 'a',
    });
  });
});
