import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../suite.ts';
import * as arb from './arbitraries.ts';
import * as t from './twin.ts';
import { codePointsOfCategory, generalCategory, isDefaultIgnorable } from './unicode-12.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
// The vectors and the differential tests compare the twin with everything else; these tests have truths of their own.

describe('step 1: decode', () => {
  it('agrees with the platform', () => {
    const platform = new TextDecoder('utf-8');
    forAll([arb.bytes], 500, (bytes) => {
      expect(t.twin.decode(bytes)).toBe(platform.decode(bytes));
    });
  });

  it('DEC-4 agrees with the platform', () => {
    const platform = new TextDecoder('utf-8', { ignoreBOM: true });
    forAll([arb.textOrUnits], 100, (text) => {
      expect(t.twin.toWellFormed(text)).toBe(platform.decode(utf8(text)));
    });
  });
});

describe('step 2: classify', () => {
  it('CLS-2 agrees with the Unicode data, without U+200B', () => {
    const fromData: number[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (isDefaultIgnorable(codePoint) && codePoint !== 0x200b) fromData.push(codePoint);
    }
    const fromList = arb.ignorableRanges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
    expect(fromData).toEqual(fromList);
    expect(isDefaultIgnorable(0x200b)).toBe(true);
  });

  it('Unicode 12.0 data cover every code point once', () => {
    expect(generalCategory(0x10ffff)).toBe('Cn');
    expect(codePointsOfCategory('Cc')).toEqual([
      ...Array.from({ length: 0x20 }, (_, i) => i),
      ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i),
    ]);
    expect(codePointsOfCategory('Pc')).toEqual([
      0x5f, 0x203f, 0x2040, 0x2054, 0xfe33, 0xfe34, 0xfe4d, 0xfe4e, 0xfe4f, 0xff3f,
    ]);
  });
});

describe('step 3: normalise', () => {
  it('is complete after one pass', () => {
    forAll([arb.text], 100, (text) => {
      const once = t.twin.normalise(text);
      expect(t.twin.normalise(once)).toBe(once);
    });
  });
});

describe('step 4: strip locators', () => {
  it('needs no second NFC (NRM-3)', () => {
    forAll([arb.text], 100, (text) => {
      const stripped = t.twin.stripLocators(t.twin.normalise(text));
      expect(stripped.normalize('NFC')).toBe(stripped);
    });
  });
});

describe('minhash', () => {
  const word = (bytes: t.Print, w: number) => Buffer.from(bytes as Uint8Array).readBigUInt64BE(8 * w);

  it('MIN-3 to MIN-5: it agrees bin by bin with the definition of one bin', () => {
    forAll([arb.elements], 3, (hashes) => {
      const { fingerprint } = t.twin.minhash(hashes, 4);
      if (hashes.length === 0) {
        expect(fingerprint).toBeNull();
        return;
      }
      for (let w = 0; w < 4; w++) {
        for (let bin = 0; bin < 64; bin++) {
          const inRound = (r: number) =>
            hashes.map((x) => t.twin.draw(x, 128 * w + r)).filter((y) => Number(y >> 58n) === bin);
          const rounds = Array.from({ length: 64 }, (_, r) => r);
          const round = rounds.find((r) => inRound(r).length > 0);
          const draws = round === undefined ? hashes.map((x) => t.twin.draw(x, 128 * w + 64 + bin)) : inRound(round);
          expect((word(fingerprint!, w) >> BigInt(63 - bin)) & 1n).toBe(draws.reduce((x, y) => (y < x ? y : x)) & 1n);
        }
      }
    });
  });

  it('MIN-11: the tables of four words miss nothing', () => {
    forAll([arb.wideEntriesAndQuery, fc.nat(7)], 30, ({ entries, query }, k) => {
      const found = t.twin.matches(entries, query, k);
      expect(t.twin.lookup(entries, query, k)).toEqual(found);
      const near = entries.filter(({ fingerprint }) =>
        [0, 1, 2, 3].some((w) => t.twin.distance(word(fingerprint, w), word(query, w)) <= k),
      );
      expect(found.map(({ id }) => id).sort()).toEqual(near.map(({ id }) => id).sort());
    });
  });
});

describe('step 11: lookup tables', () => {
  it('LKP-6, LKP-5: the tables miss nothing', () => {
    forAll([arb.entriesAndQuery, fc.nat(7)], 60, ({ entries, query }, k) => {
      expect(t.twin.lookup(entries, query, k)).toEqual(t.twin.matches(entries, query, k));
    });
    forAll([arb.nearPair(3)], 100, ({ a, b, distance }) => {
      expect(t.twin.distance(a, b)).toBe(distance);
      const keys = t.twin.tableKeys(b);
      expect(t.twin.tableKeys(a).some((key, table) => key === keys[table])).toBe(true);
    });
  });
});
