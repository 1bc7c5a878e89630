import { failed } from '../../documents/document-outcome.ts';
import type { Failure } from '../../documents/failure.ts';
import type { ReportedDocuments } from '../../documents/run-documents.ts';
import { type Difference, differencesOf, type Residue } from '../../fingerprint/residue.ts';
import type { CountedPart, HashPart } from '../../fingerprint/token-counts.ts';
import type { TokenHashes } from '../../fingerprint/token-overlap.ts';
import { hashRange } from '../../scheme/token-hash.ts';
import type { Collection } from '../collect.ts';
import { checksumAt, checksumOf, type FingerprintColumn } from '../near/column.ts';
import { createReader, type Reread } from '../reread.ts';
import { BYTES_PER_DOCUMENT, BYTES_PER_TOKEN, createHeldTokens, type Held, type ReadTokens } from './held-tokens.ts';
import { overlapAtLeast, overlapInParts } from './overlap.ts';

export interface TextComparison {
  readonly overlap: number;
  readonly differs: readonly Difference[];
}

export type Verifier = ReturnType<typeof verifierOf>;

/** The number of bytes of token counts that are held by default. */
const MAX_HELD = 256 << 20;

/** The maximum number of distinct tokens that a worker counts at once: longer documents are counted in parts. */
const MAX_TOKENS_HELD = 1 << 21;

/** The number of tokens that is assumed for a document of an index, which does not store its length. */
const TOKENS_IF_UNKNOWN = 4096;

export const CHANGED: Failure = {
  code: 'changed',
  message: 'changed after its fingerprint was computed: not compared',
};

export interface Compared {
  readonly fingerprints: FingerprintColumn;
  readonly tokensOf: (document: number) => number | null;
  readonly read: (documents: readonly number[], part?: HashPart) => AsyncIterable<Reread<ReadTokens>>;
  /** Reads the residue of a document that matches another one, unless `read` returns it. */
  readonly residueOf?: (document: number) => Residue;
  readonly matchCase?: boolean | undefined;
  /** The maximum number of bytes of token counts that are held, in addition to the two documents compared. */
  readonly maxHeld?: number;
  readonly onLost: (document: number, failure: Failure) => Promise<void>;
}

export function createVerifier(
  collection: Collection,
  session: ReportedDocuments,
  { matchCase }: Pick<Compared, 'matchCase'> = {},
): Verifier {
  const { documents, fingerprints } = collection;
  const read = createReader(collection, session);
  return verifierOf({
    fingerprints,
    matchCase,
    tokensOf: (document) => documents[document]!.tokens,
    read: (list, part) => read('tokens', list, part),
    async onLost(document, failure) {
      await session.report.add(failed(documents[document]!.place, failure));
    },
  });
}

/** Makes a verifier. A document with too many distinct tokens for a worker is read once for each part: the sums add up. */
export function verifierOf(compared: Compared) {
  const { maxHeld = MAX_HELD, tokensOf } = compared;
  const held = createHeldTokens(maxHeld);
  const lost = new Set<number>();
  const readEach = createReadEach(compared, lost);

  const sizeOf = (document: number): number =>
    BYTES_PER_DOCUMENT + BYTES_PER_TOKEN * Math.min(tokensOf(document) ?? TOKENS_IF_UNKNOWN, MAX_TOKENS_HELD);

  async function hold(list: readonly number[]): Promise<Map<number, Held>> {
    const found = new Map<number, Held>();
    await readEach(list, undefined, (document, tokens) => found.set(document, held.add(document, tokens)));
    return found;
  }

  async function readPart(a: number, b: number, part: HashPart) {
    const found = new Map<number, CountedPart>();
    await readEach([a, b], part, (document, { counted }) => found.set(document, counted));
    const [left, right] = [found.get(a), found.get(b)];
    return left === undefined || right === undefined ? null : ([left, right] as const);
  }

  async function compareReading(a: number, b: number, min: number): Promise<TextComparison | null> {
    const before = [held.get(a), held.get(b)];
    const found = await hold([a, b].filter((document) => !held.has(document) && !lost.has(document)));
    const [left, right] = [before[0] ?? found.get(a), before[1] ?? found.get(b)];
    if (left === undefined || right === undefined) return null;
    const bits = Math.max(left.bits, right.bits);
    const overlap =
      bits === 0 ? overlapAtLeast(left, right, min) : await overlapInParts(bits, (part) => readPart(a, b, part));
    return overlap === null ? null : resultOf(a, b, left, right, overlap, min);
  }

  const resultOf = createResultOf(compared);

  return {
    maxHeld,
    sizeOf,
    release: held.clear,
    /** Reads the first of some documents that fit in memory, an archive in one go. */
    async prefetch(list: readonly number[]): Promise<void> {
      const missing: number[] = [];
      let size = 0;
      for (const document of list) {
        size += sizeOf(document);
        if (size > maxHeld) break;
        if (held.has(document)) held.touch(document);
        else if (!lost.has(document)) missing.push(document);
      }
      if (missing.length > 0) await hold(missing);
    },
    /** Compares two documents; null if they overlap less than `min`, or one can no longer be read, which is reported. */
    compare(a: number, b: number, min: number): TextComparison | null | Promise<TextComparison | null> {
      if (!haveSizesFor(min, tokensOf(a), tokensOf(b)) || lost.has(a) || lost.has(b)) return null;
      const [left, right] = [held.get(a), held.get(b)];
      if (left === undefined || right === undefined || left.bits + right.bits > 0) return compareReading(a, b, min);
      return resultOf(a, b, left, right, overlapAtLeast(left, right, min), min);
    },
    lengthsOf: held.lengthsOf,
    /** Returns the hashes of the tokens of a document, none if it is lost; null if they are not held, or are too many. */
    hashesOf: (document: number): TokenHashes | null =>
      lost.has(document) ? { pairs: new Uint32Array(0), start: 0, count: 0 } : held.hashesOf(document),
    /** Returns the parts of a document that has been compared; undefined if they are not held. */
    partsOf(document: number): Parts | undefined {
      const tokens = held.get(document);
      return tokens?.residue === undefined || tokens.bits > 0 ? undefined : partsOf(tokens, tokens.residue);
    },
    isRepetitive: (document: number): boolean => held.repetitive.has(document),
  };
}

/** Makes the function that completes a comparison: other differences are looked for only if the words match. */
function createResultOf({ residueOf, matchCase = false }: Compared) {
  const residueIn = (document: number, tokens: Held): Residue | undefined => {
    tokens.residue ??= residueOf?.(document);
    return tokens.residue;
  };
  return (a: number, b: number, left: Held, right: Held, overlap: number, min: number): TextComparison | null => {
    if (overlap < min || overlap < 0) return null;
    const [x, y] = [residueIn(a, left), residueIn(b, right)];
    const differs = x === undefined || y === undefined ? [] : differencesOf(x, y, overlap, { matchCase });
    return { overlap, differs };
  };
}

export interface Parts {
  /** The parts that all duplicates have in common. */
  readonly rest: string;
  readonly words: string;
  /** The parts that duplicates with the same words have in common. */
  readonly order: string;
}

function partsOf({ data }: Held, { numbers, locators, letters, capitals, characters }: Residue): Parts {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const halves = new Uint32Array(2);
  hashRange(bytes, 0, bytes.length, 0, 0, halves);
  return { rest: `${numbers} ${locators}`, words: halves.join(), order: `${letters} ${capitals} ${characters}` };
}

/** Tests whether documents of such lengths can overlap enough: the longer one has all tokens of the shorter one at most. */
function haveSizesFor(min: number, a: number | null, b: number | null): boolean {
  return a === null || b === null || Math.min(a, b) / Math.max(a, b) >= min;
}

/** Makes a function that hands each document over once it is read; `lost` gets those that can no longer be read. */
function createReadEach({ fingerprints, read, onLost }: Compared, lost: Set<number>) {
  return async (
    list: readonly number[],
    part: HashPart | undefined,
    onRead: (document: number, tokens: ReadTokens) => void,
  ): Promise<void> => {
    if (list.length === 0) return;
    const found = new Set<number>();
    const failures = new Map<number, Failure>();
    for await (const { document, outcome } of read(list, part))
      if (outcome.kind === 'failed') failures.set(document, outcome.failure);
      else if (checksumOf(outcome.result.fingerprint) !== checksumAt(fingerprints, document))
        failures.set(document, CHANGED);
      else if (!found.has(document)) {
        found.add(document);
        onRead(document, outcome.result);
      }
    for (const [document, failure] of failures)
      if (!found.has(document)) {
        lost.add(document);
        await onLost(document, failure);
      }
  };
}
