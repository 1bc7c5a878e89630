/**
 * Completes, checks and writes the files of vectors/ that hold vectors: `npm run generate -- vectors`. They are their own source:
 * a new vector is written into the file of its group, with what was worked out by hand, and gets here what it lacks.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CLASSES, labelOf, labelsOfVector, operationsOf } from '../../../src/conformance/judge/conformance-classes.ts';
import { difference } from '../../../src/conformance/judge/judge.ts';
import { isOfScalars } from '../../../src/conformance/suite/accumulate.ts';
import { loadFlags, loadManifest, VECTORS } from '../../../src/conformance/suite/load-suite.ts';
import { loadRules } from '../../../src/conformance/suite/rules.ts';
import { withDocuments } from '../../../src/conformance/suite/select-vectors.ts';
import { createValidator } from '../../../src/conformance/suite/validate-vectors.ts';
import type { Vector, VectorGroup } from '../../../src/conformance/vector.ts';
import { LABEL, LABELS } from '../../../src/index.ts';
import { isLong } from '../../vectors/long.ts';
import { faultOf, shippedOutcome } from '../../vectors/pass.ts';
import { digestOf, formatJson } from './json.ts';
import { bare, documentOf, makeOracle, type Outcome, outcomeOf } from './oracle.ts';

const NO_VECTORS: ReadonlySet<string> = new Set(['flags.json', 'manifest.json', 'mutants.json']);

const COMMON = 'schema/common.schema.json';

const oracle = makeOracle(bare);

/** Tests whether the twin is fast enough for a vector. Of the others, the shipped implementation and another one decide. */
const isForTwin = ({ operation, input, flags = [] }: Vector): boolean =>
  !flags.includes('QuadraticTime') && !(operation === 'accumulate' && !isOfScalars(input) && input.count > 100);

/** Reads the vectors, in the order of the manifest; files that it does not know come last. */
export function readGroups(): VectorGroup[] {
  const known = Object.keys(loadManifest().groups).map((group) => `${group}.json`);
  const names = readdirSync(VECTORS).filter((name) => name.endsWith('.json') && !NO_VECTORS.has(name));
  return [...known, ...names.filter((name) => !known.includes(name))].map((name) => {
    try {
      return JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8')) as VectorGroup;
    } catch (error) {
      throw new Error(`vectors/${name}: ${(error as Error).message}`);
    }
  });
}

/** Compares an outcome with that of the twin: `expected` may lack members, which the twin adds. */
function differenceOf({ id: _, expected, error }: Vector, outcome: Outcome): string | null {
  if (expected === undefined && error === undefined) return null;
  const code = 'error' in outcome ? outcome.error : undefined;
  if (code !== error) return `expected ${error ?? 'a result'}, the twin gives ${code ?? 'a result'}`;
  if (!('expected' in outcome)) return null;
  const place = difference(expected, outcome.expected);
  if (place === null) return null;
  return `expected ${JSON.stringify(expected)}, the twin gives ${JSON.stringify(outcome.expected)}: they differ at "${place}"`;
}

/** Completes a vector by the twin. */
function completeByTwin(vector: Vector, faults: string[]): Vector {
  const outcome = outcomeOf(oracle, vector);
  const fault = differenceOf(vector, outcome);
  const document = documentOf(oracle, vector);
  if (fault !== null) faults.push(fault);
  else if (vector.document !== undefined && vector.document !== document)
    faults.push(`expected the document ${vector.document}, the twin gives ${document}`);
  if (faults.length > 0) return vector;
  return { ...vector, ...outcome, ...(document !== undefined && { document }) } as Vector;
}

const hasOutcome = ({ expected, error }: Vector): boolean => expected !== undefined || error !== undefined;

/** The members of a vector, in the order of the files. */
const MEMBERS = 'id since status operation title rules flags input expected error document agrees'.split(' ');

/** Orders the members of a vector; unknown ones, which the validator refuses, come last. */
function inOrder(vector: object): Vector {
  const members = new Map<string, unknown>(Object.entries(vector));
  const names = [...new Set([...MEMBERS, ...members.keys()])].filter((name) => members.has(name));
  return Object.fromEntries(names.map((name) => [name, members.get(name)])) as unknown as Vector;
}

/** Completes a vector, and checks it with the shipped implementation. */
async function complete(given: Vector, suite: string, faults: string[]): Promise<Vector> {
  const byTwin = isForTwin(given) ? completeByTwin(given, faults) : given;
  const known = hasOutcome(byTwin) ? byTwin : ({ ...byTwin, ...(await shippedOutcome(byTwin)) } as Vector);
  const completed = inOrder({ since: suite, flags: [], agrees: [], ...(known as Partial<Vector>) });
  if (faults.length > 0) return completed;
  for (const each of withDocuments([{ group: '', description: '', vectors: [completed] }])[0]!.vectors) {
    const fault = await faultOf(each);
    if (fault !== null) faults.push(`the shipped implementation disagrees: ${fault}`);
  }
  return completed;
}

/** Computes the digest of the specification, over the files that vectors/README.md lists. */
function digestOfSpecification(): string {
  const read = (name: string): Buffer => readFileSync(new URL(`../../../spec/${name}`, import.meta.url));
  const [, list] = /^LC_ALL=C sha256sum ([^`]+)/m.exec(readFileSync(new URL('README.md', VECTORS), 'utf8'))!;
  const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
  const lines = list!
    .split(/[\s\\]+/)
    .filter((name) => name !== '')
    .map((name) => `${sha256(read(name))}  ${name}\n`);
  return sha256(lines.join(''));
}

/** The schema that the others share, with the rules and the flags that exist. */
function commonSchema(): string {
  const names = { rule: [...loadRules().keys()].sort(), flag: loadFlags().map(({ name }) => name) };
  return Object.entries(names).reduce(
    (schema, [kind, own]) =>
      schema.replace(RegExp(`(?<="${kind}": \\{\\s+"type": "string",\\s+"pattern": ")[^"]*`), `^(${own.join('|')})$$`),
    readFileSync(new URL(COMMON, VECTORS), 'utf8'),
  );
}

/** Names vectors that have for one operation one input. */
function findRepeats(groups: readonly VectorGroup[]): string[] {
  const seen = new Map<string, string>();
  const faults: string[] = [];
  for (const { group, vectors } of groups)
    for (const { id, operation, input } of vectors) {
      const key = `${operation} ${JSON.stringify(input)}`;
      const other = seen.get(key);
      if (other !== undefined) faults.push(`vectors/${group}.json: ${id}: ${other} has the same operation and input`);
      seen.set(key, id);
    }
  return faults;
}

/** Names vectors of the manifest that are in no file: an id is permanent. */
function findRemoved(groups: readonly VectorGroup[]): string[] {
  const ids = new Set(groups.flatMap(({ vectors }) => vectors.map(({ id }) => id)));
  return Object.keys(loadManifest().vectors)
    .filter((id) => !ids.has(id))
    .map((id) => `vectors/manifest.json: ${id}: no file has it; expected "status": "retired" in its file instead`);
}

/**
 * Makes the files of vectors/ that hold vectors, with the manifest and the flags.
 * @param groups - the vectors as they are written; what they lack is computed
 * @param isChecked - tests whether a vector that has an outcome, and is not retired, is computed again. Default all
 * @returns contents by the names of the files
 * @throws (rejects) Error that names each fault with the file and the id
 */
export async function makeFiles(
  groups: readonly VectorGroup[],
  isChecked: (vector: Vector) => boolean = () => true,
): Promise<Map<string, string>> {
  const { suite } = loadManifest();
  const validator = createValidator();
  const faults = [...findRepeats(groups), ...findRemoved(groups)];
  const files = new Map<string, string>();
  const counts: Record<string, number> = {};
  const digests: Record<string, string> = {};
  const labels: Record<string, string[]> = Object.fromEntries(
    LABELS.filter((each) => each !== LABEL).map((each) => [each, []]),
  );
  for (const { group, description, vectors: written } of groups) {
    const vectors: Vector[] = [];
    const found: { readonly id: string; readonly message: string }[] = [];
    const failed = new Map<string, string>();
    for (const vector of written) {
      const differences: string[] = [];
      const isDone = vector.status === 'retired' || (hasOutcome(vector) && !isChecked(vector));
      try {
        vectors.push(isDone ? vector : await complete(vector, suite, differences));
      } catch (error) {
        failed.set(vector.id, (error as Error).message);
        vectors.push(vector);
      }
      found.push(...differences.map((message) => ({ id: vector.id, message })));
    }
    const file = { $schema: `./schema/${group}.schema.json`, group, description, vectors };
    const invalid = validator.check(file);
    // A vector that is not valid cannot be computed either; how it fails then says less.
    for (const { id } of invalid) failed.delete(id);
    const all = [...invalid, ...found, ...Array.from(failed, ([id, message]) => ({ id, message }))];
    faults.push(...all.map(({ id, message }) => `vectors/${group}.json: ${id}: ${message}`));
    counts[group] = vectors.length;
    for (const vector of vectors) {
      const { id, operation, input } = vector;
      digests[id] = digestOf(vector);
      for (const each of labelsOfVector({ operation, label: labelOf(operation, input) ?? LABEL }))
        labels[each]?.push(id);
    }
    files.set(`${group}.json`, `${formatJson(file, '', 0, 3)}\n`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const manifest = {
    $schema: './schema/manifest.schema.json',
    ...{ suite, specification: digestOfSpecification(), groups: counts },
    classes: Object.fromEntries(
      CLASSES.filter((each) => each !== 'label').map((each) => [each, operationsOf({ class: each })]),
    ),
    ...{ labels, vectors: digests },
  };
  files.set('manifest.json', `${formatJson(manifest, '', 0, 2)}\n`);
  const flags = { $schema: './schema/flags.schema.json', flags: loadFlags() };
  return files.set('flags.json', `${formatJson(flags, '', 0, 2)}\n`).set(COMMON, commonSchema());
}

/** Tests whether the manifest has a vector as it is. */
function makeIsRecorded(): (vector: Vector) => boolean {
  const { vectors } = loadManifest();
  return (vector) => vectors[vector.id] === digestOf(vector);
}

/** Writes the files; long vectors that have not changed are left to the tests. */
export async function writeVectors(groups: readonly VectorGroup[] = readGroups()): Promise<void> {
  const isRecorded = makeIsRecorded();
  // The validator reads it.
  writeFileSync(new URL(COMMON, VECTORS), commonSchema());
  const files = await makeFiles(groups, (vector) => !(isLong(vector) && isRecorded(vector)));
  for (const [name, content] of files) writeFileSync(new URL(name, VECTORS), content);
}
