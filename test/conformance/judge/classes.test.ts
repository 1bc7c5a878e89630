import { beforeAll, describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../../src/conformance/adapter/in-process.ts';
import type { Adapter } from '../../../src/conformance/adapter/protocol.ts';
import { claimedClasses, judgeClasses, nameOfClass } from '../../../src/conformance/judge/classes.ts';
import { runVector } from '../../../src/conformance/judge/vector.ts';
import type { VectorOutcome } from '../../../src/conformance/outcome.ts';
import { loadGroups } from '../../../src/conformance/suite/load.ts';
import { listLiveVectors } from '../../../src/conformance/suite/select.ts';
import type { Operation } from '../../../src/conformance/types.ts';

const PART = 3;

/** The first vectors of each operation, with every k of lookup and every medium. */
function sample() {
  const seen = new Map<string, number>();
  return listLiveVectors(loadGroups(), false).filter(({ vector }) => {
    const { operation, input } = vector;
    const part = operation === 'lookup' ? `k ${input.k}` : operation === 'extract' ? input.type : '';
    const count = (seen.get(operation + part) ?? 0) + 1;
    seen.set(operation + part, count);
    return count <= PART && operation !== 'accumulate';
  });
}

/** An adapter of the reference that offers only these operations, or answers only some inputs. */
function offering(operations: readonly string[], isTaken: (operation: string, input: never) => boolean = () => true) {
  const adapter = createInProcessAdapter();
  return {
    ...adapter,
    hello: async () => ({ ...(await adapter.hello()), operations }),
    request: async (operation: Operation, input: unknown) =>
      isTaken(operation, input as never) ? adapter.request(operation, input) : { kind: 'unsupported' as const },
  } satisfies Adapter;
}

async function judge(adapter: Adapter, change: (outcome: VectorOutcome) => VectorOutcome = (each) => each) {
  const outcomes: VectorOutcome[] = [];
  for (const { group, vector } of sample()) outcomes.push(change((await runVector(adapter, group, vector)).outcome));
  return judgeClasses(outcomes, await adapter.hello(), new Set(), true);
}

const ALL = ['hash', 'fingerprint', 'text', 'lookup (k ≤ 64)'];
let everything: readonly string[];

beforeAll(async () => {
  everything = (await createInProcessAdapter().hello()).operations;
});

describe('an implementation claims', () => {
  test('every class, lookup with its k and extraction with its media', async () => {
    expect(claimedClasses(await judge(createInProcessAdapter()))).toEqual([
      ...ALL,
      'extraction (html, text, xml, epub, docx, odt and pdf)',
    ]);
  });

  test('fingerprint alone if it offers nothing else, as a one-shot command does', async () => {
    const classes = await judge(offering(['fingerprint']));
    expect(claimedClasses(classes)).toEqual(['fingerprint']);
    expect(classes.find((each) => each.class === 'text')).toMatchObject({
      verdict: 'untested',
      absent: ['tokenise', 'token-hash', 'simhash', 'serialise'],
    });
  });

  test('not text without tokens, nor without what hash needs', async () => {
    for (const absent of ['tokenise', 'simhash']) {
      const some = everything.filter((operation) => operation !== absent);
      expect(claimedClasses(await judge(offering(some)))).not.toContain('text');
    }
  });

  test('lookup up to the k that it answers', async () => {
    const upTo =
      (most: number) =>
      (operation: string, { k = 3 }: { readonly k?: number }) =>
        operation !== 'lookup' || k <= most;
    for (const k of [3, 6])
      expect(claimedClasses(await judge(offering(['tables', 'lookup'], upTo(k))))).toEqual([`lookup (k ≤ ${k})`]);
  });

  test('extraction of the media that it reads', async () => {
    const readsText = (operation: string, { type }: { readonly type?: string }): boolean =>
      operation === 'extract-html' || type === 'pdf';
    const classes = await judge(offering(['extract', 'extract-html'], readsText));
    expect(claimedClasses(classes)).toEqual(['extraction (html and pdf)']);
    expect(classes.filter((each) => each.class === 'extraction').map(nameOfClass)).toEqual([
      'extraction (html)',
      'extraction (pdf)',
    ]);
  });

  test('a medium by itself: one that fails takes no other with it', async () => {
    const classes = await judge(createInProcessAdapter(), (outcome) =>
      outcome.medium === 'epub' ? { ...outcome, status: 'fail' } : outcome,
    );
    expect(classes.find(({ medium }) => medium === 'epub')).toMatchObject({ verdict: 'fails' });
    expect(claimedClasses(classes)).toEqual([...ALL, 'extraction (html, text, xml, docx, odt and pdf)']);
  });

  test('nothing of extraction if it offers none', async () => {
    const classes = await judge(offering(['token-hash']));
    expect(classes.filter((each) => each.class === 'extraction')).toMatchObject([
      { verdict: 'untested', absent: ['extract-html', 'extract'] },
    ]);
  });
});

test('the table of the specification names the same operations', async () => {
  const { readFileSync } = await import('node:fs');
  const spec = readFileSync(new URL('../../../spec/conformance.md', import.meta.url), 'utf8');
  const rows = [...spec.matchAll(/^\| \*(\w+)\* \| (.*) \| ?(.*)\|$/gm)];
  const operationsIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map((match) => match[1]!);
  const table = new Map(rows.map(([, name, needs, others]) => [name!, [operationsIn(needs!), operationsIn(others!)]]));
  const [hashNeeds, hashOthers] = table.get('hash')!;
  const classes = judgeClasses([], { ...(await createInProcessAdapter().hello()), operations: [] }, new Set(), true);
  for (const name of ['hash', 'fingerprint', 'text', 'lookup']) {
    const { absent, missing } = classes.find((each) => each.class === name)!;
    const [needs, others] = table.get(name)!;
    const inherits = name === 'text';
    expect([...absent].sort()).toEqual([...needs!, ...(inherits ? hashNeeds! : [])].sort());
    expect([...missing].sort()).toEqual(
      [...needs!, ...others!, ...(inherits ? [...hashNeeds!, ...hashOthers!] : [])].sort(),
    );
  }
});
