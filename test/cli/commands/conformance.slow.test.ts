import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/conformance/report/report.ts';
import { MEDIA } from '../../../src/extract/formats.ts';
import { jsonLines, MAIN, run, stdoutOf } from '../command.ts';
import { hostile, wrong } from './conformance-adapters.ts';

test('the shipped implementation conforms to every class', async () => {
  const stdout = await stdoutOf(['conformance', '--random', '20']);
  expect(stdout.match(/^ {2}extraction .*vectors passed/gm)).toHaveLength(MEDIA.length);
  expect(stdout).toMatch(
    /\nConforms to classes hash, fingerprint, text, lookup \(k ≤ 64\) and label \(simhash-doc\+bg1, minhash-doc and minhash-doc-256\) of simhash-doc, by vectors [\w.-]+\.\n$/,
  );
});

test('an implementation with one fixed answer first goes wrong in step 7', async () => {
  const { code, stdout } = await run(['conformance', '--random', '3', ...hostile('good')]);
  expect(code).toBe(1);
  expect(stdout).toContain('First goes wrong in step 7 (token hash)');
});

describe('conformance of a command', () => {
  test('passes for the command itself with --one-shot and --raw', async () => {
    const hash = ['--', process.execPath, MAIN, 'hash', '--raw', '--bare'];
    const selection = ['--group', 'fingerprint', '--random', '20'];
    const { code, stdout } = await run(['conformance', '--one-shot', '--json', ...selection, ...hash]);
    const { counts, random } = jsonLines(stdout).at(-1) as unknown as Report;
    expect({ code, failed: counts.failed, notRun: counts.notRun }).toEqual({ code: 0, failed: 0, notRun: 0 });
    expect(counts.passed).toBeGreaterThan(130);
    expect(random).toMatchObject({ compared: 20, disagreements: [] });
  });

  test('checks a one-shot command', async () => {
    const filter = 'fingerprint/word,fingerprint/even,fingerprint/none-empty';
    const args = ['--one-shot', '--filter', filter, '--random', '2'];
    const good = await run(['conformance', ...args, ...wrong('right', '--one-shot')]);
    expect([good.code, good.stderr]).toEqual([0, '']);
    const bad = await run(['conformance', ...args, '--json', ...wrong('tie-to-1', '--one-shot')]);
    expect(bad.code).toBe(1);
    expect(jsonLines(bad.stdout).at(-1)).toMatchObject({ firstStep: { step: 8 } });
  });
});

test('conformance of hostile adapters distinguishes their failures and goes on', async () => {
  const args = ['conformance', '--filter', 'token-hash/a', '--random', '0', '--restarts', '1', '--deadline', '1.5'];
  for (const [mode, words] of [
    ['garbage', 'broke the protocol: garbage: expected one JSON object'],
    ['stderr-then-crash', 'stderr: fatal: out of cheese'],
    ['hangs', 'did not answer: no reply within 1500 ms'],
  ] as const) {
    const { code, stdout } = await run([...args, ...hostile(mode)]);
    expect([mode, code]).toEqual([mode, 1]);
    expect(stdout).toContain(words);
    expect(stdout).toMatch(/vectors? not run: failed 2 times/);
  }
});
