import { createInflationMeter, type ExtractionLimits } from '../limits.ts';

/** Deflate codes 258 octets in two bits at best. */
const LARGEST_RATIO = 1032;
/** How far before its octets the dictionary of a stream is looked for. */
const DICTIONARY = 2048;
const STREAM = new TextEncoder().encode('stream');
const END_OF_STREAM = new TextEncoder().encode('endstream');

/**
 * Refuses a document with a compressed stream that grows beyond the limit: pdf.js would keep all of it in memory, and
 * cannot be told to stop. Streams too short to grow that much are not looked at, nor are pictures, which nobody decodes
 * here; what is encrypted cannot be.
 * @throws (rejects) Error `too-large`
 */
export async function refuseBombs(octets: Uint8Array, limits: ExtractionLimits): Promise<void> {
  for (let at = find(octets, STREAM, 0); at >= 0; at = find(octets, STREAM, at + STREAM.length)) {
    const start = at + STREAM.length + (octets[at + STREAM.length] === 0x0d ? 2 : 1);
    if (!isZlib(octets, start)) continue;
    const dictionary = String.fromCharCode(...octets.subarray(Math.max(0, at - DICTIONARY), at));
    const own = dictionary.slice(dictionary.lastIndexOf(' obj') + 1);
    if (/\/Subtype\s*\/Image\b/.test(own)) continue;
    const layers = Math.max(1, own.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0);
    const ending = find(octets, END_OF_STREAM, start);
    const end = ending < 0 ? octets.length : ending;
    if ((end - start) * LARGEST_RATIO ** layers > limits.inflated)
      await measure(octets.subarray(start, end), layers, limits);
    at = end;
  }
}

/** Inflates a stream as often as it says, and keeps nothing of it. */
async function measure(octets: Uint8Array, layers: number, limits: ExtractionLimits): Promise<void> {
  let stream: ReadableStream<Uint8Array> = new Blob([new Uint8Array(octets)]).stream();
  let exceeded: unknown;
  for (let layer = 0; layer < layers; layer++) {
    const meter = createInflationMeter(limits);
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        try {
          meter(chunk.length);
        } catch (error) {
          exceeded ??= error;
          throw error;
        }
        controller.enqueue(chunk);
      },
    });
    stream = stream.pipeThrough(new DecompressionStream('deflate')).pipeThrough(count);
  }
  try {
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  } catch {
    // Octets that are no deflate after all are for pdf.js to judge.
    if (exceeded !== undefined) throw exceeded;
  }
}

function isZlib(octets: Uint8Array, at: number): boolean {
  const [first = 0, second = 0] = octets.subarray(at, at + 2);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Where a pattern first occurs from a place on, or -1. */
function find(octets: Uint8Array, pattern: Uint8Array, from: number): number {
  for (let at = octets.indexOf(pattern[0]!, from); at >= 0; at = octets.indexOf(pattern[0]!, at + 1))
    if (pattern.every((octet, index) => octets[at + index] === octet)) return at;
  return -1;
}
