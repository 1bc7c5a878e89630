import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DIGEST_OCTETS,
  FIXED_OCTETS,
  HEADER_CHECK_OCTETS,
  headerCheck,
} from '../../../src/lookup/index/file/format.ts';
import { loadIndex, saveIndex } from '../../../src/lookup/index/file.ts';
import { createMemoryIndex, findAll } from '../../../src/lookup/index.ts';
import { KINDS } from '../../lookup/data.ts';
import { distanceTwin } from '../../twin/twin.ts';
import type { Target } from '../corpus.ts';
import { mutateOctets } from '../mutate.ts';
import { type Random, randomOf, seedOf } from '../random.ts';
import { agree, outcomeOf } from './expect.ts';

function makeFingerprints(random: Random, most: number): BigUint64Array {
  const name = random.choose(Object.keys(KINDS));
  return KINDS[name]!(random.below(most), random.below(2 ** 31));
}

function fingerprintsOf(octets: Uint8Array): BigUint64Array {
  return new BigUint64Array(octets.slice(0, octets.length & ~7).buffer);
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

/** All pairs and queries, beside comparing with all. */
export const lookup: Target = {
  make: (random) => ({ octets: new Uint8Array(makeFingerprints(random, random.isOneIn(20) ? 600 : 100).buffer) }),
  check({ octets }) {
    const list = fingerprintsOf(octets);
    const random = randomOf(seedOf(octets));
    const k = random.below(8);
    const blocks = random.isOneIn(3) ? k + 1 + random.below(6) : undefined;
    const options = blocks === undefined || blocks < 2 ? { k } : { k, blocks };
    const pairs = [...findAll(list, options)].map(
      ({ a, b, distance }) => `${Math.min(a, b)} ${Math.max(a, b)} ${distance}`,
    );
    agree(`pairs ${JSON.stringify(options)}`, pairs.sort(), pairsByComparing(list, k));
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

/** Makes the checksums of a damaged file right, so that what they protect is checked too. */
function reseal(octets: Uint8Array): Uint8Array {
  if (octets.length < FIXED_OCTETS + HEADER_CHECK_OCTETS + DIGEST_OCTETS) return octets;
  const sealed = octets.slice();
  const header = FIXED_OCTETS + (new DataView(sealed.buffer).getUint32(12, true) % 64);
  sealed.set(headerCheck(sealed.subarray(0, header)).subarray(0, Math.max(0, sealed.length - header)), header);
  const end = sealed.length - DIGEST_OCTETS;
  sealed.set(createHash('sha256').update(sealed.subarray(0, end)).digest(), end);
  return sealed;
}

async function inFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-fuzz-'));
  try {
    return await work(join(folder, 'index'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FILE_CODES = ['not-an-index', 'other-version', 'truncated', 'damaged', 'invalid-label'];

/** Files of indexes. */
export const index: Target = {
  make: (random) =>
    inFolder(async (path) => {
      const made = createMemoryIndex({ label: 'simhash-doc' });
      made.addAll(
        Array.from(makeFingerprints(random, 40), (fingerprint, i) => ({
          id: `é${i}`.repeat(1 + (i % 9)),
          fingerprint,
        })),
      );
      await saveIndex(made, path);
      const octets = mutateOctets(new Uint8Array(readFileSync(path)), random);
      return { octets: random.isOneIn(3) ? octets : reseal(octets) };
    }),
  check: ({ octets }) =>
    inFolder(async (path) => {
      writeFileSync(path, octets);
      const loaded = await outcomeOf(FILE_CODES, () => loadIndex(path));
      if ('code' in loaded) return;
      await saveIndex(loaded, path);
      const again = await loadIndex(path);
      agree('saved and loaded again', [...again.entries()], [...loaded.entries()]);
    }),
};
