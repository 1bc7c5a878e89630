import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createProcessAdapter } from '../../src/conformance/adapter/process.ts';
import { type Report, runConformance } from '../../src/conformance/run.ts';
import { isLarge } from '../../src/conformance/suite/accumulate.ts';
import { digestOfSuite, loadGroups, loadManifest } from '../../src/conformance/suite/load.ts';
import { implementations, isThere } from './implementations.ts';

const RUNS = Number(process.env['SIMHASH_DOC_RUNS'] ?? 1);
const root = new URL('../..', import.meta.url).pathname;
const groups = loadGroups();
const { suite, vectors } = loadManifest();

describe.each(implementations)('the clean-room implementation in $name', ({ name, command, without }) => {
  const found = command();
  const there = isThere(`${name}: ${'missing' in found ? found.missing : ''}`, !('missing' in found));

  test.skipIf(!there)('agrees with every vector and on random inputs', async () => {
    const adapter = createProcessAdapter(found as readonly string[], { deadline: 60_000 });
    let report: Report;
    try {
      report = await runConformance(adapter, {
        groups,
        suite: { version: suite, digest: digestOfSuite(vectors) },
        randomCases: 1500 * RUNS,
      });
    } finally {
      await adapter.close();
    }
    const wrong = report.outcomes.filter(({ status }) => status !== 'pass' && status !== 'unsupported');
    expect(wrong.map(({ id, status, place, actual }) => ({ id, status, place, actual }))).toEqual([]);
    expect(report.random?.disagreements, `seed ${report.random?.seed}`).toEqual([]);
    expect(report.random?.compared).toBeGreaterThan(10_000);
    expect(report.restarts).toBe(0);
    expect(report.verdict).toBe('conforms');
    // What it does not answer is what it says that it has not, or text that needs an NFC it does not have.
    for (const outcome of report.outcomes)
      if (outcome.status === 'unsupported' && !without.includes(outcome.operation))
        expect([name, outcome.about ?? outcome.operation]).toEqual([
          'c',
          expect.stringMatching(/^(normalise|fingerprint)$/),
        ]);
    // The record of who agrees is that of this run.
    const recorded = groups
      .flatMap((group) => group.vectors)
      .filter((vector) => vector.status !== 'retired' && !isLarge(vector));
    const passed = new Set(report.outcomes.filter(({ status }) => status === 'pass').map(({ id }) => id));
    expect(recorded.filter(({ id, agrees }) => agrees.includes(name) !== passed.has(id)).map(({ id }) => id)).toEqual(
      [],
    );
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
