import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../../../src/lookup/indexes/stores/folder/open.ts';
import { salvageLines } from '../../../../src/lookup/indexes/stores/salvage.ts';
import type { StoredIndex } from '../../../../src/lookup/indexes/stores/stored-index.ts';
import { all, IS_SLOW } from '../../../suite.ts';
import { FILE_STATE as state } from '../../data.ts';
import { injectFaults, type Plan } from './faults.ts';
import { newPath } from './folders.ts';

type Model = Map<string, bigint>;

/** A change of an index, and the same of a map. */
interface Change {
  readonly run: (index: StoredIndex) => unknown;
  readonly apply: (model: Model) => void;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const fingerprintOf = (i: number, round: number): bigint =>
  BigInt.asUintN(64, BigInt(i * 7 + round) * 0x9e3779b97f4a7c15n);

function put(from: number, to: number, round: number): Change {
  const entries = range(from, to).map((i) => ({ id: `document ${i}`, fingerprint: fingerprintOf(i, round) }));
  return {
    run: (index) => index.addAll(entries, { existing: 'replace' }),
    apply: (model) => entries.forEach(({ id, fingerprint }) => void model.set(id, fingerprint)),
  };
}

function remove(from: number, to: number): Change {
  const ids = range(from, to).map((i) => `document ${i}`);
  return { run: (index) => index.removeAll(ids), apply: (model) => ids.forEach((id) => void model.delete(id)) };
}

/** Reads a file that has some documents, all it had before are gone. */
function read(path: string, from: number, to: number): Change {
  const documents = range(from, to).map((i) => ({ path, id: `${path}!${i}`, fingerprint: fingerprintOf(i, 5) }));
  return {
    run: (index) => index.files.commit({ documents, finished: [{ path, state }] }),
    apply(model) {
      for (const id of model.keys()) if (id.startsWith(`${path}!`)) model.delete(id);
      for (const { id, fingerprint } of documents) model.set(id, fingerprint);
    },
  };
}

interface Scenario {
  readonly held: number;
  readonly changes: readonly (Change | 'reopen')[];
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'segments and merges': {
    held: 6,
    changes: [
      put(0, 3, 0),
      put(3, 8, 0),
      remove(1, 3),
      put(0, 1, 1),
      'reopen',
      read('a.zip', 0, 4),
      put(20, 40, 0),
      read('a.zip', 2, 5),
      remove(20, 39),
      put(50, 51, 0),
      'reopen',
      put(51, 53, 0),
      remove(0, 60),
    ],
  },
  'a log with long transactions': {
    held: 1e6,
    changes: [put(0, 900, 0), put(5, 6, 1), remove(7, 8), 'reopen', put(1000, 2200, 0), put(1, 2, 2)],
  },
};

async function contentOf(index: StoredIndex): Promise<Model> {
  const entries = await all(index.entries());
  return new Map(entries.map(({ id, fingerprint }) => [id, fingerprint as bigint]));
}

/** Pretends that the process of the writer has ended. */
function endWriter(path: string): void {
  const file = join(path, 'writer');
  if (!existsSync(file)) return;
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid: 0x3fffffff }));
}

/** An index in which calls fail, and what it may hold. */
class Trial {
  readonly path: string;
  readonly #scenario: Scenario;
  #index: StoredIndex | undefined;
  /** What may be stored: more than one state after a failure whose outcome is unknown. */
  #states: Model[] = [new Map()];
  readonly errors: string[] = [];

  /** True if the process ends when a call fails. */
  readonly #isEnd: boolean;
  #hasEnded = false;

  constructor(path: string, scenario: Scenario, isEnd: boolean) {
    this.#isEnd = isEnd;
    this.path = path;
    this.#scenario = scenario;
  }

  async #attempt(action: () => unknown): Promise<Error | undefined> {
    try {
      await action();
      return undefined;
    } catch (error) {
      this.#hasEnded = this.#isEnd;
      const { code, message } = error as { code?: string; message: string };
      expect(code, String((error as Error).stack)).toMatch(
        /^(?:unavailable|no-space|locked|not-found|damaged|truncated|not-an-index)$/,
      );
      expect(message).toContain(this.path);
      this.errors.push(message);
      return error as Error;
    }
  }

  #open(): void {
    this.#index ??= openFolder(this.path, { label: 'simhash-doc', create: true }, this.#scenario.held);
  }

  async #close(): Promise<void> {
    const index = this.#index;
    this.#index = undefined;
    const error = await this.#attempt(() => index?.close());
    if (error !== undefined && !this.#hasEnded) expect(error.message).toMatch(/all changes .*are stored/);
  }

  /** Compares what a call gives with what may be stored. */
  async #check(index: StoredIndex, what: string): Promise<void> {
    const content = await contentOf(index);
    const state = this.#states.find(
      (each) => each.size === content.size && [...each].every(([id, value]) => content.get(id) === value),
    );
    if (state === undefined)
      expect.fail(
        `${what}: ${content.size} documents are stored; expected ${this.#states.map(({ size }) => size).join(' or ')}`,
      );
    expect(await index.size(), what).toBe(content.size);
  }

  async #change({ run, apply }: Change): Promise<void> {
    if ((await this.#attempt(() => this.#open())) !== undefined) return;
    const index = this.#index!;
    const after = this.#states.map((each) => new Map(each));
    for (const each of after) apply(each);
    const error = await this.#attempt(() => run(index));
    if (error === undefined) this.#states = after;
    else if (this.#hasEnded) this.#states.push(...after);
    else if (/unknown whether/.test(error.message)) {
      this.#states.push(...after);
      await this.#attempt(() => this.#check(index, 'after an unknown outcome'));
      // It is closed for writing.
      await expect(index.add('late', 1n)).rejects.toThrow(/closed for writing/);
      await this.#close();
    } else {
      expect(error.message).toMatch(/nothing of this transaction was written/);
      await this.#attempt(() => this.#check(index, 'after a failure'));
    }
  }

  async run(): Promise<void> {
    for (const change of this.#scenario.changes)
      if (this.#hasEnded) return;
      else if (change === 'reopen') await this.#close();
      else await this.#change(change);
    if (!this.#isEnd) await this.#close();
  }

  /** Opens the index again, when calls work again, and goes on. */
  async finish(): Promise<void> {
    if (this.#isEnd) endWriter(this.path);
    for (let round = 0; round < 2; round++) {
      if (round === 0 && existsSync(join(this.path, 'manifest'))) {
        const reader = openFolder(this.path, { mode: 'read' }, this.#scenario.held);
        await this.#check(reader, 'read again');
        expect((await reader.verify()).faults).toEqual([]);
        const content = await contentOf(reader);
        await reader.close();
        const faults: string[] = [];
        expect([...salvageLines(this.path, (fault) => faults.push(fault))]).toHaveLength(content.size);
        expect(faults).toEqual([]);
      }
      const index = openFolder(this.path, { label: 'simhash-doc', create: true }, this.#scenario.held);
      await this.#check(index, 'opened again');
      const content = await contentOf(index);
      expect(await index.verify()).toEqual({ documents: content.size, faults: [] });
      const more = put(70 + 10 * round, 78 + 10 * round, 3);
      this.#states = [content];
      await more.run(index);
      more.apply(content);
      await this.#check(index, 'after a further change');
      await index.close();
      const names = readdirSync(this.path).filter(
        (name) => !/^\d+\.(?:seg|log)$|^manifest(?:\.copy)?(?:\.new)?$|^writer\..*/.test(name),
      );
      // What was left when the process ended.
      if (round === 1) expect(names).toEqual([]);
    }
  }
}

async function runWith(plan: Plan, scenario: Scenario): Promise<{ count: number; errors: string[] }> {
  const path = newPath();
  const trial = new Trial(path, scenario, plan.fault === 'end');
  const faults = injectFaults(path, plan);
  try {
    await trial.run();
  } catch (error) {
    throw new Error(
      `${JSON.stringify(plan)}: ${faults.log[0]}: ${(error as Error).message}\n${trial.errors.join('\n')}`,
      { cause: error },
    );
  } finally {
    faults.restore();
  }
  try {
    await trial.finish();
  } catch (error) {
    throw new Error(
      `${JSON.stringify(plan)}: ${faults.log[0]}: ${(error as Error).message}\n${trial.errors.join('\n')}`,
      { cause: error },
    );
  }
  return { count: faults.count, errors: trial.errors };
}

const PLANS: readonly Omit<Plan, 'at'>[] = [
  ...(['EIO', 'ENOSPC', 'EMFILE'] as const).flatMap((fault) => [{ fault }, { fault, isLasting: true }]),
  { fault: 'EIO', isDone: true },
  { fault: 'short' },
  { fault: 'end' },
  { fault: 'end', isDone: true },
];

describe.each(Object.entries(SCENARIOS))('in an index of %s', (_, scenario) => {
  test.each(PLANS)('every call may fail: %j', async (plan) => {
    const { count, errors } = await runWith({ ...plan, at: Number.POSITIVE_INFINITY }, scenario);
    expect(errors).toEqual([]);
    expect(count).toBeGreaterThan(10);
    const problems: string[] = [];
    for (let at = 0; at < count; at += IS_SLOW ? 1 : 11)
      try {
        await runWith({ ...plan, at }, scenario);
      } catch (error) {
        problems.push((error as Error).message);
      }
    expect(
      problems
        .map((each) => each.slice(0, 600))
        .slice(0, 5)
        .join('\n\n') + (problems.length > 5 ? `\n… ${problems.length}` : ''),
    ).toBe('');
  });
});
