import { viewLanes } from '../../common/lanes.ts';
import type { Counted } from '../../documents/document-tasks.ts';
import type { Residue } from '../../fingerprint/residue.ts';
import type { TokenHashes } from '../../fingerprint/token-overlap.ts';

/** The bytes of a distinct token and its count. */
export const BYTES_PER_TOKEN = 12;

/** The bytes of a document in addition to its tokens. */
export const BYTES_PER_DOCUMENT = 400;

/** The number of tokens of a document from which on it has no list of all of them. */
const MAX_HASHES = 1 << 20;

/** The number of tokens that make up more than half of a repetitive document. */
const FEW_TOKENS = 4;

export interface Held {
  readonly size: number;
  /** The lanes of their hashes, ascending, followed by their counts; as doubles if one does not fit in 32 bits. */
  readonly data: Uint32Array | Float64Array;
  readonly total: number;
  /** The bits of the part of the hashes that is held: 0 for all of them. */
  readonly bits: number;
  residue: Residue | undefined;
}

/** The tokens of a document that was read, and its residue, unless that is read later. */
export type ReadTokens = Pick<Counted, 'fingerprint' | 'counted'> & Partial<Pick<Counted, 'residue'>>;

const sizeOf = (tokens: Held): number => BYTES_PER_TOKEN * tokens.size + BYTES_PER_DOCUMENT;

/** Makes a cache of the tokens of the documents that were used last, of at most this number of bytes. */
export function createHeldTokens(maxHeld: number) {
  // The least recently used one comes first.
  const held = new Map<number, Held>();
  // Reused, since a new iterator would first step over all removed entries.
  let oldest = held.entries();
  const repetitive = new Set<number>();
  let size = 0;

  function removeOldest(): void {
    let next = oldest.next();
    if (next.done === true) {
      oldest = held.entries();
      next = oldest.next();
    }
    const [document, tokens] = next.value!;
    held.delete(document);
    size -= sizeOf(tokens);
  }

  return {
    /** The documents, among all that were ever held, of which a few tokens make up most. */
    repetitive,
    has: (document: number): boolean => held.has(document),
    get: (document: number): Held | undefined => held.get(document),
    add(document: number, { counted: { hashes, counts, bits }, residue }: Omit<ReadTokens, 'fingerprint'>): Held {
      const data = compact(viewLanes(hashes), counts);
      const tokens = { size: counts.length, data, total: sumOf(counts), bits, residue };
      held.set(document, tokens);
      size += sizeOf(tokens);
      if (bits === 0 && isRepetitive(counts, tokens.total)) repetitive.add(document);
      while (size > maxHeld && held.size > 0) removeOldest();
      return tokens;
    },
    /** Returns the numbers of tokens of a document that is held as a whole. */
    lengthsOf(document: number): { readonly tokens: number; readonly distinct: number } | undefined {
      const tokens = held.get(document);
      return tokens === undefined || tokens.bits > 0 ? undefined : { tokens: tokens.total, distinct: tokens.size };
    },
    /** Returns the hashes of the tokens of a document, each as often as it occurs; null unless so many are held as a whole. */
    hashesOf(document: number): TokenHashes | null {
      const tokens = held.get(document);
      if (tokens === undefined || tokens.bits > 0 || tokens.total > MAX_HASHES) return null;
      const { size, data, total } = tokens;
      const pairs = new Uint32Array(2 * total);
      for (let i = 0, at = 0; i < size; i++)
        for (let left = data[2 * size + i]!; left > 0; left--) {
          pairs[at++] = data[2 * i]!;
          pairs[at++] = data[2 * i + 1]!;
        }
      return { pairs, start: 0, count: total };
    },
    clear(): void {
      held.clear();
      oldest = held.entries();
      size = 0;
    },
    /** Makes a document the one used last, if it is held. */
    touch(document: number): void {
      const tokens = held.get(document);
      if (tokens !== undefined && held.delete(document)) held.set(document, tokens);
    },
  };
}

/** Copies lanes and counts into one array: each array of its own takes more memory than the tokens of a short text. */
function compact(lanes: Uint32Array, counts: Float64Array): Held['data'] {
  const size = lanes.length + counts.length;
  const data = counts.some((count) => count > 0xffffffff) ? new Float64Array(size) : new Uint32Array(size);
  data.set(lanes);
  data.set(counts, lanes.length);
  return data;
}

function sumOf(counts: Float64Array): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/** Tests whether {@link FEW_TOKENS} tokens make up more than half of a document. */
function isRepetitive(counts: Float64Array, total: number): boolean {
  const max = new Array<number>(FEW_TOKENS).fill(0);
  for (const count of counts) {
    if (count <= max[FEW_TOKENS - 1]!) continue;
    max[FEW_TOKENS - 1] = count;
    max.sort((a, b) => b - a);
  }
  return 2 * max.reduce((sum, count) => sum + count, 0) > total;
}
