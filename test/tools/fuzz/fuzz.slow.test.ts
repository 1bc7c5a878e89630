import { expect, test } from 'vitest';
import { makeInput, runCase } from './fuzz.ts';
import type { Runner } from './runner.ts';
import { TARGETS } from './targets.ts';

const SEED = 1;
const CASES = 40;

test.each(Object.keys(TARGETS))('the fuzzer finds %s', async (target) => {
  for (let number = 0; number < CASES; number++) await TARGETS[target]!.check(await makeInput(target, SEED, number));
});

test('a finding is minimized without becoming another finding', async () => {
  const isWrong = (bytes: Uint8Array): boolean => bytes.filter((byte) => byte === 0x65).length > 2;
  const runner: Runner = {
    check: async (_target, { bytes }) => (isWrong(bytes) ? `${bytes.length} bytes: wrong\n` : null),
    close: async () => {},
  };
  const findings = [];
  for (let number = 0; number < 10; number++) findings.push(await runCase(runner, 'html', SEED, number));
  const inputs = findings.flatMap((each) => (each === null ? [] : [each.input.bytes]));
  expect(inputs.length).toBeGreaterThan(0);
  for (const bytes of inputs) expect(isWrong(bytes)).toBe(true);
  expect(Math.min(...inputs.map(({ length }) => length))).toBeLessThan(100);
});
