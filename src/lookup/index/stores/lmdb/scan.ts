import { ones } from '../../../../scheme/compare.ts';
import { type Fingerprint, wordsOf } from '../../../../scheme/labels/fingerprint.ts';
import { addHit, type Hits } from '../../../segment/hits.ts';
import { createLayout, instantiateKernel } from '../../../segment/kernel.ts';
import { HITS_PER_CALL } from '../../../segment/kernel-segment.ts';
import { spread } from '../../../segment/segment-list.ts';
import { createFindByWords } from '../../../segment/words.ts';
import { CHUNK_ROWS } from './format.ts';

/**
 * Compares a fingerprint with packed ones.
 * @param chunk - up to 4,096 fingerprints, 8 or 32 octets each
 * @param fingerprint - in the byte order of the chunk
 * @param k - 0 to 64
 * @param hits - gets those at distance `k` or less: of any word, with the distance of all
 * @param base - added to each position
 */
export type Scan<F extends Fingerprint = Fingerprint> = (
  chunk: Uint8Array,
  fingerprint: F,
  k: number,
  hits: Hits,
  base: number,
) => void;

/**
 * Makes a {@link Scan}, with the kernel where it can run.
 * @param words - how many words a fingerprint has
 */
export function createScan(words: 1 | 4): Scan {
  const scan = createWordScan();
  return words === 1 ? (scan as Scan) : createWideScan(scan);
}

/** Makes a {@link Scan} of 64 bits. */
export function createWordScan(): Scan<bigint> {
  const layout = createLayout();
  const resultsAt = layout.reserve(8 * HITS_PER_CALL);
  const chunkAt = layout.reserve(8 * CHUNK_ROWS);
  const instance = instantiateKernel(layout.end());
  if (instance === undefined) return scanPlain;
  const { kernel, memory } = instance;
  kernel.setOut(resultsAt, HITS_PER_CALL);
  const results = new Uint32Array(memory.buffer, resultsAt, 2 * HITS_PER_CALL);
  const octets = new Uint8Array(memory.buffer, chunkAt, 8 * CHUNK_ROWS);
  return (chunk, fingerprint, k, hits, base) => {
    octets.set(chunk);
    const size = chunk.length / 8;
    for (let from = 0; from < size; from = kernel.scanned.value >>> 0) {
      const count = kernel.scan(chunkAt, size, fingerprint, k, from);
      for (let i = 0; i < count; i++) addHit(hits, results[2 * i]! + base, results[2 * i + 1]!);
    }
  };
}

/** {@link Scan} of 64 bits without WebAssembly. */
export const scanPlain: Scan<bigint> = (chunk, fingerprint, k, hits, base) => {
  const lanes = new Uint32Array(chunk.slice().buffer);
  const [a, b] = new Uint32Array(BigUint64Array.of(fingerprint).buffer) as unknown as [number, number];
  for (let i = 0; i < lanes.length; i += 2) {
    const distance = ones(lanes[i]! ^ a) + ones(lanes[i + 1]! ^ b);
    if (distance <= k) addHit(hits, base + i / 2, distance);
  }
};

/** Makes a {@link Scan} of four words, which sorts a chunk by them. */
function createWideScan(scan: Scan<bigint>): Scan {
  const planes = [0, 1, 2, 3].map(() => new BigUint64Array(CHUNK_ROWS));
  const findByWords = createFindByWords();
  let size = 0;
  const chunkWords = {
    get: (position: number, word: number): bigint => planes[word]![position]!,
    query(value: bigint, k: number, hits: Hits, word: number): void {
      scan(new Uint8Array(planes[word]!.buffer, 0, 8 * size), value, k, hits, 0);
    },
  };
  return (chunk, fingerprint, k, hits, base) => {
    size = chunk.length / (8 * planes.length);
    spread(
      new BigUint64Array(chunk.slice().buffer),
      planes.map((plane) => plane.subarray(0, size)),
    );
    findByWords(chunkWords, wordsOf('fingerprint', fingerprint), k, hits, base);
  };
}
