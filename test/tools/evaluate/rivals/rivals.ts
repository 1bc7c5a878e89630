import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  distance,
  type Fingerprint,
  fingerprint,
  LABELS,
  type Label,
  normalise,
  stripLocators,
  tokenise,
} from '../../../../src/index.ts';
import { pairUnits } from '../../../../src/scheme/labels/bg1.ts';
import { loadCollection } from '../collections.ts';
import { createCorpus } from '../measure/corpus.ts';
import { TRUE_OVERLAP } from '../measure/overlaps.ts';
import { keepPart, type PairCounts, type RivalMeasurement } from '../results.ts';
import { installPackages, PYTHON, runCommand } from '../sources/packages.ts';

/** Collections of each kind. */
const RIVAL_COLLECTIONS: readonly string[] = [
  ...['mixed', 'help-en', 'help-ja', 'help-ko', 'manual-de', 'revisions'],
  ...['contracts', 'narrations', 'short', 'templated'],
];

const PROGRAM = resolve('test/tools/evaluate/rivals/measure.py');

/** Methods of measure.py, and the packages that they need. */
const RIVALS: readonly (readonly [method: string, name: string])[] = [
  ['datasketch, words', 'datasketch'],
  ['datasketch, 5-grams', 'datasketch'],
  ['rensa, words', 'rensa'],
  ['rensa, 5-grams', 'rensa'],
  ['datasketch, 8 octets', 'datasketch'],
  ['datasketch, 32 octets', 'datasketch'],
  ['rensa, 8 octets', 'rensa'],
  ['rensa, 32 octets', 'rensa'],
  ['ISCC text code, 64 bits', 'iscc-core'],
  ['ISCC text code, 256 bits', 'iscc-core'],
  ['simhash', 'simhash'],
  ['TLSH', 'py-tlsh'],
  ['ssdeep, in Python', 'ppdeep'],
];

/** Thresholds that are kept for each unit, from strict to lenient. */
const THRESHOLDS: Readonly<Record<string, readonly number[]>> = {
  'estimated Jaccard similarity': [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3],
  bits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16],
  'bits of 256': [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 64],
  'TLSH distance': [0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 120, 150],
  'ssdeep score': [99, 95, 90, 85, 80, 75, 70, 60, 50, 30, 1],
};
/** The best time counts; the first round warms up. */
const ROUNDS = 4;
/** The maximum share of false pairs among those reported in the best result. */
const MAX_FALSE = 0.01;

/** Documents, and their pairs by places in the list, a < b. */
interface RivalInput {
  readonly collection: string;
  readonly texts: readonly string[];
  readonly pairs: Readonly<Record<'true' | 'between', readonly (readonly [number, number])[]>>;
}

/** The findings of a method: pairs that are at least as similar as `at`, from strict to lenient. */
interface Measured {
  readonly package: string;
  readonly unit: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly within: readonly (PairCounts & { readonly at: number })[];
  readonly searchSeconds?: number;
  readonly search?: PairCounts;
}

/** Measures other methods and the labels on the same documents of some collections, and keeps the part `rivals` of the results. */
export async function measureRivals(): Promise<void> {
  const reasons = installPackages();
  const measurements: RivalMeasurement[] = [];
  for (const collection of RIVAL_COLLECTIONS) {
    const { documents } = await loadCollection(collection);
    const related = createCorpus(documents).related();
    const places = (isTrue: boolean) =>
      related.filter(({ overlap }) => overlap >= TRUE_OVERLAP === isTrue).map(({ i, j }) => [i, j] as const);
    const pairs = { true: places(true), between: places(false) };
    measurements.push(...measureMethods({ collection, texts: documents.map(({ text }) => text), pairs }, reasons));
  }
  keepPart('rivals', measurements);
}

/**
 * Measures every method on the documents that have tokens.
 * @param reasons - of packages that are not installed
 */
export function measureMethods(all: RivalInput, reasons: ReadonlyMap<string, string>): RivalMeasurement[] {
  const input = withoutEmpty(all);
  const measurements = LABELS.map((label) => resultOf(input, label, measureLabel(input, label)));
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-rivals-'));
  try {
    const [documents, pairs] = [join(folder, 'documents.jsonl'), join(folder, 'pairs.json')];
    const lines = input.texts.map((text) => `${JSON.stringify({ text, tokens: tokensOf(text) })}\n`);
    writeFileSync(documents, lines.join(''));
    writeFileSync(pairs, JSON.stringify(input.pairs));
    for (const [method, name] of RIVALS) {
      console.error(`${input.collection}: ${method}`);
      const missing = reasons.get(name);
      const measured = missing === undefined ? runProgram([method, documents, pairs]) : { missing };
      measurements.push(resultOf(input, method, measured));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return measurements;
}

/** The tokens that decide which pairs are true. In scripts with spaces, `bg1` makes no difference. */
function tokensOf(text: string): string[] {
  return pairUnits(tokenise(stripLocators(normalise(text)))).map((token) => token.text);
}

/** Leaves out documents without tokens, which are in no pair. */
function withoutEmpty({ collection, texts, pairs }: RivalInput): RivalInput {
  const kept = [...texts.keys()].filter((at) => tokensOf(texts[at]!).length > 0);
  const places = new Map(kept.map((from, to) => [from, to]));
  const moved = (list: RivalInput['pairs']['true']) =>
    list.map(([a, b]): [number, number] => [places.get(a)!, places.get(b)!]);
  const movedPairs = { true: moved(pairs.true), between: moved(pairs.between) };
  return { collection, texts: kept.map((at) => texts[at]!), pairs: movedPairs };
}

function runProgram(args: readonly string[]): Measured | { readonly missing: string } {
  const result = runCommand(PYTHON, [PROGRAM, ...args]);
  return 'missing' in result ? result : (JSON.parse(result.stdout) as Measured);
}

/** Fingerprints the documents under a label, and compares all pairs. */
function measureLabel({ texts, pairs }: RivalInput, label: Label): Measured {
  const seconds: number[] = [];
  let fingerprints: Fingerprint[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    fingerprints = texts.map((text) => fingerprint(text, { label: label as string })!);
    const used = process.cpuUsage(before);
    seconds.push((used.user + used.system) / 1e6);
  }
  const bits = label === 'minhash-doc-256' ? 256 : 64;
  const counts = Array.from({ length: bits + 1 }, () => ({ true: 0, between: 0, false: 0 }));
  for (const [i, one] of fingerprints.entries())
    for (let j = i + 1; j < fingerprints.length; j++) counts[distance(one, fingerprints[j]!)]!.false++;
  for (const kind of ['true', 'between'] as const)
    for (const [a, b] of pairs[kind]) {
      const at = counts[distance(fingerprints[a]!, fingerprints[b]!)]!;
      at[kind]++;
      at.false--;
    }
  const sum = { true: 0, between: 0, false: 0 };
  const within = counts.map((each, at) => {
    for (const kind of ['true', 'between', 'false'] as const) sum[kind] += each[kind];
    return { at, ...sum };
  });
  const unit = bits === 64 ? 'bits' : 'bits of 256';
  return { package: 'simhash-doc', unit, bytes: bits / 8, seconds: Math.min(...seconds), within };
}

function resultOf(
  { collection, texts, pairs }: RivalInput,
  method: string,
  measured: Measured | { readonly missing: string },
): RivalMeasurement {
  const about = { collection, method, documents: texts.length, truePairs: pairs.true.length };
  if ('missing' in measured) return { ...about, missing: measured.missing };
  const { within, seconds, ...rest } = measured;
  const strictFirst = THRESHOLDS[rest.unit]!;
  const isSimilarity = strictFirst[0]! > strictFirst.at(-1)!;
  const countsAt = (threshold: number): PairCounts =>
    within.findLast(({ at }) => (isSimilarity ? at >= threshold : at <= threshold)) ?? {
      true: 0,
      between: 0,
      false: 0,
    };
  return {
    ...about,
    ...rest,
    documentsPerSecond: texts.length / seconds,
    within: strictFirst.map((at) => ({ ...countsAt(at), at })),
    best: bestOf(within, pairs.true.length),
  };
}

/** The largest recall at which few enough pairs are false. */
function bestOf(within: Measured['within'], truePairs: number): { at: number; recall: number } | null {
  const good = within.filter(
    (each) => each.true > 0 && each.false <= MAX_FALSE * (each.true + each.between + each.false),
  );
  const last = good.at(-1);
  return last === undefined ? null : { at: last.at, recall: last.true / truePairs };
}
