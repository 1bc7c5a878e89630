import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fingerprint, LABELS, normalise, stripLocators, tokenise } from '../../../../src/index.ts';
import { pairUnits } from '../../../../src/scheme/bg1.ts';
import { loadCollection } from '../collections.ts';
import { CANDIDATES, makeFingerprints } from '../measure/candidates.ts';
import { createCorpus } from '../measure/corpus.ts';
import { TRUE_OVERLAP } from '../measure/overlaps.ts';
import { measureThresholds } from '../measure/thresholds.ts';
import { keepPart, type RivalMeasurement } from '../results.ts';
import type { Document } from '../sources/files.ts';
import { installPackages, runPython } from '../sources/packages.ts';

/** Collections of each kind. */
const RIVAL_COLLECTIONS: readonly string[] = [
  ...['mixed', 'help-en', 'help-ja', 'help-ko', 'manual-de', 'revisions'],
  ...['contracts', 'narrations', 'short', 'templated'],
];

const INPUTS = ['build/evaluate/documents.jsonl', 'build/evaluate/pairs.json'] as const;
const PROGRAM = resolve('test/tools/evaluate/rivals/measure.py');

/** The methods of measure.py. */
const METHODS: readonly string[] = [
  ...['datasketch, words', 'datasketch, 8 octets', 'datasketch, 32 octets'],
  ...['ISCC text code, 64 bits', 'ISCC text code, 256 bits', 'simhash', 'TLSH'],
];

/** The best time counts; the first round warms up. */
const ROUNDS = 4;

/** Measures other methods and the labels on the same documents of some collections, and keeps the part `rivals` of the results. */
export async function measureRivals(): Promise<void> {
  installPackages();
  const measurements: RivalMeasurement[] = [];
  for (const name of RIVAL_COLLECTIONS) {
    // Documents without tokens are in no pair.
    const documents = (await loadCollection(name)).documents.filter(({ text }) => tokensOf(text).length > 0);
    measurements.push(...measureMethods(name, documents));
  }
  keepPart('rivals', measurements);
}

/** Measures every method on the documents of a collection. */
export function measureMethods(collection: string, documents: readonly Document[]): RivalMeasurement[] {
  const { related } = createCorpus(documents);
  const placesOf = (isTrue: boolean) =>
    related.flatMap(({ i, j, overlap }) => (overlap >= TRUE_OVERLAP === isTrue ? [[i, j]] : []));
  const pairs = { true: placesOf(true), between: placesOf(false) };
  const about = { collection, documents: documents.length, truePairs: pairs.true.length };
  const measurements = LABELS.map((label): RivalMeasurement => {
    const candidate = CANDIDATES.find(({ name }) => name === label)!;
    const { best } = measureThresholds(collection, label, related, makeFingerprints(candidate, documents));
    return {
      ...{ ...about, method: label, package: 'simhash-doc', bytes: candidate.bits / 8 },
      documentsPerSecond: documents.length / Math.min(...Array.from({ length: ROUNDS }, () => secondsOf(label))),
      best: best && { at: best.k, recall: best.recall },
    };
  });
  function secondsOf(label: string): number {
    const before = process.cpuUsage();
    for (const { text } of documents) fingerprint(text, { label });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  }
  const lines = documents.map(({ text }) => `${JSON.stringify({ text, tokens: tokensOf(text) })}\n`);
  writeFileSync(INPUTS[0], lines.join(''));
  writeFileSync(INPUTS[1], JSON.stringify(pairs));
  for (const method of METHODS) {
    console.error(`${collection}: ${method}`);
    const measured = JSON.parse(runPython([PROGRAM, method, ...INPUTS])) as Omit<RivalMeasurement, keyof typeof about>;
    measurements.push({ ...about, ...measured, method });
  }
  return measurements;
}

/** The tokens that decide which pairs are true. In scripts with spaces, `bg1` makes no difference. */
function tokensOf(text: string): string[] {
  return pairUnits(tokenise(stripLocators(normalise(text)))).map((token) => token.text);
}
