import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AdapterLimits } from '../../../src/conformance/adapter/adapter-limits.ts';
import { createOneShotAdapter } from '../../../src/conformance/adapter/one-shot-adapter.ts';
import type { Reply } from '../../../src/conformance/adapter/protocol.ts';
import { firstRows } from '../../suite.ts';
import { ended } from './ended.ts';

const COMMAND = new URL('../one-shot-command.mjs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));

const command = (mode: string, limits: AdapterLimits = {}, ...args: string[]) =>
  createOneShotAdapter([process.execPath, COMMAND, mode, ...args], { deadline: 5000, ...limits });

const ask = (mode: string, text: string, limits?: AdapterLimits, ...args: string[]): Promise<Reply> =>
  command(mode, limits, ...args).request('fingerprint', { text });

describe.concurrent('the output of a one-shot command', () => {
  const right: readonly [string, string | null][] = [
    [' \t\r\n LATEPLCY22DQQ\r\n', 'LATEPLCY22DQQ'],
    ['SimHash-Doc:LATEPLCY22DQQ\n', 'LATEPLCY22DQQ'],
    ['\n', null],
    ['LATEPLCY22DQQ', 'LATEPLCY22DQQ'],
    ['lateplcy22dqq\n', 'LATEPLCY22DQQ'],
    ['LATEPLCY22DQQ===', 'LATEPLCY22DQQ'],
    ['simhash-doc:LATEPLCY22DQQ', 'LATEPLCY22DQQ'],
    ['', null],
  ];
  test.each(firstRows(3, right))('is read: %j', async (output, fingerprint) => {
    expect(await ask('print', `print ${output}`)).toEqual({ kind: 'ok', result: { fingerprint } });
  });

  test.each(firstRows(2, ['582647ac58d68708', 'null', 'LATEPLCY22DQR', 'simhash:LATEPLCY22DQQ']))(
    'is a wrong answer: %j',
    async (output) => {
      expect(await ask('print', `print ${output}`)).toEqual({ kind: 'ok', result: { fingerprint: output } });
    },
  );

  test.each(firstRows(1, ['LATEPLCY22DQQ  file.txt', 'debug\nLATEPLCY22DQQ', 'A'.repeat(81)]))(
    'is garbage: %j',
    async (output) => {
      expect(await ask('print', `print ${output}`)).toMatchObject({
        ...{ kind: 'protocol', detail: expect.stringContaining('expected one fingerprint') },
      });
    },
  );
});

describe.concurrent('a one-shot command', () => {
  test('gets bytes unchanged, and texts as UTF-8', async () => {
    const adapter = command('print');
    expect(await adapter.request('fingerprint', { text: 'print \u00e9\u{10400}' })).toEqual({
      ...{ kind: 'ok', result: { fingerprint: '\u00e9\u{10400}' } },
    });
    const utf8 = Buffer.from('print \u00e9').toString('hex');
    expect(await adapter.request('fingerprint', { utf8 })).toEqual({ kind: 'ok', result: { fingerprint: '\u00e9' } });
  });

  test('is asked only for fingerprints of texts and bytes', async () => {
    const adapter = command('print');
    expect((await adapter.hello()).operations).toEqual(['fingerprint']);
    expect(await adapter.request('tokenise', { text: 'a' })).toEqual({ kind: 'unsupported' });
    expect(await adapter.request('fingerprint', { utf16: '0061' })).toEqual({ kind: 'unsupported' });
  });

  test('need not read its input', async () => {
    expect(await ask('never-reads', 'x'.repeat(8 << 20))).toEqual({
      ...{ kind: 'ok', result: { fingerprint: 'LATEPLCY22DQQ' } },
    });
  });
});

describe.concurrent('a failing one-shot command', () => {
  const failures: readonly [string, Reply][] = [
    ['crashes', { kind: 'crash', detail: 'exited with code 70', stderr: 'fatal: out of cheese' }],
    ['killed', { kind: 'crash', detail: 'killed by SIGSEGV', stderr: '' }],
    ['floods', { kind: 'protocol', detail: 'more than 4096 bytes of output', stderr: '' }],
  ];
  test.each(firstRows(1, failures))('is reported: %s', async (mode, reply) =>
    expect(await ask(mode, 'b')).toEqual(reply),
  );

  test('that hangs is killed at the deadline with its child processes', async () => {
    const file = join(folder, 'children');
    writeFileSync(file, '');
    const limits = { deadline: 1500 };
    expect(await ask('hangs-with-child', 'b', limits, file)).toMatchObject({
      ...{ kind: 'timeout', detail: 'did not exit within 1500 ms' },
    });
    await ended(Number(readFileSync(file, 'utf8')));
  });

  test('that leaves a process does not delay the runner', async () => {
    // The process sleeps for ten minutes.
    expect((await ask('leaves-a-child', 'print LATEPLCY22DQQ', { deadline: 60_000 })).kind).toBe('ok');
  });

  test('is not run again after too many failures, which is reported', async () => {
    const adapter = command('crashes', { restarts: 1 });
    const kinds: string[] = [];
    for (let i = 0; i < 3; i++) kinds.push((await adapter.request('fingerprint', { text: 'b' })).kind);
    expect(kinds).toEqual(['crash', 'crash', 'not-run']);
    expect(adapter.restarts).toBe(2);
  });

  test('that cannot be run is a separate error', async () => {
    await expect(createOneShotAdapter(['/does/not/exist']).hello()).rejects.toThrow(/could not be started/);
    await expect(command('no-such-mode').hello()).rejects.toThrow(/exited with code 2/);
    expect(() => createOneShotAdapter([])).toThrow(RangeError);
  });
});
