import { afterAll, expect, test } from 'vitest';
import type { Adapter } from '../../src/conformance/adapter/protocol.ts';
import { compareAll, measureSpeed, startContenders } from './agree.ts';
import { implementations, isThere } from './implementations.ts';

const contenders = startContenders();
afterAll(async () => {
  for (const { adapter } of contenders) await adapter.close();
});

test('all implementations and the wheel run, or are reported missing', () => {
  const running = contenders.map(({ name }) => name);
  for (const name of [...implementations.map((each) => each.name), 'wheel']) isThere(name, running.includes(name));
});

test('all implementations agree on random inputs and on the documents of the fuzzer', async () => {
  const lines: string[] = [];
  const { compared, disagreements } = await compareAll(contenders, 2026, (line) => lines.push(line));
  expect(lines).toEqual([]);
  expect(disagreements).toBe(0);
  expect(compared).toBeGreaterThan(300 * contenders.length);
});

test('a disagreement is found, minimized and reported', async () => {
  const { adapter } = contenders[0]!;
  // Wrong where a text has an x.
  const wrong: Adapter = {
    ...{ hello: () => adapter.hello(), close: async () => {}, restarts: 0 },
    async request(operation, input) {
      const reply = await adapter.request(operation, input);
      const isWrong = operation === 'tokenise' && (input as { text: string }).text.includes('x');
      return isWrong ? { kind: 'ok', result: { tokens: ['wrong'] } } : reply;
    },
  };
  const lines: string[] = [];
  const { disagreements } = await compareAll([{ name: 'planted', adapter: wrong }], 1, (line) => lines.push(line));
  expect(disagreements).toBeGreaterThan(0);
  expect(lines.length).toBe(disagreements);
  for (const line of lines)
    expect(line).toMatch(/^planted disagrees in tokenise, seed 1: \{"text":"x"(?:,"label":"[^"]*")?\}\n {2}expected/);
});

test('the table of speed has a row for each implementation, and the reference', async () => {
  // Python takes as long as all others together, five times over.
  const measured = contenders.filter(({ name }) => name !== 'python');
  const rows = (await measureSpeed(measured)).split('\n').slice(2);
  expect(rows.map((row) => row.split(' | ')[0])).toEqual([
    '| reference (TypeScript)',
    ...measured.map(({ name }) => `| ${name}`),
  ]);
});
