import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import { createProcessAdapter } from '../../src/conformance/adapter/process-adapter.ts';
import type { Adapter, Hello } from '../../src/conformance/adapter/protocol.ts';
import { claimedClasses } from '../../src/conformance/judge/conformance-classes.ts';
import { checkClaim, claimOf } from '../../src/conformance/records/claim-file.ts';
import { resultsOf } from '../../src/conformance/records/results-file.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { runConformance } from '../../src/conformance/run-conformance.ts';
import { isOfScalars } from '../../src/conformance/suite/accumulate.ts';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import type { Operation } from '../../src/conformance/vector.ts';
import { isLong } from '../vectors/long.ts';
import { createChanged, SILENT } from './changed.ts';

const PART = 6;
const OPERATIONS = (await createInProcessAdapter().hello()).operations.filter((name) => !name.startsWith('extract'));

/** Short vectors: the first of each operation, kind of input, label and k. Those of all scalar values are not. */
const groups = (() => {
  const seen = new Map<string, number>();
  return loadGroups().map((group) => ({
    ...group,
    vectors: group.vectors.filter((vector) => {
      const { operation, input } = vector;
      if (isLong(vector) || operation.startsWith('extract')) return false;
      if (operation === 'accumulate' && isOfScalars(input)) return false;
      const { k, label, step, utf8, utf16 } = input as Readonly<Record<string, unknown>>;
      const key = JSON.stringify([operation, k, label, step, utf8 !== undefined, utf16 !== undefined]);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return seen.get(key)! <= PART;
    }),
  }));
})();
const published = new Set(groups.flatMap(({ vectors }) => vectors.map(({ input }) => JSON.stringify(input))));

/** The reference, which does not answer inputs that a lie hides, and has the declarations of the test. */
const lying = (isHidden: (operation: Operation, input: object) => boolean, declared: Partial<Hello> = {}): Adapter =>
  createChanged({
    hello: { operations: OPERATIONS, ...declared },
    after: (reply, operation, input) => (isHidden(operation, input) ? SILENT : reply),
  });

const run = (adapter: Adapter): Promise<Report> =>
  runConformance(adapter, { groups, suite: { version: '1.2.3', digest: 'd' }, randomCases: 100, seed: 1 });

/** Expects that no class was awarded. */
function expectNothing(report: Report): void {
  expect(claimedClasses(report.classes)).toEqual([]);
  expect(claimOf(resultsOf(report))).toBeNull();
  expect(report.verdict).toBe('untested');
}

/** Crashes on its first request, and declines bytes when it is started again. */
const LATE = `import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const mark = new URL('seen', import.meta.url);
const hello = { name: 'late', version: '1', language: 'x', protocol: 1, operations: ['decode'] };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line);
  if (op === 'hello') console.log(JSON.stringify({ id, ok: { ...hello, declines: existsSync(mark) ? ['utf8'] : [] } }));
  else if (existsSync(mark)) console.log(JSON.stringify({ id, unsupported: true }));
  else {
    writeFileSync(mark, '');
    process.exit(1);
  }
}
`;

describe('an adapter earns no class', () => {
  test('if it answers one input of each operation', async () => {
    const asked = new Set<string>();
    const report = await run(lying((operation) => asked.size === asked.add(operation).size));
    expectNothing(report);
    expect(report.counts.passed).toBeLessThan(30);
  });

  test('if it is silent on exactly the hard inputs', async () => {
    const isHard = (operation: Operation, input: object): boolean => {
      const { k = 3, hex, serialised } = input as { k?: number; hex?: string; serialised?: string };
      if (operation === 'lookup' || operation === 'probe') return k > 3;
      if (hex !== undefined) return hex.length !== 16 && hex.length !== 64;
      if (serialised !== undefined) return serialised.length !== 13 && serialised.length !== 52;
      return ['compare', 'parse-labelled', 'format-labelled', 'serialise', 'tables'].includes(operation)
        ? JSON.stringify(input).includes('null')
        : /[^\x20-\x7e]/.test(JSON.stringify(input)) || 'utf8' in input || 'utf16' in input;
    };
    const report = await run(lying(isHard));
    expectNothing(report);
    expect(report.counts.passed).toBeGreaterThan(report.counts.unsupported);
  });

  test('if it declines every kind, and others', async () => {
    const all = { declines: ['utf8', 'utf16', 'k>3'] };
    expectNothing(await run(lying((operation, input) => operation !== 'tables' || !('fingerprint' in input), all)));
    expectNothing(await run(lying((_, input) => 'text' in input || 'serialised' in input || 'labelled' in input, all)));
  });

  test('if it declines after a restart, when it has received inputs', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'simhash-doc-')), 'late.mjs');
    writeFileSync(path, LATE);
    const adapter = createProcessAdapter([process.execPath, path]);
    const input = { utf8: '61' };
    expect((await adapter.hello()).declines).toEqual([]);
    expect(await adapter.request('decode', input)).toMatchObject({ kind: 'crash' });
    expect(await adapter.request('decode', input)).toEqual(SILENT);
    expect((await adapter.hello()).declines).toEqual([]);
    await adapter.close();
  });

  test('if it answers only the published vectors', async () => {
    const report = await run(lying((_, input) => !published.has(JSON.stringify(input))));
    expect(report.counts).toMatchObject({ failed: 0, unsupported: expect.any(Number) });
    expectNothing(report);
    const hash = report.classes.find((each) => each.class === 'hash')!;
    expect(hash.counts.unsupported).toBe(0);
    expect(hash.unanswered).toContainEqual({
      operation: 'parse',
      vectors: 0,
      randomCases: expect.any(Number),
      isAllowed: false,
    });
  });
});

test('an optional operation that is half answered withholds its classes; one that is not offered does not', async () => {
  let number = 0;
  const half = await run(lying((operation) => operation === 'lookup3' && number++ % 2 === 0));
  expect(claimedClasses(half.classes).join()).not.toMatch(/hash,|text/);
  const none = await run(lying((operation) => operation === 'lookup3'));
  expect(claimedClasses(none.classes).slice(0, 3)).toEqual(['hash', 'fingerprint', 'text']);
  expect(claimOf(resultsOf(none))!.claim).toMatch(/; not answered: \d+ of lookup3$/);
});

test('a claim fails for an adapter that declines more, or answers by other functions', async () => {
  const functions = { fingerprint: 'shd_fingerprint' };
  const honest = await run(lying(() => false, { functions }));
  const claim = claimOf(resultsOf(honest))!;
  expect(claim.functions).toEqual(functions);
  expect(checkClaim(claim, honest)).toEqual([]);
  const later = await run(lying((_, input) => 'utf16' in input, { declines: ['utf16'], functions: {} }));
  expect(claimedClasses(later.classes).slice(0, 3)).toEqual(['hash', 'fingerprint', 'text']);
  expect(checkClaim(claim, later)).toEqual([
    'The adapter declines utf16, which the claim does not name.',
    'fingerprint: answered by recomposed steps; the claim is about shd_fingerprint.',
    expect.stringMatching(/^fingerprint: not answered, and not named by the claim: \d+ of fingerprint \(utf16\)\.$/),
    expect.stringMatching(/^text: not answered, /),
    ...['simhash-doc\\+bg1', 'minhash-doc', 'minhash-doc-256']
      .slice(1)
      .map((label) => expect.stringMatching(new RegExp(`^label \\(${label}\\): not answered, `))),
  ]);
});

test('a failure under bg1 fails its class, and no other', async () => {
  for (const wrong of ['fingerprint', 'parse', 'lookup']) {
    const adapter = createChanged({
      hello: { operations: OPERATIONS },
      after: (reply, operation, { label }: { label?: string }) =>
        operation === wrong && label === 'simhash-doc+bg1' ? { kind: 'ok', result: { fingerprint: 'wrong' } } : reply,
    });
    const report = await run(adapter);
    const failed = report.classes.filter(({ verdict }) => verdict === 'fails');
    expect([wrong, failed.map(({ class: name, label }) => label ?? name)]).toEqual([wrong, ['simhash-doc+bg1']]);
    // The other labels go on being compared.
    expect(report.random!.compared).toBeGreaterThan(OPERATIONS.length * 80);
  }
});
