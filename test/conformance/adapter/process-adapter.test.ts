import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import type { AdapterLimits } from '../../../src/conformance/adapter/adapter-limits.ts';
import { createProcessAdapter, type ProcessAdapter } from '../../../src/conformance/adapter/process-adapter.ts';
import type { Adapter, Reply } from '../../../src/conformance/adapter/protocol.ts';
import { inputToSend } from '../../../src/conformance/judge/judge-vector.ts';
import { runConformance } from '../../../src/conformance/run-conformance.ts';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { firstRows, slowTest } from '../../suite.ts';
import { ended } from './ended.ts';

const HOSTILE = new URL('hostile-adapter.mjs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));

/** Makes an adapter that is closed after its test. Most of these tests wait, so several run at a time. */
function hostile(
  { onTestFinished }: TestContext,
  mode: string,
  limits: AdapterLimits = {},
  ...args: string[]
): ProcessAdapter {
  const adapter = createProcessAdapter([process.execPath, HOSTILE, mode, ...args], { deadline: 3000, ...limits });
  onTestFinished(() => adapter.close());
  return adapter;
}

const ask = (adapter: Adapter, text = 'a'): Promise<Reply> => adapter.request('token-hash', { text });

describe.concurrent('an output that is not a reply', () => {
  const replies: readonly [string, string, RegExp][] = [
    ['garbage', 'protocol', /garbage: expected one JSON object/],
    ['two-members', 'protocol', /exactly one of "ok", "error" and "unsupported"/],
    ['byte-order-mark', 'protocol', /garbage: a byte order mark \(U\+FEFF\) before "\{/],
    ['wrong-id', 'protocol', /out of order: expected a reply to "2"/],
    ['crashes-always', 'crash', /exited with code 3/],
    ['killed', 'crash', /killed by SIGSEGV/],
    ['half-json', 'protocol', /garbage: expected one JSON object/],
    ['not-an-object', 'protocol', /garbage: expected a JSON object/],
    ['no-member', 'protocol', /exactly one of/],
    ['error-without-code', 'protocol', /"code" under "error"/],
    ['nested', 'protocol', /more than 16 levels of nesting: "\{/],
    ['nested-deeply', 'protocol', /garbage: /],
    ['stderr-then-crash', 'crash', /exited with code 70/],
  ];
  test.for(firstRows(6, replies))('is reported by its kind: %s', async ([mode, kind, detail], context) => {
    expect(await ask(hostile(context, mode))).toMatchObject({ kind, detail: expect.stringMatching(detail) });
  });

  test('fails the next request if it is a second reply, and is named', async (context) => {
    const adapter = hostile(context, 'twice');
    expect((await ask(adapter)).kind).toBe('ok');
    expect(await ask(adapter)).toMatchObject({ kind: 'protocol', detail: expect.stringContaining('a second reply') });
    expect((await ask(adapter)).kind).toBe('ok');
    expect(adapter.restarts).toBe(1);
  });

  slowTest('fails the next request if it arrives between two requests', async (context) => {
    const file = join(folder, 'pid');
    const adapter = hostile(context, 'twice', {}, file);
    expect((await ask(adapter)).kind).toBe('ok');
    // The breach has been seen when the process is killed for it.
    await ended(Number(readFileSync(file, 'utf8')));
    expect(await ask(adapter)).toMatchObject({ kind: 'protocol', detail: expect.stringContaining('a second reply') });
  });

  test('is shown with the end of standard error', async (context) => {
    const reply = await ask(hostile(context, 'stderr-then-crash'));
    expect(reply).toMatchObject({ stderr: expect.stringMatching(/fatal: out of cheese$/) });
    expect((reply as { stderr: string }).stderr.length).toBeLessThanOrEqual(4096);
  });
});

describe.concurrent('an adapter process', () => {
  test.for(firstRows(1, ['hangs', 'spins', 'ignores-signals', 'late']))(
    'that hangs is killed at the deadline and restarted: %s',
    async (mode, context) => {
      const adapter = hostile(context, mode, { deadline: 600 });
      expect(await ask(adapter)).toMatchObject({ kind: 'timeout', detail: 'no reply within 600 ms' });
      expect(await ask(adapter)).toMatchObject({ kind: 'timeout' });
      expect(adapter.restarts).toBe(1);
    },
  );

  test('that drips its reply does not extend its deadline', async (context) => {
    expect(await ask(hostile(context, 'drips', { deadline: 800 }))).toMatchObject({
      ...{ kind: 'timeout', detail: expect.stringMatching(/^no reply within 800 ms; unfinished line "a+"/) },
    });
  });

  test('that hangs is killed with its child processes', async (context) => {
    const file = join(folder, 'children');
    writeFileSync(file, '');
    expect((await ask(hostile(context, 'hangs-with-child', { deadline: 1500 }, file))).kind).toBe('timeout');
    await ended(Number(readFileSync(file, 'utf8')));
  });

  slowTest('that never reads costs the deadline, even for megabytes', async (context) => {
    const adapter = hostile(context, 'never-reads', { deadline: 1000 });
    await expect(adapter.hello()).rejects.toThrow(/no reply within 1000 ms/);
    expect(await adapter.request('token-hash', { text: 'a'.repeat(8 << 20) })).toMatchObject({ kind: 'timeout' });
  });

  slowTest('may write megabytes to standard error', async (context) => {
    const adapter = hostile(context, 'stderr-flood');
    for (let i = 0; i < 3; i++) expect((await ask(adapter)).kind).toBe('ok');
    expect(adapter.restarts).toBe(0);
  });

  test('that writes an endless line is cut off', async (context) => {
    expect(await ask(hostile(context, 'endless-line'))).toMatchObject({
      kind: 'protocol',
      detail: expect.stringContaining('a line of more than'),
    });
  });

  slowTest('that writes 60 MB is cut off, and the next request is answered', async (context) => {
    const adapter = hostile(context, 'huge');
    for (let i = 0; i < 2; i++) {
      expect(await ask(adapter)).toMatchObject({ kind: 'protocol', detail: 'a line of more than 1 MiB' });
      expect((await ask(adapter, 'b')).kind).toBe('ok');
    }
  });

  test('that nests its reply deeply answers the next request', async (context) => {
    const adapter = hostile(context, 'nested');
    expect([(await ask(adapter)).kind, (await ask(adapter, 'b')).kind]).toEqual(['protocol', 'ok']);
  });

  const unfinished: readonly [string, RegExp][] = [
    ['ends-with-cr', /^no reply within 1500 ms; unfinished line "\{.*\\r": it ends with CR instead of LF$/],
    ['never-ends-the-line', /^no reply within 1500 ms; unfinished line "\{.*\}": it does not end with LF$/],
  ];
  test.for(firstRows(1, unfinished))(
    'that leaves a line unfinished is reported with the line: %s',
    async ([mode, detail], context) => {
      expect(await ask(hostile(context, mode, { deadline: 1500 }))).toMatchObject({
        ...{ kind: 'timeout', detail: expect.stringMatching(detail) },
      });
    },
  );

  test('that does not flush its reply gets its own message', async (context) => {
    await expect(hostile(context, 'never-flushes', { deadline: 1000 }).hello()).rejects.toThrow(
      /the reply came only after standard input was closed: does the adapter flush after each line\?/,
    );
  });

  slowTest('is restarted a limited number of times; later requests are reported as not sent', async (context) => {
    const adapter = hostile(context, 'crashes-always', { restarts: 2 });
    const kinds: string[] = [];
    for (let i = 0; i < 5; i++) kinds.push((await ask(adapter)).kind);
    expect(kinds).toEqual(['crash', 'crash', 'crash', 'not-run', 'not-run']);
    expect(adapter.restarts).toBe(2);
  });

  test('that crashes is restarted for the next request', async (context) => {
    const adapter = hostile(context, 'crashes');
    const kinds: string[] = [];
    for (let i = 0; i < 6; i++) kinds.push((await ask(adapter)).kind);
    expect(kinds).toEqual(['ok', 'crash', 'ok', 'crash', 'ok', 'crash']);
  });

  test('that exits with another code than 0 is ended with that code', async (context) => {
    const adapter = hostile(context, 'ends-badly');
    expect((await ask(adapter)).kind).toBe('ok');
    expect(await adapter.end()).toEqual({ code: 9, signal: null });
  });

  slowTest('that does not exit by itself is killed', async (context) => {
    const adapter = hostile(context, 'never-ends');
    expect((await ask(adapter)).kind).toBe('ok');
    expect(await adapter.end()).toBeNull();
  });
});

describe.concurrent('an adapter that cannot be run is a separate error', () => {
  const unfit: readonly [string, RegExp][] = [
    ['dies-at-once', /exited with code 7/],
    ['other-protocol', /expected protocol 1, got 2/],
    ['never-greets', /no reply within/],
  ];
  test.for(firstRows(2, unfit))('for %s', async ([mode, message], context) => {
    await expect(hostile(context, mode, { deadline: 1500 }).hello()).rejects.toThrow(message);
  });

  test('for a program that does not exist', async () => {
    const adapter = createProcessAdapter(['/does/not/exist']);
    await expect(adapter.hello()).rejects.toThrow(/\/does\/not\/exist: could not be started/);
  });
});

test('random cases reveal an adapter that only has the published answers', async (context) => {
  const operations = ['token-hash', 'tables', 'parse'];
  const groups = loadGroups().map((group) => ({
    ...group,
    vectors: group.vectors.filter(({ operation, input }) => operations.includes(operation) && !('label' in input)),
  }));
  const answers = groups.flatMap(({ vectors }) =>
    vectors.map(({ operation, input, expected, error }) => [
      JSON.stringify([operation, inputToSend(input)]),
      error === undefined ? { ok: expected } : { error: { code: error } },
    ]),
  );
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(answers)));
  const report = await runConformance(hostile(context, 'memorised', {}, file), {
    groups,
    suite: { version: '0', digest: '' },
    randomCases: 20,
  });
  expect(report.counts.failed).toBe(0);
  expect(report.counts.passed).toBe(answers.length);
  expect(report.verdict).toBe('fails');
  expect(new Set(report.random?.disagreements.map(({ operation }) => operation))).toEqual(new Set(operations));
  expect(report.classes.find((each) => each.class === 'hash')?.verdict).toBe('fails');
});
