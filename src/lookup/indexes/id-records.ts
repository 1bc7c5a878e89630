import type { BytesHash } from '../keyed-hash.ts';

// A record is the number of its bytes (2), the bytes, and up to 3 more to end at a multiple of 4. Records are stored in
// chunks, none across two. A reference is the number of the chunk and the place in it in units of 4 bytes, so that 32
// bits reach 16 GiB.
const CHUNK_BITS = 20;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const UNIT_BITS = CHUNK_BITS - 2;
const MAX_CHUNKS = 2 ** (32 - UNIT_BITS);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export type IdRecords = ReturnType<typeof createIdRecords>;

/** Makes records of document ids by position, as bytes, with room for an expected number. */
export function createIdRecords(expected: number) {
  const chunks = createChunks();
  let references = new Uint32Array(Math.max(64, expected));
  let length = 0;

  const chunkAt = (position: number): Uint8Array => chunks.chunkOf(references[position]!);
  const placeAt = (position: number): number => placeOf(references[position]!);

  function grow(): void {
    if (length < references.length) return;
    const larger = new Uint32Array(2 * length);
    larger.set(references);
    references = larger;
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return chunks.bytes() + references.byteLength;
    },
    /** Adds an id, `idLength` bytes from `from` on. Throws, and changes nothing, if memory runs out. */
    append(bytes: Uint8Array, from: number, idLength: number): void {
      grow();
      references[length] = chunks.append(bytes, from, idLength);
      length++;
    },
    /** Adds the id of another position again. */
    repeat(position: number): void {
      grow();
      references[length++] = references[position]!;
    },
    /** Removes the last position. */
    pop(): void {
      length--;
    },
    isAt: (position: number, bytes: Uint8Array, from: number, idLength: number): boolean =>
      equalsId(chunkAt(position), placeAt(position), bytes, from, idLength),
    read: (position: number): string => readId(chunkAt(position), placeAt(position)),
    /** Returns the bytes of an id, which are valid until the next change. */
    bytesAt(position: number): Uint8Array {
      const [chunk, place] = [chunkAt(position), placeAt(position)];
      return chunk.subarray(place + 2, place + 2 + lengthAt(chunk, place));
    },
    hashAt(position: number, hash: BytesHash): number {
      const [chunk, place] = [chunkAt(position), placeAt(position)];
      return hash(chunk, place + 2, lengthAt(chunk, place));
    },
    /** Compares the ids at two positions by their bytes (LKP-3). */
    compare: (a: number, b: number): number => compareIds(chunkAt(a), placeAt(a), chunkAt(b), placeAt(b)),
  };
}

/** Records by reference. */
function createChunks() {
  // The first chunk grows to its size, so that a small table is small.
  const chunks: Uint8Array[] = [new Uint8Array(4096)];
  let end = 0;

  function grow(bytes: number): void {
    const last = chunks[chunks.length - 1]!;
    if (end + bytes <= last.length) return;
    if (last.length < CHUNK_SIZE) {
      const larger = new Uint8Array(2 * last.length);
      larger.set(last);
      chunks[0] = larger;
      return;
    }
    if (chunks.length === MAX_CHUNKS) throw new RangeError('the ids of an index take at most 16 GiB');
    chunks.push(new Uint8Array(CHUNK_SIZE));
    end = 0;
  }

  return {
    bytes: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    append(id: Uint8Array, from: number, length: number): number {
      const bytes = (2 + length + 3) & ~3;
      grow(bytes);
      const chunk = chunks[chunks.length - 1]!;
      chunk[end] = length & 0xff;
      chunk[end + 1] = length >> 8;
      for (let i = 0; i < length; i++) chunk[end + 2 + i] = id[from + i]!;
      const reference = (((chunks.length - 1) << UNIT_BITS) | (end >>> 2)) >>> 0;
      end += bytes;
      return reference;
    },
    chunkOf: (reference: number): Uint8Array => chunks[reference >>> UNIT_BITS]!,
  };
}

/** Returns the place in its chunk where a record begins. */
function placeOf(reference: number): number {
  return (reference << 2) & (CHUNK_SIZE - 1);
}

function lengthAt(chunk: Uint8Array, place: number): number {
  return chunk[place]! | (chunk[place + 1]! << 8);
}

function equalsId(chunk: Uint8Array, place: number, bytes: Uint8Array, from: number, length: number): boolean {
  if (lengthAt(chunk, place) !== length) return false;
  for (let i = 0; i < length; i++) if (chunk[place + 2 + i] !== bytes[from + i]) return false;
  return true;
}

function readId(chunk: Uint8Array, place: number): string {
  const from = place + 2;
  const end = from + lengthAt(chunk, place);
  let text = '';
  for (let i = from; i < end; i++) {
    // For the few characters of most ids this is several times as fast as the decoder.
    if (chunk[i]! >= 0x80) return decoder.decode(chunk.subarray(from, end));
    text += String.fromCharCode(chunk[i]!);
  }
  return text;
}

function compareIds(chunkA: Uint8Array, placeA: number, chunkB: Uint8Array, placeB: number): number {
  const [lengthA, lengthB] = [lengthAt(chunkA, placeA), lengthAt(chunkB, placeB)];
  for (let i = 2; i < 2 + Math.min(lengthA, lengthB); i++) {
    const difference = chunkA[placeA + i]! - chunkB[placeB + i]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}
