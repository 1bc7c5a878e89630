import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifierOf } from '../../src/duplicates/verify/verifier.ts';

const OCTETS_PER_TOKEN = 16;

/** A verifier of documents that have one token each and fit in memory up to so many; tells what it reads. */
function createVerifier(most: number, tokens: number | null = 1) {
  const fingerprints = new BigUint64Array(20);
  const reads: number[] = [];
  const verifier = verifierOf({
    fingerprints,
    tokensOf: () => tokens,
    maxHeld: OCTETS_PER_TOKEN * most,
    async *read(list) {
      for (const document of new Set(list)) {
        reads.push(document);
        const counted = {
          hashes: BigUint64Array.of(BigInt(document % 5)),
          counts: Float64Array.of(1),
          bits: 0,
          part: 0,
        };
        yield { document, result: { fingerprint: 0n, counted } };
      }
    },
    async onLost() {},
  });
  return { verifier, reads };
}

test('the documents used last are held, and no others', async () => {
  const document = fc.nat(19);
  const pairs = fc.array(fc.tuple(document, document), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 12 }), pairs, async (most, list) => {
      const { verifier, reads } = createVerifier(most);
      let held: number[] = [];
      const expected: number[] = [];
      for (const pair of list) {
        const known = pair.filter((each) => held.includes(each));
        const read = [...new Set(pair)].filter((each) => !held.includes(each));
        expected.push(...read);
        // The model: read ones are added one by one, then those that were held are the last used.
        for (const each of read) held = [...held, each].slice(-most);
        for (const each of known) if (held.includes(each)) held = [...held.filter((other) => other !== each), each];
        expect(await verifier.overlap(...pair)).toBe(pair[0] % 5 === pair[1] % 5 ? 1 : 0);
      }
      expect(reads).toEqual(expected);
    }),
  );
});

test('of documents whose length is not known, only some are read ahead', async () => {
  const { verifier, reads } = createVerifier(3 * 4096, null);
  await verifier.prefetch([5, 7, 9, 11, 13]);
  expect(reads).toEqual([5, 7, 9]);
  expect(verifier.mayOverlap(5, 7, 1)).toBe(true);
});

test('after a survey, documents without a common token cannot overlap, and nothing is held', async () => {
  const { verifier, reads } = createVerifier(2);
  await verifier.survey([0, 1, 5]);
  expect([verifier.mayOverlap(0, 1, 0.8), verifier.mayOverlap(0, 5, 1), verifier.mayOverlap(0, 2, 1)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await verifier.overlap(0, 5)).toBe(1);
  expect(reads).toEqual([0, 1, 5, 0, 5]);
});
