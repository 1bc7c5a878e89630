import type { Failure } from '../../documents/failure.ts';
import { failed } from '../../documents/outcome.ts';
import type { ReportedDocuments } from '../../documents/session.ts';
import type { Counted } from '../../documents/workers/work.ts';
import { type CountedPart, type HashPart, sumCounts } from '../../fingerprint/token-counts.ts';
import { type Fingerprint, wordsOf } from '../../scheme/labels/fingerprint.ts';
import type { Collection } from '../collect.ts';
import { createReader, type Reread } from '../reread.ts';
import { createHeldTokens, OCTETS_PER_TOKEN } from './held.ts';
import { createSketches } from './sketch.ts';

/** Reads documents again and compares their tokens. */
export interface Verifier {
  /** Reads documents that are about to be compared, as many as fit, those of an archive in one go. */
  prefetch(documents: readonly number[]): Promise<void>;
  /**
   * Reads documents whose tokens cannot be held together, those of an archive in one go, and keeps a sketch of each for
   * {@link mayOverlap}.
   */
  survey(documents: readonly number[]): Promise<void>;
  /** How many octets of token counts are held, besides those of the two documents that are compared. */
  readonly maxHeld: number;
  /** The most octets that the tokens of a document take. */
  sizeOf(document: number): number;
  /**
   * Tells whether two documents may overlap by so much, without reading them: by how many tokens they have and, after
   * {@link survey}, by their sketches.
   */
  mayOverlap(a: number, b: number, least: number): boolean;
  /**
   * Compares the tokens of two documents.
   * @returns their overlap; null if one of them can no longer be read, which is reported
   */
  overlap(a: number, b: number): Promise<number | null>;
  /** Whether a few tokens make up most of a document that was compared. */
  isRepetitive(document: number): boolean;
}

/** {@link Verifier.maxHeld}, unless there is a reason for less. */
const MAX_HELD = 256 << 20;

/** The most distinct tokens that a worker counts at once: those of other documents are counted in parts. */
const MAX_TOKENS_HELD = 1 << 21;

/** A document of an index, whose length is not stored, is taken for one of so many tokens. */
const TOKENS_IF_UNKNOWN = 4096;

/** How many documents are surveyed at once: their names are held, and an archive is read again for each so many. */
const SURVEYED = 1 << 18;

const CHANGED: Failure = { code: 'changed', message: 'changed after its fingerprint was computed: not compared' };

/** What is compared, and how it is read again. */
export interface Compared {
  /** The fingerprints of 64 bits, or {@link checksumOf} of wider ones. */
  readonly fingerprints: BigUint64Array;
  /** How many tokens a document has, or null if that is not known. */
  readonly tokensOf: (document: number) => number | null;
  /** Counts the tokens of documents, or of a part of them. */
  readonly read: (documents: readonly number[], part?: HashPart) => AsyncIterable<Reread<Counted>>;
  /** {@link Verifier.maxHeld} */
  readonly maxHeld?: number;
  /** Told of a document that can no longer be read. */
  readonly onLost: (document: number, failure: Failure) => Promise<void>;
}

/**
 * Makes a verifier for the documents of a collection.
 * @param collection - the documents
 * @param session - what reads them
 */
export function createVerifier(collection: Collection, session: ReportedDocuments): Verifier {
  const { documents, fingerprints } = collection;
  const read = createReader(collection, session);
  return verifierOf({
    fingerprints,
    tokensOf: (document) => documents[document]!.tokens,
    read: (list, part) => read('tokens', list, part),
    async onLost(document, failure) {
      await session.report.add(failed(documents[document]!.place, failure));
    },
  });
}

/**
 * Makes a verifier. Each document is read once as long as the tokens of those that are compared fit in `maxHeld`; of
 * others, those used last are held. A document of so many distinct tokens that a worker cannot hold them is read once for
 * each part of them: the sums of the parts add up.
 */
export function verifierOf(compared: Compared): Verifier {
  const { maxHeld = MAX_HELD } = compared;
  const held = createHeldTokens(maxHeld);
  const lost = new Set<number>();
  const sketches = createSketches(compared.fingerprints.length);
  const readEach = createReadEach(compared, lost);
  const readAll: ReadAll = async (list, part) => {
    const found = new Map<number, CountedPart>();
    await readEach(list, part, (document, counted) => {
      found.set(document, counted);
      if (part === undefined) held.add(document, counted);
    });
    return found;
  };

  const sizeOf = (document: number): number =>
    OCTETS_PER_TOKEN * Math.min(compared.tokensOf(document) ?? TOKENS_IF_UNKNOWN, MAX_TOKENS_HELD);

  const isKnown = (document: number): boolean => held.has(document) || lost.has(document);

  async function load(list: readonly number[]): Promise<(CountedPart | undefined)[]> {
    const missing = list.filter((document) => !isKnown(document));
    const before = list.map((document) => held.get(document));
    const found = missing.length === 0 ? new Map<number, CountedPart>() : await readAll(missing);
    for (const [index, document] of list.entries()) if (before[index] !== undefined) held.touch(document);
    return list.map((document, index) => before[index] ?? found.get(document));
  }

  return {
    maxHeld,
    sizeOf,
    async prefetch(list) {
      const missing: number[] = [];
      let size = 0;
      for (const document of list) {
        if (isKnown(document)) continue;
        size += sizeOf(document);
        if (size > maxHeld) break;
        missing.push(document);
      }
      if (missing.length > 0) await readAll(missing);
    },
    async survey(list) {
      for (let from = 0; from < list.length; from += SURVEYED)
        await readEach(list.slice(from, from + SURVEYED), undefined, (document, counted) => {
          if (counted.bits === 0) sketches.add(document, counted);
        });
    },
    mayOverlap: (a, b, least) =>
      haveSizesFor(least, compared.tokensOf(a), compared.tokensOf(b)) && sketches.mayOverlap(a, b, least),
    async overlap(a, b) {
      const [left, right] = await load([a, b]);
      if (left === undefined || right === undefined) return null;
      const bits = Math.max(left.bits, right.bits);
      if (bits > 0) return overlapInParts(readAll, a, b, bits);
      const { common, all } = sumCounts(left, right);
      return common / all;
    },
    isRepetitive: (document) => held.repetitive.has(document),
  };
}

/** Whether documents of so many tokens may overlap by so much: the shorter one has all in common with the longer one at most. */
function haveSizesFor(least: number, a: number | null, b: number | null): boolean {
  return a === null || b === null || Math.min(a, b) / Math.max(a, b) >= least;
}

/** Reads documents, or a part of their tokens; those that can no longer be read are missing from the result. */
type ReadAll = (list: readonly number[], part?: HashPart) => Promise<Map<number, CountedPart>>;

/** As {@link ReadAll}, but hands each document over once it is read. */
type ReadEach = (
  list: readonly number[],
  part: HashPart | undefined,
  onCounted: (document: number, counted: CountedPart) => void,
) => Promise<void>;

/** The 64 bits by which a document that has changed differs from what it was: the fingerprint, or all four words of one. */
export function checksumOf(fingerprint: Fingerprint): bigint {
  return BigInt.asUintN(
    64,
    wordsOf('fingerprint', fingerprint).reduce((sum, word) => 31n * sum + word, 0n),
  );
}

/**
 * Makes a {@link ReadEach}.
 * @param lost - gets documents that can no longer be read
 */
function createReadEach({ fingerprints, read, onLost }: Compared, lost: Set<number>): ReadEach {
  return async (list, part, onCounted) => {
    const found = new Set<number>();
    const failures = new Map<number, Failure>();
    for await (const { document, result } of read(list, part)) {
      const failure =
        'failure' in result ? result.failure : checksumOf(result.fingerprint) !== fingerprints[document] && CHANGED;
      if (failure !== false) failures.set(document, failure);
      else if ('failure' in result || found.has(document)) continue;
      else {
        found.add(document);
        onCounted(document, result.counted);
      }
    }
    for (const [document, failure] of failures)
      if (!found.has(document)) {
        lost.add(document);
        await onLost(document, failure);
      }
  };
}

async function overlapInParts(readAll: ReadAll, a: number, b: number, bits: number): Promise<number | null> {
  let [common, all] = [0, 0];
  for (let part = 0; part < 2 ** bits; part++) {
    const found = await readAll([a, b], { bits, part });
    const [left, right] = [found.get(a), found.get(b)];
    if (left === undefined || right === undefined) return null;
    const sums = sumCounts(left, right);
    common += sums.common;
    all += sums.all;
  }
  return common / all;
}
