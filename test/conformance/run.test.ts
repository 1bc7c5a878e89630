import { describe, expect, test } from 'vitest';
import { runOperation } from '../../src/conformance/adapter/operations.ts';
import type { Adapter, Reply } from '../../src/conformance/adapter/protocol.ts';
import { compareRandomly } from '../../src/conformance/random/compare.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { runConformance } from '../../src/conformance/run.ts';
import { loadGroups } from '../../src/conformance/suite/load.ts';
import { selectVectors } from '../../src/conformance/suite/select.ts';
import type { Operation, ResultOf } from '../../src/conformance/types.ts';
import { createWrongAdapter } from './wrong.ts';

// Vectors that are built by a rule are long.
const groups = loadGroups().map((group) => ({
  ...group,
  vectors: group.vectors.filter(({ input }) => !('generate' in input)),
}));
const suite = { version: '0', digest: '' };

/** The shipped implementation in this process, with other answers to some operations. */
function createAdapter(
  operations: readonly string[],
  change: (operation: string, result: Record<string, unknown>) => Reply | undefined = () => undefined,
): Adapter {
  return {
    restarts: 0,
    hello: async () => ({ name: 'x', version: '1', language: 'x', protocol: 1, unicode: null, operations }),
    async request(operation: Operation, input: unknown) {
      const outcome = await runOperation(operation, input);
      if ('error' in outcome) return { kind: 'error', code: outcome.error, message: '' };
      const result = outcome.result as Record<string, unknown>;
      return change(operation, result) ?? { kind: 'ok', result };
    },
    close: async () => undefined,
  };
}

const run = (adapter: Adapter, names: readonly string[], more: object = {}): Promise<Report> =>
  runConformance(adapter, {
    groups: selectVectors(groups, { groups: names }),
    suite,
    randomCases: 20,
    seed: 1,
    ...more,
  });
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
    const silent = createAdapter(hash, (operation) => (operation === 'simhash' ? { kind: 'unsupported' } : undefined));
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
    const crash: Reply = { kind: 'crash', detail: 'exited with code 3', stderr: '' };
    const adapter = numbered((number) => (number % 10 === 0 ? crash : undefined));
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

describe('wrong extraction', () => {
  const html = selectVectors(groups, { groups: ['extract-html'] }).map((group) => ({
    ...group,
    vectors: group.vectors.slice(0, 30),
  }));
  const extractor = (change: (result: ResultOf<'extract-html'>) => ResultOf<'extract-html'>, offered: string[]) =>
    createAdapter(offered, (operation, result) =>
      operation === 'extract-html' ? { kind: 'ok', result: { ...change(result as never) } } : undefined,
    );

  test('is step 0 if the text gets its right fingerprint', async () => {
    const drop = extractor(
      ({ tokens, fingerprint }) => ({ tokens: tokens.slice(1), fingerprint }),
      [...['extract-html', 'fingerprint']],
    );
    const { firstStep } = await runConformance(drop, { groups: html, suite, randomCases: 0 });
    expect(firstStep?.step).toBe(0);
  });

  test('is a later step if the text gets a wrong fingerprint', async () => {
    const tie = createWrongAdapter('tie-to-1');
    const wrong: Adapter = {
      ...tie,
      hello: async () => ({ ...(await tie.hello()), operations: ['extract-html', 'fingerprint'] }),
      async request(operation, input) {
        if (operation !== 'extract-html') return tie.request(operation, input);
        const { result } = (await runOperation(operation, input)) as { result: ResultOf<'extract-html'> };
        const reply = await tie.request('fingerprint', { text: result.tokens.join(' ') });
        return reply.kind === 'ok' ? { kind: 'ok', result: { ...result, ...pick(reply.result) } } : reply;
      },
    };
    const pick = ({ fingerprint }: Readonly<Record<string, unknown>>) => ({ fingerprint });
    const report = await runConformance(wrong, { groups: html, suite, randomCases: 0 });
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
