/**
 * Records in every vector which of the independent implementations in vectors/adapters/ give the expected outcome:
 * `npm run generate -- agrees`. Needs what builds and runs each of them. The record is checked by
 * test/adapters/adapters.slow.test.ts.
 */
import { dirname } from 'node:path/posix';
import { createProcessAdapter } from '../../../src/conformance/adapter/process-adapter.ts';
import { runConformance } from '../../../src/conformance/run-conformance.ts';
import { isLarge } from '../../../src/conformance/suite/accumulate.ts';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { isDocumentOfStep } from '../../../src/conformance/suite/select-vectors.ts';
import type { Vector } from '../../../src/conformance/vector.ts';
import { implementations } from '../../adapters/implementations.ts';
import { readGroups, writeVectors } from './vectors.ts';

/**
 * Runs the implementations.
 * @returns for each vector the names of those that agree with it; undefined where one of them cannot be run here
 */
async function findAgreements(): Promise<Map<string, string[]> | undefined> {
  // The largest are not run each time: who agreed stays recorded.
  const isRun = ({ status, agrees, ...vector }: Vector): boolean =>
    status !== 'retired' && (agrees.length === 0 || !isLarge(vector as Vector));
  const groups = loadGroups().map((group) => ({ ...group, vectors: group.vectors.filter(isRun) }));
  const agreements = new Map<string, string[]>(groups.flatMap(({ vectors }) => vectors.map(({ id }) => [id, []])));
  for (const { name, command } of implementations) {
    const found = command();
    if ('missing' in found) {
      console.warn(`agrees: ${found.missing} is missing; what is recorded stays`);
      return undefined;
    }
    const adapter = createProcessAdapter(found, { deadline: 60_000 });
    const { outcomes } = await runConformance(adapter, {
      groups,
      suite: { version: '', digest: '' },
      randomCases: 0,
      large: true,
    });
    await adapter.close();
    const others = new Set(
      outcomes.filter(({ status }) => status !== 'pass').map(({ id }) => (isDocumentOfStep(id) ? dirname(id) : id)),
    );
    for (const { id } of outcomes) if (agreements.has(id) && !others.has(id)) agreements.get(id)!.push(name);
  }
  for (const names of agreements.values()) names.sort();
  return agreements;
}

/** Writes what was found in the vectors. */
export async function writeAgreements(): Promise<void> {
  const agreements = await findAgreements();
  if (agreements === undefined) return;
  const withAgreements = (vector: Vector): Vector => ({
    ...vector,
    agrees: agreements.get(vector.id) ?? vector.agrees,
  });
  await writeVectors(readGroups().map((group) => ({ ...group, vectors: group.vectors.map(withAgreements) })));
}
