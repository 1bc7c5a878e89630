import { createEngine } from '../../src/fingerprint/engine.ts';
import type { OnTokens, Pipeline } from '../../src/fingerprint/pipeline.ts';
import { createStreamingPipeline } from '../../src/fingerprint/stream.ts';
import * as core from '../../src/index.ts';
import type { Fingerprint } from '../../src/scheme/labels/fingerprint.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { twin } from '../twin/twin.ts';
import { cut, type Pieces, run } from './pipelines.ts';

/** The result of an engine for a document. */
export interface Answer {
  readonly fingerprint: Fingerprint | null;
  readonly count: number;
  /** The hashes of the tokens in any order, where the engine returns them. */
  readonly hashes?: readonly bigint[];
}

/** A way to a fingerprint. */
export interface Engine {
  readonly name: string;
  run(pieces: Pieces, label: string): Answer;
}

/** The functions of the package. */
export type Core = Pick<typeof core, 'fingerprint' | 'createFingerprinter'>;

const ascending = (hashes: bigint[]): bigint[] => hashes.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

function runPipeline(make: (label: string, onTokens: OnTokens) => Pipeline, pieces: Pieces, label: string): Answer {
  const hashes: bigint[] = [];
  const pipeline = make(label, (lows, highs, count) => {
    for (let i = 0; i < count; i++) hashes.push((BigInt(highs[i]!) << 32n) | BigInt(lows[i]!));
  });
  const { fingerprint, tokens } = run(pipeline, pieces);
  return { fingerprint, count: tokens, hashes };
}

/** One instance for all documents, one after the other: nothing may be left over. */
const kept = createEngine()!;

export const steps: Engine = {
  name: 'readable steps',
  run([document], label) {
    const { fingerprint, tokens, hashes } = core.explain(document!, { label });
    return { fingerprint, count: tokens.length, hashes };
  },
};

export const stream: Engine = {
  name: 'streaming composition',
  run: (pieces, label) =>
    runPipeline((name, onTokens) => createStreamingPipeline({ scheme: schemeOf(name), onTokens }), pieces, label),
};

function kernelEngine(name: string, take: typeof createEngine): Engine {
  const make = (label: string, onTokens: OnTokens): Pipeline => {
    const engine = take()!;
    engine.reset(schemeOf(label), onTokens);
    return engine;
  };
  return { name, run: (pieces, label) => runPipeline(make, pieces, label) };
}

export const kernel = kernelEngine('kernel', () => kept);

/** The table of each of its instances is empty at first. */
export const freshKernel = kernelEngine('kernel, new', createEngine);

/** The public functions: `fingerprint` for a document in one piece, else a fingerprinter. */
export function publicFunctions(name: string, { fingerprint, createFingerprinter }: Core): Engine {
  return {
    name,
    run(pieces, label) {
      const fingerprinter = createFingerprinter({ label });
      for (const piece of pieces) fingerprinter.update(piece);
      const result = fingerprinter.digest();
      const whole = pieces.length === 1 ? fingerprint(pieces[0]!, { label }) : result;
      return { fingerprint: `${whole}` === `${result}` ? whole : -1n, count: fingerprinter.tokenCount };
    },
  };
}

/** The expected answer of the engines. */
export interface Expected extends Answer {
  /** The texts of the tokens. */
  readonly tokens?: readonly string[];
  /** Texts of tokens that would be wrong, by their hashes, for messages. */
  nameOf?(hash: bigint): string;
}

/**
 * Asks the twin, which shares no code with the engines; asks the readable steps for the draws of minhash-doc from its
 * tokens.
 */
export function askTwin(document: string | Uint8Array): (label: string) => Expected {
  const explanation = twin.explain(document);
  return (label) => {
    const { bg1, words, method } = schemeOf(label);
    const tokens = bg1 ? explanation.selected.flatMap((token) => twin.pairUnits(token)) : explanation.selected;
    const hashes = bg1 ? tokens.map((token) => twin.hashToken(token)) : [...explanation.hashes];
    const fingerprint =
      method === 'minhash' ? core.minhash(hashes, words) : bg1 ? twin.simhash(hashes) : explanation.fingerprint;
    return { fingerprint, count: tokens.length, hashes, tokens, nameOf: namesOf(explanation, tokens) };
  };
}

/** Asks the readable steps, for a document whose parts they and the twin agree about. */
export function askSteps(document: string | Uint8Array, label: string): Expected {
  const explanation = core.explain(document, { label });
  const { fingerprint, tokens, hashes } = explanation;
  // (A token's own text, as its place may hold more.)
  const texts = tokens.map(({ text }) => text);
  return { fingerprint, count: texts.length, hashes, tokens: texts, nameOf: namesOf(explanation, texts) };
}

/** Names the tokens of a document, and those that it would have without steps 3 and 4. */
function namesOf(
  { decoded, normalised }: { readonly decoded: string; readonly normalised: string },
  tokens: readonly string[],
): (hash: bigint) => string {
  let names: Map<bigint, string> | undefined;
  return (hash) => {
    names ??= new Map(
      [...[decoded, normalised].flatMap((text) => twin.tokenise(text).map((token) => token.text)), ...tokens].map(
        (text) => [twin.hashToken(text), text],
      ),
    );
    return names.get(hash) ?? `the hash ${hash.toString(16).padStart(16, '0')}`;
  };
}

const shownTokens = 20;
const hexOf = (fingerprint: Fingerprint | null): string => (fingerprint === null ? 'none' : twin.toHex(fingerprint));
const listOf = (tokens: readonly string[]): string =>
  `${JSON.stringify(tokens.slice(0, shownTokens))}${tokens.length > shownTokens ? ` and ${tokens.length - shownTokens} more` : ''}`;

/** Describes how an answer differs from the expected one; undefined if it does not. */
export function differenceOf(expected: Expected, { fingerprint, count, hashes }: Answer): string | undefined {
  const [wanted, given] = [expected.hashes, hashes].map((each) => each && ascending([...each]));
  const isSame =
    hexOf(fingerprint) === hexOf(expected.fingerprint) &&
    count === expected.count &&
    (wanted === undefined || given === undefined || wanted.every((hash, i) => hash === given[i]));
  if (isSame) return undefined;
  const { tokens, nameOf } = expected;
  const show = (answer: Answer, texts?: readonly string[]) =>
    `${hexOf(answer.fingerprint)}, ${answer.count} tokens${texts === undefined ? '' : ` ${listOf(texts)}`}`;
  return `expected ${show(expected, tokens)}; got ${show({ fingerprint, count }, nameOf && hashes?.map(nameOf))}`;
}

/** Cuts a document at random; the pieces have at most `most` units. */
function cutAtRandom<T extends string | Uint8Array>(document: T, max: number, random: () => number): T[] {
  const pieces: T[] = [];
  for (let at = 0; at < document.length; ) {
    const end = at + 1 + Math.floor(random() * max);
    pieces.push((typeof document === 'string' ? document.slice(at, end) : document.subarray(at, end)) as T);
    at = end;
  }
  return pieces;
}

/** Numbers from 0 to 1 that are the same for the same name (mulberry32). */
export function randomOf(name: string): () => number {
  let state = 0;
  for (const character of name) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The ways in which a document is cut, by their names: whole, and in pieces of some size at most. */
export function cutsOf(
  document: string | Uint8Array,
  sizes: readonly number[],
  random: () => number,
): Map<string, Pieces> {
  const cuts = new Map<string, Pieces>([['whole', [document]]]);
  for (const size of sizes)
    if (size === 1) cuts.set('unit by unit', cut(document, 1));
    else cuts.set(`at random, up to ${size}`, cutAtRandom(document, size, random));
  return cuts;
}
