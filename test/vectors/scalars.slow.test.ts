import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countCases, inputOfScalars, type PlacedScalar, scalarsOf } from '../../src/conformance/suite/accumulate.ts';
import { loadFiles } from '../../src/conformance/suite/load.ts';
import type { InputOf, ScalarCases } from '../../src/conformance/vector.ts';
import { type ClassName, makePipeline, type Steps, steps } from '../twin/twin.ts';

// A fingerprint of many tokens hides a wrong one. These tests measure that the documents are short enough: the end of
// a range of a table is moved by one code point, and the documents with that code point are computed anew.

const scalars = loadFiles().find(({ group }) => group === 'scalars')!.vectors;

interface Row {
  readonly first: number;
  readonly last: number;
  readonly kind: string;
}

const rowsOf = (file: string): Row[] =>
  Array.from(
    readFileSync(new URL(`../../spec/${file}`, import.meta.url), 'utf8').matchAll(
      /^([0-9A-F]+)\.\.([0-9A-F]+);(\w+)$/gm,
    ),
    ([, first, last, kind]) => ({ first: Number.parseInt(first!, 16), last: Number.parseInt(last!, 16), kind: kind! }),
  );

/** The documents that hold a code point, of the vectors of a label. */
function makeDocuments(
  label: string | undefined,
): (codePoint: number) => { cases: ScalarCases; scalars: PlacedScalar[] }[] {
  const byCodePoint = new Map<number, { cases: ScalarCases; scalars: PlacedScalar[] }[]>();
  for (const { input } of scalars) {
    const cases = input as ScalarCases;
    if (cases.step !== 'fingerprint' || cases.label !== label) continue;
    for (let i = 0; i < countCases(cases); i++) {
      const placed = scalarsOf(cases.rule, i);
      for (const { codePoint } of placed)
        byCodePoint.set(codePoint, [...(byCodePoint.get(codePoint) ?? []), { cases, scalars: placed }]);
    }
  }
  return (codePoint) => byCodePoint.get(codePoint) ?? [];
}

/** Tests whether a document that holds a code point has another fingerprint with some steps replaced. */
function makeTells(label?: string): (codePoint: number, overrides: Partial<Steps>) => boolean {
  const documents = makeDocuments(label);
  const right = makePipeline();
  return (codePoint, overrides) => {
    const wrong = makePipeline(overrides);
    return documents(codePoint).some(({ cases, scalars }) => {
      const { text } = inputOfScalars(cases, scalars) as Extract<InputOf<'fingerprint'>, { text: string }>;
      return wrong.explain(text, label).base32 !== right.explain(text, label).base32;
    });
  };
}

test('documents detect nearly every moved end of a class', () => {
  const rows = rowsOf('word-classes.txt');
  const tells = makeTells();
  // Neither breaks words, and both are dropped or replaced.
  const unseen = ['break unassigned', 'unassigned break'];
  const moved = rows.flatMap(({ first, last, kind }, i) => [
    { codePoint: first, from: kind, to: rows[i - 1]?.kind ?? kind },
    { codePoint: last, from: kind, to: rows[i + 1]?.kind ?? kind },
  ]);
  const seen = moved.filter(
    ({ codePoint, from, to }) =>
      from !== to && !unseen.includes(`${from} ${to}`) && (codePoint < 0xd800 || codePoint > 0xdfff),
  );
  const missed = seen.filter(({ codePoint, to }) => {
    const classify: Steps['classify'] = (each, s) => (each === codePoint ? (to as ClassName) : steps.classify(each, s));
    return !tells(codePoint, { classify });
  });
  expect(seen.length).toBeGreaterThan(3000);
  // Most of these are decomposed for good, so that no document holds them in step 5.
  expect(missed.length, missed.map(({ codePoint }) => codePoint.toString(16)).join(' ')).toBeLessThan(
    0.01 * seen.length,
  );
});

test('documents detect nearly every moved end of a range of bg1', () => {
  const rows = rowsOf('bigrams/bg1.txt');
  const tells = makeTells('simhash-doc+bg1');
  const ends = rows.flatMap(({ first, last }) => [first, last]);
  const missed = ends.filter((codePoint) => {
    const bigramKind: Steps['bigramKind'] = (each) => (each === codePoint ? 'o' : steps.bigramKind(each));
    return !tells(codePoint, { bigramKind });
  });
  expect(ends.length).toBeGreaterThan(700);
  expect(missed.length, missed.map((codePoint) => codePoint.toString(16)).join(' ')).toBeLessThan(0.03 * ends.length);
});
