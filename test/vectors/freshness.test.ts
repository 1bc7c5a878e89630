import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFiles, VECTORS } from '../../src/conformance/suite/load-suite.ts';
import { generate } from '../../src/conformance/suite/vector-inputs.ts';
import type { Vector } from '../../src/conformance/vector.ts';
import { IS_SLOW } from '../suite.ts';
import { makeFiles } from '../tools/generate/vectors.ts';
import { isLong } from './long.ts';

// The twin needs a minute for long documents and many cases: freshness.slow.test.ts computes them too.
const MAX_INPUT = 3000;

const sizeOf = ({ input }: Vector): number =>
  'generate' in input ? generate(input.generate).length : JSON.stringify(input).length;

const isQuick = (vector: Vector): boolean => IS_SLOW || (sizeOf(vector) <= MAX_INPUT && !isLong(vector));

const groups = loadFiles();
const files = await makeFiles(groups, isQuick);

test.each([...files])('vectors/%s is what `npm run generate -- vectors` writes', (name, content) => {
  expect(readFileSync(new URL(name, VECTORS), 'utf8')).toBe(content);
});

const [tokenise, ...others] = [...groups].sort(
  (x, y) => Number(y.group === 'tokenise') - Number(x.group === 'tokenise'),
);
const first = tokenise!.vectors[0]!;

/** A vector as it is written by hand. */
const written = {
  ...{ id: 'tokenise/added', operation: 'tokenise', title: 'one more', rules: ['TOK-2'], input: { text: 'two words' } },
};

/** The vectors with others in the group `tokenise`; nothing but what is added or changed is computed. */
const withVectors = (
  change: (vectors: readonly Vector[]) => readonly object[],
  isChecked = ({ id }: Vector) => id === written.id,
) => makeFiles([{ ...tokenise!, vectors: change(tokenise!.vectors) as Vector[] }, ...others], isChecked);

test('a new vector gets what it lacks, and the manifest its digest', async () => {
  const made = await withVectors((vectors) => [...vectors, written]);
  const { vectors } = JSON.parse(made.get('tokenise.json')!) as { vectors: Vector[] };
  const { suite } = JSON.parse(made.get('manifest.json')!) as { suite: string };
  expect(Object.entries(vectors.at(-1)!)).toEqual(
    Object.entries({
      ...{ id: written.id, since: suite, operation: 'tokenise', title: 'one more', rules: ['TOK-2'], flags: [] },
      ...{
        input: written.input,
        expected: { tokens: ['two', 'words'] },
        document: vectors.at(-1)!.document,
        agrees: [],
      },
    }),
  );
  expect(vectors.at(-1)!.document).toMatch(/^[A-Z2-7]{13}$/);
  expect(JSON.parse(made.get('manifest.json')!).vectors).toHaveProperty([written.id]);
});

const wrong: readonly (readonly [string, Readonly<Record<string, unknown>> & { readonly id?: string }, RegExp])[] = [
  [
    'a wrong result',
    { expected: { tokens: ['two'] } },
    /the twin gives \{"tokens":\["two","aaaa","words"\]\}: they differ at "tokens/,
  ],
  ['a wrong document', { document: 'A'.repeat(13) }, /expected the document A{13}, the twin gives [A-Z2-7]{13}$/],
  ['an error that is none', { error: 'out-of-range' }, /expected out-of-range, the twin gives a result$/],
  ['an input twice', { input: tokenise!.vectors[1]!.input }, /has the same operation and input$/],
  ['an id twice', { id: tokenise!.vectors[2]!.id }, /another vector has the same id$/],
] as const;

/** The faults of all these vectors at once. The first of the group is gone, and the next has another result. */
const faults = await withVectors(
  ([, changed, ...rest]) => [
    { ...changed, expected: { tokens: ['x'] } },
    ...rest,
    ...wrong.map(([, change], i) => {
      const input = { text: `two ${'a'.repeat(i + 4)} words` };
      return { ...written, id: `tokenise/added-${i}`, input, ...change };
    }),
  ],
  ({ id, expected }) => id.includes('/added') || JSON.stringify(expected) === '{"tokens":["x"]}',
).then(
  () => [],
  (error: Error) => error.message.split('\n'),
);

test.each(wrong.map(([name, { id }, message], i) => [name, id ?? `tokenise/added-${i}`, message] as const))(
  'a vector with %s is refused, with its file and id',
  (_, id, message) => {
    const own = faults.filter((fault) => fault.startsWith(`vectors/tokenise.json: ${id}: `));
    expect(own).toContainEqual(expect.stringMatching(message));
  },
);

test('a changed result is refused', () => {
  const place = `vectors/tokenise.json: ${tokenise!.vectors[1]!.id}`;
  expect(faults).toContainEqual(expect.stringContaining(`${place}: expected {"tokens":["x"]}, the twin gives`));
});

test('an id that is gone is refused', () => {
  expect(faults).toContainEqual(expect.stringContaining(`vectors/manifest.json: ${first.id}: no file has it`));
});
