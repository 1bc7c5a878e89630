import { hexDigits, toHexDigits } from '../../common/bytes.ts';
import { ERROR_CODES } from '../../common/error-codes.ts';
import { wrongValue } from '../../errors.ts';
import { extract } from '../../extract/extract.ts';
import * as library from '../../index.ts';
import { pairUnits } from '../../scheme/bg1.ts';
import { wordsOf } from '../../scheme/labels/fingerprint.ts';
import { type Scheme, schemeOf } from '../../scheme/labels/label.ts';
import { accumulate } from '../suite/accumulate.ts';
import { badInput, bytesOfHex, numberOfHex, readText, readTextLike, wordOfHex } from '../suite/vector-inputs.ts';
import type { InputOf, LabelInput, LookupEntry, Operation, Outcome, ResultOf, VectorMatch } from '../vector.ts';

/** Reads a fingerprint; `null`, for a document without one, is passed on to the function that must reject it. */
function fingerprintOf(operation: string, hex: string | null): bigint {
  return hex === null ? (null as unknown as bigint) : numberOfHex(operation, hex);
}

function fingerprintIn(operation: string, hex: string | null, { label, words }: Scheme): library.Fingerprint {
  if (words === 1 || hex === null) return fingerprintOf(operation, hex);
  if (typeof hex !== 'string' || !/^[0-9a-f]{64}$/.test(hex))
    throw badInput(operation, '64 lower-case hex digits', hex);
  return library.fromHex(hex, { label });
}

function hashesOf(operation: string, hashes: unknown): bigint[] {
  if (!Array.isArray(hashes)) throw badInput(operation, 'a list "hashes"', hashes);
  return hashes.map((hash) => numberOfHex(operation, hash));
}

function stringOf(operation: string, key: string, value: unknown): string {
  if (typeof value !== 'string') throw badInput(operation, `a string "${key}"`, value);
  return value;
}

function schemeIn({ label }: LabelInput): Scheme {
  return schemeOf(label === undefined ? undefined : stringOf('label', 'label', label));
}

export const operations: {
  readonly [O in Operation]: (input: InputOf<O>) => ResultOf<O> | Promise<ResultOf<O>>;
} = {
  decode(input) {
    const given = readTextLike('decode', input, ['utf8', 'utf16']);
    return { text: typeof given === 'string' ? library.toWellFormed(given) : library.decode(given) };
  },

  classify(input) {
    const text = readText('classify', input, ['text']);
    return { classes: Array.from(text, (one) => library.classify(one.codePointAt(0)!)) };
  },

  normalise(input) {
    return { text: library.normalise(readText('normalise', input, ['text'])) };
  },

  'strip-locators'(input) {
    return { text: library.stripLocators(readText('strip-locators', input, ['text'])) };
  },

  tokenise(input) {
    const tokens = library.tokenise(readText('tokenise', input, ['text']));
    return { tokens: (schemeIn(input).bg1 ? pairUnits(tokens) : tokens).map(({ text }) => text) };
  },

  'token-hash'(input) {
    return { hash: library.toHex(library.hashToken(readTextLike('token-hash', input, ['text', 'utf8']))) };
  },

  lookup3({ utf8, pc, pb }) {
    const bytes = bytesOfHex('lookup3', stringOf('lookup3', 'utf8', utf8));
    const { c, b } = library.hashlittle2(bytes, wordOfHex('lookup3', pc), wordOfHex('lookup3', pb));
    return { c: hexDigits(c, 8), b: hexDigits(b, 8) };
  },

  simhash(input) {
    const hashes = hashesOf('simhash', input.hashes);
    const result = library.simhash(hashes);
    return { fingerprint: result === null ? null : library.toHex(result), counters: library.countBits(hashes) };
  },

  draw({ hash, n }) {
    return { draw: library.toHex(library.draw(numberOfHex('draw', hash), n)) };
  },

  minhash(input) {
    const { words } = schemeIn(input);
    const hashes = hashesOf('minhash', input.hashes);
    const result = library.minhash(hashes, words);
    const draws = library.findWinners(hashes, words).map((winner) => library.toHex(winner.draw));
    return { fingerprint: result === null ? null : library.toHex(result), draws };
  },

  truncate(input) {
    const value = fingerprintIn('truncate', input.fingerprint, schemeOf('minhash-doc-256'));
    return { fingerprint: library.toHex(library.truncate(value as Uint8Array)) };
  },

  serialise(input) {
    const value = fingerprintIn('serialise', input.fingerprint, schemeIn(input));
    return { text: library.serialise(value), hex: library.toHex(value) };
  },

  parse(input) {
    const text = stringOf('parse', 'serialised', input.serialised);
    return { fingerprint: library.toHex(library.parse(text, { label: schemeIn(input).label })) };
  },

  'parse-hex'(input) {
    const hex = stringOf('parse-hex', 'hex', input.hex);
    return { fingerprint: library.toHex(library.fromHex(hex, { label: schemeIn(input).label })) };
  },

  'parse-label'({ label }) {
    return { label: library.parseLabel(stringOf('parse-label', 'label', label)) };
  },

  'parse-labelled'({ labelled }) {
    const read = library.parseLabelled(stringOf('parse-labelled', 'labelled', labelled));
    return { label: read.label, fingerprint: library.toHex(read.fingerprint) };
  },

  'format-labelled'({ label, fingerprint }) {
    const scheme = schemeOf(stringOf('format-labelled', 'label', label));
    return { labelled: library.formatLabelled(scheme.label, fingerprintIn('format-labelled', fingerprint, scheme)) };
  },

  compare({ a, b }) {
    // Arguments are checked from left to right ("Errors" of the specification).
    for (const each of [a, b]) {
      if (each !== null) library.parseLabelled(stringOf('compare', 'a and b', each));
      else library.distance(each as unknown as bigint, 0n);
    }
    const { distance, similarity, verdict } = library.compare(a!, b!);
    return { distance, similarity, verdict };
  },

  tables(input) {
    const value = fingerprintOf('tables', input.fingerprint);
    return {
      keys: library.tableKeys(value),
      permuted: Array.from({ length: 16 }, (_, table) => library.toHex(library.permute(value, table))),
    };
  },

  unpermute({ permuted, table }) {
    return { fingerprint: library.toHex(library.unpermute(numberOfHex('unpermute', permuted), table)) };
  },

  probe(input) {
    const { fingerprint, table, k } = input;
    const keys = [...library.probeKeys(fingerprintOf('probe', fingerprint), table, k)].sort((x, y) => x - y);
    const bytes = new DataView(new ArrayBuffer(4 * keys.length));
    for (const [i, key] of keys.entries()) bytes.setUint32(4 * i, key);
    return { count: keys.length, digest: library.toHex(library.hashToken(new Uint8Array(bytes.buffer))) };
  },

  // CMP-7: k is 3 by default.
  lookup(input) {
    const { entries, query, k = library.DEFAULT_DISTANCE } = input;
    return { completeTo: k, matches: lookup(entries, query, k, schemeIn(input)) };
  },

  fingerprint(input) {
    const given = readTextLike('fingerprint', input, ['text', 'utf8', 'utf16']);
    const scheme = schemeIn(input);
    const options = { label: scheme.label };
    const value = library.fingerprint(given, options);
    const result = library.explain(given, options);
    const middle = given.length >> 1;
    const streaming = library.createFingerprinter(options).update(given.slice(0, middle)).update(given.slice(middle));
    const all = [value, result.fingerprint, streaming.digest()];
    const shown = all.map((each) => (each === null ? 'none' : library.serialise(each)));
    if (new Set(shown).size > 1)
      throw new Error(`fingerprint, explain and createFingerprinter disagree: ${shown.join(', ')}`);
    const { decoded, normalised, stripped, counters, winners, keys } = result;
    return {
      fingerprint: result.base32,
      hex: result.hex,
      tokenCount: result.tokens.length,
      ...{ decoded, normalised, stripped },
      tokens: result.tokens.map(({ text }) => text),
      hashes: result.hashes.map(library.toHex),
      ...(counters !== null && { counters }),
      ...(winners !== null && { draws: winners.map((winner) => library.toHex(winner.draw)) }),
      octets: result.octets === null ? null : toHexDigits(result.octets),
      ...(scheme.words === 1 && { keys }),
    };
  },

  async accumulate(input) {
    return { digest: await accumulate(input, runCase) };
  },

  async 'extract-html'(input) {
    const bytes = bytesOfHex('extract-html', stringOf('extract-html', 'utf8', input.utf8));
    const { charset, extractor } = input;
    const { text } = await extract(bytes, { type: 'html', transportCharset: charset, extractor });
    return { tokens: library.explain(text).tokens.map((token) => token.text), fingerprint: base32Of(text) };
  },

  async extract({ base64, type }) {
    const bytes = Uint8Array.from(atob(stringOf('extract', 'base64', base64)), (byte) => byte.charCodeAt(0));
    const { text } = await extract(bytes, { type });
    return { fingerprint: base32Of(text) };
  },
};

function base32Of(document: string | Uint8Array): string | null {
  const value = library.fingerprint(document);
  return value === null ? null : library.serialise(value);
}

// Above this k there are more keys to probe than entries in any vector: every entry is a candidate.
const MAX_PROBED = 8;

/** Finds candidates by the keys of 16 tables for each word, checks their distance, and ranks them (LKP-1 to LKP-6, MIN-11). */
function lookup(entries: readonly LookupEntry[], query: string | null, k: number, scheme: Scheme): VectorMatch[] {
  if (!Array.isArray(entries)) throw badInput('lookup', 'a list "entries"', entries);
  const known = entries.map(({ id, fingerprint }) => {
    if (id === '') throw wrongValue('out-of-range', 'id', 'a non-empty string', id);
    const value = fingerprintIn('lookup', fingerprint, scheme);
    return { id, value, words: wordsOf('fingerprint', value) };
  });
  const asked = fingerprintIn('lookup', query, scheme);
  const found = new Set(wordsOf('query', asked).flatMap((word, at) => lookUpWord(known, at, word, k)));
  return [...found]
    .map(({ id, value }) => ({ id, fingerprint: library.toHex(value), distance: library.distance(value, asked) }))
    .sort((x, y) => x.distance - y.distance || compareIds(x.id, y.id));
}

function lookUpWord<E extends { readonly words: readonly bigint[] }>(
  known: readonly E[],
  at: number,
  word: bigint,
  k: number,
): E[] {
  const candidates = new Set<E>(k > MAX_PROBED ? known : []);
  for (let table = 0; table < 16; table++) {
    if (k > MAX_PROBED) {
      // A probe checks the query and k.
      library.probeKeys(word, table, k).next();
      break;
    }
    const probes = new Set(library.probeKeys(word, table, k));
    for (const entry of known) if (probes.has(library.tableKey(entry.words[at]!, table))) candidates.add(entry);
  }
  return [...candidates].filter(({ words }) => library.distance(words[at]!, word) <= k);
}

/** Compares code points: as UTF-8 bytes are ordered, and not UTF-16 units (LKP-3). */
function compareIds(x: string, y: string): number {
  const left = Array.from(x, (one) => one.codePointAt(0)!);
  const right = Array.from(y, (one) => one.codePointAt(0)!);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

/** @throws (rejects) TypeError for an unknown operation, or an input of the wrong shape */
export async function runOperation(operation: string, input: unknown): Promise<Outcome> {
  const run = (operations as Readonly<Record<string, (input: never) => unknown>>)[operation];
  if (run === undefined) throw new TypeError(`no such operation: ${operation}`);
  if (typeof input !== 'object' || input === null) throw badInput(operation, 'keys', input);
  try {
    return { result: await run(input as never) };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (error instanceof Error && ERROR_CODES.has(String(code))) return { error: String(code) };
    throw error;
  }
}

/** Runs one of many cases: `fingerprint` without intermediates. */
async function runCase(operation: Operation, input: unknown): Promise<Outcome> {
  if (operation !== 'fingerprint') return runOperation(operation, input);
  return { result: { fingerprint: base32Of(readTextLike(operation, input, ['text', 'utf8'])) } };
}
