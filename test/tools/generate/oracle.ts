import { createHash } from 'node:crypto';
import { toHexDigits } from '../../../src/common/bytes.ts';
import { caseOf, countCases, lineOf } from '../../../src/conformance/suite/accumulate.ts';
import { bytesOfHex, readText, readTextLike } from '../../../src/conformance/suite/vector-inputs.ts';
import type { InputOf, LabelInput, Operation, ResultOf, Vector } from '../../../src/conformance/vector.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { makePipeline, type Pipeline, type Print, TwinError } from '../../twin/twin.ts';

/** The longest text, in UTF-16 units, of a vector with the intermediates of `fingerprint`. */
const MAX_EXPLAINED = 4096;

/** The twin. */
export const bare: Pipeline = makePipeline();

/** The bytes that hexadecimal digits stand for. */
const bytesOf = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));

/**
 * Reads a fingerprint in hexadecimal digits: 16 give a number, 64 give 32 bytes.
 * @throws TwinError `no-fingerprint` for `null`
 */
export function printOf(digits: string | null): Print {
  if (digits === null) throw new TwinError('no-fingerprint', 'a document without a fingerprint');
  return digits.length === 16 ? BigInt(`0x${digits}`) : bytesOf(digits);
}

/** The number of bytes in a fingerprint of the label that an input has. */
const bytesIn = (p: Pipeline, { label }: LabelInput): number => p.bytesOfLabel(label);

type Run<O extends Operation> = (input: InputOf<O>) => ResultOf<O>;

/** Operations that are computed. Those of extraction are not: a person decides about the text of a page. */
type Computed = Exclude<Operation, 'extract' | 'extract-html'>;

/** The operations of the protocol as a pipeline of the twin runs them. */
export function makeOracle(p: Pipeline): { readonly [O in Computed]: Run<O> } {
  const hex = p.toHex;
  // A pipeline that returns a fingerprint for a document without tokens must still handle null.
  const value = (text: string | null): bigint => {
    if (text === null) throw new TwinError('no-fingerprint', 'a document without a fingerprint');
    return BigInt(`0x${text}`);
  };
  const word = (number: bigint): string => number.toString(16).padStart(8, '0');
  const hexOrNull = (fingerprint: Print | null): string | null => (fingerprint === null ? null : hex(fingerprint));

  const oracle: { readonly [O in Computed]: Run<O> } = {
    decode(input) {
      const given = readTextLike('decode', input, ['utf8', 'utf16']);
      return { text: typeof given === 'string' ? p.toWellFormed(given) : p.decode(given) };
    },
    classify: ({ text }) => ({ classes: [...text].map((one) => p.classify(one.codePointAt(0)!)) }),
    normalise: (input) => ({ text: p.normalise(readText('normalise', input, ['text', 'generate'])) }),
    'strip-locators': (input) => ({
      text: p.stripLocators(readText('strip-locators', input, ['text', 'generate'])),
    }),
    tokenise(input) {
      const tokens = p.tokenise(readText('tokenise', input, ['text', 'generate'])).map(({ text }) => text);
      return { tokens: p.schemeOf(input.label).bg1 ? tokens.flatMap(p.pairUnits) : tokens };
    },
    'token-hash': (input) => ({
      hash: hex(p.hashToken(readTextLike('token-hash', input, ['text', 'utf8', 'generate']))),
    }),
    lookup3({ utf8, pc, pb }) {
      const { c, b } = p.hashlittle2(bytesOfHex('lookup3', utf8), BigInt(`0x${pc}`), BigInt(`0x${pb}`));
      return { c: word(c), b: word(b) };
    },
    simhash(input) {
      const values = input.hashes.map(value);
      return { fingerprint: hexOrNull(p.simhash(values)), counters: p.counters(values).map(Number) };
    },
    draw: ({ hash, n }) => ({ draw: hex(p.draw(value(hash), n)) }),
    minhash({ hashes, label }) {
      const { fingerprint, draws } = p.minhash(hashes.map(value), p.schemeOf(label).words);
      return { fingerprint: hexOrNull(fingerprint), draws: draws.map(hex) };
    },
    truncate: ({ fingerprint }) => ({ fingerprint: hex(p.truncate(printOf(fingerprint))) }),
    serialise({ fingerprint }) {
      const given = printOf(fingerprint);
      return { text: p.serialise(given), hex: hex(given) };
    },
    parse: (input) => ({ fingerprint: hex(p.parse(input.serialised, bytesIn(p, input))) }),
    'parse-hex': (input) => ({ fingerprint: hex(p.fromHex(input.hex, bytesIn(p, input))) }),
    'parse-label': ({ label }) => ({ label: p.parseLabel(label) }),
    'parse-labelled'({ labelled }) {
      const { label, fingerprint } = p.parseLabelled(labelled);
      return { label, fingerprint: hex(fingerprint) };
    },
    'format-labelled'({ label, fingerprint }) {
      p.parseLabel(label);
      return { labelled: p.formatLabelled(label, printOf(fingerprint)) };
    },
    compare({ a, b }) {
      for (const each of [a, b]) {
        if (each === null) throw new TwinError('no-fingerprint', 'nothing to compare');
        p.parseLabelled(each);
      }
      const { distance, similarity, verdict } = p.compare(a!, b!);
      return { distance, similarity, verdict };
    },
    tables({ fingerprint }) {
      const given = value(fingerprint);
      return {
        keys: p.tableKeys(given),
        permuted: Array.from({ length: 16 }, (_, table) => hex(p.permute(given, table))),
      };
    },
    unpermute: ({ permuted, table }) => ({ fingerprint: hex(p.unpermute(value(permuted), table)) }),
    probe({ fingerprint, table, k }) {
      const keys = p.probeKeys(value(fingerprint), table, k);
      const bytes = Buffer.alloc(4 * keys.length);
      for (const [i, key] of keys.entries()) bytes.writeUInt32BE(key, 4 * i);
      return { count: keys.length, digest: hex(bare.hashToken(bytes)) };
    },
    lookup({ entries, query, k = p.steps.defaultDistance }) {
      const known = entries.map(({ id, fingerprint }) => {
        if (id === '') throw new TwinError('out-of-range', 'an empty identifier');
        return { id, fingerprint: printOf(fingerprint) };
      });
      const asked = printOf(query);
      if (k < 0 || k > 64) throw new TwinError('out-of-range', `distance ${k}`);
      const found = p.matches(known, asked, k);
      return { completeTo: k, matches: found.map((match) => ({ ...match, fingerprint: hex(match.fingerprint) })) };
    },
    accumulate(input) {
      const lines = Array.from({ length: countCases(input) }, (_, i) => {
        const each = caseOf(input, i);
        return lineOf(
          input.step,
          attempt(() => (oracle[each.operation as Computed] as Run<Computed>)(each.input as never)),
        );
      });
      return { digest: createHash('sha256').update(lines.join('')).digest('hex') };
    },
    fingerprint(input) {
      const all = p.explain(readTextLike('fingerprint', input, ['text', 'utf8', 'utf16', 'generate']), input.label);
      const { decoded, normalised, stripped, selected, hashes, counters, draws, base32, octets: bytes, keys } = all;
      const { words } = p.schemeOf(input.label);
      const result = { fingerprint: base32, hex: all.hex, tokenCount: selected.length };
      // The intermediates of a long document would be many times its size.
      if ('generate' in input || decoded.length > MAX_EXPLAINED) return result;
      return {
        ...result,
        ...{ decoded, normalised, stripped, tokens: selected, hashes: hashes.map(hex) },
        ...(words === 0 ? { counters: counters.map(Number) } : { draws: draws.map(hex) }),
        octets: bytes === null ? null : toHexDigits(bytes),
        ...(words < 4 && { keys }),
      };
    },
  };
  return oracle;
}

/** Runs a part of the twin; what it refuses is an outcome. */
function attempt(run: () => unknown): { readonly result: unknown } | { readonly error: ErrorCode } {
  try {
    return { result: run() };
  } catch (error) {
    if (error instanceof TwinError) return { error: error.code };
    throw error;
  }
}

/** Operations whose input is a document, too long ones of the twin excepted. */
const DOCUMENT_STEPS: ReadonlySet<Operation> = new Set([
  ...(['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash'] as const),
]);

/** Characters of a generated input from which on the twin takes seconds. */
const MAX_GENERATED = 10_000;

/**
 * Computes the fingerprint of a step's input, taken as a document.
 * @returns null for none; undefined where the input is not that of a step, or not to be sent as a document
 */
export function documentOf(
  oracle: ReturnType<typeof makeOracle>,
  { operation, input }: Vector,
): string | null | undefined {
  if (!DOCUMENT_STEPS.has(operation)) return undefined;
  const document = input as InputOf<'fingerprint'>;
  const given = readTextLike(operation, document, ['text', 'utf8', 'utf16', 'generate']);
  // A text that begins with U+FEFF becomes a byte order mark in UTF-8.
  if (typeof given === 'string' && !('utf16' in document) && given.startsWith('\ufeff')) return undefined;
  return given.length > MAX_GENERATED ? undefined : oracle.fingerprint(document).fingerprint;
}

/** The outcome that a vector has. */
export type Outcome = { readonly expected: unknown } | { readonly error: ErrorCode };

/**
 * Computes the outcome of a vector.
 * @param oracle - from {@link makeOracle}
 * @param vector - of an extraction, the tokens, or the fingerprint of the text, stand in `expected`
 */
export function outcomeOf(oracle: ReturnType<typeof makeOracle>, { operation, input, expected }: Vector): Outcome {
  if (operation === 'extract') {
    const { fingerprint, within } = (expected ?? {}) as Partial<ResultOf<'extract'> & { within: number }>;
    if (fingerprint === undefined || within === undefined)
      throw new Error('expected "fingerprint", that of the text which the document was made of, and "within"');
    return { expected: { fingerprint, within } };
  }
  if (operation === 'extract-html') {
    const { tokens } = (expected ?? {}) as Partial<ResultOf<'extract-html'>>;
    if (tokens === undefined) throw new Error('expected "tokens", which a person decides about');
    const fingerprint = bare.simhash(tokens.map(bare.hashToken));
    return { expected: { tokens, fingerprint: fingerprint === null ? null : bare.serialise(fingerprint) } };
  }
  const outcome = attempt(() => (oracle[operation] as (input: unknown) => unknown)(input));
  return 'result' in outcome ? { expected: outcome.result } : outcome;
}
