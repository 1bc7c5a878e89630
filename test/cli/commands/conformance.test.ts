import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstRows, slowTest } from '../../suite.ts';
import { folder, jsonLines, run, shell, stdoutOf, testWrongUsage } from '../command.ts';
import { hostile, SHORT, wrong } from './conformance-adapters.ts';

test('conformance with a part of the vectors stops with --bail, lists failures with --write-skip, and passes without them by --skip, also with several jobs', async () => {
  const list = join(folder(), 'skip.txt');
  const args = ['conformance', '--group', 'serialise', '--random', '0'];
  const bailed = await run([...args, '--bail', '--json', ...wrong('padding-kept')]);
  expect([bailed.code, jsonLines(bailed.stdout).at(-1)]).toMatchObject([1, { counts: { failed: 1 } }]);
  expect((await run([...args, '--quiet', '--write-skip', list, ...wrong('padding-kept')])).code).toBe(1);
  expect(readFileSync(list, 'utf8')).toMatch(
    /^# Vectors that padding-kept 1.0 does not pass.*\nserialise\/\S+ {2}# fail: /,
  );
  const passed = await run([...args, '--skip', list, '--jobs', '2', ...wrong('padding-kept')]);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringMatching(/not run: skipped/)]);
  expect(passed.stdout).toMatch(/only +--group serialise, \d+ skipped/);
  writeFileSync(list, 'serialise/zero\nserialize/*\n');
  const stale = await run([...args, '--skip', list, ...wrong('padding-kept')]);
  expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('skip.txt: line ')]);
});

testWrongUsage('conformance', [
  [['--group', 'tokens'], 'no such group: "tokens"'],
  [['--operation', 'dance'], 'no such operation: "dance"'],
  [['--group', 'decode', '--filter', 'no-such-id'], 'no vector matches'],
  [['--group', 'decode,'], '--group: expected names separated by commas'],
  [['--random', '-1'], '--random: expected a whole number from 0 to 1000000, got "-1"'],
  [['--seed', '4294967296'], '--seed: expected a whole number from 0 to 4294967295'],
  [['--deadline', '0'], '--deadline: expected seconds, more than 0'],
  [['--jobs', '0'], '--jobs: expected a whole number from 1 to 256, got "0"'],
  [['--skip', '/does/not/exist'], '/does/not/exist: no such file'],
  [['explain', '--crashes', '1'], "conformance explain: unknown option '--crashes'"],
  [['--results', '-', '--junit', '-'], '--junit and --results cannot both go to standard output'],
  [['--results', '/does/not/exist/r.json'], '--results: /does/not/exist/r.json: no such folder: /does/not/exist'],
  [
    ['init', '--lang', 'cobol'],
    '--lang: expected one of python, c, go, rust, java, javascript, got "cobol"; for any other',
  ],
  [['explain'], 'expected the id of a vector'],
  [['explain', 'four-score'], 'did you mean token-hash/four-score'],
  [['report', 'r.json'], 'expected --html FILE or --claim FILE'],
  [['report', 'r.json', 's.json', '--claim', '-'], '--claim: expected one results file, got 2'],
  [['verify'], 'expected a claim, written by conformance report --claim'],
  [['verify', 'claim.json', './adapter'], 'expected -- before the command of the adapter: -- ./adapter'],
  [['report', '--html', '-'], 'expected results files'],
  [['python3', 'my adapter.py'], "expected -- before the command of the adapter: -- python3 'my adapter.py'"],
  [['verfy', '--', './adapter'], 'unknown subcommand "verfy": did you mean verify?'],
  [['--json', 'verify', '--', './adapter'], 'expected "verify" before the options'],
  [['--skip', '/'], '/: is a folder: expected a file'],
  [['init', '--lang', 'c', '--out', '/dev/null'], '/dev/null'],
]);

describe('conformance exits with', () => {
  test('1 for a wrong implementation, and names the step', async () => {
    const { code, stdout } = await run(['conformance', ...SHORT, ...wrong('words-swapped')]);
    expect(code).toBe(1);
    expect(stdout).toContain('First goes wrong in step 7 (token hash), ');
    expect(stdout).toContain('given correct input, steps 8 and 11 are right.');
    expect(stdout).toMatch(
      /simhash-doc conformance explain token-hash\/\S+ -- \S+node \S+wrong-adapter\.mjs words-swapped\n/,
    );
  });

  test.each(firstRows(1, [['dies-at-once'], ['never-greets'], ['other-protocol']]))(
    '3 for an adapter that cannot be run: %s',
    async (mode) => {
      const { code, stdout, stderr } = await run(['conformance', '--deadline', '1.5', ...hostile(mode)]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/^simhash-doc: the adapter could not be run: /);
    },
  );

  test('3 for a missing program, also with --json, --one-shot and explain', async () => {
    for (const args of firstRows(2, [['--json'], [], ['--one-shot'], ['explain', 'token-hash/ab']])) {
      const { code, stdout, stderr } = await run(['conformance', ...args, '--', '/does/not/exist']);
      expect([args, code]).toEqual([args, 3]);
      expect(`${stdout}${stderr}`).toContain('/does/not/exist: could not be started: no such program');
      if (args[0] === '--json') expect(jsonLines(stdout)).toMatchObject([{ type: 'summary', verdict: 'not-run' }]);
    }
  });
});

slowTest('the runner does not wait for a process that an adapter leaves with its pipes', async () => {
  const file = join(folder(), 'left');
  const args = ['conformance', '--filter', 'token-hash/a', '--random', '0', ...hostile('leaves-a-session'), file];
  try {
    // A runner that does not exit is killed after a minute, and has no exit code.
    expect((await run(args)).code).toBe(1);
  } finally {
    // Each process of the adapter leaves one process.
    for (const pid of readFileSync(file, 'utf8').trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  }
});

test('conformance init leads from an empty folder to a report', async () => {
  const cwd = folder();
  const made = await run(['conformance', 'init', '--lang', 'javascript', '--out', 'mine'], { cwd });
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('cd mine\n');
  const path = join(cwd, 'mine', 'adapter.mjs');
  expect(existsSync(path)).toBe(true);

  const again = await run(['conformance', 'init', '--lang', 'javascript', '--out', 'mine'], { cwd });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('mine/adapter.mjs already exists and is not overwritten');

  const untouched = await run(['conformance', ...SHORT, '--', process.execPath, path]);
  expect(untouched.code).toBe(1);
  expect(untouched.stdout).toContain('Fails: it answered no vector.');

  const stub = /(function tokenHash\(_octets\) \{\n {2})throw unsupported\(\);/;
  expect(readFileSync(path, 'utf8')).toMatch(stub);
  writeFileSync(path, readFileSync(path, 'utf8').replace(stub, '$1return 0n;'));
  const report = await run(['conformance', ...SHORT, '--', process.execPath, path]);
  expect(report.code).toBe(1);
  expect(report.stdout).toContain('First goes wrong in step 7 (token hash)');
});

test('conformance explain describes a vector, and judges an answer to it', async () => {
  const stdout = await stdoutOf(['conformance', 'explain', 'token-hash/four-score']);
  expect(stdout).toContain('spec/simhash-doc.md#HSH-1');
  expect(stdout).toContain('hash: "ce7226e617770551"');
  const args = ['conformance', 'explain', 'fingerprint/even'];
  const right = await run([...args, ...wrong('right')]);
  expect([right.code, right.stdout.endsWith('Answer\n  right\n')]).toEqual([0, true]);
  const bad = await run([...args, ...wrong('tie-to-1')]);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('goes wrong in step 8 (simhash or minhash): wrong when asked by itself');
  expect(jsonLines((await run([...args, '--json', ...wrong('tie-to-1')])).stdout)).toMatchObject([
    { vector: { id: 'fingerprint/even' }, reply: { kind: 'ok' }, right: false, location: { step: 8 } },
  ]);
});

describe('conformance output', () => {
  test('has colours on the same conditions as other commands', async () => {
    const args = ['conformance', '--filter', 'token-hash/ab', '--random', '0'];
    expect(await stdoutOf(args)).not.toContain('\x1b[');
    expect(await stdoutOf(args, { env: { FORCE_COLOR: '1' } })).toContain('\x1b[32m✓');
    expect(await stdoutOf(args, { env: { NO_COLOR: '1' } })).not.toContain('\x1b[');
  });

  test('may be closed early by its reader', async () => {
    const line = '{ "$@"; echo "exit $?" >&2; } | head -1';
    const { stdout, stderr } = await shell(line, ['conformance', '--group', 'simhash', '--json', '--random', '0'], '.');
    expect(jsonLines(stdout)).toMatchObject([{ type: 'vector' }]);
    expect(stderr).toBe('exit 0\n');
  });
});
