import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDeadline, type Usage } from '../../../src/conformance/adapter/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const TIME = 1000;

/** Runs a deadline against a process that uses this share of a processor; returns when it expires. */
function expiry(usage: (elapsed: number) => Usage | undefined): { at: number; isIdle: boolean } {
  const start = Date.now();
  let expired: { at: number; isIdle: boolean } | undefined;
  startDeadline(
    1,
    TIME,
    (isIdle) => {
      expired = { at: Date.now() - start, isIdle };
    },
    () => usage(Date.now() - start),
  );
  while (expired === undefined) vi.advanceTimersByTime(10);
  return expired;
}

describe('a deadline', () => {
  test.each<[string, Parameters<typeof expiry>[0], boolean]>([
    ['for a process that always computes', (elapsed) => ({ cpu: elapsed, isRunnable: true }), false],
    ['for a process that sleeps', () => ({ cpu: 50, isRunnable: false }), true],
    ['if the usage is not known', () => undefined, true],
  ])('holds %s', (_, usage, isIdle) => {
    expect(expiry(usage)).toEqual({ at: TIME, isIdle });
  });

  test('counts CPU time while a process waits for a processor', () => {
    const { at, isIdle } = expiry((elapsed) => ({ cpu: elapsed / 4, isRunnable: true }));
    expect(isIdle).toBe(false);
    expect(at).toBeGreaterThan(3 * TIME);
    expect(at).toBeLessThan(4.5 * TIME);
  });

  test('is extended tenfold at most', () => {
    expect(expiry(() => ({ cpu: 0, isRunnable: true })).at).toBe(10 * TIME);
  });

  test('ends soon after a process begins to sleep', () => {
    const { at, isIdle } = expiry((elapsed) => ({ cpu: 0, isRunnable: elapsed < 2 * TIME }));
    expect(isIdle).toBe(true);
    expect(at).toBeLessThan(2.5 * TIME);
  });

  test('does not expire after it is cancelled, and measures nothing before a tenth of it', () => {
    const usage = vi.fn(() => ({ cpu: 0, isRunnable: true }));
    const expire = vi.fn();
    const cancel = startDeadline(1, TIME, expire, usage);
    vi.advanceTimersByTime(TIME / 20);
    cancel();
    vi.advanceTimersByTime(20 * TIME);
    expect([usage.mock.calls.length, expire.mock.calls.length]).toEqual([0, 0]);
  });
});
