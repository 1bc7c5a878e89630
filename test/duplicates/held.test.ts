import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BYTES_PER_DOCUMENT, BYTES_PER_TOKEN } from '../../src/duplicates/verify/held-tokens.ts';
import { verifierOf } from '../../src/duplicates/verify/verifier.ts';
import { createResidue } from '../../src/fingerprint/residue.ts';
import { forAllAsync } from '../suite.ts';

const residue = createResidue().digest();

/** A verifier of documents that have one token each and fit in memory up to so many; records what it reads. */
function createVerifier(most: number, tokens: number | null = 1) {
  const fingerprints = new BigUint64Array(20);
  const reads: number[] = [];
  const verifier = verifierOf({
    fingerprints: { words: 1, values: fingerprints },
    tokensOf: () => tokens,
    maxHeld: (BYTES_PER_DOCUMENT + BYTES_PER_TOKEN) * most,
    async *read(list) {
      for (const document of new Set(list)) {
        reads.push(document);
        const counted = {
          hashes: BigUint64Array.of(BigInt(document % 5)),
          counts: Float64Array.of(1),
          bits: 0,
          part: 0,
        };
        yield { document, outcome: { kind: 'done', result: { fingerprint: 0n, counted, residue } } };
      }
    },
    async onLost() {},
  });
  return { verifier, reads };
}

test('only the documents read last are held', async () => {
  const document = fc.nat(19);
  const pairs = fc.array(fc.tuple(document, document), { maxLength: 80 });
  await forAllAsync([fc.integer({ min: 2, max: 12 }), pairs], 100, async (most, list) => {
    const { verifier, reads } = createVerifier(most);
    let held: number[] = [];
    const expected: number[] = [];
    for (const pair of list) {
      const read = [...new Set(pair)].filter((each) => !held.includes(each));
      expected.push(...read);
      // The model: those that were read last are held.
      for (const each of read) held = [...held, each].slice(-most);
      expect((await verifier.compare(...pair, 0))?.overlap).toBe(pair[0] % 5 === pair[1] % 5 ? 1 : 0);
    }
    expect(reads).toEqual(expected);
  });
});

test('documents of unknown length count as long ones when they are read ahead', async () => {
  const { verifier, reads } = createVerifier(1000, null);
  await verifier.prefetch([5, 7, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(reads.length).toBe(Math.floor((1000 * (BYTES_PER_DOCUMENT + BYTES_PER_TOKEN)) / verifier.sizeOf(5)));
  expect(reads.length).toBeLessThan(10);
});
