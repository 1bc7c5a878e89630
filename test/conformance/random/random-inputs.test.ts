import { expect, test } from 'vitest';
import { compareRandomly } from '../../../src/conformance/random/compare-random.ts';
import { createRandom, randomInputs } from '../../../src/conformance/random/random-inputs.ts';
import type { Operation } from '../../../src/conformance/vector.ts';
import { createChanged } from '../changed.ts';

const draw = (operation: Operation, key: string): string[] => {
  const random = createRandom(1);
  const inputs = Array.from({ length: 2000 }, () => randomInputs[operation]!(random) as Record<string, unknown>);
  return inputs.flatMap((input) => (typeof input[key] === 'string' ? [input[key]] : []));
};

test.each([
  ['strip-locators', 'text'],
  ['parse', 'serialised'],
  ['parse-hex', 'hex'],
] as const)('random inputs of %s contain the neighbours of digits and letters in ASCII', (operation, key) => {
  const all = draw(operation, key).join('');
  expect(Array.from("/:@[`{'").filter((neighbour) => !all.includes(neighbour))).toEqual([]);
});

test('random inputs of decode contain 16-bit units and bytes', () => {
  const units = draw('decode', 'utf16');
  expect(units.length).toBeGreaterThan(300);
  expect(draw('decode', 'utf8').length).toBeGreaterThan(1000);
  for (const each of units) expect(each).toMatch(/^(?:[0-9a-f]{4})*$/);
});

test('a wrong decoder of units is found, with a small input', async () => {
  const wrong = createChanged({
    before: ({ utf16, ...others }: Record<string, string>) =>
      utf16 === undefined ? others : { utf16: utf16.replace(/(?<=^(?:....)*)e000/g, 'fffd') },
  });
  const { disagreements } = await compareRandomly(wrong, { cases: 200, seed: 1, operations: new Set(['decode']) });
  expect(disagreements.map(({ input }) => input)).toEqual([{ utf16: 'e000' }]);
});
