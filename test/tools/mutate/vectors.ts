/**
 * The vectors as the only tests of src/scheme/, for `npm run mutate`: those of the scheme whose inputs are short.
 * Instrumented code takes minutes for the others, and short vectors cover the behaviour that only long texts reveal.
 */
import { test } from 'vitest';
import { inputToSend } from '../../../src/conformance/judge/judge-vector.ts';
import { loadFiles } from '../../../src/conformance/suite/load-suite.ts';
import type { Vector } from '../../../src/conformance/vector.ts';
import { isLong } from '../../vectors/long.ts';
import { expectPass } from '../../vectors/pass.ts';

/** The largest input, in characters of JSON, of a whole document and of a single step. */
const MAX_DOCUMENT = 5000;
const MAX_INPUT = 20_000;

const isTested = (vector: Vector): boolean =>
  vector.status !== 'retired' &&
  !vector.operation.startsWith('extract') &&
  !isLong(vector) &&
  JSON.stringify(inputToSend(vector.input)).length <= (vector.operation === 'fingerprint' ? MAX_DOCUMENT : MAX_INPUT);

const vectors = loadFiles().flatMap((group) => group.vectors.filter(isTested));

test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
  await expectPass(vector);
});
