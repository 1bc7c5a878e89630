import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import { isLong } from '../vectors/long.ts';
import { expectAgreement } from './agreement.ts';
import { implementations, isThere } from './implementations.ts';

// A sample: adapters.slow.test.ts runs all vectors, and the implementations that have to be compiled.
const EVERY = 20;
const groups = loadGroups().map((group) => ({
  ...group,
  vectors: group.vectors.filter((vector, i) => i % EVERY === 0 && !isLong(vector)),
}));

const interpreted = implementations.filter(({ isCompiled }) => !isCompiled);

describe.each(interpreted)('the clean-room implementation in $name', (implementation) => {
  const { name, command } = implementation;
  const found = command();
  const there = isThere(`${name}: ${'missing' in found ? found.missing : ''}`, !('missing' in found));

  test.skipIf(!there)('agrees with a sample of the vectors and on random inputs', async () => {
    const report = await expectAgreement(implementation, found as readonly string[], groups, 20);
    expect(report.random?.compared).toBeGreaterThan(100);
  });
});

describe('a missing compiler or interpreter', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(implementations)('$name: fails with SIMHASH_DOC_REQUIRE_ALL', ({ name, command }) => {
    vi.stubEnv('PATH', '/nowhere');
    const found = command();
    expect(found).toEqual({ missing: expect.any(String) });
    vi.stubEnv('SIMHASH_DOC_REQUIRE_ALL', '1');
    expect(() => isThere(name, !('missing' in found))).toThrow(`${name} is missing, and everything is required`);
  });

  test('causes a warning otherwise', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    vi.stubEnv('SIMHASH_DOC_REQUIRE_ALL', '');
    expect(isThere('cobol', false)).toBe(false);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('NOT TESTED: cobol is missing'));
    warn.mockRestore();
  });
});
