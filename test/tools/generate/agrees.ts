/**
 * Records in every vector which of the independent implementations in vectors/adapters/ give the expected outcome:
 * `npm run generate -- agrees`. Needs what builds and runs each of them. The record is checked by
 * test/adapters/adapters.slow.test.ts.
 */
import { createProcessAdapter } from '../../../src/conformance/adapter/process.ts';
import { runConformance } from '../../../src/conformance/run.ts';
import { idOfVector } from '../../../src/conformance/suite/documents.ts';
import { loadFiles, loadGroups } from '../../../src/conformance/suite/load.ts';
import { implementations } from '../../adapters/implementations.ts';
import { digests } from './cases/accumulated-digests.ts';
import { writeVectors } from './vectors.ts';

/**
 * Runs the implementations.
 * @returns for each vector the names of those that agree with it; undefined where one of them cannot be run here
 */
async function findAgreements(): Promise<Map<string, string[]> | undefined> {
  const groups = loadGroups();
  const agreements = new Map<string, string[]>(
    loadFiles().flatMap(({ vectors }) =>
      vectors.filter(({ status }) => status !== 'retired').map(({ id }) => [id, []]),
    ),
  );
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
    });
    await adapter.close();
    const others = new Set(outcomes.filter(({ status }) => status !== 'pass').map(({ id }) => idOfVector(id)));
    for (const { id } of outcomes) if (agreements.has(id) && !others.has(id)) agreements.get(id)!.push(name);
  }
  // The largest are not run each time; the implementations that agreed are recorded with their digests.
  for (const [name, { agrees }] of Object.entries(digests)) {
    const known = agreements.get(`accumulated/${name}`);
    if (known?.length === 0) known.push(...agrees);
  }
  for (const names of agreements.values()) names.sort();
  return agreements;
}

/** Writes what was found in the vectors. */
export async function writeAgreements(): Promise<void> {
  const agreements = await findAgreements();
  if (agreements !== undefined) writeVectors(new Map([...agreements].map(([id, agrees]) => [id, { agrees }])));
}
