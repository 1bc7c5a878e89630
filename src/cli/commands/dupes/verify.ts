import { type CountedPart, type HashPart, sumCounts } from '../../../fingerprint/token-counts.ts';
import type { Failure } from '../../documents/failure.ts';
import { failed } from '../../documents/outcome.ts';
import type { Session } from '../../documents/session.ts';
import type { Counted } from '../../documents/workers/work.ts';
import type { Collection } from './collect.ts';
import { createReader, type Reread } from './reread.ts';

/** Reads documents again and compares their tokens. */
export interface Verifier {
  /** Reads documents that are about to be compared, as many as fit, those of an archive in one go. */
  prefetch(documents: readonly number[]): Promise<void>;
  /** How many octets of token counts are held, besides those of the two documents that are compared. */
  readonly maxHeld: number;
  /** The most octets that the tokens of a document take. */
  sizeOf(document: number): number;
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

const OCTETS_PER_TOKEN = 16;

/** The most distinct tokens that a worker counts at once: those of other documents are counted in parts. */
const MAX_TOKENS_HELD = 1 << 21;

/** A document is repetitive if so many tokens make up more than half of it. */
const FEW_TOKENS = 4;

const CHANGED: Failure = { code: 'changed', message: 'changed after its fingerprint was computed: not compared' };

/** What is compared, and how it is read again. */
export interface Compared {
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
export function createVerifier(collection: Collection, session: Session): Verifier {
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
  const readAll = createReadAll(compared, held, lost);

  const sizeOf = (document: number): number =>
    OCTETS_PER_TOKEN * Math.min(compared.tokensOf(document) ?? 0, MAX_TOKENS_HELD);

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

/** The tokens of the documents that were used last. */
interface HeldTokens {
  has(document: number): boolean;
  get(document: number): CountedPart | undefined;
  add(document: number, counted: CountedPart): void;
  /** Makes a document the one used last, if it is held. */
  touch(document: number): void;
  /** The documents that were held, of whose tokens a few make up most. */
  readonly repetitive: ReadonlySet<number>;
}

/** Makes {@link HeldTokens} of up to so many octets. */
function createHeldTokens(maxHeld: number): HeldTokens {
  // The least recently used one comes first.
  const held = new Map<number, CountedPart>();
  // The same iterator every time: a new one would first have to step over all that were removed.
  let oldest = held.entries();
  const repetitive = new Set<number>();
  let octets = 0;

  function removeOldest(): void {
    let next = oldest.next();
    if (next.done === true) {
      oldest = held.entries();
      next = oldest.next();
    }
    const [document, { hashes }] = next.value!;
    held.delete(document);
    octets -= OCTETS_PER_TOKEN * hashes.length;
  }

  return {
    repetitive,
    has: (document) => held.has(document),
    get: (document) => held.get(document),
    add(document, counted) {
      held.set(document, counted);
      octets += OCTETS_PER_TOKEN * counted.hashes.length;
      if (counted.bits === 0 && isRepetitive(counted)) repetitive.add(document);
      while (octets > maxHeld && held.size > 0) removeOldest();
    },
    touch(document) {
      const counted = held.get(document);
      if (counted !== undefined && held.delete(document)) held.set(document, counted);
    },
  };
}

/** Reads documents, or a part of their tokens; those that can no longer be read are missing from the result. */
type ReadAll = (list: readonly number[], part?: HashPart) => Promise<Map<number, CountedPart>>;

/**
 * Makes a {@link ReadAll}.
 * @param held - gets documents that were read whole
 * @param lost - gets documents that can no longer be read
 */
function createReadAll({ fingerprints, read, onLost }: Compared, held: HeldTokens, lost: Set<number>): ReadAll {
  return async (list, part) => {
    const found = new Map<number, CountedPart>();
    const failures = new Map<number, Failure>();
    for await (const { document, result } of read(list, part)) {
      const failure = 'failure' in result ? result.failure : result.fingerprint !== fingerprints[document] && CHANGED;
      if (failure !== false) failures.set(document, failure);
      else if ('failure' in result || found.has(document)) continue;
      else {
        found.set(document, result.counted);
        if (part === undefined) held.add(document, result.counted);
      }
    }
    for (const [document, failure] of failures)
      if (!found.has(document)) {
        lost.add(document);
        await onLost(document, failure);
      }
    return found;
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

/** Whether {@link FEW_TOKENS} tokens make up more than half of a document. */
function isRepetitive({ counts }: CountedPart): boolean {
  const most = new Array<number>(FEW_TOKENS).fill(0);
  let all = 0;
  for (const count of counts) {
    all += count;
    if (count <= most[FEW_TOKENS - 1]!) continue;
    most[FEW_TOKENS - 1] = count;
    most.sort((a, b) => b - a);
  }
  return 2 * most.reduce((sum, count) => sum + count, 0) > all;
}
