import { expect, test } from 'vitest';
import { FAMILIES, growthOf } from './growth.ts';

/** Takes this time of the processor, in milliseconds. */
const spin = async (time: number): Promise<void> => {
  const before = process.cpuUsage();
  for (let spent = 0; spent < time; ) {
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1000;
  }
};

test('quadratic time is reported', async () => {
  expect(await growthOf({ name: 'x', start: 30, run: (n) => spin((n * n) / 40) })).toMatchObject({ fault: 'time' });
});

test('linear time is not reported', async () => {
  expect(await growthOf({ name: 'x', start: 90, run: spin })).toMatchObject({ fault: null });
  expect(new Set(FAMILIES.map(({ name }) => name)).size).toBe(FAMILIES.length);
});
