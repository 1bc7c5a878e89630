import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../../src/lookup/stores/folder/open-folder.ts';
import { salvageLines } from '../../../src/lookup/stores/folder/salvage-lines.ts';
import type { StoredIndex } from '../../../src/lookup/stores/stored-index.ts';
import { all, IS_SLOW, STRIDE } from '../../suite.ts';
import { randomOf, FILE_STATE as state } from '../data.ts';
import { injectFaults, type Plan } from './faults.ts';
import { newPath, salvage } from './folders.ts';

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
  return new Map((await all(index.entries())).map(({ id, fingerprint }) => [id, fingerprint as bigint]));
}

function endWriter(path: string): void {
  const file = join(path, 'writer');
  if (!existsSync(file)) return;
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid: 0x3fffffff }));
}

/** An index in which calls fail, and what it may hold. */
class Trial {
  path: string;
  readonly #scenario: Scenario;
  #index: StoredIndex | undefined;
  /** What may be stored: more than one state after a failure whose outcome is unknown. */
  #states: Model[] = [new Map()];
  readonly errors: string[] = [];

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

  async finish(path: string): Promise<void> {
    this.path = path;
    const states = this.#states;
    if (this.#isEnd) endWriter(this.path);
    for (let round = 0; round < 2; round++) {
      if (round === 0 && existsSync(join(this.path, 'manifest'))) {
        const reader = openFolder(this.path, { mode: 'read' }, this.#scenario.held);
        await this.#check(reader, 'read again');
        expect((await reader.verify()).faults).toEqual([]);
        const content = await contentOf(reader);
        await reader.close();
        expect(salvage(this.path)).toEqual({ lines: expect.objectContaining({ length: content.size }), faults: [] });
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
      // What a failed removal has left.
      if (round === 1) expect(names).toEqual([]);
    }
    this.#states = states;
  }
}

async function runWith(plan: Plan, scenario: Scenario): Promise<{ count: number; errors: string[] }> {
  const path = newPath();
  const trial = new Trial(path, scenario, plan.fault === 'end');
  const faults = injectFaults(path, plan);
  try {
    await trial.run();
    faults.restore();
    if (plan.fault === 'end')
      for (let seed = 0; seed < 3; seed++) {
        const copy = newPath();
        faults.losePower(copy, randomOf(1 + seed + 3 * Math.min(plan.at, 1e6)));
        await trial.finish(copy);
      }
    await trial.finish(path);
  } catch (error) {
    const where = `${JSON.stringify(plan)}: ${faults.log[0]}`;
    throw new Error(`${where}: ${(error as Error).message}\n${trial.errors.join('\n')}`, { cause: error });
  } finally {
    faults.restore();
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
    for (
      let at = IS_SLOW ? PLANS.indexOf(plan) % STRIDE : PLANS.indexOf(plan) * 7;
      at < count;
      at += IS_SLOW ? STRIDE : 151
    )
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

/** Makes an index with segments and a log, and calls back after each change. */
async function makeIndex(path: string, isClosed: boolean, onChange: () => void = () => {}): Promise<void> {
  const open = (): StoredIndex => openFolder(path, { label: 'simhash-doc', create: true }, 8);
  let index = open();
  for (const change of [put(0, 20, 0), put(3, 4, 1), 'reopen', remove(5, 9), read('a', 0, 2), put(7, 8, 2)] as const) {
    if (change === 'reopen') {
      await index.close();
      onChange();
      index = open();
    } else await change.run(index);
    onChange();
  }
  if (isClosed) await index.close();
  else endWriter(path);
  onChange();
}

type Files = ReadonlyMap<string, Buffer>;

function filesIn(path: string): Files {
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]));
}

function restore(path: string, files: Files): void {
  for (const name of existsSync(path) ? readdirSync(path) : []) if (!files.has(name)) rmSync(join(path, name));
  mkdirSync(path, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(path, name), bytes);
}

/** Opens an index one file of which is wrong: an error or the right answer, and a writer and `export` lose nothing. */
async function examine(path: string, expected: readonly string[], what: string): Promise<'error' | 'fault' | 'right'> {
  const before = filesIn(path);
  let outcome: 'error' | 'fault' | 'right' = 'right';
  for (const mode of ['read', 'write'] as const)
    try {
      const index = openFolder(path, { mode }, 8);
      const { faults } = await index.verify();
      if (faults.length > 0) outcome = 'fault';
      expect(await all(index.exportLines()), what).toEqual(expected);
      expect(await index.size(), what).toBe(expected.length);
      await index.close();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined || code.startsWith('ERR_')) throw error;
      expect(code, `${what}: ${String(error)}`).toMatch(
        /^(?:damaged|truncated|locked|not-an-index|other-version|invalid-label)$/,
      );
      outcome = 'error';
      for (const [name, bytes] of before)
        if (name.endsWith('.log'))
          expect(readFileSync(join(path, name)).equals(bytes), `${what}: ${name} is as it was`).toBe(true);
    }
  const { lines, faults } = salvage(path, 'simhash-doc');
  if (faults.length === 0) expect(lines, what).toEqual(expected);
  return outcome;
}

describe.each([true, false])('an index that was closed: %s', (isClosed) => {
  test('with a flipped bit gives an error or the right answer', async () => {
    const path = newPath();
    await makeIndex(path, isClosed);
    const files = filesIn(path);
    const reader = openFolder(path, { mode: 'read' }, 8);
    const expected = await all(reader.exportLines());
    await reader.close();
    const outcomes: Record<string, number> = {};
    for (const [name, whole] of files)
      for (
        let at = 0;
        at < whole.length;
        at += IS_SLOW ? STRIDE + Math.floor(whole.length / (7000 / STRIDE)) : 1 + Math.floor(whole.length / 40)
      ) {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= 1 << (at % 8);
        restore(path, new Map([...files, [name, bytes]]));
        const kind = `${name.replace(/^\d+/, '')} ${await examine(path, expected, `${name}, byte ${at} of ${whole.length}`)}`;
        outcomes[kind] = (outcomes[kind] ?? 0) + 1;
      }
    for (const kind of ['manifest error', '.seg error', '.log error', 'manifest.copy fault'])
      expect(outcomes, JSON.stringify(outcomes)).toHaveProperty([kind]);
  });

  test('with a file of an earlier time gives an error or the right answer', async () => {
    const path = newPath();
    const states: { readonly files: Files; readonly lines: readonly string[] }[] = [];
    await makeIndex(path, isClosed, () => {
      states.push({ files: filesIn(path), lines: [...salvageLines(path, () => {})] });
    });
    /** An answer that there was with the same manifest is right: all files may be those of one time. */
    const keyOf = (files: Files, lines: readonly string[]): string =>
      `${files.get('manifest')} ${files.get('manifest.copy')} ${lines}`;
    const known = new Set(states.map(({ files, lines }) => keyOf(files, lines)));
    let errors = 0;
    // Files that were replaced may not have been removed.
    for (const [i, { files, lines }] of states.entries())
      for (const [j, earlier] of states.slice(0, i).entries())
        for (const [name, bytes] of earlier.files)
          for (const left of [
            new Map<string, Buffer>(),
            ...states.slice(IS_SLOW ? j : i - 1, i).map((each) => each.files),
          ]) {
            if (name === 'writer' || files.get(name)?.equals(bytes) !== false) continue;
            const mixed = new Map([...left, ...files, [name, bytes]]);
            restore(path, mixed);
            endWriter(path);
            const found = [...salvageLines(path, () => {})];
            const expected = known.has(keyOf(mixed, found)) ? found : lines;
            if ((await examine(path, expected, `${name} of time ${j} at time ${i}`)) === 'error') errors++;
          }
    expect(errors).toBeGreaterThan(0);
  });
});

describe('a bad frame of a log that was not closed', () => {
  const last = async (path: string): Promise<string[]> => {
    const index = openFolder(path, { label: 'simhash-doc', create: true });
    await index.add('first', 1n);
    await put(0, 3000, 0).run(index);
    endWriter(path);
    return readdirSync(path).filter((name) => name.endsWith('.log'));
  };

  test.each([
    { bad: 1, cut: 0, what: 'damage where the transaction is complete' },
    { bad: -1, cut: 0, what: 'damage where only a seal follows' },
    { bad: 2, cut: 1, what: 'not committed where later pages of a write were the first on the disk' },
    { bad: -2, cut: 0, what: 'not committed where nothing follows' },
  ])('is $what', async ({ bad, cut }) => {
    const path = newPath();
    const [name] = await last(path);
    const file = join(path, name!);
    const bytes = readFileSync(file);
    const starts: number[] = [];
    for (let at = 0; at < bytes.length; at += 8 + (bytes.readUInt32LE(at) & 0x7fffffff)) starts.push(at);
    // The frames: one of a document, several of a transaction, and the seal.
    expect(starts.length).toBeGreaterThan(5);
    const isTorn = cut > 0 || bad === -2;
    const frames = isTorn ? starts.slice(0, -1) : starts;
    const kept = Buffer.from(bytes.subarray(0, isTorn ? starts.at(-1 - cut) : bytes.length));
    kept[(bad > 0 ? frames[bad]! : frames.at(bad === -1 ? -2 : -1)!) + 9]! ^= 4;
    writeFileSync(file, kept);
    if (isTorn) {
      expect(salvage(path)).toEqual({ lines: [expect.anything()], faults: [] });
      const index = openFolder(path, {});
      expect(await index.verify()).toEqual({ documents: 1, faults: [] });
      await index.add('second', 2n);
      await index.close();
      return;
    }
    for (const mode of ['read', 'write'] as const)
      expect(() => openFolder(path, { mode })).toThrow(/the frame at byte \d+ is damaged, and others follow/);
    expect(readFileSync(file).equals(kept)).toBe(true);
    const { lines, faults } = salvage(path);
    expect(lines.length).toBeGreaterThan(1500);
    expect(faults).toEqual([expect.stringMatching(/bytes \d+ to \d+ are damaged$/)]);
  });
});

test('the folder that has a new index is written to the disk', async () => {
  const path = join(newPath(), 'a', 'index');
  const faults = injectFaults(dirname(dirname(path)), { fault: 'EIO', at: Number.POSITIVE_INFINITY });
  const index = openFolder(path, { create: true });
  faults.restore();
  await index.close();
  for (const folder of [dirname(path), dirname(dirname(path))]) expect(faults.synced).toContain(folder);
});

test('a file of another index with the same names and lengths is refused', async () => {
  const [path, other] = [newPath(), newPath()];
  for (const [round, each] of [path, other].entries()) {
    const index = openFolder(each, { create: true }, 4);
    for (const change of [put(0, 5, round), put(5, 7, round)]) await change.run(index);
    await index.close();
  }
  const files = filesIn(path);
  for (const [name, bytes] of filesIn(other)) {
    if (!/log$|seg$/.test(name)) continue;
    expect(bytes.length).toBe(files.get(name)!.length);
    restore(path, new Map([...files, [name, bytes]]));
    for (const mode of ['read', 'write'] as const)
      expect(() => openFolder(path, { mode })).toThrow(/it is not the (?:log|segment) that the manifest lists/);
    const { lines, faults } = salvage(path);
    expect(lines).toHaveLength(7);
    expect(faults).toEqual([expect.stringMatching(/it is not the (?:log|segment) that the manifest lists/)]);
  }
});
