import type { Fingerprint } from '../scheme/labels/fingerprint.ts';

/** Receives the hashes of the next `count` tokens: their lower halves, and their upper ones, valid during the call. */
export type OnTokens = (lows: Uint32Array, highs: Uint32Array, count: number) => void;

/** Receives a text after step 3 as steps 4 and 5 divide it: UTF-8 in whole code points, valid during the call. */
export interface OnParts {
  /** Text without locators, cut anywhere. */
  text(bytes: Uint8Array, from: number, to: number): void;
  /** A token of step 5, whole, before or after the text that it is part of; tokens are not looked for without it. */
  token?(bytes: Uint8Array, from: number, to: number): void;
  /** Called with a locator in its place in the text, or, if `begins` is false, with a further part of it. */
  locator(bytes: Uint8Array, from: number, to: number, begins: boolean): void;
}

/** Steps 1 to 5, 7 and 8 for a document that arrives in parts of one kind. */
export interface Pipeline {
  update(chunk: string | Uint8Array): void;
  end(): void;
  readonly tokenCount: number;
  /** After the end: the fingerprint (SIM-4, MIN-5), or `null` if there are no tokens (SIM-1, MIN-6). */
  result(): Fingerprint | null;
  /** After the end, with minhash-doc and tokens: the lower halves of the winning draws, bin 0 first, until the next document. */
  lowerDraws(): Uint32Array;
}
