import { expect, test } from 'vitest';
import { IS_SLOW } from './suite.ts';

test('the slow suite runs at full size', () => {
  expect(IS_SLOW).toBe(true);
});
