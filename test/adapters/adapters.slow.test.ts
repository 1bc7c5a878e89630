import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOneShotAdapter } from '../../src/conformance/adapter/one-shot-adapter.ts';
import { runConformance } from '../../src/conformance/run-conformance.ts';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import { runs } from '../suite.ts';
import { isLong } from '../vectors/long.ts';
import { expectAgreement } from './agreement.ts';
import { implementations, isThere } from './implementations.ts';

const root = new URL('../..', import.meta.url).pathname;
const groups = loadGroups();

/** Documents for one-shot adapters, which start a process for each: some of all, none of them long. */
const EVERY = 8;
const documents = groups
  .filter(({ group }) => group === 'fingerprint')
  .map((group) => ({ ...group, vectors: group.vectors.filter((vector, i) => i % EVERY === 0 && !isLong(vector)) }));

describe.each(implementations)('the clean-room implementation in $name', (implementation) => {
  const { name, command, isCompiled, oneShot, selfTest } = implementation;
  const found = command();
  const there = isThere(`${name}: ${'missing' in found ? found.missing : ''}`, !('missing' in found));

  // An interpreter takes as long for a third of the vectors as all others for theirs.
  const some = isCompiled
    ? groups
    : groups.map((each) => ({ ...each, vectors: each.vectors.filter((_, i) => i % 3 === 0) }));

  test.skipIf(!there)('agrees with the vectors and on random inputs', async () => {
    const report = await expectAgreement(
      implementation,
      found as readonly string[],
      some,
      runs(isCompiled ? 500 : 170),
    );
    expect(report.random?.compared).toBeGreaterThan(500);
  });

  test.skipIf(!there || oneShot === undefined)('agrees with every one-shot vector', async () => {
    const adapter = createOneShotAdapter([...(found as readonly string[]), oneShot!]);
    const { counts, random, verdict } = await runConformance(adapter, {
      ...{ groups: documents, selection: 'documents', suite: { version: '', digest: '' }, randomCases: 10 },
    });
    expect({ verdict, failed: counts.failed, disagreements: random?.disagreements }).toEqual({
      ...{ verdict: 'conforms', failed: 0, disagreements: [] },
    });
    expect(counts.passed).toBeGreaterThan(5);
  });

  test.skipIf(!there)('passes its own tests', () => {
    const [program, ...args] = selfTest.command as [string, ...string[]];
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: join(root, selfTest.folder ?? '.'),
      encoding: 'utf8',
    });
    // Cargo names the kinds of tests on standard error.
    expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(selfTest.prints)]);
  });
});
