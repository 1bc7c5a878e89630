import { MOST_ID_OCTETS } from '../options.ts';
import { REMOVED } from '../segment/table.ts';

/**
 * Document ids by position and positions by id. An id takes its octets, 2 for their number, at most 3 to end on a
 * multiple of 4, 4 for where they are, and 7 to 13 in the hash table.
 */
export interface IdTable {
  /** How many positions there are, those of removed ids included. */
  readonly length: number;
  /** Octets of memory that it takes. */
  readonly octets: number;
  /** The hash of an id, as the other functions want it. */
  hash(id: Uint8Array, length: number): number;
  /** The position of an id, or -1. */
  find(id: Uint8Array, length: number, hash: number): number;
  /** Gives an id that is not there the next position. */
  append(id: Uint8Array, length: number, hash: number): void;
  /** Gives the id at a position the next position instead. */
  move(position: number): void;
  /**
   * Takes the last position back.
   * @param movedFrom - where its id was before, or -1 where it was new
   */
  pop(movedFrom: number): void;
  /** Forgets the id at a position; it can still be read. */
  remove(position: number): void;
  /** The id at a position, also of a removed one. */
  read(position: number): string;
  /** The octets of the id at a position, also of a removed one: good until the next change. */
  octetsAt(position: number): Uint8Array;
  /** Compares the ids at two positions by their octets (LKP-4). */
  compare(a: number, b: number): number;
  /** The same ids at new positions, without those that have none. */
  renumbered(positions: Uint32Array): IdTable;
}

// Records lie in chunks, none across two. A reference is the number of a chunk and the place in it in units of 4 octets, so
// that 32 bits reach over 16 GiB.
const CHUNK_BITS = 20;
const CHUNK = 1 << CHUNK_BITS;
const UNIT_BITS = CHUNK_BITS - 2;
const MOST_CHUNKS = 2 ** (32 - UNIT_BITS);

/** FNV-1a, mixed at the end: the low bits of the product alone depend on too little. */
function hashOf(octets: Uint8Array, from: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < from + length; i++) hash = Math.imul(hash ^ octets[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Makes an empty {@link IdTable}.
 * @param expected - how many ids it will hold, if that is known
 */
export function createIdTable(expected = 0): IdTable {
  const chunks: Uint8Array[] = [new Uint8Array(Math.min(CHUNK, 4096))];
  // The first chunk grows to its size, so that a small table is small.
  let end = 0;
  let references = new Uint32Array(Math.max(64, expected));
  let length = 0;
  // Open addressing: position + 1, or 0. At most 3 of 5 are used.
  let slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(64, (expected * 5) / 3 + 1))));
  let used = 0;

  const chunkOf = (position: number): Uint8Array => chunks[references[position]! >>> UNIT_BITS]!;
  const placeOf = (position: number): number => (references[position]! << 2) & (CHUNK - 1);
  const lengthAt = (chunk: Uint8Array, place: number): number => chunk[place]! | (chunk[place + 1]! << 8);

  function hashAt(position: number): number {
    const chunk = chunkOf(position);
    const place = placeOf(position);
    return hashOf(chunk, place + 2, lengthAt(chunk, place));
  }

  function isAt(position: number, id: Uint8Array, idLength: number): boolean {
    const chunk = chunkOf(position);
    const place = placeOf(position);
    if (lengthAt(chunk, place) !== idLength) return false;
    for (let i = 0; i < idLength; i++) if (chunk[place + 2 + i] !== id[i]) return false;
    return true;
  }

  /** The slot of a position whose id is there. */
  function slotOf(position: number): number {
    const mask = slots.length - 1;
    let slot = hashAt(position) & mask;
    while (slots[slot] !== position + 1) slot = (slot + 1) & mask;
    return slot;
  }

  function insert(position: number, hash: number): void {
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = position + 1;
  }

  function growSlots(): void {
    const old = slots;
    slots = new Uint32Array(2 * old.length);
    for (const entry of old) if (entry !== 0) insert(entry - 1, hashAt(entry - 1));
  }

  /** Makes room for one more position. */
  function growReferences(): void {
    if (length < references.length) return;
    const larger = new Uint32Array(2 * length);
    larger.set(references);
    references = larger;
  }

  /** Makes room for one more record. */
  function growChunks(octets: number): void {
    const last = chunks[chunks.length - 1]!;
    if (end + octets <= last.length) return;
    if (last.length < CHUNK) {
      const larger = new Uint8Array(2 * last.length);
      larger.set(last);
      chunks[0] = larger;
      return;
    }
    if (chunks.length === MOST_CHUNKS) throw new RangeError('the ids of an index take at most 16 GiB');
    chunks.push(new Uint8Array(CHUNK));
    end = 0;
  }

  /** Empties a slot and moves back what was put behind it because of it. */
  function vacate(slot: number): void {
    const mask = slots.length - 1;
    let hole = slot;
    for (let next = (hole + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const home = hashAt(slots[next]! - 1) & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      slots[hole] = slots[next]!;
      hole = next;
    }
    slots[hole] = 0;
    used--;
  }

  const table: IdTable = {
    get length() {
      return length;
    },
    get octets() {
      return chunks.reduce((sum, chunk) => sum + chunk.length, references.byteLength + slots.byteLength);
    },
    hash: (id, idLength) => hashOf(id, 0, idLength),
    find(id, idLength, hash) {
      const mask = slots.length - 1;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const entry = slots[slot]!;
        if (entry === 0) return -1;
        if (isAt(entry - 1, id, idLength)) return entry - 1;
      }
    },
    append(id, idLength, hash) {
      const octets = (2 + idLength + 3) & ~3;
      growReferences();
      growChunks(octets);
      if (used + 1 > slots.length * 0.6) growSlots();
      // From here on nothing can fail.
      const chunk = chunks[chunks.length - 1]!;
      chunk[end] = idLength & 0xff;
      chunk[end + 1] = idLength >> 8;
      for (let i = 0; i < idLength; i++) chunk[end + 2 + i] = id[i]!;
      references[length] = (((chunks.length - 1) << UNIT_BITS) | (end >>> 2)) >>> 0;
      end += octets;
      insert(length, hash);
      used++;
      length++;
    },
    move(position) {
      growReferences();
      slots[slotOf(position)] = length + 1;
      references[length] = references[position]!;
      length++;
    },
    pop(movedFrom) {
      const slot = slotOf(length - 1);
      if (movedFrom >= 0) slots[slot] = movedFrom + 1;
      else vacate(slot);
      length--;
    },
    remove: (position) => vacate(slotOf(position)),
    read(position) {
      const chunk = chunkOf(position);
      const place = placeOf(position) + 2;
      const last = place + lengthAt(chunk, place - 2);
      let text = '';
      for (let i = place; i < last; i++) {
        // For the few characters of most ids this is several times as fast as the decoder.
        if (chunk[i]! >= 0x80) return decoder.decode(chunk.subarray(place, last));
        text += String.fromCharCode(chunk[i]!);
      }
      return text;
    },
    octetsAt(position) {
      const chunk = chunkOf(position);
      const place = placeOf(position);
      return chunk.subarray(place + 2, place + 2 + lengthAt(chunk, place));
    },
    compare(a, b) {
      const [chunkA, chunkB] = [chunkOf(a), chunkOf(b)];
      const [placeA, placeB] = [placeOf(a), placeOf(b)];
      const [lengthA, lengthB] = [lengthAt(chunkA, placeA), lengthAt(chunkB, placeB)];
      for (let i = 2; i < 2 + Math.min(lengthA, lengthB); i++) {
        const difference = chunkA[placeA + i]! - chunkB[placeB + i]!;
        if (difference !== 0) return difference;
      }
      return lengthA - lengthB;
    },
    renumbered(positions) {
      const kept = createIdTable(used);
      const id = new Uint8Array(MOST_ID_OCTETS);
      for (let position = 0; position < length; position++) {
        if (positions[position] === REMOVED) continue;
        const octets = table.octetsAt(position);
        id.set(octets);
        kept.append(id, octets.length, hashOf(id, 0, octets.length));
      }
      return kept;
    },
  };
  return table;
}
