import type { PlainPipeline } from './stream.ts';

/**
 * What does the work on text that has an end near: one of two, in WebAssembly or in plain TypeScript. It has one document
 * at a time.
 */
export interface Engine {
  /** Where the next piece goes: `capacity` octets, and room for zeros behind them. After an update it may be another one. */
  readonly input: Uint8Array;
  readonly capacity: number;
  /** Whether it has taken so much memory that it should not wait for another document. */
  readonly isLarge: boolean;
  /** Begins a document. */
  reset(): void;
  /**
   * Takes the first `size` octets of the input, the beginning of what is left of the document.
   * @param final - whether the document ends there
   * @param rest - gets the stretches that the engine does not do itself
   * @returns how many octets are done with: all when `final`, else up to a place where the text can be cut, or 0
   */
  update(size: number, final: boolean, rest: Rest): number;
  /** How many tokens were counted; all of them after {@link finish}. */
  tokenCount(): number;
  /** Ends the document. */
  finish(): void;
  /** After the end: the 64 counters (SIM-1), bit 0 first. */
  counters(): number[];
  /** After the end: the fingerprint (SIM-3); 0 where there are no tokens. */
  majority(): bigint;
}

/** The plain pipeline of scheme/, made when something is left to it. What is left are parts that can be cut out. */
export interface Rest {
  pipeline: PlainPipeline | undefined;
}
