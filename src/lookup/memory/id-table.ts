import { enlarge } from '../../common/bytes.ts';
import { type BytesHash, createTableHash } from '../keyed-hash.ts';
import { MAX_ID_BYTES } from '../query-options.ts';
import { REMOVED } from '../table/fingerprint-table.ts';

export type IdTable = ReturnType<typeof createIdTable>;

/**
 * Makes a table of document ids by position and positions by id, with room for an expected number. An id takes its
 * bytes, 2 for their number, at most 3 to end at a multiple of 4, 4 for its reference, and 7 to 13 in the hash table.
 */
export function createIdTable(expected = 0) {
  const records = createIdRecords(expected);
  const hashOf = createTableHash(MAX_ID_BYTES);
  const slots = createSlots(expected, (position) => records.hashAt(position, hashOf), records.isAt);
  return {
    get length() {
      return records.length;
    },
    get bytes() {
      return records.bytes + slots.bytes();
    },
    read: records.read,
    bytesAt: records.bytesAt,
    compare: records.compare,
    hash: hashOf,
    find: slots.find,
    /** Adds an id that is not in the table, at the next position. Throws, and changes nothing, if memory runs out. */
    append(bytes: Uint8Array, from: number, length: number, hash: number): void {
      slots.grow();
      records.append(bytes, from, length);
      slots.insert(records.length - 1, hash);
    },
    move(position: number): void {
      records.repeat(position);
      slots.replace(position, records.length - 1);
    },
    pop(movedFrom: number): void {
      const last = records.length - 1;
      if (movedFrom >= 0) slots.replace(last, movedFrom);
      else slots.remove(last);
      records.pop();
    },
    /** Removes the id at a position; it can still be read. */
    remove: slots.remove,
  };
}

/** A hash table of positions by open addressing, with at most 3 of 5 slots used. */
function createSlots(expected: number, hashAt: (position: number) => number, isAt: IdRecords['isAt']) {
  // Position + 1, or 0.
  let slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(64, (expected * 5) / 3 + 1))));
  let used = 0;

  function slotOf(position: number): number {
    const mask = slots.length - 1;
    let slot = hashAt(position) & mask;
    while (slots[slot] !== position + 1) slot = (slot + 1) & mask;
    return slot;
  }

  function put(position: number, hash: number): void {
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = position + 1;
  }

  return {
    bytes: () => slots.byteLength,
    find(bytes: Uint8Array, from: number, length: number, hash: number): number {
      const mask = slots.length - 1;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const entry = slots[slot]!;
        if (entry === 0) return -1;
        if (isAt(entry - 1, bytes, from, length)) return entry - 1;
      }
    },
    grow(): void {
      if (used + 1 <= slots.length * 0.6) return;
      const old = slots;
      slots = new Uint32Array(2 * old.length);
      for (const entry of old) if (entry !== 0) put(entry - 1, hashAt(entry - 1));
    },
    insert(position: number, hash: number): void {
      put(position, hash);
      used++;
    },
    replace(position: number, by: number): void {
      slots[slotOf(position)] = by + 1;
    },
    remove(position: number): void {
      const mask = slots.length - 1;
      let hole = slotOf(position);
      for (let next = (hole + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
        const home = hashAt(slots[next]! - 1) & mask;
        if (((next - home) & mask) < ((next - hole) & mask)) continue;
        slots[hole] = slots[next]!;
        hole = next;
      }
      slots[hole] = 0;
      used--;
    },
  };
}

/** Returns the same ids at new positions, which are ascending, or {@link REMOVED}. */
export function renumberIds(ids: IdTable, positions: Uint32Array): IdTable {
  const kept = createIdTable(positions.reduce((count, position) => count + (position === REMOVED ? 0 : 1), 0));
  for (let position = 0; position < positions.length; position++) {
    if (positions[position] === REMOVED) continue;
    const bytes = ids.bytesAt(position);
    kept.append(bytes, 0, bytes.length, kept.hash(bytes, 0, bytes.length));
  }
  return kept;
}

// A record is the number of its bytes (2), the bytes, and up to 3 more to end at a multiple of 4. Records are stored in
// chunks, none across two. A reference is the number of the chunk and the place in it in units of 4 bytes, so that 32
// bits reach 16 GiB.
const CHUNK_BITS = 20;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const UNIT_BITS = CHUNK_BITS - 2;
const MAX_CHUNKS = 2 ** (32 - UNIT_BITS);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

type IdRecords = ReturnType<typeof createIdRecords>;

function createIdRecords(expected: number) {
  // The first chunk grows to its size, so that a small table is small.
  const chunks: Uint8Array[] = [new Uint8Array(4096)];
  let end = 0;
  let references = new Uint32Array(Math.max(64, expected));
  let length = 0;

  const chunkAt = (position: number): Uint8Array => chunks[references[position]! >>> UNIT_BITS]!;
  /** Returns where the bytes of an id begin in its chunk, after their number. */
  const startAt = (position: number): number => ((references[position]! << 2) & (CHUNK_SIZE - 1)) + 2;

  function pushReference(reference: number): void {
    if (length === references.length) references = enlarge(references, 2 * length);
    references[length++] = reference;
  }

  function reserve(bytes: number): void {
    const last = chunks[chunks.length - 1]!;
    if (end + bytes <= last.length) return;
    if (last.length < CHUNK_SIZE) {
      chunks[0] = enlarge(last, 2 * last.length);
      return;
    }
    if (chunks.length === MAX_CHUNKS) throw new RangeError('the ids of an index take at most 16 GiB');
    chunks.push(new Uint8Array(CHUNK_SIZE));
    end = 0;
  }

  function bytesAt(position: number): Uint8Array {
    const [chunk, start] = [chunkAt(position), startAt(position)];
    return chunk.subarray(start, start + lengthOf(chunk, start));
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return chunks.reduce((sum, chunk) => sum + chunk.length, 0) + references.byteLength;
    },
    /** Adds an id, `idLength` bytes from `from` on. Throws, and changes nothing, if memory runs out. */
    append(bytes: Uint8Array, from: number, idLength: number): void {
      const recordLength = (2 + idLength + 3) & ~3;
      reserve(recordLength);
      pushReference((((chunks.length - 1) << UNIT_BITS) | (end >>> 2)) >>> 0);
      const chunk = chunks[chunks.length - 1]!;
      chunk[end] = idLength & 0xff;
      chunk[end + 1] = idLength >> 8;
      for (let i = 0; i < idLength; i++) chunk[end + 2 + i] = bytes[from + i]!;
      end += recordLength;
    },
    repeat: (position: number): void => pushReference(references[position]!),
    pop(): void {
      length--;
    },
    isAt(position: number, bytes: Uint8Array, from: number, idLength: number): boolean {
      const [chunk, start] = [chunkAt(position), startAt(position)];
      if (lengthOf(chunk, start) !== idLength) return false;
      for (let i = 0; i < idLength; i++) if (chunk[start + i] !== bytes[from + i]) return false;
      return true;
    },
    read(position: number): string {
      const bytes = bytesAt(position);
      let text = '';
      for (let i = 0; i < bytes.length; i++) {
        // For the few characters of most ids this is several times as fast as the decoder.
        if (bytes[i]! >= 0x80) return decoder.decode(bytes);
        text += String.fromCharCode(bytes[i]!);
      }
      return text;
    },
    bytesAt,
    hashAt(position: number, hash: BytesHash): number {
      const [chunk, start] = [chunkAt(position), startAt(position)];
      return hash(chunk, start, lengthOf(chunk, start));
    },
    compare(a: number, b: number): number {
      const [bytesA, bytesB] = [bytesAt(a), bytesAt(b)];
      const shared = Math.min(bytesA.length, bytesB.length);
      for (let i = 0; i < shared; i++) if (bytesA[i] !== bytesB[i]) return bytesA[i]! - bytesB[i]!;
      return bytesA.length - bytesB.length;
    },
  };
}

function lengthOf(chunk: Uint8Array, start: number): number {
  return chunk[start - 2]! | (chunk[start - 1]! << 8);
}
