import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isOfScalars } from '../../src/conformance/suite/accumulate.ts';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import type { Vector } from '../../src/conformance/vector.ts';
import * as core from '../../src/index.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { IS_SLOW } from '../suite.ts';
import {
  askSteps,
  askTwin,
  type Core,
  cutsOf,
  differenceOf,
  type Engine,
  type Expected,
  freshKernel,
  kernel,
  publicFunctions,
  randomOf,
  steps,
  stream,
} from './engines.ts';
import { documentsOf, join, kindsOf, SURROUNDINGS, type Surroundings, type VectorDocument } from './vectors.ts';

// Every document of a vector goes through every engine; in the fast suite that of every fourth. The twin's result is expected, also for the tokens, so a
// vector of one step reveals a fault of that step in each engine.

/** The length from which on documents take the twin long, and each engine unit by unit. */
const LONG = 1000;
/** Longer documents are left to the tests of the vectors: without WebAssembly, they take minutes. */
const MAX = IS_SLOW ? 100_000 : 20_000;
/** The number of cases of an accumulated vector. */
const CASES = IS_SLOW ? 30 : 10;

let withoutWebAssembly: Engine;
beforeAll(async () => {
  vi.stubGlobal('WebAssembly', undefined);
  vi.resetModules();
  const other: Core = await import('../../src/index.ts');
  const { hasKernel } = await import('../../src/fingerprint/kernel.ts');
  expect(hasKernel()).toBe(false);
  vi.unstubAllGlobals();
  vi.resetModules();
  withoutWebAssembly = publicFunctions('public functions, without WebAssembly', other);
});
afterAll(() => {
  vi.unstubAllGlobals();
});
const withWebAssembly = publicFunctions('public functions', core);

const kindOf = (content: string | Uint8Array): string => (typeof content === 'string' ? 'text' : 'octets');

/** A document and its expected result under a label. */
interface Case {
  readonly what: string;
  readonly filler?: string;
  readonly content: string | Uint8Array;
  readonly label: string;
  readonly expected: Expected;
}

/** The surroundings of some bytes, and those of many, which take long. */
const [SPANS, BORDERS] = [true, false].map((isLong) =>
  SURROUNDINGS.filter(({ filler }) => filler.length > LONG === isLong),
) as [Surroundings[], Surroundings[]];

/** Runs a document through engines, cut in several ways, and adds the differences. */
function compare(differing: string[], each: Case, sizes: readonly number[], engines: readonly Engine[]): void {
  const { what, filler = '', content, label, expected } = each;
  const first = typeof content === 'string' ? filler : Buffer.from(filler);
  for (const [cut, pieces] of cutsOf(content, sizes, randomOf(`${what} ${label}`))) {
    const given = filler === '' ? pieces : cut === 'whole' ? [join(filler, content, '')] : [first, ...pieces];
    for (const engine of engines) {
      if (engine === steps && cut !== 'whole') continue;
      const difference = differenceOf(expected, engine.run(given, label));
      if (difference !== undefined)
        differing.push(`${[what, label, engine.name, kindOf(content), cut].join(', ')}: ${difference}`);
    }
  }
}

/** All in the slow suite, one by turns in the fast one. */
function byTurns<T>(list: readonly T[], turn: number): readonly T[] {
  return IS_SLOW ? list : [list[turn % list.length]!];
}

/** A short document alone, under every label. In the fast suite, the labels take turns with its kinds. */
function compareAlone(differing: string[], what: string, content: string | Uint8Array, turn: number): void {
  const ask = askTwin(content);
  const sizesOfCuts = [1, [3, 17, 70][turn % 3]!];
  // The table of a new kernel lacks letters beyond ASCII alone, and an instance takes long.
  const isFresh = Buffer.from(content).some((byte) => byte > 0x7f);
  for (const [i, label] of core.LABELS.entries()) {
    const expected = ask(label);
    const sizes = schemeOf(label).method === 'simhash' ? sizesOfCuts : [];
    const hasTurn = i === turn % core.LABELS.length;
    for (const kind of byTurns(kindsOf(content), turn + i)) {
      const each = { what, content: kind, label, expected };
      compare(differing, each, sizes, [stream, kernel]);
      if (IS_SLOW || hasTurn) compare(differing, each, sizes.slice(1), [withWebAssembly, withoutWebAssembly]);
      if (hasTurn) compare(differing, each, [], isFresh ? [steps, freshKernel] : [steps]);
    }
  }
}

/** A long document, under its own label, if its vector has its fingerprint. */
function compareLong(
  differing: string[],
  { id, operation, input, expected }: Vector,
  content: string | Uint8Array,
): void {
  if (operation !== 'fingerprint' || expected === undefined || content.length > MAX) return;
  const label = input.label ?? core.LABEL;
  const fingerprint = expected.fingerprint === null ? null : core.fromHex(expected.hex!, { label });
  for (const kind of kindsOf(content))
    compare(
      differing,
      { what: id, content: kind, label, expected: { fingerprint, count: expected.tokenCount! } },
      [30_000],
      [stream, kernel, withWebAssembly, withoutWebAssembly],
    );
}

function compareSurrounded(differing: string[], what: string, content: string | Uint8Array, turn: number): void {
  const label = ['simhash-doc', 'simhash-doc+bg1'][turn % 2]!;
  for (const { name, filler, before, behind } of [...byTurns(BORDERS, turn), ...byTurns(SPANS, turn)]) {
    const own = join(before, content, behind);
    const engines = filler.length > LONG ? [kernel] : [stream, kernel];
    const each = { what: `${what}, ${name}`, filler, content: own, label, expected: askSteps(own, label) };
    compare(differing, each, [50], engines);
  }
}

let turn = 0;

function expectSame(vector: Vector, { content, number }: VectorDocument): void {
  const differing: string[] = [];
  const what = number === undefined ? vector.id : `${vector.id}, case ${number}`;
  turn++;
  if (content.length > LONG) compareLong(differing, vector, content);
  else {
    compareAlone(differing, what, content, turn);
    compareSurrounded(differing, what, content, turn);
  }
  if (differing.length > 0) expect.fail(`${differing.slice(0, 5).join('\n')}\n(${differing.length} in all)`);
}

/** Tests whether a vector gives documents: of many cases, those of the smallest tier, and documents of scalar values. */
const isLive = ({ status, operation, input }: Vector): boolean =>
  status !== 'retired' &&
  (operation !== 'accumulate' || (isOfScalars(input) ? input.step === 'fingerprint' : input.count === 100));

const vectors = loadFiles()
  .flatMap((group) => group.vectors)
  .filter(isLive)
  .filter((_, i) => IS_SLOW || i % 4 === 0)
  .map((vector) => [vector.id, vector, documentsOf(vector, CASES)] as const)
  .filter(([, , documents]) => documents.length > 0);

test.each(vectors)('all engines compute %s', (_id, vector, documents) => {
  for (const document of documents) expectSame(vector, document);
});
