/**
 * Runs operations the way a wrong implementation does: through the steps of the twin with its overrides. Steps that a
 * mutation leaves alone are taken from the shipped implementation, with which the twin agrees, and remembered; without
 * that, hundreds of mutations over all vectors would take hours.
 */

import { bytesOfHex, generate, readTextLike } from '../../../src/conformance/suite/vector-inputs.ts';
import type { InputOf, Operation, Outcome, ResultOf, Vector } from '../../../src/conformance/vector.ts';
import * as scheme from '../../../src/index.ts';
import { fingerprintOfWinners } from '../../../src/scheme/minhash.ts';
import {
  type ClassName,
  type LocatorForm,
  makePipeline,
  type Pipeline,
  type Print,
  type Steps,
  steps,
  type Token,
  TwinError,
} from '../../twin/twin.ts';
import { makeOracle, printOf } from '../generate/oracle.ts';
import { countQuickly } from './counters.ts';
import { reading } from './html-reading.ts';
import { locatorForms, type PatternForm } from './locators.ts';
import type { Mutation, PartialRuns, Runs } from './mutation.ts';

type Names = readonly (keyof Steps)[];

// The functions that the steps depend on.
const reads: Names = [
  ...(['read', 'decode', 'byteOrderMarkLength', 'utf8Sequences', 'illFormedLength', 'illFormedReplacement'] as const),
  ...(['toWellFormed', 'loneSurrogateReplacement'] as const),
];
const classifies: Names = ['classify', 'isIgnorable', 'generalCategory', 'letterCategories', 'wordCategories'];
const prepares: Names = ['prepare', 'unassignedReplacement'];
const normalises: Names = [...classifies, ...prepares, 'compose', 'normalise'];
const strips: Names = [
  ...(['locatorForms', 'mayStart', 'precedingCharacter', 'findLocators', 'locatorReplacement'] as const),
  'stripLocators',
];
const tokenises: Names = [...classifies, 'isTokenClass', 'isToken', 'tokenise'];
const hashes: Names = ['encode', 'lookup3', 'hashlittle2', 'joinWords', 'hashToken'];
const bigrams: Names = ['bigramKind', 'bigramParts', 'bigramUnits', 'pairsOfUnits', 'pairUnits'];
const counts: Names = ['toBits', 'fromBits', 'counters', 'fingerprintBit', 'simhash'];
const draws: Names = ['draw', 'splitMix'];
const minhashes: Names = [
  ...(['minhash', 'elementsOf', 'winnersOfWord', 'rounds', 'drawNumber', 'binOf', 'wins', 'wordOfWinners'] as const),
  ...(['drawBit', 'joinWordsOfPrint', 'fromBits', 'toBytes', 'toBits', ...draws] as const),
];
const writesHex: Names = ['toHex', 'toBytes', 'toBits'];
const writes: Names = ['serialise', 'base32Alphabet', 'base32Padding', ...writesHex];
const parses: Names = ['parse', 'base32Alphabet', 'base32Value', 'isTrailer', 'isSpareBit', 'fromBytes', 'fromBits'];
const labels: Names = ['parseLabel', 'foldLabel', 'labels', 'bytesOfLabel'];
const compares: Names = ['compare', 'distance', 'similarity', 'verdict'];
const keys: Names = ['tableKeys', 'tableKey', 'cut', 'toBits'];
const probes: Names = [...keys, 'probeKeys', 'blockFlips', 'subFlips'];
const all: Names = [
  ...[...reads, ...normalises, ...strips, ...tokenises, ...hashes, ...counts, ...writes, ...keys],
  ...[...bigrams, ...minhashes],
  ...(['selectTokens', 'explain', 'schemeOf', 'parseLabel', 'foldLabel', 'labels'] as const),
];

/** The functions that the operations depend on. */
const dependences: { readonly [O in Operation]: Names } = {
  decode: reads,
  classify: classifies,
  normalise: normalises,
  'strip-locators': strips,
  tokenise: [...tokenises, ...bigrams, 'schemeOf'],
  'token-hash': [...hashes, ...writesHex],
  lookup3: hashes,
  simhash: [...counts, ...writesHex],
  draw: [...draws, ...writesHex],
  minhash: [...minhashes, 'schemeOf', ...writesHex],
  truncate: ['truncate', 'fromBytes', ...writesHex],
  serialise: writes,
  parse: [...parses, 'bytesOfLabel', ...writesHex],
  'parse-hex': ['fromHex', 'bytesOfLabel', 'fromBytes', 'fromBits', ...writesHex],
  'parse-label': labels,
  'parse-labelled': [...labels, 'parseLabelled', ...parses, ...writesHex],
  'format-labelled': ['formatLabelled', ...labels, ...writes],
  compare: [...labels, 'parseLabelled', ...parses, ...compares],
  tables: [...keys, 'permute', 'fromBits', ...writesHex],
  unpermute: ['unpermute', 'permute', 'cut', 'fromBits', ...writesHex],
  probe: [...probes, ...hashes, ...writesHex],
  lookup: [
    ...[...probes, ...writesHex],
    ...(['defaultDistance', 'lookup', 'matches', 'isNear', 'wordsOf', 'compareMatches', 'compareIds'] as const),
    'distance',
  ],
  fingerprint: all,
  accumulate: [],
  'extract-html': all,
  // Graded, and for documents in binary formats, which detect no mutation of a step.
  extract: [],
};

/** Remembers results by their argument. */
function remember<K, V>(run: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = run(key);
      known.set(key, value);
    }
    return value;
  };
}

/** Tests whether the twin, not the shipped functions, takes a text. */
const isOdd = (text: string): boolean => /\p{Cs}/u.test(text);

/** The results of the scheme. */
const right = {
  decode: remember((bytes: Uint8Array) => scheme.decode(bytes)),
  toWellFormed: remember((text: string) => scheme.toWellFormed(text)),
  classify: remember((codePoint: number): ClassName => steps.classify(codePoint, steps)),
  normalise: remember((text: string) => (isOdd(text) ? steps.normalise(text, steps) : scheme.normalise(text))),
  stripLocators: remember((text: string) =>
    isOdd(text) ? steps.stripLocators(text, steps) : scheme.stripLocators(text),
  ),
  tokenise: remember((text: string): Token[] => (isOdd(text) ? steps.tokenise(text, steps) : scheme.tokenise(text))),
  hashText: remember((token: string) => scheme.hashToken(token)),
  /** The text as NFC gets it. */
  prepare: remember((text: string): string =>
    steps.normalise(text, { ...steps, classify: right.classify, compose: (prepared) => prepared }),
  ),
  /** The different characters of a text. */
  characters: remember((text: string) => [...new Set(text)]),
  /** The winners of a list of hashes, which the key has with the number of words. */
  minhash: remember((key: string) => {
    const [words, ...hashes] = key.split(' ');
    return scheme.findWinners(hashes.map(BigInt), Number(words) as 1 | 4).map(({ draw }) => draw);
  }),
};

const rightDraws = new Map<bigint, bigint[]>();

/** MIN-2, remembered. */
const rightDraw: Steps['draw'] = (x, n, s) => {
  const known = rightDraws.get(x) ?? [];
  rightDraws.set(x, known);
  known[n] ??= steps.draw(x, n, s);
  return known[n];
};

/** Forms that can be searched at once; where case is folded, what may precede a match would be folded too. */
const isPatternForm = (form: LocatorForm): form is PatternForm =>
  'pattern' in form && !(form as PatternForm).flags.includes('i');

const searcherOf = remember((key: string) => {
  const [flags, ...patterns] = key.split('\n');
  return new RegExp(`(?<![A-Za-z0-9])(?:${patterns.map((pattern) => `(${pattern})`).join('|')})`, `g${flags}`);
});

/** Finds locators like the twin, by one pattern for all forms where they are patterns. */
const findQuickly: Steps['findLocators'] = (text, s) => {
  const forms = s.locatorForms;
  if (!forms.every(isPatternForm)) return steps.findLocators(text, s);
  const expression = searcherOf([forms[0]?.flags ?? '', ...forms.map(({ pattern }) => pattern)].join('\n'));
  return Array.from(text.matchAll(expression), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    form: forms[match.slice(1).findIndex((part) => part !== undefined)]!.form,
  }));
};

/** The pipeline of a mutation, with short cuts where it changes nothing. */
function makeQuickPipeline({ overrides }: Mutation): Pipeline {
  const p = makePipeline({ locatorForms, ...overrides });
  const own: Steps = { ...p.steps };
  const s = p.steps as { -readonly [K in keyof Steps]: Steps[K] };
  const changes = (names: Names): boolean => names.some((name) => name in overrides);
  const others = (names: Names, ...without: Names): Names => names.filter((name) => !without.includes(name));

  const classify = changes(classifies) ? remember((codePoint: number) => own.classify(codePoint, s)) : right.classify;
  const preparesAlike = remember((character: string) => own.prepare(character, s) === steps.prepare(character, steps));
  const classifiesAlike = remember((character: string) => {
    const codePoint = character.codePointAt(0)!;
    return classify(codePoint) === right.classify(codePoint);
  });
  const [otherClasses, otherPreparation] = [changes(classifies), changes(prepares)];
  const isPlain = (text: string): boolean => !otherClasses || right.characters(text).every(classifiesAlike);
  const preparesPlainly = (text: string): boolean =>
    isPlain(text) && (!otherPreparation || right.characters(text).every(preparesAlike));
  s.classify = classify;

  if (!changes(reads)) {
    s.decode = right.decode;
    s.toWellFormed = right.toWellFormed;
  }
  if (!changes(others(normalises, ...classifies, ...prepares)))
    s.normalise = (text) => (preparesPlainly(text) ? right.normalise(text) : own.normalise(text, s));
  else if (!changes(others(normalises, 'compose'))) s.normalise = (text) => own.compose(right.prepare(text));
  if (!changes(strips)) {
    s.stripLocators = right.stripLocators;
    s.findLocators = () => [];
  } else if (!changes(['mayStart', 'precedingCharacter', 'findLocators'])) s.findLocators = findQuickly;
  if (!changes(others(tokenises, ...classifies)))
    s.tokenise = (text) => (isPlain(text) ? right.tokenise(text) : own.tokenise(text, s));
  const hashText = changes(hashes) ? remember((token: string) => own.hashToken(token, s)) : right.hashText;
  s.hashToken = (token) => (typeof token === 'string' ? hashText(token) : own.hashToken(token, s));
  if (!changes(['counters'])) s.counters = countQuickly;
  if (!changes(draws)) s.draw = rightDraw;
  if (!changes(minhashes))
    s.minhash = (all, words) => {
      const drawn = right.minhash([words, ...new Set(all)].join(' '));
      const fingerprint = drawn.length === 0 ? null : fingerprintOfWinners(drawn.map((draw) => ({ draw })));
      return { fingerprint, draws: drawn };
    };
  return p;
}

interface Long {
  readonly value: bigint | null;
  readonly tokens: readonly string[];
  /** The number of occurrences of each token. */
  readonly times: ReadonlyMap<string, number>;
}

function timesOf(tokens: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const token of tokens) times.set(token, (times.get(token) ?? 0) + 1);
  return times;
}

/** The results of the scheme for a long input. */
const rightLong = remember((input: string | Uint8Array): Long => {
  const tokens = scheme.explain(input).tokens.map(({ text }) => text);
  return { value: scheme.fingerprint(input), tokens, times: timesOf(tokens) };
});

const isSame = (x: readonly string[], y: readonly string[]): boolean =>
  x.length === y.length && x.every((each, i) => each === y[i]);

/** Makes a function that gives the fingerprint of a long input, without intermediates. */
function makeLong(
  { overrides }: Mutation,
  p: Pipeline,
): (input: string | Uint8Array, label?: string) => ResultOf<'fingerprint'> {
  const changes = (names: Names): boolean => names.some((name) => name in overrides);
  const tokensChange = changes([...reads, ...normalises, ...strips, ...tokenises, 'selectTokens']);

  function tokensOf(input: string | Uint8Array): string[] {
    const s = p.steps;
    const text = s.stripLocators(s.normalise(s.read(input, s), s), s);
    return s.selectTokens(s.tokenise(text, s).map((token) => token.text));
  }

  function valueOfLong(input: string | Uint8Array, tokens: readonly string[]): bigint | null {
    const known = rightLong(input);
    const same = tokens === known.tokens || isSame(tokens, known.tokens);
    if (same && !changes(hashes)) return known.value;
    if (tokens.length === 0) return null;
    const counters: number[] = new Array(64).fill(0);
    for (const [token, times] of same ? known.times : timesOf(tokens)) {
      const bits = p.steps.toBits(p.hashToken(token));
      for (let i = 0; i < 64; i++) counters[i]! += bits[i] === '1' ? times : -times;
    }
    return BigInt(`0b${counters.map((counter) => (counter > 0 ? 1 : 0)).join('')}`);
  }

  return (input, label) => {
    if (label !== undefined || changes([...counts, 'explain'])) {
      const { base32, hex, selected } = p.explain(input, label);
      return { fingerprint: base32, hex, tokenCount: selected.length };
    }
    const tokens = tokensChange ? tokensOf(input) : rightLong(input).tokens;
    const value = valueOfLong(input, tokens);
    const written =
      value === null ? { fingerprint: null, hex: null } : { fingerprint: p.serialise(value), hex: p.toHex(value) };
    return { ...written, tokenCount: tokens.length };
  };
}

/** Distances up to which a lookup goes by way of the tables; beyond it there are too many probes. */
const MAX_PROBED = 8;

const build = remember(generate);

/** The text, bytes or units of an input; what a rule builds is remembered. */
function given(operation: Operation, input: InputOf<'fingerprint'>): string | Uint8Array {
  return 'generate' in input ? build(input.generate) : readTextLike(operation, input, ['text', 'utf8', 'utf16']);
}

const markupOf = remember((input: InputOf<'extract-html'>) =>
  reading.decode(bytesOfHex('extract-html', input.utf8), input.charset),
);
const textOfHtml = remember((input: InputOf<'extract-html'>) => reading.text(markupOf(input), reading));

/** The operations of the protocol as an implementation with a mistake runs them. */
export function makeRuns(mutation: Mutation, p: Pipeline = makeQuickPipeline(mutation)): Runs {
  const oracle = makeOracle(p);
  const own: PartialRuns = mutation.operations?.(p) ?? {};
  const html = mutation.html === undefined ? undefined : { ...reading, ...mutation.html };
  const long = makeLong(mutation, p);
  return {
    ...oracle,
    normalise: (input) => ({ text: p.normalise(p.toWellFormed(String(given('normalise', input)))) }),
    'strip-locators': (input) => ({ text: p.stripLocators(String(given('strip-locators', input))) }),
    tokenise(input) {
      const tokens = p.tokenise(String(given('tokenise', input))).map(({ text }) => text);
      return { tokens: p.schemeOf(input.label).bg1 ? tokens.flatMap(p.pairUnits) : tokens };
    },
    'token-hash': (input) => ({ hash: p.toHex(p.hashToken(given('token-hash', input))) }),
    compare({ a, b }) {
      if (a !== null && b !== null) return oracle.compare({ a, b });
      const [x, y] = [a, b].map((each) => {
        if (each !== null) return p.parseLabelled(each).fingerprint;
        p.distance(null, a === b ? null : 0n);
        return null;
      }) as [Print | null, Print | null];
      return { distance: p.distance(x, y), similarity: p.similarity(x, y), verdict: p.verdict(x, y) };
    },
    probe({ fingerprint, table, k }) {
      const found = p.probeKeys(printOf(fingerprint) as bigint, table, k);
      const bytes = found.flatMap((key) => [24, 16, 8, 0].map((shift) => Math.floor(key / 2 ** shift) % 256));
      return { count: found.length, digest: p.toHex(p.hashToken(Uint8Array.from(bytes))) };
    },
    lookup(input) {
      const { entries, query, k = p.steps.defaultDistance } = input;
      if (k > MAX_PROBED || k < 0) return oracle.lookup(input);
      const known = entries.map(({ id, fingerprint }) => ({ id, fingerprint: printOf(fingerprint) }));
      const found = p.lookup(known, printOf(query), k);
      return { completeTo: k, matches: found.map((match) => ({ ...match, fingerprint: p.toHex(match.fingerprint) })) };
    },
    fingerprint: (input) =>
      'generate' in input ? long(build(input.generate), input.label) : oracle.fingerprint(input),
    extract() {
      throw new Error('no mutation concerns it');
    },
    'extract-html'(input) {
      const text =
        html === undefined
          ? textOfHtml(input)
          : html.text(html.decode(bytesOfHex('extract-html', input.utf8), input.charset), html);
      const { selected, base32 } = p.explain(text);
      return { tokens: selected, fingerprint: base32 };
    },
    ...own,
  };
}

/** The operations as the twin itself runs them with the overrides of a mutation, without short cuts. */
export function makeSlowRuns(mutation: Mutation): Runs {
  return makeRuns(mutation, makePipeline({ ...mutation.overrides }));
}

/** Tests whether a mutation can change what an operation gives. */
export function concerns({ overrides, operations, html }: Mutation, operation: Operation): boolean {
  if (operation === 'extract-html' && html !== undefined) return true;
  if (operations !== undefined && operation in operations(makePipeline())) return true;
  return dependences[operation].some((name) => name in overrides);
}

/**
 * The length from which on texts and bytes are long: most mutations are not run on them. Some steps take longer than
 * others.
 */
const long = (step: number): number => ([4, 7, 8].includes(step) ? 5000 : 12_000);

/** The number of elements and characters from which on the draws of a mutation take seconds. */
const MANY_ELEMENTS = 100;
const MANY_CHARACTERS = 1000;

/** Tests whether a mutation is not run on a vector: it is too long, or an article, which HtmlReading does not find. */
export function isLeftOut({ step, long: listed, overrides }: Mutation, { id, operation, input }: Vector): boolean {
  if (operation === 'accumulate') return true;
  if (operation === 'extract-html') return input.extractor !== undefined;
  if (listed?.includes(id)) return false;
  const isDrawn = step === 8 && minhashes.some((name) => name in overrides);
  if (operation === 'minhash') return isDrawn && input.hashes.length > MANY_ELEMENTS;
  if (!('generate' in input)) return false;
  if (isDrawn && 'label' in input) return build(input.generate).length >= MANY_CHARACTERS;
  return (step < 9 || operation !== 'fingerprint') && build(input.generate).length >= long(step);
}

/** Returns the outcome of a vector. */
export function outcomeOf(runs: Runs, { operation, input }: Pick<Vector, 'operation' | 'input'>): Outcome {
  try {
    return { result: (runs[operation] as (input: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof TwinError) return { error: error.code };
    throw error;
  }
}
