import { beforeAll, describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../../src/conformance/adapter/in-process-adapter.ts';
import type { Adapter } from '../../../src/conformance/adapter/protocol.ts';
import {
  type ConformanceClass,
  claimedClasses,
  judgeClasses,
  nameOfClass,
  operationsOf,
} from '../../../src/conformance/judge/conformance-classes.ts';
import { runVector } from '../../../src/conformance/judge/judge-vector.ts';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { listLiveVectors } from '../../../src/conformance/suite/select-vectors.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';
import { createChanged, SILENT } from '../changed.ts';

const PART = 3;

/** No random cases. */
const NONE = { disagreements: [], unanswered: [] };

/** The first vectors of each operation, with every k of lookup and every medium. */
function sample() {
  const seen = new Map<string, number>();
  return listLiveVectors(loadGroups(), false).filter(({ vector }) => {
    const { operation, input } = vector;
    const kind = 'utf8' in input ? 'utf8' : 'utf16' in input ? 'utf16' : '';
    const part = operation === 'lookup' ? `k ${input.k}` : operation === 'extract' ? input.type : kind;
    const count = (seen.get(operation + part) ?? 0) + 1;
    seen.set(operation + part, count);
    return count <= PART && operation !== 'accumulate';
  });
}

/** An adapter of the reference that offers only these operations, or answers only some inputs. */
const offering = (
  operations: readonly string[],
  isTaken: (operation: string, input: never) => boolean = () => true,
  declines: readonly string[] = [],
) =>
  createChanged({
    hello: { operations, declines },
    after: (reply, operation, input) => (isTaken(operation, input) ? reply : SILENT),
  });

async function judge(adapter: Adapter, change: (outcome: VectorOutcome) => VectorOutcome = (each) => each) {
  const outcomes: VectorOutcome[] = [];
  for (const { group, vector } of sample()) outcomes.push(change((await runVector(adapter, group, vector)).outcome));
  return judgeClasses(outcomes, await adapter.hello(), NONE, true);
}

/** The operations on strings that lookup needs, as hash does. */
const STRINGS = ['serialise', 'parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled', 'compare'];
const ALL = ['hash', 'fingerprint', 'text', 'lookup (k ≤ 64)'];
let everything: readonly string[];

beforeAll(async () => {
  everything = (await createInProcessAdapter().hello()).operations;
});

describe('an implementation claims', () => {
  test('every class but extraction, and lookup with its k', async () => {
    expect(claimedClasses(await judge(createInProcessAdapter()))).toEqual(ALL);
  });

  test('fingerprint alone if it offers nothing else, like a one-shot command', async () => {
    const classes = await judge(offering(['fingerprint']));
    expect(claimedClasses(classes)).toEqual(['fingerprint']);
    expect(classes.find((each) => each.class === 'text')).toMatchObject({
      verdict: 'untested',
      absent: ['tokenise', 'token-hash', 'simhash', ...STRINGS],
    });
  });

  test('not text without tokens, or without the operations of hash', async () => {
    for (const absent of ['tokenise', 'simhash']) {
      const some = everything.filter((operation) => operation !== absent);
      expect(claimedClasses(await judge(offering(some)))).not.toContain('text');
    }
  });

  test('hash and lookup only with all operations that they need', async () => {
    const hash = ['token-hash', 'simhash', ...STRINGS];
    expect(claimedClasses(await judge(offering(hash)))).toEqual(['hash']);
    for (const absent of hash) {
      const some = [...hash, 'tables', 'lookup'].filter((operation) => operation !== absent);
      expect([absent, claimedClasses(await judge(offering(some)))]).toEqual([
        absent,
        STRINGS.includes(absent) ? [] : ['lookup (k ≤ 64)'],
      ]);
    }
  });

  test('lookup up to the k that it declined to exceed', async () => {
    const upTo =
      (most: number) =>
      (operation: string, { k = 3 }: { readonly k?: number }) =>
        operation !== 'lookup' || k <= most || k > 64;
    const lookup = ['tables', 'lookup', ...STRINGS];
    for (const k of [3, 6, 7]) {
      expect(claimedClasses(await judge(offering(lookup, upTo(k), [`k>${k}`])))).toEqual([`lookup (k ≤ ${k})`]);
      expect(claimedClasses(await judge(offering(lookup, upTo(k), ['k>8'])))).toEqual([]);
      expect(claimedClasses(await judge(offering(lookup, upTo(k))))).toEqual([]);
    }
  });

  test('text without declined units or bytes; hash and fingerprint need bytes', async () => {
    const without = (kind: string) => (operation: string, input: object) =>
      !['decode', 'token-hash', 'fingerprint'].includes(operation) || !(kind in input);
    const text = ['fingerprint', 'tokenise', 'token-hash', 'simhash', ...STRINGS];
    expect(claimedClasses(await judge(offering(text, without('utf16'), ['utf16'])))).toEqual([
      ...['hash', 'fingerprint', 'text'],
    ]);
    expect(claimedClasses(await judge(offering(text, without('utf8'), ['utf8'])))).toEqual(['text']);
    for (const kind of ['utf8', 'utf16'])
      expect(claimedClasses(await judge(offering(text, without(kind))))).toEqual(kind === 'utf8' ? [] : ['hash']);
  });

  test('no extraction, whatever media it reads', async () => {
    const readsText = (operation: string, { type }: { readonly type?: string }): boolean =>
      operation === 'extract-html' || type === 'pdf';
    const classes = await judge(offering(['extract', 'extract-html'], readsText));
    // Answers to vectors can be prepared: they pass, and nothing is claimed.
    expect(claimedClasses(classes)).toEqual([]);
    expect(classes.filter((each) => each.class === 'extraction').map(nameOfClass)).toEqual([
      'extraction (html)',
      'extraction (pdf)',
    ]);
  });

  test('no extraction, of which each medium is judged by itself', async () => {
    const classes = await judge(createInProcessAdapter(), (outcome) =>
      outcome.medium === 'epub' ? { ...outcome, status: 'fail' } : outcome,
    );
    expect(classes.find(({ medium }) => medium === 'epub')).toMatchObject({ verdict: 'fails' });
    const others = classes.filter(({ medium }) => medium !== undefined && medium !== 'epub');
    expect(others.map(({ verdict }) => verdict)).toEqual(others.map(() => 'conforms'));
    expect(claimedClasses(classes)).toEqual(ALL);
  });

  test('no extraction if it offers none', async () => {
    expect((await judge(offering(['token-hash']))).filter((each) => each.class === 'extraction')).toMatchObject([
      { verdict: 'untested', absent: ['extract-html', 'extract'] },
    ]);
  });
});

test('the table of the specification names the same operations', async () => {
  const { readFileSync } = await import('node:fs');
  const spec = readFileSync(new URL('../../../vectors/README.md', import.meta.url), 'utf8');
  const rows = [...spec.matchAll(/^\| \*(\w+)\* \| (.*) \| ?(.*)\|$/gm)];
  const operationsIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map((match) => match[1]!);
  const table = new Map(rows.map(([, name, needs, others]) => [name!, [operationsIn(needs!), operationsIn(others!)]]));
  const [hashNeeds, hashOthers] = table.get('hash')!;
  const classes = judgeClasses([], { ...(await createInProcessAdapter().hello()), operations: [] }, NONE, true);
  for (const name of ['hash', 'fingerprint', 'text', 'lookup']) {
    const { absent } = classes.find((each) => each.class === name)!;
    const [needs, others] = table.get(name)!;
    const inherits = name === 'text';
    expect([...absent].sort()).toEqual([...needs!, ...(inherits ? hashNeeds! : [])].sort());
    expect([...new Set(operationsOf({ class: name as ConformanceClass }))].sort()).toEqual(
      [...new Set([...needs!, ...others!, ...(inherits ? [...hashNeeds!, ...hashOthers!] : [])])].sort(),
    );
  }
});
