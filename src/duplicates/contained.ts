import { expectedDistance } from './answer.ts';
import type { DocumentGroup } from './group.ts';
import type { DuplicateSearch } from './match.ts';
import { pick } from './near/column.ts';
import { createFindNear } from './near/near-search.ts';
import type { Verifier } from './verify/verifier.ts';

export interface Contained {
  readonly document: number;
  readonly container: number;
  readonly distance: number;
  readonly overlap: number;
  /** The share of its words, every occurrence, that are in the longer document. */
  readonly share: number;
}

/** The minimum share of the words that are in the longer document. */
export const MIN_SHARE = 0.95;

export const CONTAINED_DISTANCE = 64;

/** The number of bits by which a distance may be greater than expected: two standard deviations. */
const MARGIN = 12;

/** The number of longer documents, the most likely ones, that a document is compared with. */
const MAX_CONTAINERS = 16;

interface Candidate extends Pick<Contained, 'document' | 'container' | 'distance'> {
  /** The number of bits by which the distance is less than that to be expected. */
  readonly spare: number;
}

/** Finds documents outside groups that are in a longer one by {@link MIN_SHARE}; of several, in the one with the largest share. */
export async function findContained(search: DuplicateSearch, groups: readonly DocumentGroup[]): Promise<Contained[]> {
  const { verifier, collection, minOverlap } = search;
  if (verifier === null || collection.fingerprints.words === 1) return [];
  const tokensOf = (document: number): number => collection.documents[document]!.tokens!;
  const best = new Map<number, Contained>();
  for await (const { document, container, distance } of readable(candidatesIn(search, groups), verifier)) {
    const [own, both] = [tokensOf(document), tokensOf(document) + tokensOf(container)];
    const compared = await verifier.compare(container, document, overlapFor(own, both));
    if (compared === null || compared.overlap >= minOverlap) continue;
    const { overlap } = compared;
    const share = (overlap * both) / (1 + overlap) / own;
    const known = best.get(document);
    if (known === undefined || share > known.share)
      best.set(document, { document, container, distance, overlap, share });
  }
  verifier.release();
  return [...best.values()].sort((a, b) => b.share - a.share || a.distance - b.distance || a.document - b.document);
}

/** Returns the overlap of a document of `own` words with one that has as many of these as it must; `both` have so many words. */
function overlapFor(own: number, both: number): number {
  const common = MIN_SHARE * own - 1e-6;
  return common / (both - common);
}

/** Finds for each document the longer ones that are most likely to contain it, by their lengths and distances. */
function* candidatesIn(
  { collection: { documents, fingerprints }, isAgainst }: DuplicateSearch,
  groups: readonly DocumentGroup[],
): Generator<Candidate, void> {
  const members = new Set(groups.flatMap((group) => group.members.map(({ document }) => document)));
  const open = [...documents.keys()].filter((each) => documents[each]!.tokens !== null && !members.has(each));
  const find = createFindNear(pick(fingerprints, open), {
    k: CONTAINED_DISTANCE,
    sure: expectedDistance(0.6),
  });
  const tokens = Float64Array.from(open, (document) => documents[document]!.tokens!);
  const isReference = (document: number): boolean => documents[document]!.isReference;
  for (const [position, document] of open.entries()) {
    if (isAgainst && isReference(document)) continue;
    const own = tokens[position]!;
    const near = find(position, 0);
    const found: Candidate[] = [];
    for (let i = 0; i < near.length; i++) {
      const all = tokens[near.positionAt(i)]!;
      const distance = near.distanceAt(i);
      const spare = expectedDistance(overlapFor(own, own + all)) - distance;
      if (all <= own || spare < -MARGIN) continue;
      const container = open[near.positionAt(i)]!;
      if (!isAgainst || isReference(container)) found.push({ document, container, distance, spare });
    }
    found.sort((a, b) => b.spare - a.spare || a.container - b.container);
    yield* found.slice(0, MAX_CONTAINERS);
  }
}

/** Passes candidates on once their documents are read: as many together as can be held. */
async function* readable(candidates: Iterable<Candidate>, verifier: Verifier): AsyncGenerator<Candidate, void> {
  let batch: Candidate[] = [];
  let size = 0;
  const documents = new Set<number>();
  async function* flush(): AsyncGenerator<Candidate, void> {
    await verifier.prefetch([...documents]);
    yield* batch;
    documents.clear();
    [batch, size] = [[], 0];
  }
  for (const candidate of candidates) {
    for (const each of [candidate.document, candidate.container])
      if (!documents.has(each)) {
        documents.add(each);
        size += verifier.sizeOf(each);
      }
    batch.push(candidate);
    if (size > verifier.maxHeld / 2) yield* flush();
  }
  yield* flush();
}
