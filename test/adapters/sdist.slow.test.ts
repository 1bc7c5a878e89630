import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprint, formatLabelled } from '../../src/index.ts';
import { withLock } from '../lock.ts';
import { isThere } from './implementations.ts';
import { canBuildWheel, PYTHON, WHEEL, WHEEL_TARGET } from './wheel.ts';

const PROGRAM = `
import json, simhash_doc as sd
print(json.dumps([str(sd.fingerprint("one two")), sd.dedupe(["one two", "one two!", "three"]).rows]))
`;

const there = isThere('cargo, or maturin in build/python,', canBuildWheel());

test.skipIf(!there)('the archive of the sources builds in an empty environment, without the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdist-'));
  // The tools are those of build/python; crates that the wheel has compiled are not compiled again.
  const tools = join(PYTHON, '../../lib');
  const env = {
    ...process.env,
    PYTHONPATH: join(tools, readdirSync(tools)[0]!, 'site-packages'),
    PATH: `${join(PYTHON, '..')}:${process.env['PATH']}`,
    CARGO_TARGET_DIR: WHEEL_TARGET,
  };
  const run = (cwd: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, env, stdio: 'pipe' });
  run(WHEEL, 'maturin', 'sdist', '--out', folder);
  const [archive] = readdirSync(folder);
  run(folder, PYTHON, '-m', 'venv', 'venv');
  const python = join(folder, 'venv/bin/python');
  const alone = ['--no-index', '--no-deps', '--no-build-isolation', '--disable-pip-version-check', archive!];
  withLock(`${WHEEL_TARGET}.lock`, () => run(folder, python, '-m', 'pip', 'install', ...alone));
  const printed = execFileSync(python, ['-c', PROGRAM], { cwd: folder, encoding: 'utf8' });
  const found = formatLabelled('simhash-doc', fingerprint('one two'));
  expect(JSON.parse(printed)).toEqual([found, ['one two', 'three']]);
});
