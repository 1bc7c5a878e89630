/**
 * Prints the results of the kernel in a file for many documents, a line for each: those of the vectors, cut and
 * surrounded as in test/fingerprint/engines.test.ts, and those of the differential tests. Given a file with lines of
 * another kernel, it prints the first line that differs instead, with exit code 3. `main.ts` bundles this with a
 * mutant in the place of the kernel.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countCases } from '../../../../src/conformance/suite/accumulate.ts';
import { loadFiles } from '../../../../src/conformance/suite/load.ts';
import { LABELS } from '../../../../src/index.ts';
import { cutsOf, kernel, randomOf } from '../../../fingerprint/engines.ts';
import { makeHostileShapes } from '../../../fingerprint/hostile-shapes.ts';
import { documentsOf, join, kindsOf, SURROUNDINGS } from '../../../fingerprint/vectors.ts';
import * as arbitrary from '../../../twin/arbitraries.ts';

const LONG = 1000;
const MAX = 20_000;

const given = process.argv[3];
const expected = given === undefined ? undefined : readFileSync(given, 'utf8').split('\n');
let printed = 0;

/** Adds the answers for a document, cut in some ways. */
function answers(content: string | Uint8Array, filler: string, label: string, sizes: readonly number[]): string[] {
  return [...cutsOf(content, sizes, randomOf(label))].map(([cut, pieces]) => {
    const parts =
      filler === ''
        ? pieces
        : cut === 'whole'
          ? [join(filler, content, '')]
          : [...kindsOf(filler).filter((each) => typeof each === typeof content), ...pieces];
    const { fingerprint, count, hashes } = kernel.run(parts, label);
    return `${fingerprint} ${count} ${[...hashes!].sort((a, b) => (a < b ? -1 : 1)).join(' ')}`;
  });
}

function print(id: string, all: readonly string[]): void {
  const line = `${id} ${createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 16)}`;
  const isDifferent = expected !== undefined && expected[printed++] !== line;
  if (expected === undefined || isDifferent) console.log(line);
  if (isDifferent) process.exit(3);
}

for (const { vectors } of loadFiles())
  for (const vector of vectors) {
    if (vector.operation === 'accumulate' && countCases(vector.input) > 100) continue;
    const all: string[] = [];
    for (const { content } of documentsOf(vector, 10)) {
      if (content.length > MAX) continue;
      const isShort = content.length <= LONG;
      for (const kind of kindsOf(content))
        for (const label of isShort ? LABELS : ['simhash-doc', 'simhash-doc+bg1'])
          all.push(...answers(kind, '', label, isShort ? [1, 17] : [30_000]));
      if (isShort)
        for (const { filler, before, behind } of SURROUNDINGS)
          all.push(...answers(join(before, content, behind), filler, 'simhash-doc+bg1', [50]));
    }
    if (all.length > 0) print(vector.id, all);
  }

const options = { seed: 1, numRuns: 300 };
const texts = fc.oneof(
  arbitrary.locatorText,
  arbitrary.text,
  arbitrary.composingText,
  arbitrary.runText,
  arbitrary.prose,
);
for (const [i, { whole, pieces }] of fc
  .sample(fc.oneof(arbitrary.chunkedText, arbitrary.chunkedBytes), options)
  .entries())
  print(
    `random/short-${i}`,
    LABELS.flatMap((label) => [...answers(whole, '', label, []), `${kernel.run(pieces, label).fingerprint}`]),
  );
for (const [i, parts] of fc.sample(fc.array(texts, { minLength: 2, maxLength: 8 }), { seed: 2, numRuns: 40 }).entries())
  print(`random/long-${i}`, answers(parts.join('').repeat(40), 'x '.repeat(32_000), 'simhash-doc+bg1', [9973]));
for (const { name, head, unit } of makeHostileShapes()) {
  const document = Buffer.concat([
    head,
    Buffer.alloc(70_000, unit),
    Buffer.from('@b.c/e\u0301 doi:x end 0123456789abcdef0123456789abcdef'),
  ]);
  print(`hostile/${name}`, answers(document, '', 'simhash-doc', [9973]));
}
