import type { Adapter, Reply } from '../../../src/conformance/adapter/protocol.ts';
import type { InputOf, Operation } from '../../../src/conformance/vector.ts';
import {
  type Comparison,
  compare,
  countBits,
  distance,
  explain,
  parseLabelled,
  serialise,
} from '../../../src/index.ts';

/**
 * The operations that adapters of the report card offer in addition to those of the protocol: `distance` of two
 * fingerprints, `find`, the ids of the entries near a query, and `fingerprint-of-tokens`. Their `fingerprint` is a
 * number, not 13 characters.
 */
type Ask = (operation: string, input: unknown) => Promise<Reply>;

/** The input of a library for a document: the document, our tokens of it, or their hashes. */
export type Given = 'document' | 'tokens' | 'hashes';

const UNSUPPORTED: Reply = { kind: 'unsupported' };

const parseHex = (hex: unknown): bigint => BigInt(`0x${hex}`);
const hex16 = (value: bigint): string => value.toString(16).padStart(16, '0');

/** Adds the parts that a library may lack: the written form of fingerprints, labels, and the order of matches. */
export function lend(adapter: Adapter, given: Given): Adapter {
  const ask: Ask = (operation, input) => adapter.request(operation as Operation, input);
  return {
    get restarts() {
      return adapter.restarts;
    },
    async hello() {
      const { operations: offered, ...hello } = await adapter.hello();
      const isOffered = (operation: string): boolean => offered.includes(OFFERED_AS[operation] ?? operation);
      const operations = given === 'document' ? ASKED.filter(isOffered) : ['fingerprint'];
      return { ...hello, operations };
    },
    request(operation, input) {
      if (operation === 'fingerprint') return askFingerprint(ask, given, input as InputOf<'fingerprint'>);
      if (operation === 'simhash') return askSimhash(ask, input as InputOf<'simhash'>);
      if (operation === 'compare') return askDistance(ask, input as InputOf<'compare'>);
      if (operation === 'lookup') return askLookup(ask, input as InputOf<'lookup'>);
      return ask(operation, input);
    },
    close: () => adapter.close(),
  };
}

const ASKED = ['tokenise', 'token-hash', 'simhash', 'fingerprint', 'compare', 'lookup'];
const OFFERED_AS: Readonly<Record<string, string>> = { compare: 'distance', lookup: 'find' };

/** Asks for the fingerprint of a document, and writes it as 13 characters. */
async function askFingerprint(ask: Ask, given: Given, input: InputOf<'fingerprint'>): Promise<Reply> {
  const reply = await askNumber(ask, given, input);
  if (reply.kind !== 'ok') return reply;
  const { fingerprint, ...rest } = reply.result;
  const isNumber = typeof fingerprint === 'string' && /^[0-9a-f]{16}$/.test(fingerprint);
  return { kind: 'ok', result: { ...rest, fingerprint: isNumber ? serialise(parseHex(fingerprint)) : fingerprint } };
}

function askNumber(ask: Ask, given: Given, input: InputOf<'fingerprint'>): Promise<Reply> {
  if (given === 'document') return ask('fingerprint', input);
  const document = documentOf(input);
  if (document === undefined) return Promise.resolve(UNSUPPORTED);
  if (input.label !== undefined) return Promise.resolve(UNSUPPORTED);
  const { tokens, hashes } = explain(document);
  return given === 'tokens'
    ? ask('fingerprint-of-tokens', { tokens: tokens.map(({ text }) => text) })
    : ask('simhash', { hashes: hashes.map(hex16) });
}

function documentOf(input: InputOf<'fingerprint'>): string | Uint8Array | undefined {
  if ('text' in input) return input.text;
  return 'utf8' in input ? Buffer.from(input.utf8, 'hex') : undefined;
}

/** Asks for the simhash of hashes. Few libraries show their counters, so they are not compared where there are none. */
async function askSimhash(ask: Ask, input: InputOf<'simhash'>): Promise<Reply> {
  const reply = await ask('simhash', input);
  if (reply.kind !== 'ok') return reply;
  return { kind: 'ok', result: { counters: countBits(input.hashes.map(parseHex)), ...reply.result } };
}

/**
 * Asks for the distance of two labelled fingerprints. Labels and documents without a fingerprint are not passed to a
 * library.
 */
async function askDistance(ask: Ask, { a, b }: InputOf<'compare'>): Promise<Reply> {
  const ours = compareOrRefuse(a, b);
  if (ours === undefined) return UNSUPPORTED;
  const [x, y] = [a, b].map((labelled) => hex16(parseLabelled(labelled!).fingerprint as bigint));
  const reply = await ask('distance', { a: x, b: y });
  if (reply.kind !== 'ok') return reply;
  return { kind: 'ok', result: { similarity: ours.similarity, verdict: ours.verdict, ...reply.result } };
}

function compareOrRefuse(a: string | null, b: string | null): Comparison | undefined {
  try {
    return a === null || b === null ? undefined : compare(a, b);
  } catch {
    return undefined;
  }
}

/**
 * Asks for the entries near a query, and writes them as matches in our order. Rejected inputs are not passed to a
 * library.
 */
async function askLookup(ask: Ask, { entries, query, k = 3 }: InputOf<'lookup'>): Promise<Reply> {
  const isRefused =
    query === null || k < 0 || k > 64 || entries.some((each) => each.fingerprint === null || each.id === '');
  if (isRefused) return UNSUPPORTED;
  const reply = await ask('find', { entries, query, k });
  if (reply.kind !== 'ok') return reply;
  const ids = new Set(reply.result['ids'] as readonly string[]);
  const matches = entries
    .filter(({ id }) => ids.has(id))
    .map(({ id, fingerprint }) => ({
      id,
      fingerprint: fingerprint!,
      distance: distance(parseHex(fingerprint), parseHex(query)),
    }))
    .sort((x, y) => x.distance - y.distance || Buffer.compare(Buffer.from(x.id), Buffer.from(y.id)));
  return { kind: 'ok', result: { completeTo: k, matches } };
}
