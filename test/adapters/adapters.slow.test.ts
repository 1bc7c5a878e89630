import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { loadGroups } from '../../src/conformance/suite/load.ts';
import { RUNS } from '../suite.ts';
import { expectAgreement } from './agreement.ts';
import { implementations, isThere } from './implementations.ts';

const root = new URL('../..', import.meta.url).pathname;
const groups = loadGroups();

describe.each(implementations)('the clean-room implementation in $name', (implementation) => {
  const { name, command } = implementation;
  const found = command();
  const there = isThere(`${name}: ${'missing' in found ? found.missing : ''}`, !('missing' in found));

  test.skipIf(!there)('agrees with every vector and on random inputs', async () => {
    const report = await expectAgreement(implementation, found as readonly string[], groups, 1500 * RUNS);
    expect(report.random?.compared).toBeGreaterThan(10_000);
  });
});

describe('self-tests of the adapters', () => {
  const [python, c] = implementations.map(({ command }) => !('missing' in command()));
  test.skipIf(!isThere('python3', python!))('python', () => {
    const output = execFileSync('python3', ['-B', 'vectors/adapters/python/selftest.py'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(output).toMatch(/\d+ checks, 0 failed/);
  });
  test.skipIf(!isThere('a C compiler', c!))('c', () => {
    const output = execFileSync('sh', ['vectors/adapters/c/selftest.sh'], { cwd: root, encoding: 'utf8' });
    expect(output).toMatch(/\d+ checks, 0 wrong/);
  });
});
