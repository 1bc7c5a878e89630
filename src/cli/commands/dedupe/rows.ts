import { createUint32List, createUint64List } from '../../../lookup/number-list.ts';

/** What is known of the distinct texts of a dataset, each with the first row that has it. About 60 octets for each. */
export interface Texts {
  /** How many distinct texts there are. */
  readonly count: number;
  readonly fingerprints: BigUint64Array;
  /** How many tokens a text has. */
  tokensOf(text: number): number;
  /** The first row with a text, counted over all files from 0. */
  rowOf(text: number): number;
  /** Where that row is: its line in a file that is not compressed, or the copy of its text. */
  placeOf(text: number): TextPlace;
  setPlace(text: number, place: TextPlace): void;
}

/** Where a text can be read again. */
export interface TextPlace {
  readonly offset: number;
  readonly length: number;
}

/** A row that has a fingerprint. */
export interface NewRow extends TextPlace {
  readonly fingerprint: bigint;
  readonly tokens: number;
  /** The first 16 octets of the SHA-256 of its text. */
  readonly digest: Buffer;
}

/** The rows of all files, as they are read. About 4 octets for each, and 8 to 16 while rows are added. */
export interface RowTable {
  /** Adds a row that is kept, since it cannot be compared. */
  skip(): void;
  /** Adds a row. */
  add(row: NewRow): void;
  /** Gives back what is needed only to add rows. */
  seal(): void;
  /** How many rows there are. */
  readonly rows: number;
  /** The text of a row; null for one that cannot be compared. */
  textOf(row: number): number | null;
  readonly texts: Texts;
}

const NONE = 0xffffffff;
const DIGEST_WORDS = 4;

/** Makes a {@link RowTable}. Rows with the same text are found by their digests. */
export function createRowTable(): RowTable {
  const textOfRow = createUint32List();
  const columns = createTextColumns();
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
    seal: () => digests.release(),
    textOf(row) {
      const text = textOfRow.get(row);
      return text === NONE ? null : text;
    },
    texts: columns.texts,
  };
}

/** Makes the columns of a table of texts. */
function createTextColumns(): { readonly texts: Texts; add(text: NewRow, row: number): void } {
  const [rows, lengths, tokens] = [createUint32List(), createUint32List(), createUint32List()];
  const [fingerprints, offsets] = [createUint64List(), createUint64List()];
  return {
    add({ fingerprint, tokens: count, offset, length }, row) {
      rows.push(row);
      fingerprints.push(fingerprint);
      offsets.push(BigInt(offset));
      lengths.push(length);
      tokens.push(count);
    },
    texts: {
      get count() {
        return rows.length;
      },
      get fingerprints() {
        return fingerprints.view();
      },
      tokensOf: (text) => tokens.get(text),
      rowOf: (text) => rows.get(text),
      placeOf: (text) => ({ offset: Number(offsets.get(text)), length: lengths.get(text) }),
      setPlace(text, { offset, length }) {
        offsets.set(text, BigInt(offset));
        lengths.set(text, length);
      },
    },
  };
}

/** Numbers the distinct digests, from 0. */
interface DigestTable {
  readonly count: number;
  /** Adds a digest unless it is there; returns its number. */
  add(digest: Buffer): number;
  /** Frees the memory; nothing can be added then. */
  release(): void;
}

/** Makes a {@link DigestTable}: a hash table that is at most half full. */
function createDigestTable(): DigestTable {
  const digests = createUint32List();
  let count = 0;
  let table = new Uint32Array(1 << 10).fill(NONE);

  /** Where a digest is in the table, or the empty place where it belongs. */
  function placeOf(first: number, isSame: (known: number) => boolean): number {
    const mask = table.length - 1;
    let at = first & mask;
    while (table[at] !== NONE && !isSame(table[at]!)) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    table = new Uint32Array(2 * table.length).fill(NONE);
    for (let known = 0; known < count; known++) table[placeOf(digests.get(DIGEST_WORDS * known), () => false)] = known;
  }

  return {
    get count() {
      return count;
    },
    add(digest) {
      const words = Array.from({ length: DIGEST_WORDS }, (_, index) => digest.readUInt32LE(4 * index));
      const at = placeOf(words[0]!, (known) =>
        words.every((word, i) => digests.get(DIGEST_WORDS * known + i) === word),
      );
      if (table[at] !== NONE) return table[at]!;
      table[at] = count;
      for (const word of words) digests.push(word);
      const added = count++;
      if (2 * count > table.length) grow();
      return added;
    },
    release() {
      table = new Uint32Array(0);
      digests.release();
    },
  };
}
