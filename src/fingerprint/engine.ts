import { fingerprintOfCounters } from '../scheme/simhash.ts';
import { encode } from '../scheme/utf8.ts';
import { createPlainEngine } from './plain.ts';
import { createPipeline, type Pipeline } from './stream.ts';
import type { Engine, Rest } from './types.ts';
import { createWebAssemblyEngine } from './wasm.ts';

const PAGE = 65536;
const SPACE = Uint8Array.of(0x20);
const REPLACEMENT_OCTETS = Uint8Array.of(0xef, 0xbf, 0xbd);

/** Engines that are not in use, of the kind that runs here. More than a few would only hold memory. */
const idle: Engine[] = [];
const MOST_IDLE = 4;

/** The part of the Encoding API that is used where it is there; the language itself has none. */
interface Encoder {
  encodeInto(text: string, octets: Uint8Array): { readonly read: number; readonly written: number };
}

const encoder: Encoder | undefined = (() => {
  const { TextEncoder } = globalThis as { TextEncoder?: new () => Encoder };
  return TextEncoder === undefined ? undefined : new TextEncoder();
})();

/** A document on its way through an engine. */
interface State {
  readonly engine: Engine;
  /** How many octets of the engine's input are filled. */
  filled: number;
  readonly rest: Rest;
  /** Set while a stretch without a place to cut is longer than the input: all goes to the plain pipeline until one comes. */
  searching: boolean;
  highSurrogate: string;
}

function begin(engine: Engine): State {
  engine.reset();
  return { engine, filled: 0, rest: { pipeline: undefined }, searching: false, highSurrogate: '' };
}

/** Makes an engine of the kind that runs here. */
export function createEngine(): Engine {
  return createWebAssemblyEngine() ?? createPlainEngine();
}

/** Runs the engine over what is in the input. */
function run(state: State, final: boolean): void {
  const { engine, filled, rest } = state;
  const taken = engine.update(filled, final, rest);
  if (taken > 0 || final) {
    if (taken < filled) engine.input.copyWithin(0, taken, filled);
    state.filled = filled - taken;
    return;
  }
  rest.pipeline ??= createPipeline();
  rest.pipeline.updateOctets(engine.input.subarray(0, filled));
  state.searching = true;
  state.filled = 0;
}

/** Goes on with a stretch that is longer than the input; returns how many octets belonged to it. */
function search(state: State, octets: Uint8Array): number {
  let at = 0;
  while (at < octets.length && octets[at]! > 0x20) at++;
  state.rest.pipeline!.updateOctets(octets.subarray(0, at));
  if (at < octets.length) {
    state.rest.pipeline!.updateOctets(SPACE);
    state.searching = false;
  }
  return at;
}

function updateOctets(state: State, chunk: Uint8Array): void {
  const { engine } = state;
  const { capacity } = engine;
  for (let at = 0; at < chunk.length; ) {
    if (state.searching) {
      at += search(state, chunk.subarray(at, at + PAGE));
      continue;
    }
    const size = Math.min(capacity - state.filled, chunk.length - at);
    engine.input.set(size === chunk.length ? chunk : chunk.subarray(at, at + size), state.filled);
    state.filled += size;
    at += size;
    if (state.filled === capacity) run(state, false);
  }
}

/** DEC-4: a surrogate pair that two chunks share is put together; lone ones become U+FFFD by the encoder. */
function updateText(state: State, chunk: string): void {
  let text = state.highSurrogate === '' ? chunk : state.highSurrogate + chunk;
  state.highSurrogate = '';
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) {
    state.highSurrogate = text.slice(-1);
    text = text.slice(0, -1);
  }
  if (encoder === undefined) {
    updateOctets(state, encode(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')));
    return;
  }
  const { engine } = state;
  const { capacity } = engine;
  for (let at = 0; at < text.length; ) {
    // So many units that the last one never fits: it may be half of a surrogate pair.
    const rest = at === 0 ? text : text.slice(at, at + PAGE);
    if (state.searching) {
      const octets = new Uint8Array(PAGE);
      const { read, written } = encoder.encodeInto(rest, octets);
      at += read;
      updateOctets(state, octets.subarray(0, written));
      continue;
    }
    const { read, written } = encoder.encodeInto(rest, engine.input.subarray(state.filled, capacity));
    at += read;
    state.filled += written;
    // As full as it gets: up to three octets are left that the next character does not fit into.
    if (at < text.length) run(state, false);
  }
}

/** Ends the document. */
function end(state: State): void {
  if (state.highSurrogate !== '') updateOctets(state, REPLACEMENT_OCTETS);
  run(state, true);
  state.rest.pipeline?.end();
  state.engine.finish();
}

function tokenCount({ engine, rest }: State): number {
  return engine.tokenCount() + (rest.pipeline?.tokenCount ?? 0);
}

/** SIM-3, SIM-4: of what the engine and the plain pipeline counted, together (SIM-1). */
function result(state: State): bigint | null {
  if (tokenCount(state) === 0) return null;
  const { engine, rest } = state;
  if (rest.pipeline === undefined) return engine.majority();
  const others = rest.pipeline.counters();
  return fingerprintOfCounters(engine.counters().map((counter, bit) => counter + others[bit]!));
}

function release(state: State): void {
  if (idle.length < MOST_IDLE && !state.engine.isLarge) idle.push(state.engine);
}

/**
 * Makes the fast {@link Pipeline}: an engine for text that can be cut somewhere, the plain pipeline for what cannot. What is
 * cut where it can be without changing its tokens has counters that add up.
 * @param engine - if given, the one to use; it is not used for other documents
 */
export function createFastPipeline(engine?: Engine): Pipeline {
  const state = begin(engine ?? idle.pop() ?? createEngine());
  let ended: { readonly result: bigint | null; readonly tokenCount: number } | undefined;
  return {
    updateOctets: (chunk) => updateOctets(state, chunk),
    updateText: (chunk) => updateText(state, chunk),
    end() {
      end(state);
      ended = { result: result(state), tokenCount: tokenCount(state) };
      if (engine === undefined) release(state);
    },
    get tokenCount() {
      return ended?.tokenCount ?? tokenCount(state);
    },
    result: () => ended!.result,
  };
}

/** The fingerprint of a whole document, without the cost of a pipeline object. */
export function fastFingerprint(input: string | Uint8Array): bigint | null {
  const state = begin(idle.pop() ?? createEngine());
  if (typeof input === 'string') updateText(state, input);
  else updateOctets(state, input);
  end(state);
  const fingerprint = result(state);
  release(state);
  return fingerprint;
}
