import { createLayout, instantiateKernel, type KernelInstance } from './table-kernel.ts';
import { addHit, type Hits, MAX_PROBED_DISTANCE, type TableSegment } from './table-segment.ts';

/** The number of hits of a query that fit into the output before the kernel returns to have it emptied. */
export const HITS_PER_CALL = 1024;

type SegmentLayout = ReturnType<typeof layOut>;

function layOut(size: number) {
  // The four directories together take 13 bytes for each bucket: at most a byte for each fingerprint.
  const bits = Math.max(4, Math.min(16, Math.floor(Math.log2(size / 15))));
  const layout = createLayout();
  const hits = layout.reserve(8 * HITS_PER_CALL);
  const fingerprints = layout.reserve(8 * size);
  // A directory needs more room while it is made: of the next one, or free memory after the last.
  const directories = [0, 1, 2, 3].map(() => layout.reserve(3 * (1 << bits) + 4));
  layout.reserve((1 << bits) + 8);
  const tables = directories.map((starts) => ({
    starts,
    // Some vectors and another cache line may be read from the last entry on.
    filters: layout.reserve(4 * size + 128),
    positions: layout.reserve(4 * size),
  }));
  return { bits, hits, fingerprints, tables, end: layout.end() };
}

/**
 * Makes a segment in WebAssembly: 40 bytes for each fingerprint, at most one more for the directories, and some 10,000.
 * Returns undefined if the kernel cannot run or gets no memory.
 */
export function createKernelSegment(size: number, fill: (target: BigUint64Array) => void): TableSegment | undefined {
  const layout = layOut(size);
  const instance = instantiateKernel(layout.end);
  if (instance === undefined) return undefined;
  const { buffer } = instance.memory;
  const values = new BigUint64Array(buffer, layout.fingerprints, size);
  fill(values);
  build(instance, layout, size);
  return {
    size,
    bytes: buffer.byteLength,
    get: (position) => values[position]!,
    copy: (target, at) => target.set(values, at),
    work: (fingerprint, k) => (k > MAX_PROBED_DISTANCE ? size : instance.kernel.workOf(fingerprint, k) >>> 0),
    query: createQuery(instance, layout, size),
  };
}

function build({ kernel }: KernelInstance, { bits, hits, fingerprints, tables }: SegmentLayout, size: number): void {
  kernel.setOut(hits, HITS_PER_CALL);
  kernel.setSegment(fingerprints, bits);
  for (const [t, { starts, filters, positions }] of tables.entries()) {
    kernel.partition(fingerprints, size, t, bits, starts, filters, positions);
    kernel.shorten(starts, bits);
    kernel.setTable(t, starts, filters, positions);
  }
}

function createQuery(
  { kernel, memory }: KernelInstance,
  { hits: hitsAt, fingerprints }: SegmentLayout,
  size: number,
): TableSegment['query'] {
  const results = new Uint32Array(memory.buffer, hitsAt, 2 * HITS_PER_CALL);

  function take(count: number, hits: Hits, base: number): void {
    for (let i = 0; i < count; i++) addHit(hits, results[2 * i]! + base, results[2 * i + 1]!);
  }

  return (fingerprint, k, hits, base) => {
    if (k > MAX_PROBED_DISTANCE) {
      for (let from = 0; from < size; from = kernel.scanned.value >>> 0)
        take(kernel.scan(fingerprints, size, fingerprint, k, from), hits, base);
      return;
    }
    let count = kernel.begin(fingerprint, k);
    take(count, hits, base);
    while (count === HITS_PER_CALL) {
      count = kernel.resume();
      take(count, hits, base);
    }
  };
}
