import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { difference } from '../../../src/conformance/judge/difference.ts';
import type { Case, Group } from './case.ts';
import { flags } from './flags.ts';
import { groups } from './groups.ts';
import { digestOf, formatJson } from './json.ts';
import { bare, documentOf, makeOracle, type Outcome, outcomeOf } from './oracle.ts';

/**
 * The version of the suite under development (spec/conformance.md describes what changes it). New vectors get it, so
 * raise it with the first change after a release.
 */
export const SUITE = '1.0.0-rc.1';

/** The record of a vector: the version that introduced it, and the findings of runs over finished vectors. */
export interface Findings {
  readonly since: string;
  readonly kills: readonly string[];
  readonly control?: true | undefined;
  readonly agrees: readonly string[];
}

const oracle = makeOracle(bare);

const computed = new Map<string, Outcome>();

/** Computes the outcome of a case with the twin, once. */
function outcomeByTwin(id: string, given: Case): Outcome {
  const known = computed.get(id) ?? outcomeOf(oracle, given);
  computed.set(id, known);
  return known;
}

/** The record of a new vector. */
export const NOTHING_FOUND: Findings = { since: SUITE, kills: [], agrees: [] };

/** Returns what is wrong with a case: the difference between what was written by hand and what the twin gives. */
function faultOf({ error, hand }: Case, outcome: Outcome): string | null {
  const code = 'error' in outcome ? outcome.error : undefined;
  if (code !== error) return `written down as ${error ?? 'a result'}, the twin gives ${code ?? 'a result'}`;
  if (hand === undefined || !('expected' in outcome)) return null;
  const place = difference(hand, outcome.expected);
  const both = `by hand ${JSON.stringify(hand)}, by the twin ${JSON.stringify(outcome.expected)}`;
  return place === null ? null : `${both}: they differ at ${place}`;
}

/** Makes the vector of a case, in the order of keys that files have. */
function vectorOf(group: string, given: Case, outcome: Outcome, found: Findings, faults: string[]) {
  const { name, operation, title, rules, flags, input, status } = given;
  const id = `${group}/${name}`;
  const fault = faultOf(given, outcome);
  const document = documentOf(oracle, given);
  if (fault !== null) faults.push(`${id}: ${fault}`);
  return {
    id,
    since: found.since,
    ...(status === undefined ? {} : { status }),
    ...{ operation, title, rules, flags, input },
    ...outcome,
    ...(document === undefined ? {} : { document }),
    kills: found.kills,
    ...(found.control === undefined ? {} : { control: found.control }),
    agrees: found.agrees,
  };
}

/** Names cases that have one id, or for one operation one input. */
function repeats(all: readonly Group[]): string[] {
  const seen = new Map<string, string>();
  const faults: string[] = [];
  for (const { group, cases } of all)
    for (const { name, operation, input } of cases) {
      const id = `${group}/${name}`;
      for (const key of [id, `${operation} ${JSON.stringify(input)}`]) {
        const other = seen.get(key);
        if (other !== undefined) faults.push(`${other} and ${id} are the same: ${key}`);
        seen.set(key, id);
      }
    }
  return faults;
}

/** Computes the digest of the specification, over the files that spec/conformance.md lists. */
function digestOfSpecification(): string {
  const read = (name: string): Buffer => readFileSync(new URL(`../../../spec/${name}`, import.meta.url));
  const [, list] = /^LC_ALL=C sha256sum ([^`]+)/m.exec(read('conformance.md').toString())!;
  const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
  const lines = list!
    .split(/[\s\\]+/)
    .filter((name) => name !== '')
    .map((name) => `${sha256(read(name))}  ${name}\n`);
  return sha256(lines.join(''));
}

/**
 * Builds every file of vectors/ that is generated.
 * @param findings - the records of vectors by their ids
 * @param outcomeFor - returns the outcome of a case; by default that of the twin
 * @returns contents by the names of the files
 * @throws Error that names every case whose outcome differs from the one written by hand, and every repeat
 */
export function buildFiles(
  findings: ReadonlyMap<string, Findings>,
  outcomeFor: (id: string, given: Case) => Outcome = outcomeByTwin,
): Map<string, string> {
  const faults = repeats(groups);
  const files = new Map<string, string>();
  const counts: Record<string, number> = {};
  const digests: Record<string, string> = {};
  for (const { group, description, cases } of groups) {
    const vectors = cases.map((each) => {
      const id = `${group}/${each.name}`;
      return vectorOf(group, each, outcomeFor(id, each), findings.get(id) ?? NOTHING_FOUND, faults);
    });
    counts[group] = vectors.length;
    for (const vector of vectors) digests[vector.id] = digestOf(vector);
    const file = { $schema: `./schema/${group}.schema.json`, group, description, vectors };
    files.set(`${group}.json`, `${formatJson(file, '', 0, 3)}\n`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const manifest = {
    $schema: './schema/manifest.schema.json',
    suite: SUITE,
    ...{ specification: digestOfSpecification(), groups: counts, vectors: digests },
  };
  files.set('manifest.json', `${formatJson(manifest, '', 0, 2)}\n`);
  files.set('flags.json', `${formatJson({ $schema: './schema/flags.schema.json', flags }, '', 0, 2)}\n`);
  return files;
}
