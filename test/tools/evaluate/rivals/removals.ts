import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { removeDuplicates } from '../../../../src/duplicates/index.ts';
import { type Collection, loadCollection } from '../collections.ts';
import { createCorpus } from '../measure/corpus.ts';
import { type RelatedPair, TRUE_OVERLAP } from '../measure/overlaps.ts';
import { keepPart, type Removal } from '../results.ts';
import { installPackages, runPython } from '../sources/packages.ts';

const REMOVAL_COLLECTIONS: readonly string[] = ['short', 'contracts', 'revisions'];
const METHODS = ['dedupe', 'dedupe --ignore-numbers', 'rensa', 'text-dedup', 'datatrove'] as const;
const DOCUMENTS = resolve('build/evaluate/documents.jsonl');
const PROGRAM = resolve('test/tools/evaluate/rivals/removals.py');

/** Removes the duplicates of some collections with each method at its defaults, and keeps the part `removals` of the results. */
export async function measureRemovals(): Promise<void> {
  installPackages();
  const removals: Removal[] = [];
  for (const name of REMOVAL_COLLECTIONS) removals.push(...(await removeFrom(await loadCollection(name))));
  keepPart('removals', removals);
}

async function removeFrom({ name, documents }: Collection): Promise<Removal[]> {
  const related = createCorpus(documents).related;
  writeFileSync(DOCUMENTS, documents.map(({ text }, id) => `${JSON.stringify({ id: String(id), text })}\n`).join(''));
  const removals: Removal[] = [];
  for (const method of METHODS) {
    const ids = method.startsWith('dedupe')
      ? await dedupe(documents, method !== 'dedupe')
      : (JSON.parse(runPython([PROGRAM, method, DOCUMENTS])) as number[]);
    removals.push({ collection: name, method, ...judgeRemovals(documents, related, new Set(ids)) });
    console.error(JSON.stringify(removals.at(-1)));
  }
  return removals;
}

async function dedupe(documents: Collection['documents'], ignoreNumbers: boolean): Promise<number[]> {
  const ids: number[] = [];
  const items = documents.map(({ text }, at) => ({ id: String(at), text }));
  for await (const { id } of removeDuplicates(items, { ignoreNumbers })) ids.push(Number(id));
  return ids;
}

/** Compares what is removed with the exact overlaps. */
export function judgeRemovals(
  documents: Collection['documents'],
  related: readonly RelatedPair[],
  kept: ReadonlySet<number>,
): Omit<Removal, 'collection' | 'method'> {
  const [near, matched, missed] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const { i, j, overlap } of related)
    for (const [one, other] of [
      [i, j],
      [j, i],
    ] as const) {
      if (!kept.has(other)) continue;
      near.add(one);
      if (overlap < TRUE_OVERLAP) continue;
      matched.add(one);
      if (kept.has(one)) missed.add(Math.max(i, j));
    }
  const removed = documents.flatMap((_, at) => (kept.has(at) ? [] : [at]));
  const groups = new Set([...kept].map((at) => documents[at]!.group));
  return {
    documents: documents.length,
    removed: removed.length,
    right: removed.filter((at) => matched.has(at)).length,
    wrong: removed.filter((at) => !near.has(at)).length,
    missed: missed.size,
    versions: removed.filter((at) => documents[at]!.group !== undefined && groups.has(documents[at]!.group)).length,
  };
}
