import { describe, expect, test } from 'vitest';
import '../built.ts';
import { DEFAULT_MEMORY } from '../../src/documents/hints.ts';
import { createRunBudget, createTimeBudget, minTimeFor, type RunBudget } from '../../src/documents/time-budget.ts';
import type * as Queues from '../../src/documents/workers/task-queue.ts';
import { DEFAULT_LIMITS } from '../../src/extract/index.ts';
import { LABEL } from '../../src/scheme/labels/label.ts';

describe('the time of workers for all documents of a run', () => {
  test('depends on the number of documents and their size, whatever each may take', () => {
    let [bytes, spent] = [0, 0];
    const [timeout, size, count] = [120_000, 63_000, 1000];
    const budget = createRunBudget(
      timeout,
      () => bytes,
      () => spent,
    );
    for (let document = 0; document < count; document++) {
      bytes += size;
      budget.begin();
      const time = Math.min(timeout, Math.max(budget.left(), minTimeFor(size)));
      spent += time;
      budget.spend(time);
    }
    expect(spent).toBeLessThanOrEqual(timeout + count * minTimeFor(size) + 1);
  });

  test('does not shrink after documents that take less than the time for their size', () => {
    let [bytes, least] = [0, Number.POSITIVE_INFINITY];
    const budget = createRunBudget(
      120_000,
      () => bytes,
      () => Number.MAX_SAFE_INTEGER / 2,
    );
    for (let document = 0; document < 100_000; document++) {
      bytes += 20_000;
      budget.begin();
      budget.spend(100);
      least = Math.min(least, budget.left());
    }
    expect(least).toBeGreaterThanOrEqual(120_000);
  });

  test('counts the time of the processor, not that of waiting workers', () => {
    let computed = 5000;
    const budget = createRunBudget(
      1000,
      () => 0,
      () => computed,
    );
    budget.spend(60_000);
    expect(budget.left()).toBe(1000);
    computed += 400;
    expect(budget.left()).toBe(600);
  });

  test('leaves an archive the time for its size when it is spent', () => {
    let left = 1;
    const archive = createTimeBudget(120_000, () => 2 ** 20, { left: () => left });
    archive.spend(6000);
    archive.assertLeft();
    expect(archive.minLeft()).toBe(250 + 5000 - 6000);
    left = 0;
    expect(archive.assertLeft).toThrow(
      'the texts of the archive took longer than 5.25 s (--timeout): other documents used up the time of the whole run',
    );
  });

  test('limits each document to the time for its size only when it is spent', async () => {
    const hints = { label: LABEL, limits: DEFAULT_LIMITS, timeout: 600_000, memory: DEFAULT_MEMORY };
    // Workers run what is built.
    const built = new URL('../../dist/documents/workers/task-queue.js', import.meta.url).href;
    const { createQueue } = (await import(built)) as typeof Queues;
    const outcomes: unknown[] = [];
    for (const left of [-1, 600_000]) {
      const budget: RunBudget = { begin() {}, spend() {}, left: () => left };
      const source = Buffer.from('<table>'.padEnd(6_000_000, '<tr><td>x'));
      const queue = createQueue(1, hints, new BigInt64Array(new SharedArrayBuffer(8)), budget);
      const task = { kind: 'hash', label: LABEL, type: 'html', hints: {}, isUtf8Text: false, part: undefined } as const;
      const answer = queue.run({ ...task, limits: DEFAULT_LIMITS, source }, () => {}, 25_000);
      outcomes.push(
        await answer.then(
          () => 'done',
          ({ message }) => message,
        ),
      );
      await queue.close();
    }
    expect(outcomes).toEqual([
      'extracting its text took longer than 0.369 s (--timeout): other documents used up the time of the whole run',
      'done',
    ]);
  });
});
