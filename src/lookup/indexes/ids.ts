import { createTableHash } from '../keyed-hash.ts';
import { MAX_ID_BYTES } from '../options.ts';
import { REMOVED } from '../segment/table.ts';
import { createIdRecords, type IdRecords } from './id-records.ts';

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
    /** Moves the id at a position to the next position. */
    move(position: number): void {
      records.repeat(position);
      slots.replace(position, records.length - 1);
    },
    /** Undoes the last `append` (`movedFrom` is -1) or `move` (from that position). */
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
    /** Returns the position of an id, or -1. */
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
    /** Empties the slot of a position and moves back the entries that were put after it because of it. */
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
