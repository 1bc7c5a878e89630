import { describe, expect, test } from 'vitest';
import type { Adapter, ExitStatus, Reply } from '../../src/conformance/adapter/protocol.ts';
import { readSkipList, writeSkipList } from '../../src/conformance/records/skip-list.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { writeTerminal } from '../../src/conformance/report/terminal/terminal-report.ts';
import { diagnose } from '../../src/conformance/report/wording.ts';
import type { RunOptions } from '../../src/conformance/run-conformance.ts';
import { createPool } from '../../src/conformance/runner/adapter-pool.ts';
import { CRASH, createChanged, run as runGroups, shortGroups } from './changed.ts';

const GROUPS = [
  ...['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash', 'simhash', 'serialise', 'label'],
  ...['compare', 'fingerprint'],
];
const STEPS = [
  ...['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash', 'simhash', 'serialise'],
  ...['parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled', 'compare'],
];
const OPERATIONS = [...STEPS, 'fingerprint'];
const groups = shortGroups(GROUPS).map((group) => ({
  ...group,
  vectors: OPERATIONS.flatMap((operation) =>
    group.vectors.filter((vector) => vector.operation === operation).slice(0, 40),
  ),
}));

interface Odd {
  /** Changes the input of an operation. */
  readonly before?: (input: unknown, operation: string) => unknown;
  /** Changes an answer; `number` is that of the request. */
  readonly after?: (reply: Reply, operation: string, number: number) => Reply;
  readonly exit?: ExitStatus | null;
  /** Called for each further process; changes its behaviour. */
  readonly other?: () => Odd;
}

/** The shipped implementation in this process, odd in some way. */
function createOdd(odd: Odd = {}): Adapter {
  const { before = (input) => input, after = (reply) => reply } = odd;
  let requests = 0;
  const adapter = createChanged({
    hello: { operations: OPERATIONS, labels: ['simhash-doc'] },
    before,
    after: (reply, operation) => after(reply, operation, ++requests),
  });
  return {
    ...adapter,
    another: () => createOdd(odd.other?.() ?? odd),
    ...(odd.exit !== undefined && { end: async () => odd.exit }),
  };
}

const run = (adapter: Adapter, more: Partial<RunOptions> = {}): Promise<Report> =>
  runGroups(adapter, more.groups ?? groups, more);

const mapStrings = <T>(value: T, change: (text: string) => string): T =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? change(each) : each));
const WRONG: Reply = { kind: 'ok', result: { text: 'wrong' } };

describe('a damaging encoding is reported instead of a step', () => {
  const twice = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const PUNCTUATION = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
  const damages: readonly [string, (text: string) => string, RegExp][] = [
    ['UTF-8 twice', twice, /UTF-8 that was encoded twice, with bytes read as Latin-1/],
    [
      'UTF-8 twice, windows-1252',
      // As Python decodes; the bytes that have no character stay as they are.
      (text) => twice(text).replace(/[\u0080-\u009f]/g, (unit) => `${PUNCTUATION[unit.charCodeAt(0) - 0x80] ?? unit}`),
      /UTF-8 that was encoded twice, with bytes read as windows-1252/,
    ],
    ['ASCII alone', (text) => text.replace(/[^\0-\x7f]/gu, '?'), /ASCII with "\?" for every other character/],
    ['ASCII alone, by units', (text) => text.replace(/[^\0-\x7f]/g, '?'), /ASCII with "\?"/],
    ['Latin-1 alone', (text) => text.replace(/[^\0-\xff]/gu, '?'), /Latin-1 with "\?" for every other character/],
    ['UCS-2', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd'), /UCS-2, which has no characters/],
    ['U+FFFD', (text) => text.replace(/[^\0-\x7f]/gu, '\ufffd'), /ASCII with U\+FFFD/],
    ['UTF-16LE', (text) => Buffer.from(text, 'utf16le').toString('latin1'), /UTF-16LE that was read as Latin-1/],
    [
      'escapes',
      (text) => text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      /JSON escapes that were not decoded/,
    ],
  ];
  test.each(damages)('%s in replies', async (_, change, name) => {
    const report = await run(
      createOdd({
        after: (reply) => (reply.kind === 'ok' ? { ...reply, result: mapStrings(reply.result, change) } : reply),
      }),
    );
    expect(report.encoding).toMatch(name);
    expect(report).toMatchObject({ verdict: 'fails', firstStep: null, resemblances: [] });
    expect(diagnose(report)[0]).toMatch(name);
    expect(writeTerminal(report)).toContain('Fix how the adapter reads and writes texts first');
  });

  test('UTF-8 twice in requests', async () => {
    const report = await run(createOdd({ before: (input) => mapStrings(input, twice) }));
    expect(report).toMatchObject({ encoding: expect.stringMatching(/encoded twice.*Latin-1/), firstStep: null });
  });

  test('unless one step alone damages texts', async () => {
    const report = await run(
      createOdd({ before: (input, operation) => (operation === 'normalise' ? mapStrings(input, twice) : input) }),
    );
    expect(report).toMatchObject({ encoding: null, firstStep: { step: 3 } });
  });
});

describe('varying answers are reported instead of a step', () => {
  const turned = (reply: Reply): Reply =>
    reply.kind === 'ok' && Array.isArray(reply.result['tokens'])
      ? { kind: 'ok', result: { ...reply.result, tokens: [...reply.result['tokens']].reverse() } }
      : reply;

  test('if they vary between requests', async () => {
    const report = await run(
      createOdd({ after: (reply, operation, i) => (operation === 'tokenise' && i % 2 === 0 ? turned(reply) : reply) }),
    );
    expect(report).toMatchObject({ verdict: 'fails', firstStep: null });
    expect(diagnose(report)).toEqual([expect.stringMatching(/^Not deterministic: answers to .* of tokenise differ/)]);
  });

  test('if they vary between processes, since right answers are repeated', async () => {
    const report = await run(
      createOdd({ other: () => ({ after: (reply, operation) => (operation === 'tokenise' ? turned(reply) : reply) }) }),
    );
    const varying = report.outcomes.filter(({ slip }) => slip?.kind === 'varies');
    expect(varying.length).toBeGreaterThan(0);
    expect(new Set(varying.map(({ operation }) => operation))).toEqual(new Set(['tokenise']));
    expect(varying[0]).toMatchObject({ status: 'fail', outcome: 'varies', place: 'tokens[0]' });
    expect(report).toMatchObject({ verdict: 'fails', firstStep: null, counts: { failed: varying.length } });
  });

  test('and other wrong answers of that operation do not point to a step', async () => {
    const isShort = (reply: Reply) => reply.kind === 'ok' && (reply.result['tokens'] as string[]).length < 3;
    const wrong: Reply = { kind: 'ok', result: { tokens: ['wrong'] } };
    const report = await run(
      createOdd({
        after: (reply, operation, i) =>
          operation !== 'tokenise' ? reply : isShort(reply) ? wrong : i % 2 === 0 ? turned(reply) : reply,
      }),
    );
    expect(report.outcomes.some(({ status, slip }) => status === 'fail' && slip === undefined)).toBe(true);
    expect(report.firstStep).toBeNull();
  });

  test('and constant mistakes are still found', async () => {
    const report = await run(
      createOdd({
        after: (reply, operation, i) =>
          operation === 'tokenise' && i % 2 === 0 ? turned(reply) : operation === 'normalise' ? WRONG : reply,
      }),
    );
    expect(report.firstStep?.step).toBe(3);
  });

  test('unless wrong answers are constant', async () => {
    const report = await run(createOdd({ after: (reply, operation) => (operation === 'normalise' ? WRONG : reply) }));
    expect(report.outcomes.filter(({ slip }) => slip !== undefined)).toEqual([]);
  });
});

describe('requests that fail too often are not repeated', () => {
  test('for one operation, while others go on', async () => {
    const report = await run(createOdd({ after: (reply, operation) => (operation === 'normalise' ? CRASH : reply) }));
    const own = report.outcomes.filter(({ operation }) => operation === 'normalise');
    expect(own.slice(0, 6).map(({ status }) => status)).toEqual([...Array(5).fill('crash'), 'not-run']);
    expect(own[5]!.detail).toBe('5 failures of normalise: no more requests are sent for it');
    expect(report.counts).toMatchObject({ failed: 5, notRun: own.length - 5 });
    expect(report.counts.passed).toBeGreaterThan(200);
    expect([report.restarts, report.firstStep]).toEqual([5, null]);
    expect(writeTerminal(report)).toContain(
      'vectors not run: 5 failures of normalise: no more requests are sent for it',
    );
    expect(report.classes.map(({ class: name, verdict }) => [name, verdict])).toEqual(
      expect.arrayContaining([
        ['hash', 'conforms'],
        ['text', 'fails'],
      ]),
    );
  });

  test('after the time of the run', async () => {
    const report = await run(createOdd(), { time: 0 });
    expect(report.counts).toMatchObject({ passed: 0, failed: 0, notRun: report.outcomes.length });
    expect(report.outcomes[0]!.detail).toBe('the run took more than 0 seconds');
    expect(report.verdict).toBe('fails');
  });
});

describe('the exit of an adapter', () => {
  const ends: readonly [string, ExitStatus | null, string | null][] = [
    ['code 0', { code: 0, signal: null }, null],
    ['code 9', { code: 9, signal: null }, 'exited with code 9 when its standard input was closed'],
    ['a signal', { code: null, signal: 'SIGSEGV' }, 'killed by SIGSEGV when its standard input was closed'],
    ['never', null, 'did not exit when its standard input was closed'],
  ];
  test.each(ends)('decides the verdict: %s', async (_, exit, problem) => {
    const report = await run(createOdd({ exit }));
    expect(report).toMatchObject({
      exit: problem,
      verdict: problem === null ? 'conforms' : 'fails',
      counts: { failed: 0 },
    });
    expect(report.classes.find((each) => each.class === 'hash')!).toMatchObject(
      problem === null ? { verdict: 'conforms' } : { verdict: 'fails', reason: `the adapter ${problem}` },
    );
    if (problem !== null) expect(writeTerminal(report)).toContain(`Does not conform: the adapter ${problem}.`);
  });

  test('that is bad does not keep other processes from being ended', async () => {
    const exit: ExitStatus = { code: 9, signal: null };
    let running = 0;
    const counted = (adapter: Adapter): Adapter => {
      running++;
      const end = async (): Promise<ExitStatus> => {
        running--;
        return exit;
      };
      return { ...adapter, another: () => counted(createOdd()), end };
    };
    const report = await run(counted(createOdd()), { jobs: 2 });
    expect([report.exit, running]).toEqual(['exited with code 9 when its standard input was closed', 0]);
  });
});

test('two mistakes are reported in one sentence', async () => {
  const report = await run(createOdd());
  const pair = { mutant: 'one', title: 'does a', step: 3, and: { mutant: 'two', title: 'does b', step: 5 } };
  const numbers = { same: 9, failed: 10, missing: 0, unrecorded: 1 };
  expect(diagnose({ ...report, resemblances: [{ ...pair, ...numbers }] })).toEqual([
    'Fails like one and two together on 9 of 10 (their outcome on 1 other is not recorded): does a; and does b.',
  ]);
});

describe('several processes', () => {
  test('give the same report, in the same order', async () => {
    // Wrong documents are located, one operation is given up, and each process takes another time.
    let processes = 0;
    const odd = (pauses: number): Odd => ({
      after(reply, operation) {
        if (operation === 'strip-locators') return CRASH;
        return operation === 'fingerprint' ? { kind: 'ok', result: { fingerprint: 'AAAAAAAAAAAAA' } } : reply;
      },
      before(input) {
        for (let i = 0; i < pauses; i++) JSON.stringify(input);
        return input;
      },
      other: () => odd(100 * ++processes),
    });
    const seen: string[] = [];
    const one = await run(createOdd(odd(0)));
    const three = await run(createOdd(odd(0)), { jobs: 3, onOutcome: ({ id }) => seen.push(id) });
    expect(processes).toBeGreaterThanOrEqual(3);
    expect(seen).toEqual(one.outcomes.map(({ id }) => id));
    expect(three).toEqual(one);
    expect(one.outcomes.some(({ status }) => status === 'crash')).toBe(true);
    expect(one.outcomes.some(({ location }) => location !== undefined)).toBe(true);
  });

  test('share the work, and urgent work comes first', async () => {
    const pool = createPool(createOdd(), 2);
    expect(pool.size).toBe(2);
    const done: string[] = [];
    const held: (() => void)[] = [];
    const hold = (name: string, isFirst?: boolean) =>
      pool.use(() => new Promise<void>((resolve) => held.push(resolve)).then(() => void done.push(name)), isFirst);
    const all = [hold('a'), hold('b'), hold('c'), hold('urgent', true)];
    while (done.length < 4) {
      held.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(done).toEqual(['a', 'b', 'urgent', 'c']);
    expect(await pool.end()).toBeNull();
  });
});

describe('a part of a run', () => {
  const wrong = { after: (reply: Reply, operation: string) => (operation === 'normalise' ? WRONG : reply) };

  test('ends at the first failure', async () => {
    const report = await run(createOdd(wrong), { stopAt: ({ status }) => status === 'fail', randomCases: 5 });
    const first = report.outcomes.findIndex(({ status }) => status === 'fail');
    expect(report.outcomes[first]!.operation).toBe('normalise');
    expect(new Set(report.outcomes.slice(first + 1).map(({ status, detail }) => `${status}: ${detail}`))).toEqual(
      new Set(['not-run: stopped after a failure']),
    );
    expect(report).toMatchObject({ verdict: 'fails', random: null, counts: { failed: 1 } });
  });

  test('without the vectors of a skip list passes, and nothing can be claimed', async () => {
    const failing = await run(createOdd(wrong));
    const list = writeSkipList(failing);
    const ids = failing.outcomes.map(({ id }) => id);
    const skip = readSkipList(list, 'skip.txt', ids);
    expect([...skip]).toEqual(failing.outcomes.filter(({ status }) => status === 'fail').map(({ id }) => id));
    const report = await run(createOdd(wrong), { skip });
    expect(report).toMatchObject({ verdict: 'conforms', counts: { failed: 0, notRun: skip.size } });
    expect(report.selection).toBe(`${skip.size} skipped`);
    expect(new Set(report.classes.map(({ verdict }) => verdict))).toEqual(new Set(['untested']));
    expect(report.outcomes.filter(({ skipped }) => skipped).map(({ id }) => id)).toEqual([...skip]);
    expect(writeTerminal(report)).toContain(`${skip.size} vectors not run: skipped`);
  });

  test('a skip list has ids, patterns and comments, and each line names a vector', () => {
    const read = (text: string) => [...readSkipList(text, 'skip.txt', ['a/one', 'a/two', 'b/one'])];
    expect(read('# all of a\na/*  # two\r\n\n  b/one\n')).toEqual(['a/one', 'a/two', 'b/one']);
    expect(read('*/one')).toEqual(['a/one', 'b/one']);
    expect(() => read('a/one\na/on')).toThrow('skip.txt: line 2: no such vector: "a/on"');
    expect(() => read('a.one')).toThrow('no such vector');
  });
});
