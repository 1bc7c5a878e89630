import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addElement, createBins, fingerprintOfBins } from '../../src/fingerprint/bins.ts';
import * as scheme from '../../src/index.ts';
import { IS_SLOW, runs } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';
import * as oracle from '../twin/twin.ts';

// The slow twin is written from the design text alone and shares no code with src/. SIMHASH_DOC_RUNS multiplies the
// number of cases, SIMHASH_DOC_SEED repeats a run; in `npm test` the cases are few and always the same.
const seed = process.env['SIMHASH_DOC_SEED'] ?? (IS_SLOW ? undefined : '1');

function check<T>(input: fc.Arbitrary<T>, numRuns: number, property: (value: T) => void): void {
  const run = (value: T): void => {
    property(value);
  };
  fc.assert(fc.property(input, run), {
    numRuns: runs(numRuns),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });
}

/** A call's result, or the code of its error. */
function outcome<T>(call: () => T): T | { code: unknown } {
  try {
    return call();
  } catch (error) {
    return { code: (error as { code?: unknown }).code };
  }
}

const wellFormed = arbitrary.text;
const bare = oracle.makePipeline();

describe('the result equals that of the twin', () => {
  test('in step 1 for bytes', () => {
    check(arbitrary.bytes, 3000, (bytes) => expect(scheme.decode(bytes)).toBe(oracle.twin.decode(bytes)));
  });

  test('in step 1 for 16-bit units', () => {
    check(arbitrary.textOrUnits, 1000, (text) =>
      expect(scheme.toWellFormed(text)).toBe(oracle.twin.toWellFormed(text)),
    );
  });

  test('in step 2 for every code point', () => {
    const differing: number[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++)
      if (scheme.classify(codePoint) !== oracle.twin.classify(codePoint)) differing.push(codePoint);
    expect(differing).toEqual([]);
  });

  test('in step 3', () => {
    check(arbitrary.textOrUnits, 2000, (text) =>
      expect(scheme.normalise(text)).toBe(oracle.twin.normalise(oracle.twin.toWellFormed(text))),
    );
  });

  test('in step 4', () => {
    check(fc.oneof(arbitrary.locatorText, arbitrary.raggedLocatorText, wellFormed), 4000, (text) => {
      expect(scheme.findLocators(text)).toEqual(oracle.twin.findLocators(text));
      expect(scheme.stripLocators(text)).toBe(oracle.twin.stripLocators(text));
    });
  });

  test('in step 5', () => {
    check(wellFormed, 2000, (text) => expect(scheme.tokenise(text)).toEqual(oracle.twin.tokenise(text)));
  });

  test('in step 7', () => {
    check(fc.uint8Array({ maxLength: 60, size: 'max' }), 2000, (bytes) =>
      expect(scheme.hashToken(bytes)).toBe(oracle.twin.hashToken(bytes)),
    );
    const initial = fc.integer({ min: 0, max: 0xffffffff });
    check(fc.tuple(fc.uint8Array({ maxLength: 40 }), initial, initial), 1000, ([bytes, pc, pb]) => {
      const { c, b } = scheme.hashlittle2(bytes, pc, pb);
      const twin = oracle.twin.hashlittle2(bytes, BigInt(pc), BigInt(pb));
      expect([BigInt(c), BigInt(b)]).toEqual([twin.c, twin.b]);
    });
  });

  test('in step 8', () => {
    check(arbitrary.hashes, 1000, (hashes) => {
      expect(scheme.simhash(hashes)).toBe(oracle.twin.simhash(hashes));
      expect(scheme.countBits(hashes).map(BigInt)).toEqual(oracle.twin.counters(hashes));
    });
  });

  test('in draws, winners and truncation of minhash', () => {
    check(fc.tuple(arbitrary.fingerprint, fc.integer({ min: -2, max: 513 })), 2000, ([hash, n]) =>
      expect(outcome(() => scheme.draw(hash, n))).toEqual(outcome(() => oracle.twin.draw(hash, n))),
    );
    check(fc.tuple(arbitrary.elements, fc.constantFrom(1 as const, 4 as const)), 200, ([hashes, words]) => {
      const { fingerprint, draws } = oracle.twin.minhash(hashes, words);
      expect(scheme.minhash(hashes, words)).toEqual(fingerprint);
      expect(scheme.findWinners(hashes, words).map(({ draw }) => draw)).toEqual(draws);
      if (fingerprint instanceof Uint8Array)
        expect(scheme.truncate(fingerprint)).toBe(oracle.twin.minhash(hashes, 1).fingerprint);
    });
    check(arbitrary.elements, 300, (hashes) => {
      for (const words of [1, 4] as const) {
        const bins = createBins(words);
        for (const hash of hashes) addElement(bins, Number(hash & 0xffffffffn), Number(hash >> 32n));
        if (hashes.length > 0) expect(fingerprintOfBins(bins)).toEqual(scheme.minhash(hashes, words));
      }
    });
  });

  test('in step 9 for 256 bits', () => {
    check(arbitrary.wideFingerprint, 500, (fingerprint) => {
      expect(scheme.serialise(fingerprint)).toBe(oracle.twin.serialise(fingerprint));
      expect(scheme.parse(scheme.serialise(fingerprint), { label: 'minhash-doc-256' })).toEqual(fingerprint);
      expect(scheme.toHex(fingerprint)).toBe(oracle.twin.toHex(fingerprint));
      expect(scheme.fromHex(scheme.toHex(fingerprint), { label: 'minhash-doc-256' })).toEqual(fingerprint);
      expect(scheme.truncate(fingerprint)).toBe(oracle.twin.truncate(fingerprint));
    });
    check(arbitrary.wideFingerprintText, 2000, (text) => {
      expect(outcome(() => scheme.parse(text, { label: 'minhash-doc-256' }))).toEqual(
        outcome(() => oracle.twin.parse(text, 32)),
      );
      expect(outcome(() => scheme.parse(text))).toEqual(outcome(() => oracle.twin.parse(text)));
      const labelled = `minhash-doc-256:${text}`;
      expect(outcome(() => scheme.parseLabelled(labelled))).toEqual(outcome(() => oracle.twin.parseLabelled(labelled)));
    });
  });

  test('in step 9', () => {
    check(arbitrary.fingerprint, 500, (fingerprint) => {
      expect(scheme.serialise(fingerprint)).toBe(oracle.twin.serialise(fingerprint));
      expect(scheme.parse(scheme.serialise(fingerprint))).toBe(fingerprint);
      expect(scheme.toHex(fingerprint)).toBe(oracle.twin.toHex(fingerprint));
      expect(scheme.fromHex(scheme.toHex(fingerprint))).toBe(fingerprint);
      expect(scheme.toBytes(fingerprint)).toEqual(oracle.twin.toBytes(fingerprint));
      expect(scheme.fromBytes(scheme.toBytes(fingerprint))).toBe(fingerprint);
    });
    check(arbitrary.fingerprintText, 3000, (text) =>
      expect(outcome(() => scheme.parse(text))).toEqual(outcome(() => oracle.twin.parse(text))),
    );
    check(arbitrary.labelText, 2000, (text) =>
      expect(outcome(() => scheme.parseLabel(text))).toEqual(outcome(() => bare.parseLabel(text))),
    );
    check(
      fc.tuple(arbitrary.labelText, fc.constantFrom(':', '', '::', ' :'), arbitrary.fingerprintText),
      1000,
      (parts) =>
        expect(outcome(() => scheme.parseLabelled(parts.join('')))).toEqual(
          outcome(() => bare.parseLabelled(parts.join(''))),
        ),
    );
  });

  test('in step 10', () => {
    check(arbitrary.nearPair(64), 1000, ({ a, b, distance }) => {
      expect(scheme.distance(a, b)).toBe(distance);
      expect(scheme.similarity(a, b)).toBe(oracle.twin.similarity(a, b));
      const labelled = [a, b].map((fingerprint) => scheme.formatLabelled('simhash-doc', fingerprint));
      expect(scheme.compare(labelled[0]!, labelled[1]!).verdict).toBe(oracle.twin.verdict(a, b));
      expect(scheme.isLooseMatch(a, b)).toBe(1 - distance / 64 >= 0.9);
      expect(scheme.isCloseMatch(a, b)).toBe(1 - distance / 64 >= 0.98);
    });
  });

  test('in step 10 for 256 bits', () => {
    const flips = fc.uniqueArray(fc.nat(255), { maxLength: 256, size: 'max' });
    check(fc.tuple(arbitrary.wideFingerprint, flips), 500, ([a, places]) => {
      const b = a.slice();
      for (const place of places) b[place >> 3]! ^= 0x80 >> (place & 7);
      const d = places.length;
      expect(scheme.distance(a, b)).toBe(d);
      expect(scheme.similarity(a, b)).toBe(oracle.twin.similarity(a, b));
      const labelled = [a, b].map((fingerprint) => scheme.formatLabelled('minhash-doc-256', fingerprint));
      expect(scheme.compare(labelled[0]!, labelled[1]!).verdict).toBe(oracle.twin.verdict(a, b));
      expect(scheme.verdictOfDistance(d, 256)).toBe(oracle.twin.verdict(a, b));
      expect(scheme.isLooseMatch(a, b)).toBe(d <= 25);
      expect(scheme.isCloseMatch(a, b)).toBe(d <= 5);
    });
  });

  test('in step 11', () => {
    check(arbitrary.fingerprint, 300, (fingerprint) => {
      expect(scheme.tableKeys(fingerprint)).toEqual(oracle.twin.tableKeys(fingerprint));
      for (let table = 0; table < scheme.TABLES; table++) {
        const permuted = scheme.permute(fingerprint, table);
        expect(permuted).toBe(oracle.twin.permute(fingerprint, table));
        expect(scheme.unpermute(permuted, table)).toBe(fingerprint);
      }
    });
    check(fc.tuple(arbitrary.fingerprint, fc.nat(15), fc.nat(7)), 60, ([fingerprint, table, k]) => {
      const keys = [...scheme.probeKeys(fingerprint, table, k)];
      expect(keys[0]).toBe(scheme.tableKey(fingerprint, table));
      expect(keys.length).toBe(scheme.probesPerTable(k));
      const ascending = (list: number[]): number[] => [...list].sort((x, y) => x - y);
      expect(ascending(keys)).toEqual(ascending(oracle.twin.probeKeys(fingerprint, table, k)));
    });
    for (let k = 0; k <= 64; k++) expect(scheme.probesPerTable(k)).toBe(oracle.probesPerTableTwin(k));
  });

  test('in step 11: fingerprints at distance k share a probed key', () => {
    check(
      fc.nat(7).chain((k) => fc.tuple(fc.constant(k), arbitrary.nearPair(k))),
      300,
      ([k, { a, b }]) => {
        const keys = scheme.tableKeys(b);
        expect(keys.some((key, table) => [...scheme.probeKeys(a, table, k)].includes(key))).toBe(true);
      },
    );
  });
});

describe('the whole scheme equals its twin', () => {
  const input = fc.oneof(arbitrary.textOrUnits, arbitrary.runText, arbitrary.bytes);
  const label = fc.constantFrom(...scheme.LABELS);

  test('in fingerprint and explain', () => {
    check(fc.tuple(input, label), 3000, ([document, name]) => {
      const expected = oracle.twin.explain(document, name);
      const actual = scheme.explain(document, { label: name as string });
      expect(scheme.fingerprint(document, { label: name as string })).toEqual(expected.fingerprint);
      expect(actual.decoded).toBe(expected.decoded);
      expect(actual.normalised).toBe(expected.normalised);
      expect(actual.locators).toEqual(expected.locators);
      expect(actual.stripped).toBe(expected.stripped);
      expect(actual.tokens.map(({ text }) => text)).toEqual(expected.selected);
      expect(actual.hashes).toEqual(expected.hashes);
      expect(actual.counters?.map(BigInt) ?? []).toEqual(expected.counters);
      expect(actual.winners?.map(({ draw }) => draw) ?? []).toEqual(expected.draws);
      expect(actual.fingerprint).toEqual(expected.fingerprint);
      expect(actual.octets).toEqual(expected.octets);
      expect(actual.hex).toBe(expected.hex);
      expect(actual.base32).toBe(expected.base32);
      if (name !== 'minhash-doc-256') expect(actual.keys).toEqual(expected.keys);
      // A place holds at least what its token was made of; it may hold more at a combining sequence's border.
      for (const { text, start, end } of actual.tokens)
        expect(oracle.twin.normalise(oracle.twin.toWellFormed(actual.decoded.slice(start, end)))).toContain(text);
    });
  });
});
