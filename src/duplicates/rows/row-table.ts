import { HIGH_LANE, LOW_LANE, viewLanes } from '../../common/lanes.ts';
import { createPagedList } from '../../common/paged-list.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { createBandList } from '../near/bands.ts';
import type { FingerprintColumn } from '../near/column.ts';

export type RowTable = ReturnType<typeof createRowTable>;

const NONE = 0xffffffff;

const PAGE = 1 << 16;

const DIGEST_WORDS = 4;

/**
 * Makes a table of the rows of all files. Rows with the same text are found by their digests. Each row takes 4 bytes,
 * and each distinct text 52 (28 with 64 bits), plus 22 to 27 while rows are added; after the search only 4. With bands,
 * a text takes 72 more until components are found.
 */
export function createRowTable(words: 1 | 4, hasBands = false) {
  const textOfRow = createPagedList(Uint32Array);
  const bands = hasBands ? createBandList() : undefined;
  const columns = createTextColumns(words);
  const digests = createDigestTable();
  // The first rows with each text that has no fingerprint, and the later rows with the same.
  const plain = createDigestTable();
  const plainRows = createPagedList(Uint32Array);
  const copies = new Map<number, number>();
  return {
    get rows() {
      return textOfRow.length;
    },
    skip: (): void => textOfRow.push(NONE),
    /** Adds a row without a fingerprint, of which only the digest can be compared. */
    addPlain(digest: string): void {
      const known = plain.count;
      const text = plain.add(digest);
      if (text === known) plainRows.push(textOfRow.length);
      else copies.set(textOfRow.length, plainRows.get(text));
      textOfRow.push(NONE);
    },
    bands,
    /** Returns the first row with the text of a row without a fingerprint; undefined if it is the first. */
    copiedFrom: (row: number): number | undefined => copies.get(row),
    /** Returns whether the text is new. Its digest has a character for each of 16 bytes or more of a cryptographic hash. */
    add(fingerprint: Fingerprint, tokens: number, digest: string, offset: number, length: number): boolean {
      const known = digests.count;
      const text = digests.add(digest);
      if (text === known) {
        columns.add(fingerprint, tokens, offset, length, textOfRow.length);
        bands?.push();
      }
      textOfRow.push(text);
      return text === known;
    },
    seal(): void {
      for (const table of [digests, plain]) table.release();
      plainRows.release();
      columns.seal();
    },
    endSearch: columns.endSearch,
    /** Returns the text of a row; null for one that cannot be compared. */
    textOf(row: number): number | null {
      const text = textOfRow.get(row);
      return text === NONE ? null : text;
    },
    texts: columns.texts,
  };
}

export type Texts = RowTable['texts'];

function createTextColumns(words: 1 | 4) {
  const rows = createPagedList(Uint32Array);
  const lengths = createPagedList(Uint32Array);
  const tokens = createPagedList(Uint32Array);
  const offsets = createPagedList(Float64Array);
  const fingerprints = createFingerprintColumn(words);
  return {
    add(fingerprint: Fingerprint, count: number, offset: number, length: number, row: number): void {
      rows.push(row);
      fingerprints.push(fingerprint);
      offsets.push(offset);
      lengths.push(length);
      tokens.push(count);
    },
    seal: fingerprints.seal,
    /** Frees the memory that is only needed for the search; then only `count` and `rowOf` are available. */
    endSearch(): void {
      for (const column of [fingerprints, offsets, lengths, tokens]) column.release();
    },
    texts: {
      get count() {
        return rows.length;
      },
      /** The fingerprints, in shared memory, once all rows are added. */
      get fingerprints() {
        return fingerprints.all();
      },
      tokensOf: tokens.get,
      rowOf: rows.get,
      /** Returns the place of the first row: its line in a file that is not compressed, or the copy of its text. */
      placeOf: (text: number) => ({ offset: offsets.get(text), length: lengths.get(text) }),
      setPlace(text: number, offset: number, length: number): void {
        offsets.set(text, offset);
        lengths.set(text, length);
      },
    },
  };
}

/** Collects fingerprints, which the search needs in one array, for all its threads. */
function createFingerprintColumn(words: 1 | 4) {
  const pages: BigUint64Array[] = [];
  let length = 0;
  let values: BigUint64Array = new BigUint64Array();
  return {
    push(fingerprint: Fingerprint): void {
      if (length === pages.length * PAGE) pages.push(new BigUint64Array(PAGE));
      const page = pages.at(-1)!;
      if (typeof fingerprint === 'bigint') page[length % PAGE] = fingerprint;
      else putBytes(viewLanes(page), length % PAGE, fingerprint);
      length += words;
    },
    seal(): void {
      values = new BigUint64Array(length);
      for (let at = 0; at < length; at += PAGE) values.set(pages.shift()!.subarray(0, length - at), at);
    },
    all: (): FingerprintColumn => ({ words, values }),
    release(): void {
      values = new BigUint64Array();
    },
  };
}

/** Writes the words of a fingerprint, the most significant byte first (MIN-7), from a place in a column on. */
function putBytes(lanes: Uint32Array, at: number, bytes: Uint8Array): void {
  const wordOf = (i: number): number =>
    (bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!;
  for (let i = 0, word = 2 * at; i < bytes.length; i += 8, word += 2) {
    lanes[word + HIGH_LANE] = wordOf(i);
    lanes[word + LOW_LANE] = wordOf(i + 4);
  }
}

/** Numbers the distinct digests, from 0, by a hash table that is at most three quarters full. */
function createDigestTable() {
  const digests = createPagedList(Uint32Array);
  const words = new Uint32Array(DIGEST_WORDS);
  let count = 0;
  let table = new Uint32Array(1 << 10).fill(NONE);

  function isSame(known: number): boolean {
    for (let i = 0; i < DIGEST_WORDS; i++) if (digests.get(DIGEST_WORDS * known + i) !== words[i]) return false;
    return true;
  }

  function grow(): void {
    table = new Uint32Array(2 * table.length).fill(NONE);
    const mask = table.length - 1;
    for (let known = 0; known < count; known++) {
      let at = digests.get(DIGEST_WORDS * known) & mask;
      while (table[at] !== NONE) at = (at + 1) & mask;
      table[at] = known;
    }
  }

  return {
    get count() {
      return count;
    },
    /** Adds a digest unless it is there; returns its number. */
    add(digest: string): number {
      for (let i = 0; i < DIGEST_WORDS; i++) words[i] = wordAt(digest, 4 * i);
      const mask = table.length - 1;
      let at = words[0]! & mask;
      for (; table[at] !== NONE; at = (at + 1) & mask) if (isSame(table[at]!)) return table[at]!;
      table[at] = count;
      for (const word of words) digests.push(word);
      const added = count++;
      if (4 * count > 3 * table.length) grow();
      return added;
    },
    release(): void {
      table = new Uint32Array(0);
      digests.release();
    },
  };
}

function wordAt(bytes: string, at: number): number {
  const [a, b] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1)];
  const [c, d] = [bytes.charCodeAt(at + 2), bytes.charCodeAt(at + 3)];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}
