import { type Fingerprint, wordsOf } from '../../scheme/labels/fingerprint.ts';
import type { FingerprintColumn } from '../near/column.ts';
import { createPagedList } from './pages.ts';

/** The distinct texts of a dataset, each with the first row that has it. */
export interface Texts {
  /** The number of distinct texts. */
  readonly count: number;
  /** The fingerprints, in shared memory, once all rows are added. */
  readonly fingerprints: FingerprintColumn;
  tokensOf(text: number): number;
  /** The first row with a text, counted over all files from 0. */
  rowOf(text: number): number;
  /** Returns the place of that row: its line in a file that is not compressed, or the copy of its text. */
  placeOf(text: number): TextPlace;
  setPlace(text: number, place: TextPlace): void;
}

/** The place where a text can be read again. */
export interface TextPlace {
  readonly offset: number;
  readonly length: number;
}

/** A row that has a fingerprint. */
export interface NewRow extends TextPlace {
  readonly fingerprint: Fingerprint;
  readonly tokens: number;
  /** A digest of its text: a character for each of 16 bytes or more, which are a cryptographic hash. */
  readonly digest: string;
}

/**
 * The rows of all files. Each takes 4 bytes, and each distinct text 52 (28 with 64 bits), plus 22 to 27 while rows are
 * added; after the search only 4.
 */
export interface RowTable {
  /** Adds a row that is kept, since it cannot be compared. */
  skip(): void;
  add(row: NewRow): void;
  /** Frees the memory that is only needed to add rows. */
  seal(): void;
  /** Frees the memory that is only needed for the search; then only `count` and `rowOf` of the texts are available. */
  endSearch(): void;
  readonly rows: number;
  /** The text of a row; null for one that cannot be compared. */
  textOf(row: number): number | null;
  readonly texts: Texts;
}

const NONE = 0xffffffff;
const DIGEST_WORDS = 4;

/** Makes a {@link RowTable}. Rows with the same text are found by their digests. */
export function createRowTable(words: 1 | 4): RowTable {
  const textOfRow = createPagedList(Uint32Array);
  const columns = createTextColumns(words);
  const digests = createDigestTable();
  return {
    get rows() {
      return textOfRow.length;
    },
    skip: () => textOfRow.push(NONE),
    add(row) {
      const known = digests.count;
      const text = digests.add(row.digest);
      if (text === known) columns.add(row, textOfRow.length);
      textOfRow.push(text);
    },
    seal() {
      digests.release();
      columns.seal();
    },
    endSearch: columns.endSearch,
    textOf(row) {
      const text = textOfRow.get(row);
      return text === NONE ? null : text;
    },
    texts: columns.texts,
  };
}

interface TextColumns extends Pick<RowTable, 'seal' | 'endSearch' | 'texts'> {
  add(text: NewRow, row: number): void;
}

function createTextColumns(words: 1 | 4): TextColumns {
  const rows = createPagedList(Uint32Array);
  const lengths = createPagedList(Uint32Array);
  const tokens = createPagedList(Uint32Array);
  const offsets = createPagedList(Float64Array);
  const fingerprints = createFingerprintColumn(words);
  return {
    add({ fingerprint, tokens: count, offset, length }, row) {
      rows.push(row);
      fingerprints.push(fingerprint);
      offsets.push(offset);
      lengths.push(length);
      tokens.push(count);
    },
    seal: fingerprints.seal,
    endSearch() {
      for (const column of [fingerprints, offsets, lengths, tokens]) column.release();
    },
    texts: {
      get count() {
        return rows.length;
      },
      get fingerprints() {
        return fingerprints.all();
      },
      tokensOf: tokens.get,
      rowOf: rows.get,
      placeOf: (text) => ({ offset: offsets.get(text), length: lengths.get(text) }),
      setPlace(text, { offset, length }) {
        offsets.set(text, offset);
        lengths.set(text, length);
      },
    },
  };
}

/** Words of 64 bits in a page. */
const PAGE = 1 << 16;

/** Collects fingerprints, which the search needs in one array, for all its threads. */
function createFingerprintColumn(words: 1 | 4) {
  const pages: BigUint64Array[] = [];
  let length = 0;
  let values: BigUint64Array = new BigUint64Array();
  return {
    push(fingerprint: Fingerprint): void {
      if (length === pages.length * PAGE) pages.push(new BigUint64Array(PAGE));
      const page = pages.at(-1)!;
      if (typeof fingerprint === 'bigint') page[length++ % PAGE] = fingerprint;
      else for (const word of wordsOf('fingerprint', fingerprint)) page[length++ % PAGE] = word;
    },
    /** Puts those that were pushed into one array. */
    seal(): void {
      values = new BigUint64Array(new SharedArrayBuffer(8 * length));
      for (let at = 0; at < length; at += PAGE) values.set(pages.shift()!.subarray(0, length - at), at);
    },
    all: (): FingerprintColumn => ({ words, values }),
    release(): void {
      values = new BigUint64Array();
    },
  };
}

/** Numbers the distinct digests, from 0. */
interface DigestTable {
  readonly count: number;
  /** Adds a digest unless it is there; returns its number. */
  add(digest: string): number;
  /** Frees the memory; nothing can be added then. */
  release(): void;
}

/** Makes a {@link DigestTable}: a hash table that is at most three quarters full. */
function createDigestTable(): DigestTable {
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
    add(digest) {
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
    release() {
      table = new Uint32Array(0);
      digests.release();
    },
  };
}

/** Four characters, a byte each, as a number. */
function wordAt(bytes: string, at: number): number {
  const [a, b] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1)];
  const [c, d] = [bytes.charCodeAt(at + 2), bytes.charCodeAt(at + 3)];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}
