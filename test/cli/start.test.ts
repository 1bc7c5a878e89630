import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MAIN } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-start-'));
const file = join(folder, 'a.txt');
writeFileSync(file, 'to be or not to be');
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the address of each module that is loaded, but for those of Node, to stderr. */
const LOADER = `import { writeSync } from 'node:fs';
export function load(url, context, next) { if (url.startsWith('file:')) writeSync(2, 'loads ' + url + '\\n'); return next(url, context); }`;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const register = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(LOADER))});`);

// Node takes about a millisecond to load a module, and these would be 62 modules.
test.each([
  ['--version', []],
  ['hash', [file]],
])('%s loads few modules', (name, rest) => {
  const { stderr, status } = spawnSync(process.execPath, ['--no-warnings', '--import', register, MAIN, name, ...rest], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const loaded = stderr.match(/^loads .*$/gm) ?? [];
  expect(loaded.length, stderr).toBeGreaterThan(0);
  expect(loaded.length, stderr).toBeLessThanOrEqual(4);
});
