import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, MAIN, withHooks } from './command.ts';

/** Writes the address of each module that is loaded, but for those of Node, to stderr. */
const node = withHooks(`import { writeSync } from 'node:fs';
export function load(url, context, next) { if (url.startsWith('file:')) writeSync(2, 'loads ' + url + '\\n'); return next(url, context); }`);

// Node takes about a millisecond to load a module, and these would be 62 modules.
test.each([
  ['--version', []],
  ['hash', [join(folder({ 'a.txt': 'to be or not to be' }), 'a.txt')]],
])('%s loads few modules', (name, rest) => {
  const { stderr, status } = spawnSync(process.execPath, ['--no-warnings', ...node, MAIN, name, ...rest], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const loaded = stderr.match(/^loads .*$/gm) ?? [];
  expect(loaded.length, stderr).toBeGreaterThan(0);
  expect(loaded.length, stderr).toBeLessThanOrEqual(4);
});
