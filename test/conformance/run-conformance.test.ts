import { describe, expect, test } from 'vitest';
import { runOperation } from '../../src/conformance/adapter/operations.ts';
import type { Adapter, Reply } from '../../src/conformance/adapter/protocol.ts';
import { compareRandomly } from '../../src/conformance/random/compare-random.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { writeTerminal } from '../../src/conformance/report/terminal/terminal-report.ts';
import type { ResultOf } from '../../src/conformance/vector.ts';
import { CRASH, createChanged, run as runGroups, SILENT, shortGroups } from './changed.ts';
import { createWrongAdapter } from './wrong.ts';

/** The shipped implementation in this process, with other answers to some operations. */
const createAdapter = (
  operations: readonly string[],
  change: (operation: string, result: Readonly<Record<string, unknown>>) => Reply | undefined = () => undefined,
): Adapter =>
  createChanged({
    hello: { operations, labels: ['simhash-doc'] },
    after: (reply, operation) => (reply.kind === 'ok' ? change(operation, reply.result) : reply),
  });

const run = (adapter: Adapter, names: readonly string[], more: object = {}): Promise<Report> =>
  runGroups(adapter, shortGroups(names), { randomCases: 20, ...more });
const verdictOf = (report: Report, name: string) => report.classes.find((each) => each.class === name)!.verdict;

describe('right answers in other forms pass', () => {
  test('fingerprints without intermediates, also for random documents', async () => {
    const bare = createAdapter(['fingerprint'], (_, { fingerprint }) => ({ kind: 'ok', result: { fingerprint } }));
    const report = await run(bare, ['fingerprint']);
    expect(report).toMatchObject({ verdict: 'conforms', counts: { failed: 0 }, random: { disagreements: [] } });
    expect(report.random!.compared).toBe(20);
  });

  test('a lookup that is complete to a larger k', async () => {
    const adapter = createAdapter(['lookup'], (_, result) => ({ kind: 'ok', result: { ...result, completeTo: 64 } }));
    expect(await run(adapter, ['lookup'])).toMatchObject({ counts: { failed: 0 }, random: { disagreements: [] } });
  });
});

describe('the classes', () => {
  const hash = [
    ...['token-hash', 'simhash', 'serialise', 'parse', 'parse-hex'],
    ...['parse-label', 'parse-labelled', 'format-labelled', 'compare'],
  ];
  const names = ['token-hash', 'simhash', 'serialise', 'label', 'compare'];

  test('conform if all that they need was answered', async () => {
    expect(verdictOf(await run(createAdapter(hash), names), 'hash')).toBe('conforms');
  });

  test('are untested if an operation was offered and never answered', async () => {
    const silent = createAdapter(hash, (operation) => (operation === 'simhash' ? SILENT : undefined));
    const report = await run(silent, names);
    expect([report.verdict, verdictOf(report, 'hash')]).toEqual(['untested', 'untested']);
  });

  test('are untested if only a part of the vectors was run, and fail if that part fails', async () => {
    const part = await run(createAdapter(hash), names, { selection: 'a part' });
    expect([part.selection, verdictOf(part, 'hash')]).toEqual(['a part', 'untested']);
    const wrong = createAdapter(hash, (operation) =>
      operation === 'simhash' ? { kind: 'ok', result: { fingerprint: null, counters: [] } } : undefined,
    );
    expect(verdictOf(await run(wrong, names, { selection: 'a part' }), 'hash')).toBe('fails');
  });

  test('do not conform for an adapter that answers nothing', async () => {
    const report = await run(createAdapter([]), ['token-hash']);
    expect(report).toMatchObject({ verdict: 'fails', counts: { passed: 0, failed: 0 }, firstStep: null });
  });
});

describe('process failures', () => {
  /** Calls `reply` with the number of each request. */
  const numbered = (reply: (number: number) => Reply | undefined): Adapter => {
    let requests = 0;
    return createAdapter(['decode', 'tokenise', 'fingerprint'], () => reply(++requests));
  };
  const names = ['decode', 'tokenise', 'fingerprint'];

  test('are not about a step', async () => {
    const adapter = numbered((number) => (number % 10 === 0 ? CRASH : undefined));
    const report = await run(adapter, names);
    expect(report.counts.failed).toBeGreaterThan(10);
    expect(report).toMatchObject({ verdict: 'fails', firstStep: null, resemblances: [] });
    const crashed = report.outcomes.filter(({ status }) => status === 'crash');
    expect(crashed.length).toBeGreaterThan(10);
    for (const { id, input } of crashed) expect([id, input]).toEqual([id, expect.any(Object)]);
  });

  test('leave vectors that were not run uncounted, and no class claimed', async () => {
    const adapter = numbered((number) => (number > 20 ? { kind: 'not-run', detail: 'failed 3 times' } : undefined));
    const report = await run(adapter, names);
    expect(report.counts).toMatchObject({ failed: 0, notRun: expect.any(Number) });
    expect(report.counts.notRun).toBeGreaterThan(100);
    expect([report.verdict, verdictOf(report, 'text')]).toEqual(['fails', 'untested']);
  });
});

test('extraction alone passes its vectors, and does not conform', async () => {
  const html = shortGroups(['extract-html']);
  const report = await runGroups(createAdapter(['extract-html']), html, { randomCases: 100 });
  expect([report.verdict, report.counts.failed, verdictOf(report, 'extraction')]).toEqual(['untested', 0, 'conforms']);
  expect(writeTerminal(report)).toMatch(/ extraction \(html\) +vectors passed/);
});

describe('wrong extraction', () => {
  const html = shortGroups(['extract-html']).map((group) => ({ ...group, vectors: group.vectors.slice(0, 30) }));
  const operations = ['extract-html', 'fingerprint'];

  test('is step 0 if the text gets its right fingerprint', async () => {
    const drop = createAdapter(operations, (operation, { tokens, fingerprint }) =>
      operation === 'extract-html'
        ? { kind: 'ok', result: { tokens: (tokens as string[]).slice(1), fingerprint } }
        : undefined,
    );
    expect((await runGroups(drop, html)).firstStep?.step).toBe(0);
  });

  test('is a later step if the text gets a wrong fingerprint', async () => {
    const tie = createWrongAdapter('tie-to-1', { operations });
    const wrong: Adapter = {
      ...tie,
      async request(operation, input) {
        if (operation !== 'extract-html') return tie.request(operation, input);
        const { result } = (await runOperation(operation, input)) as { result: ResultOf<'extract-html'> };
        const reply = await tie.request('fingerprint', { text: result.tokens.join(' ') });
        if (reply.kind !== 'ok') return reply;
        return { kind: 'ok', result: { ...result, fingerprint: reply.result['fingerprint'] } };
      },
    };
    const report = await runGroups(wrong, html);
    expect(report.counts.failed).toBeGreaterThan(0);
    expect(report.firstStep?.step).toBe(8);
  });
});

describe('random cases', () => {
  test('are those of the selected operations', async () => {
    const wrong = createAdapter(['token-hash', 'parse'], () => ({ kind: 'ok', result: {} }));
    const { disagreements } = await compareRandomly(wrong, { cases: 10, seed: 1, operations: new Set(['parse']) });
    expect(new Set(disagreements.map(({ operation }) => operation))).toEqual(new Set(['parse']));
  });

  test('with the same minimized input are shown once', async () => {
    const wrong = createAdapter(['token-hash'], () => ({ kind: 'ok', result: { hash: '0000000000000000' } }));
    const { disagreements } = await compareRandomly(wrong, { cases: 10, seed: 1 });
    expect(disagreements.map(({ input }) => input)).toEqual([{ utf8: '' }]);
  });

  test('the first of two wrong arguments is reported', async () => {
    expect(await runOperation('compare', { a: null, b: 'nonsense' })).toEqual({ error: 'no-fingerprint' });
    expect(await runOperation('compare', { a: 'nonsense', b: null })).toEqual({ error: 'invalid-label' });
  });
});
