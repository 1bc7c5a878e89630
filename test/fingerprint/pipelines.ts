import { createEngine } from '../../src/fingerprint/engine.ts';
import type { Pipeline } from '../../src/fingerprint/pipeline.ts';
import { createStreamingPipeline } from '../../src/fingerprint/stream.ts';
import { explain } from '../../src/index.ts';
import type { Fingerprint } from '../../src/scheme/labels/fingerprint.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';

export type Pieces = readonly (string | Uint8Array)[];

/** The results by which the ways to a fingerprint are compared. */
export interface Outcome {
  readonly fingerprint: Fingerprint | null;
  readonly tokens: number;
  /** The lower halves of the winning draws, with a label of minhash-doc. */
  readonly draws: readonly number[];
}

export function run(pipeline: Pipeline, pieces: Pieces, label?: string): Outcome {
  for (const piece of pieces) pipeline.update(piece);
  pipeline.end();
  const fingerprint = pipeline.result();
  const draws = fingerprint === null || schemeOf(label).method === 'simhash' ? [] : [...pipeline.lowerDraws()];
  return { fingerprint, tokens: pipeline.tokenCount, draws };
}

// One engine for all documents, one after the other: nothing may be left over.
const engine = createEngine()!;

/** Computes fingerprints by the WebAssembly kernel. */
export function byKernel(pieces: Pieces, label?: string): Outcome {
  engine.reset(schemeOf(label));
  return run(engine, pieces, label);
}

/** Computes fingerprints by the streaming composition. */
export function byStream(pieces: Pieces, label?: string): Outcome {
  return run(createStreamingPipeline({ scheme: schemeOf(label) }), pieces, label);
}

/** Computes fingerprints by both. */
export function byBoth(pieces: Pieces, label?: string): { readonly kernel: Outcome; readonly stream: Outcome } {
  return { kernel: byKernel(pieces, label), stream: byStream(pieces, label) };
}

/** Returns what {@link byBoth} should return. */
export function both(outcome: Outcome): ReturnType<typeof byBoth> {
  return { kernel: outcome, stream: outcome };
}

/** Computes fingerprints by the readable steps, on the whole document. */
export function bySteps(document: string | Uint8Array, label?: string): Outcome {
  const { fingerprint, tokens, winners } = explain(document, { label });
  return { fingerprint, tokens: tokens.length, draws: (winners ?? []).map(({ draw }) => Number(draw & 0xffffffffn)) };
}

/** Cuts a document into pieces of a size, in bytes or 16-bit units; the last one may be smaller. */
export function cut<T extends string | Uint8Array>(document: T, size: number): T[] {
  const pieces: T[] = [];
  for (let at = 0; at < document.length; at += size)
    pieces.push((typeof document === 'string' ? document.slice(at, at + size) : document.subarray(at, at + size)) as T);
  return pieces;
}
