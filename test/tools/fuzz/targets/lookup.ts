import { createMemoryIndex, findAll } from '../../../../src/lookup/index.ts';
import { KINDS } from '../../../lookup/data.ts';
import { distanceTwin } from '../../../twin/twin.ts';
import type { Target } from '../corpus.ts';
import { type Random, randomOf, seedOf } from '../random.ts';
import { agree } from './expect.ts';

function makeFingerprints(random: Random, most: number): BigUint64Array {
  const name = random.choose(Object.keys(KINDS));
  return KINDS[name]!(random.below(most), random.below(2 ** 31));
}

function fingerprintsOf(bytes: Uint8Array): BigUint64Array {
  return new BigUint64Array(bytes.slice(0, bytes.length & ~7).buffer);
}

/** All pairs, by comparing each with each; copies are paired with the first only. */
function pairsByComparing(list: BigUint64Array, k: number): string[] {
  const firsts = new Map<bigint, number>();
  const pairs: string[] = [];
  for (const [b, fingerprint] of list.entries()) {
    const first = firsts.get(fingerprint);
    if (first !== undefined) pairs.push(`${first} ${b} 0`);
    else {
      for (const [other, a] of firsts) {
        const distance = distanceTwin(fingerprint, other);
        if (distance <= k) pairs.push(`${a} ${b} ${distance}`);
      }
      firsts.set(fingerprint, b);
    }
  }
  return pairs.sort();
}

/** All pairs and queries, compared with comparing all. */
export const lookup: Target = {
  make: (random) => ({ bytes: new Uint8Array(makeFingerprints(random, random.isOneIn(20) ? 600 : 100).buffer) }),
  check({ bytes }) {
    const list = fingerprintsOf(bytes);
    const random = randomOf(seedOf(bytes));
    const k = random.below(8);
    const pairs = [...findAll(list, { k })].map(
      ({ a, b, distance }) => `${Math.min(a, b)} ${Math.max(a, b)} ${distance}`,
    );
    agree(`pairs at ${k}`, pairs.sort(), pairsByComparing(list, k));
    if (list.length === 0) return;
    const index = createMemoryIndex({ label: 'simhash-doc' });
    index.addAll(Array.from(list, (fingerprint, i) => ({ id: `${i}`, fingerprint })));
    const wanted = list[random.below(list.length)]! ^ (1n << BigInt(random.below(64)));
    const within = random.below(12);
    const matches = index.query(wanted, { k: within }).matches.map(({ id }) => Number(id));
    const expected = [...list.keys()].filter((i) => distanceTwin(list[i]!, wanted) <= within);
    agree(
      `matches at ${within}`,
      matches.sort((a, b) => a - b),
      expected,
    );
  },
};
