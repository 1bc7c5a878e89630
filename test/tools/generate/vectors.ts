/** Writes the generated files of vectors/, with what is recorded of each: `npx tsx test/tools/generate/vectors.ts`. */
import { writeFileSync } from 'node:fs';
import { VECTORS } from '../../../src/conformance/suite/load.ts';
import { buildFiles, type Findings } from './build.ts';
import { recordedFindings } from './findings.ts';

/**
 * Writes the files.
 * @param found - what was found out about vectors; what it does not name stays as it is recorded
 */
export function writeVectors(found: ReadonlyMap<string, Partial<Findings>> = new Map()): void {
  const findings = recordedFindings();
  for (const [id, each] of found) findings.set(id, { kills: [], agrees: [], ...findings.get(id), ...each });
  for (const [name, content] of buildFiles(findings)) writeFileSync(new URL(name, VECTORS), content);
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeVectors();
