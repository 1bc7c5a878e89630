import { expect, test } from 'vitest';
import { FAMILIES, growthOf } from './growth.ts';

const spin = async (rounds: number): Promise<void> => {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum += Math.sqrt(i);
  expect(sum).toBeGreaterThan(0);
};

test('quadratic time is reported', async () => {
  expect(await growthOf({ name: 'x', start: 10_000, run: (n) => spin(n * n) })).toMatchObject({ fault: 'time' });
});

test('linear time is not reported', async () => {
  expect(await growthOf({ name: 'x', start: 1e8, run: spin })).toMatchObject({ fault: null });
  expect(new Set(FAMILIES.map(({ name }) => name)).size).toBe(FAMILIES.length);
});
