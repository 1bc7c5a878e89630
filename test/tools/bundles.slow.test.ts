import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));

/** Runs a script of package.json, which bundles a program and starts it, without the build that other tests use meanwhile. */
function runScript(name: string, ...args: readonly string[]) {
  const command = scripts[name].replace(/^npm run build && /, '');
  const path = `${ROOT}node_modules/.bin:${process.env['PATH']}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${command} "$@"`, 'sh', ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('npm run bench has all of its parts in the bundle, and names them', () => {
  expect(runScript('bench', 'nothing')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^bench: expected one of fingerprint, .*, got nothing\n$/),
  });
});
