import type { ErrorCode } from '../errors.ts';
import type { Medium } from '../extract/types.ts';
import type { WordClass } from '../scheme/classify.ts';
import type { Verdict } from '../scheme/compare.ts';

/**
 * A generating rule (vectors/README.md, "Generating rules"): builds a long input from little. Integers are exact; `seed`
 * is 0 to 2^32 - 1.
 */
export type GeneratingRule =
  | { readonly rule: 'repeat'; readonly text: string; readonly count: number }
  | {
      readonly rule: 'words';
      readonly seed: number;
      readonly count: number;
      readonly vocabulary: readonly string[];
      readonly separators: readonly string[];
    }
  | { readonly rule: 'octets'; readonly seed: number; readonly count: number }
  | {
      readonly rule: 'code-points';
      readonly seed: number;
      readonly count: number;
      /** First and last code point of each range, and how often it counts, once by default; no range contains a surrogate. */
      readonly ranges: readonly (readonly [first: number, last: number, times?: number])[];
    }
  | { readonly rule: 'concat'; readonly parts: readonly GeneratingRule[] };

/** The operations that can be asked for many cases at once. */
export type AccumulatedStep =
  | 'decode'
  | 'classify'
  | 'normalise'
  | 'strip-locators'
  | 'tokenise'
  | 'token-hash'
  | 'simhash'
  | 'serialise'
  | 'parse'
  | 'tables'
  | 'probe'
  | 'fingerprint';

type SeededRule = Extract<GeneratingRule, { readonly seed: number }>;

/** A generating rule for many cases: without its seed, and with `least` and `most` in place of its count. */
export type AccumulatingRule = {
  readonly [R in SeededRule['rule']]: Omit<Extract<SeededRule, { rule: R }>, 'seed' | 'count'> & {
    readonly least: number;
    readonly most: number;
  };
}[SeededRule['rule']];

/** Many cases of one step that an adapter builds itself. */
export interface SeededCases {
  readonly step: AccumulatedStep;
  readonly rule: AccumulatingRule;
  readonly seed: number;
  readonly count: number;
}

/** A rule for cases that hold every scalar value of some ranges once. */
export interface ScalarsRule {
  readonly rule: 'scalars';
  /** First and last code point of each range; surrogates among them are left out. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** Scalar values in a case; the last case may have fewer. */
  readonly each: number;
  /** The texts before and after the scalar values of a case, in turn. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Cases that hold every scalar value of some ranges; a runner sends each by itself. */
export interface ScalarCases extends LabelInput {
  readonly step: 'decode' | 'classify' | 'normalise' | 'strip-locators' | 'tokenise' | 'fingerprint';
  readonly rule: ScalarsRule;
}

/** The input of an accumulated vector. */
export type AccumulateInput = SeededCases | ScalarCases;

/** A text of Unicode scalar values. */
export interface TextInput {
  readonly text: string;
}

/** Bytes as hex, two digits each. Step 1 decodes them as UTF-8; they need not be well-formed. */
export interface BytesInput {
  readonly utf8: string;
}

/** 16-bit units as hex, four digits each. */
export interface UnitsInput {
  readonly utf16: string;
}

/** A text or bytes that a generating rule builds. */
export interface GeneratedInput {
  readonly generate: GeneratingRule;
}

/** The label that an operation works for. */
export interface LabelInput {
  /** A registered label, in lower case. Default: `simhash-doc`. */
  readonly label?: string;
}

/** A fingerprint in hex: 16 lower-case digits, or 64 with the label `minhash-doc-256`. */
export type FingerprintHex = string;

/** 16 lower-case hex digits: 64 bits, the most significant first. */
export type Hex16 = string;

/** 8 lower-case hex digits: 32 bits, the most significant first. */
export type Hex8 = string;

/** Every operation of the conformance protocol, with its input and its result. */
export interface Operations {
  decode: { input: BytesInput | UnitsInput; result: { readonly text: string } };
  /** One class for each code point. */
  classify: { input: TextInput; result: { readonly classes: readonly WordClass[] } };
  normalise: { input: TextInput | GeneratedInput; result: { readonly text: string } };
  'strip-locators': { input: TextInput | GeneratedInput; result: { readonly text: string } };
  tokenise: { input: LabelInput & (TextInput | GeneratedInput); result: { readonly tokens: readonly string[] } };
  'token-hash': { input: TextInput | BytesInput | GeneratedInput; result: { readonly hash: Hex16 } };
  /** lookup3 with initial values: 8 hex digits each, for 32 bits. */
  lookup3: {
    input: BytesInput & { readonly pc: Hex8; readonly pb: Hex8 };
    result: { readonly c: Hex8; readonly b: Hex8 };
  };
  simhash: {
    input: { readonly hashes: readonly Hex16[] };
    result: { readonly fingerprint: Hex16 | null; readonly counters: readonly number[] };
  };
  /** S(hash, n) of MIN-2. */
  draw: { input: { readonly hash: Hex16; readonly n: number }; result: { readonly draw: Hex16 } };
  /** `draws` are those that win, 64 for each word, bin 0 of word 0 first. */
  minhash: {
    input: { readonly hashes: readonly Hex16[]; readonly label: string };
    result: { readonly fingerprint: FingerprintHex | null; readonly draws: readonly Hex16[] };
  };
  truncate: { input: { readonly fingerprint: FingerprintHex | null }; result: { readonly fingerprint: Hex16 } };
  serialise: {
    input: LabelInput & { readonly fingerprint: FingerprintHex | null };
    result: { readonly text: string; readonly hex: FingerprintHex };
  };
  parse: {
    input: LabelInput & { readonly serialised: string };
    result: { readonly fingerprint: FingerprintHex };
  };
  'parse-hex': { input: LabelInput & { readonly hex: string }; result: { readonly fingerprint: FingerprintHex } };
  'parse-label': { input: { readonly label: string }; result: { readonly label: string } };
  'parse-labelled': {
    input: { readonly labelled: string };
    result: { readonly label: string; readonly fingerprint: FingerprintHex };
  };
  'format-labelled': {
    input: { readonly label: string; readonly fingerprint: FingerprintHex | null };
    result: { readonly labelled: string };
  };
  /** `null` stands for a document without a fingerprint. */
  compare: {
    input: { readonly a: string | null; readonly b: string | null };
    result: { readonly distance: number; readonly similarity: number; readonly verdict: Verdict };
  };
  tables: {
    input: { readonly fingerprint: Hex16 | null };
    result: { readonly keys: readonly number[]; readonly permuted: readonly Hex16[] };
  };
  unpermute: {
    input: { readonly permuted: Hex16; readonly table: number };
    result: { readonly fingerprint: Hex16 };
  };
  /** `digest` is the token hash of the keys, ascending, each as four bytes, the most significant first. */
  probe: {
    input: { readonly fingerprint: Hex16 | null; readonly table: number; readonly k: number };
    result: { readonly count: number; readonly digest: Hex16 };
  };
  lookup: {
    /** The default of `k` is 3. */
    input: LabelInput & {
      readonly entries: readonly LookupEntry[];
      readonly query: FingerprintHex | null;
      readonly k?: number;
    };
    result: { readonly completeTo: number; readonly matches: readonly VectorMatch[] };
  };
  fingerprint: {
    input: LabelInput & (TextInput | BytesInput | UnitsInput | GeneratedInput);
    result: FingerprintResult;
  };
  /** Many cases of one step; the digest is SHA-256 over a line for each (vectors/README.md, "Accumulated vectors"). */
  accumulate: {
    input: AccumulateInput;
    result: { readonly digest: string };
  };
  /** The result is the tokens of the text, because white space is not compared. */
  'extract-html': {
    input: BytesInput & { readonly charset?: string; readonly extractor?: 'article' };
    result: { readonly tokens: readonly string[]; readonly fingerprint: string | null };
  };
  /** A document in any medium. It is graded (EXT-3): `within` of a vector is the largest distance allowed. */
  extract: {
    input: { readonly base64: string; readonly type: Medium };
    result: { readonly fingerprint: string | null; readonly within?: number };
  };
}

/** A document in a lookup. A document without a fingerprint (`null`) is in no table. */
export interface LookupEntry {
  readonly id: string;
  readonly fingerprint: FingerprintHex | null;
}

/** A document found by a lookup. */
export interface VectorMatch {
  readonly id: string;
  readonly fingerprint: FingerprintHex;
  readonly distance: number;
}

/** The fingerprint of a document and, unless its input is generated or belongs to a step, every intermediate. */
export interface FingerprintResult {
  /** 13 or 52 characters, or `null` for a text without tokens. */
  readonly fingerprint: string | null;
  readonly hex?: FingerprintHex | null;
  readonly tokenCount?: number;
  readonly decoded?: string;
  readonly normalised?: string;
  readonly stripped?: string;
  readonly tokens?: readonly string[];
  readonly hashes?: readonly Hex16[];
  /** 64 counters, bit 0 first; with the labels of simhash-doc. */
  readonly counters?: readonly number[];
  /** The draws that win, as in `minhash`; with the labels of minhash-doc. */
  readonly draws?: readonly Hex16[];
  /** The 8 or 32 bytes in order. */
  readonly octets?: FingerprintHex | null;
  /** The keys of the tables 0 to 15; with labels of 64 bits. */
  readonly keys?: readonly number[] | null;
}

export type Operation = keyof Operations;
export type InputOf<O extends Operation> = Operations[O]['input'];
export type ResultOf<O extends Operation> = Operations[O]['result'];

/** The members of every vector (vectors/README.md). */
interface VectorHeader {
  /** The permanent id, which is never reused. */
  readonly id: string;
  /** The version of the suite that added the vector. */
  readonly since: string;
  /** A retired vector keeps its id and is no longer run. */
  readonly status?: 'retired';
  /** The behaviour that the vector tests, in one sentence. */
  readonly title: string;
  /** Rules of spec/simhash-doc.md. */
  readonly rules: readonly string[];
  /** Names of vectors/flags.json. */
  readonly flags: readonly string[];
  /** The independent implementations that gave the same outcome. */
  readonly agrees: readonly string[];
  /**
   * For a vector of steps 1 to 7: the bare fingerprint of its input taken as a document, under the label of the input; `null`
   * for none. It makes a second vector, with the operation `fingerprint`.
   */
  readonly document?: string | null;
}

/** The outcome of an operation: a result, or the code of the error with which the input was refused. */
export type Outcome = { readonly result: unknown } | { readonly error: string };

/** The outcome that a vector expects. */
export type OutcomeOf<O extends Operation> =
  | { readonly expected: ResultOf<O>; readonly error?: never }
  | { readonly error: ErrorCode; readonly expected?: never };

export type VectorOf<O extends Operation> = VectorHeader & {
  readonly operation: O;
  readonly input: InputOf<O>;
} & OutcomeOf<O>;

/** A vector; its operation determines the types of its input and its result. */
export type Vector = { [O in Operation]: VectorOf<O> }[Operation];

/** One file of vectors/. */
export interface VectorGroup {
  readonly group: string;
  readonly description: string;
  readonly vectors: readonly Vector[];
}
