import { describe, expect, test } from 'vitest';
import { runSmoke, type SmokeReport } from '../../src/conformance/smoke.ts';
import { firstRows, slowTest } from '../suite.ts';

const at = (name: string): string => new URL(name, import.meta.url).pathname;
const smoke = (mode: string): Promise<SmokeReport> =>
  runSmoke([process.execPath, at('smoke-adapter.mjs'), mode], { deadline: 5000 });
const oneShot = (mode: string): Promise<SmokeReport> =>
  runSmoke([process.execPath, at('one-shot-command.mjs'), mode], { oneShot: true, deadline: 5000 });
const broken = ({ checks }: SmokeReport): string[] => checks.filter(({ ok }) => !ok).map(({ name }) => name);

describe('smoke of an adapter', () => {
  test('passes if the adapter follows the protocol, whatever the answers', async () => {
    const seen: string[] = [];
    const report = await runSmoke([process.execPath, at('smoke-adapter.mjs'), 'good'], {
      onCheck: ({ name }) => seen.push(name),
    });
    expect(report.checks.map(({ name }) => name)).toEqual(seen);
    expect(seen).toEqual([
      'starts and answers hello',
      'offers operations of the protocol',
      'answers token-hash',
      'answers an unknown operation with "unsupported"',
      'keeps running after it',
      'reads a line of a megabyte',
      'exits with code 0 when its standard input is closed',
    ]);
    expect(report).toMatchObject({ ok: true, hello: { name: 'smoke' } });
  });

  const faulty: readonly [string, string[]][] = [
    ['strange', ['offers operations of the protocol']],
    ['own-code', ['answers token-hash']],
    ['refuses-the-unknown', ['answers an unknown operation with "unsupported"', 'keeps running after it']],
    ['one-request', ['keeps running after it', 'handles many requests in one process']],
    ['ends-badly', ['exits with code 0 when its standard input is closed']],
    ['none', ['offers operations of the protocol']],
    ['other-member', ['answers token-hash']],
    ['other-kind', ['answers token-hash']],
    ['never-ends', ['exits with code 0 when its standard input is closed']],
  ];
  test.each(firstRows(5, faulty))('reports %s: %j', async (mode, names) => {
    const report = await smoke(mode);
    expect(report.ok).toBe(false);
    expect(broken(report)).toEqual(expect.arrayContaining(names));
    if (mode !== 'one-request') expect(broken(report)).toEqual(names);
  });

  test('reports texts that are encoded twice', async () => {
    const { checks } = await smoke('encodes-twice');
    const detail = expect.stringMatching(/UTF-8 that was encoded twice/);
    expect(checks).toContainEqual({ name: 'reads and writes texts as UTF-8', ok: false, detail });
    expect(await smoke('keeps-texts')).toMatchObject({ ok: true });
  });

  test('reports replies in Latin-1', async () => {
    const { checks } = await smoke('writes-latin1');
    const detail = expect.stringMatching(/ill-formed UTF-8 at byte \d+ .* e9, as Latin-1/);
    expect(checks.find(({ ok }) => !ok)).toMatchObject({ name: 'answers normalise', detail });
  });

  slowTest('reports an exit after an unknown operation', async () => {
    const report = await smoke('dies-of-the-unknown');
    expect(broken(report).slice(0, 2)).toEqual([
      'answers an unknown operation with "unsupported"',
      'keeps running after it',
    ]);
    expect(report.checks.find(({ ok }) => !ok)!.detail).toContain('exited with code 3');
  });

  slowTest('reports an exit after a long line', async () => {
    expect(broken(await smoke('short-lines'))[0]).toBe('reads a line of a megabyte');
  });

  test('reports a command that cannot be run', async () => {
    const failed = { ok: false, hello: undefined, checks: [{ ok: false }] };
    expect(await runSmoke(['/does/not/exist'])).toMatchObject(failed);
    expect(await oneShot('no-such-mode')).toMatchObject(failed);
  });
});

test('smoke of a one-shot command requires a fingerprint, and nothing for a document without one', async () => {
  expect(broken(await oneShot('never-reads'))).toEqual(['prints nothing for a document without a token']);
  expect(broken(await oneShot('print'))).toContain('prints 13 characters for a document');
});
