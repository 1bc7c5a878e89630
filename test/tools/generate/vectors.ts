/** Writes the generated files of vectors/, with the record of each vector: `npm run generate -- vectors`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { VECTORS } from '../../../src/conformance/suite/load.ts';
import type { VectorGroup } from '../../../src/conformance/types.ts';
import { buildFiles, type Findings, NOTHING_FOUND } from './build.ts';
import { groups } from './groups.ts';

/** Reads the records of vectors from the files of vectors/, by their ids. */
export function recordedFindings(): Map<string, Findings> {
  const findings = new Map<string, Findings>();
  for (const { group } of groups) {
    const file = new URL(`${group}.json`, VECTORS);
    if (!existsSync(file)) continue;
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as VectorGroup;
    for (const { id, since, kills, control, agrees } of vectors)
      findings.set(id, { since, kills, agrees, ...(control !== undefined && { control }) });
  }
  return findings;
}

/**
 * Writes the files.
 * @param found - what was found out about vectors; what it does not name stays as it is recorded
 */
export function writeVectors(found: ReadonlyMap<string, Partial<Findings>> = new Map()): void {
  const findings = recordedFindings();
  for (const [id, each] of found) findings.set(id, { ...NOTHING_FOUND, ...findings.get(id), ...each });
  for (const [name, content] of buildFiles(findings)) writeFileSync(new URL(name, VECTORS), content);
}
