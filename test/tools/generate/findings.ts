import { existsSync, readFileSync } from 'node:fs';
import { VECTORS } from '../../../src/conformance/suite/load.ts';
import type { VectorGroup } from '../../../src/conformance/types.ts';
import type { Findings } from './build.ts';
import { groups } from './groups.ts';

/** Returns the findings about each vector in the files of vectors/, by their ids. */
export function recordedFindings(): Map<string, Findings> {
  const findings = new Map<string, Findings>();
  for (const { group } of groups) {
    const file = new URL(`${group}.json`, VECTORS);
    if (!existsSync(file)) continue;
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as VectorGroup;
    for (const { id, kills, control, agrees } of vectors)
      findings.set(id, { kills, agrees, ...(control !== undefined && { control }) });
  }
  return findings;
}
