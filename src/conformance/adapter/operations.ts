import { toHexDigits } from '../../common/octets.ts';
import { wrongValue } from '../../errors.ts';
import { extract } from '../../extract/extract.ts';
import {
  type CodedError,
  classify,
  compare,
  countBits,
  DEFAULT_DISTANCE,
  decode,
  distance,
  explain,
  fingerprint,
  formatLabelled,
  fromHex,
  hashlittle2,
  hashToken,
  normalise,
  parse,
  parseLabel,
  parseLabelled,
  permute,
  probeKeys,
  serialise,
  simhash,
  stripLocators,
  tableKey,
  tableKeys,
  toHex,
  tokenise,
  toWellFormed,
  unpermute,
} from '../../index.ts';
import { type Variants, variantsOf } from '../../scheme/label.ts';
import { pairUnits } from '../../scheme/variants/bg1.ts';
import { capHashes } from '../../scheme/variants/cap8.ts';
import { accumulate } from '../suite/accumulate.ts';
import { badInput, hexOfWord, numberOfHex, octetsOfHex, readText, readTextLike, wordOfHex } from '../suite/inputs.ts';
import type { Entry, InputOf, LabelInput, Match, Operation, Outcome, ResultOf } from '../types.ts';
import { ERROR_CODES } from './protocol.ts';

type Run<O extends Operation> = (input: InputOf<O>) => ResultOf<O> | Promise<ResultOf<O>>;

/** Reads a fingerprint; `null`, for a document without one, is passed on to the function that has to refuse it. */
function fingerprintOf(operation: string, hex: string | null): bigint {
  return hex === null ? (null as unknown as bigint) : numberOfHex(operation, hex);
}

/** Checks that an argument is a string. */
function stringOf(operation: string, key: string, value: unknown): string {
  if (typeof value !== 'string') throw badInput(operation, `a string "${key}"`, value);
  return value;
}

/** The variants that an input asks for. */
function variantsIn({ label }: LabelInput): Variants {
  return variantsOf(label === undefined ? undefined : stringOf('label', 'label', label));
}

/** The operations of the protocol, carried out by the public functions of this package. */
export const operations: { readonly [O in Operation]: Run<O> } = {
  decode(input) {
    const given = readTextLike('decode', input, ['utf8', 'utf16']);
    return { text: typeof given === 'string' ? toWellFormed(given) : decode(given) };
  },

  classify(input) {
    return { classes: Array.from(readText('classify', input, ['text']), (one) => classify(one.codePointAt(0)!)) };
  },

  normalise(input) {
    return { text: normalise(readText('normalise', input, ['text'])) };
  },

  'strip-locators'(input) {
    return { text: stripLocators(readText('strip-locators', input, ['text'])) };
  },

  tokenise(input) {
    const tokens = tokenise(readText('tokenise', input, ['text']));
    return { tokens: (variantsIn(input).bg1 ? pairUnits(tokens) : tokens).map(({ text }) => text) };
  },

  'token-hash'(input) {
    return { hash: toHex(hashToken(readTextLike('token-hash', input, ['text', 'utf8']))) };
  },

  lookup3({ utf8, pc, pb }) {
    const octets = octetsOfHex('lookup3', stringOf('lookup3', 'utf8', utf8));
    const { c, b } = hashlittle2(octets, wordOfHex('lookup3', pc), wordOfHex('lookup3', pb));
    return { c: hexOfWord(c), b: hexOfWord(b) };
  },

  simhash(input) {
    const { hashes } = input;
    if (!Array.isArray(hashes)) throw badInput('simhash', 'a list "hashes"', hashes);
    const all = hashes.map((hash) => numberOfHex('simhash', hash));
    const values = variantsIn(input).cap8 ? capHashes(all) : all;
    const result = simhash(values);
    return { fingerprint: result === null ? null : toHex(result), counters: countBits(values) };
  },

  serialise(input) {
    const value = fingerprintOf('serialise', input.fingerprint);
    return { text: serialise(value), hex: toHex(value) };
  },

  parse({ serialised }) {
    return { fingerprint: toHex(parse(stringOf('parse', 'serialised', serialised))) };
  },

  'parse-hex'({ hex }) {
    return { fingerprint: toHex(fromHex(stringOf('parse-hex', 'hex', hex))) };
  },

  'parse-label'({ label }) {
    return { label: parseLabel(stringOf('parse-label', 'label', label)) };
  },

  'parse-labelled'({ labelled }) {
    const read = parseLabelled(stringOf('parse-labelled', 'labelled', labelled));
    return { label: read.label, fingerprint: toHex(read.fingerprint) };
  },

  'format-labelled'({ label, fingerprint }) {
    const value = fingerprintOf('format-labelled', fingerprint);
    return { labelled: formatLabelled(stringOf('format-labelled', 'label', label), value) };
  },

  compare({ a, b }) {
    // Arguments are checked from left to right ("Errors" of the specification).
    for (const each of [a, b]) {
      if (each !== null) parseLabelled(stringOf('compare', 'a and b', each));
      else distance(each as unknown as bigint, 0n);
    }
    const { distance: bits, similarity, verdict } = compare(a!, b!);
    return { distance: bits, similarity, verdict };
  },

  tables(input) {
    const value = fingerprintOf('tables', input.fingerprint);
    return {
      keys: tableKeys(value),
      permuted: Array.from({ length: 16 }, (_, table) => toHex(permute(value, table))),
    };
  },

  unpermute({ permuted, table }) {
    return { fingerprint: toHex(unpermute(numberOfHex('unpermute', permuted), table)) };
  },

  probe(input) {
    const keys = [...probeKeys(fingerprintOf('probe', input.fingerprint), input.table, input.k)].sort((x, y) => x - y);
    const octets = new DataView(new ArrayBuffer(4 * keys.length));
    for (const [i, key] of keys.entries()) octets.setUint32(4 * i, key);
    return { count: keys.length, digest: toHex(hashToken(new Uint8Array(octets.buffer))) };
  },

  // CMP-7: k is 3 by default.
  lookup({ entries, query, k = DEFAULT_DISTANCE }) {
    return { completeTo: k, matches: lookup(entries, query, k) };
  },

  fingerprint(input) {
    const given = readTextLike('fingerprint', input, ['text', 'utf8', 'utf16']);
    const options = { variant: input.label };
    const value = fingerprint(given, options);
    const result = explain(given, options);
    const { decoded, normalised, stripped, counters, keys } = result;
    return {
      fingerprint: value === null ? null : serialise(value),
      hex: result.hex,
      tokenCount: result.tokens.length,
      ...{ decoded, normalised, stripped },
      tokens: result.tokens.map(({ text }) => text),
      hashes: result.hashes.map(toHex),
      counters,
      octets: result.octets === null ? null : toHexDigits(result.octets),
      keys,
    };
  },

  async accumulate(input) {
    return { digest: await accumulate(input, runCase) };
  },

  async 'extract-html'(input) {
    const octets = octetsOfHex('extract-html', stringOf('extract-html', 'utf8', input.utf8));
    const { text } = await extract(octets, { type: 'html', transportCharset: input.charset });
    const value = fingerprint(text);
    return {
      tokens: explain(text).tokens.map((token) => token.text),
      fingerprint: value === null ? null : serialise(value),
    };
  },

  async extract({ base64, type }) {
    const octets = Uint8Array.from(atob(stringOf('extract', 'base64', base64)), (octet) => octet.charCodeAt(0));
    const { text } = await extract(octets, { type });
    const value = fingerprint(text);
    return { fingerprint: value === null ? null : serialise(value) };
  },
};

// Above this k there are more keys to probe than entries in any vector: every entry is a candidate.
const MAX_PROBED = 8;

/** LKP-1 to LKP-6: finds candidates by the keys of 16 tables, checks their distance, and orders them by distance and id. */
function lookup(entries: readonly Entry[], query: string | null, k: number): Match[] {
  if (!Array.isArray(entries)) throw badInput('lookup', 'a list "entries"', entries);
  const known = entries.map(({ id, fingerprint }) => {
    if (id === '') throw wrongValue('out-of-range', 'id', 'a non-empty string', id);
    const value = fingerprintOf('lookup', fingerprint);
    toHex(value);
    return { id, value };
  });
  const asked = fingerprintOf('lookup', query);
  const candidates = new Set<(typeof known)[number]>(k > MAX_PROBED ? known : []);
  for (let table = 0; table < 16; table++) {
    if (k > MAX_PROBED) {
      // A probe checks the query and k.
      probeKeys(asked, table, k).next();
      break;
    }
    const probes = new Set(probeKeys(asked, table, k));
    for (const entry of known) if (probes.has(tableKey(entry.value, table))) candidates.add(entry);
  }
  return [...candidates]
    .map(({ id, value }) => ({ id, fingerprint: toHex(value), distance: distance(value, asked) }))
    .filter((match) => match.distance <= k)
    .sort((x, y) => x.distance - y.distance || compareIds(x.id, y.id));
}

/** LKP-4: compares code points, whose order is that of UTF-8 octets and not that of UTF-16 units. */
function compareIds(x: string, y: string): number {
  const left = Array.from(x, (one) => one.codePointAt(0)!);
  const right = Array.from(y, (one) => one.codePointAt(0)!);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

/**
 * Runs an operation of the reference implementation.
 * @param operation - its name
 * @param input - its input, without a generating rule
 * @returns the result, or the code of the error with which the implementation refused the input
 * @throws (rejects) TypeError for an unknown operation or an input of the wrong shape
 */
export async function runOperation(operation: string, input: unknown): Promise<Outcome> {
  const run = (operations as Readonly<Record<string, (input: never) => unknown>>)[operation];
  if (run === undefined) throw new TypeError(`no such operation: ${operation}`);
  if (typeof input !== 'object' || input === null) throw badInput(operation, 'keys', input);
  try {
    return { result: await run(input as never) };
  } catch (error) {
    if (isCoded(error)) return { error: error.code };
    throw error;
  }
}

/** Runs one of many cases: `fingerprint` without intermediates. */
async function runCase(operation: Operation, input: unknown): Promise<Outcome> {
  if (operation !== 'fingerprint') return runOperation(operation, input);
  const value = fingerprint(readTextLike(operation, input, ['text', 'utf8']));
  return { result: { fingerprint: value === null ? null : serialise(value) } };
}

function isCoded(error: unknown): error is CodedError {
  return error instanceof Error && ERROR_CODES.has(String((error as { code?: unknown }).code));
}
