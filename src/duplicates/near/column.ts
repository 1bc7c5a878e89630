import { viewLanes } from '../../common/lanes.ts';
import { createUint64List } from '../../lookup/number-list.ts';
import { type Fingerprint, fingerprintOfWords, wordsOf } from '../../scheme/labels/fingerprint.ts';
import { countBits } from './keys.ts';

export interface FingerprintColumn {
  /** The number of 64-bit words in a fingerprint. */
  readonly words: 1 | 4;
  /** Word w of document d is at `words * d + w`. */
  readonly values: BigUint64Array;
}

export function countIn({ words, values }: FingerprintColumn): number {
  return values.length / words;
}

export function fingerprintAt({ words, values }: FingerprintColumn, document: number): Fingerprint {
  return words === 1
    ? values[document]!
    : fingerprintOfWords([...values.subarray(words * document, words * (document + 1))]);
}

export function pick({ words, values }: FingerprintColumn, documents: readonly number[]): FingerprintColumn {
  const picked = new BigUint64Array(words * documents.length);
  for (const [position, document] of documents.entries())
    for (let word = 0; word < words; word++) picked[words * position + word] = values[words * document + word]!;
  return { words, values: picked };
}

/** Makes a function that returns the distance of two fingerprints. */
export function createDistance({ words, values }: FingerprintColumn): (a: number, b: number) => number {
  const lanes = viewLanes(values);
  const size = 2 * words;
  return (a, b) => {
    let distance = 0;
    for (let i = 0; i < size; i++) distance += countBits(lanes[size * a + i]! ^ lanes[size * b + i]!);
    return distance;
  };
}

export type ColumnBuilder = ReturnType<typeof createColumn>;

export function createColumn(words: 1 | 4) {
  const list = createUint64List();
  return {
    push(fingerprint: Fingerprint): void {
      for (const word of wordsOf('fingerprint', fingerprint)) list.push(word);
    },
    /** Returns the column without copying it: valid until the next push. */
    view: (): FingerprintColumn => ({ words, values: list.view() }),
  };
}

/** Returns 64 bits by which to detect that a document has changed: the fingerprint, or a mix of its four words. */
export function checksumAt({ words, values }: FingerprintColumn, document: number): bigint {
  return mixWords(Array.from({ length: words }, (_, word) => values[words * document + word]!));
}

export function checksumOf(fingerprint: Fingerprint): bigint {
  return mixWords(wordsOf('fingerprint', fingerprint));
}

function mixWords(words: readonly bigint[]): bigint {
  return BigInt.asUintN(
    64,
    words.reduce((sum, word) => 31n * sum + word, 0n),
  );
}
