import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifierOf } from '../../../src/cli/commands/dupes/verify/verifier.ts';

const OCTETS_PER_TOKEN = 16;

/** A verifier of documents that have one token each and fit in memory up to so many; tells what it reads. */
function createVerifier(most: number) {
  const fingerprints = new BigUint64Array(20);
  const reads: number[] = [];
  const verifier = verifierOf({
    fingerprints,
    tokensOf: () => 1,
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
