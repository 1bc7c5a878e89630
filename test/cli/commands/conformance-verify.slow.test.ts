import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wrongAdapterIn } from '../../conformance/wrong-bundle.ts';
import { folder, jsonLines, run } from '../command.ts';

// An adapter of few operations, so that all vectors are run in seconds.
const OFFERED = [
  ...['token-hash', 'simhash', 'serialise', 'parse', 'parse-hex'],
  ...['parse-label', 'parse-labelled', 'format-labelled', 'compare'],
];
const cwd = folder();
const wrong = wrongAdapterIn(folder());
const adapterOf = (mistake: string): string[] => {
  const path = join(cwd, `${mistake}.mjs`);
  const [, , module] = wrong(mistake);
  // It leaves out what else the inner adapter offers.
  const code = `import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const inner = spawn(process.execPath, ${JSON.stringify([module, mistake])}, { stdio: ['pipe', 'pipe', 'inherit'] });
const replies = createInterface({ input: inner.stdout })[Symbol.asyncIterator]();
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line);
  if (op !== 'hello' && !${JSON.stringify(OFFERED)}.includes(op)) {
    console.log(JSON.stringify({ id, unsupported: true }));
    continue;
  }
  inner.stdin.write(line + '\\n');
  const reply = JSON.parse((await replies.next()).value);
  if (op === 'hello') Object.assign(reply.ok, { name: 'mine', operations: ${JSON.stringify(OFFERED)} });
  console.log(JSON.stringify(reply));
}
inner.stdin.end();
`;
  writeFileSync(path, code);
  return ['--', process.execPath, path];
};

test('a claim is made from results and verified by a new run', async () => {
  const [results, claim] = ['results.json', 'claim.json'].map((name) => join(cwd, name)) as [string, string];
  const cases = ['--random', '100'];
  const options = [...cases, '--seed', '1', '--quiet'];
  expect((await run(['conformance', ...options, '--results', results, ...adapterOf('right')])).code).toBe(0);
  // The second claim replaces the first.
  for (let round = 0; round < 2; round++)
    expect((await run(['conformance', 'report', results, '--claim', claim])).code).toBe(0);
  expect(JSON.parse(readFileSync(claim, 'utf8'))).toMatchObject({ classes: [{ class: 'hash' }] });

  const again = await run(['conformance', 'verify', claim, ...cases, ...adapterOf('right')]);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/^The claim holds: mine \S+ conforms to the class hash of simhash-doc /);

  const changed = await run(['conformance', 'verify', claim, ...cases, '--json', ...adapterOf('words-swapped')]);
  expect(changed.code).toBe(1);
  expect(jsonLines(changed.stdout)).toMatchObject([
    { holds: false, problems: [expect.stringMatching(/^hash: \d+ of \d+ vectors failed/)] },
  ]);

  expect((await run(['conformance', 'verify', claim, '--', '/does/not/exist'])).code).toBe(3);
});
