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

/** Makes a {@link RowTable}. Rows with the same text are found by their digests, in a hash table that is at most half full. */
export function createRowTable(): RowTable {
  const textOfRow = createUint32List();
  const [rowOfText, lengths, tokens, digests] = [
    createUint32List(),
    createUint32List(),
    createUint32List(),
    createUint32List(),
  ];
  const [fingerprints, offsets] = [createUint64List(), createUint64List()];
  let bits = 10;
  let table = new Uint32Array(2 ** bits).fill(NONE);

  /** Where a text is in the table, or the empty place where it belongs. */
  function placeIn(first: number, isSame: (text: number) => boolean): number {
    const mask = table.length - 1;
    let at = first & mask;
    while (table[at] !== NONE && !isSame(table[at]!)) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    bits++;
    table = new Uint32Array(2 ** bits).fill(NONE);
    for (let text = 0; text < rowOfText.length; text++)
      table[placeIn(digests.get(DIGEST_WORDS * text), () => false)] = text;
  }

  return {
    get rows() {
      return textOfRow.length;
    },
    skip: () => textOfRow.push(NONE),
    add({ fingerprint, tokens: count, digest, offset, length }) {
      const words = Array.from({ length: DIGEST_WORDS }, (_, index) => digest.readUInt32LE(4 * index));
      const at = placeIn(words[0]!, (text) => words.every((word, i) => digests.get(DIGEST_WORDS * text + i) === word));
      if (table[at] !== NONE) return textOfRow.push(table[at]!);
      const text = rowOfText.length;
      table[at] = text;
      rowOfText.push(textOfRow.length);
      textOfRow.push(text);
      for (const word of words) digests.push(word);
      fingerprints.push(fingerprint);
      offsets.push(BigInt(offset));
      lengths.push(length);
      tokens.push(count);
      if (2 * rowOfText.length > table.length) grow();
    },
    seal() {
      table = new Uint32Array(0);
      digests.release();
    },
    textOf(row) {
      const text = textOfRow.get(row);
      return text === NONE ? null : text;
    },
    texts: {
      get count() {
        return rowOfText.length;
      },
      get fingerprints() {
        return fingerprints.view();
      },
      tokensOf: (text) => tokens.get(text),
      rowOf: (text) => rowOfText.get(text),
      placeOf: (text) => ({ offset: Number(offsets.get(text)), length: lengths.get(text) }),
      setPlace(text, { offset, length }) {
        offsets.set(text, BigInt(offset));
        lengths.set(text, length);
      },
    },
  };
}
