import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { splitmix64 } from '../../src/conformance/suite/vector-inputs.ts';
import { classify } from '../../src/index.ts';

/** The Unicode Character Database, as the Debian package unicode-data installs it. */
const UCD = process.env['SIMHASH_DOC_UCD'] ?? '/usr/share/unicode';
const hasUcd = existsSync(`${UCD}/UnicodeData.txt`);

// The following is the pseudo-code of spec/simhash-doc.md#nfc, line by line and with its names.

const classes = new Map<number, number>();
const mapping = new Map<number, readonly number[]>();
const pair = new Map<string, number>();

for (const line of readFileSync(new URL('../../spec/normalisation.txt', import.meta.url), 'utf8').split('\n')) {
  const [kind, what, value] = line.split(';');
  const points = (list: string): number[] => list.split(/\.\.| /).map((hex) => Number.parseInt(hex, 16));
  if (kind === 'class') {
    const [start, end] = points(what!);
    for (let c = start!; c <= end!; c++) classes.set(c, Number(value));
  } else if (kind === 'pair' || kind === 'split') {
    mapping.set(points(what!)[0]!, points(value!));
    if (kind === 'pair') pair.set(points(value!).join(' '), points(what!)[0]!);
  }
}
const classOf = (c: number): number => classes.get(c) ?? 0;

function decompose(c: number): number[] {
  if (0xac00 <= c && c <= 0xd7a3) {
    const s = c - 0xac00;
    const t = s % 28;
    return [0x1100 + Math.floor(s / 588), 0x1161 + Math.floor((s % 588) / 28), ...(t > 0 ? [0x11a7 + t] : [])];
  }
  return mapping.get(c)?.flatMap(decompose) ?? [c];
}

function compose(x: number, y: number): number | undefined {
  if (0x1100 <= x && x <= 0x1112 && 0x1161 <= y && y <= 0x1175) return 0xac00 + ((x - 0x1100) * 21 + y - 0x1161) * 28;
  if (0xac00 <= x && x <= 0xd7a3 && (x - 0xac00) % 28 === 0 && 0x11a8 <= y && y <= 0x11c2) return x + y - 0x11a7;
  return pair.get(`${x} ${y}`);
}

function nfc(text: readonly number[]): number[] {
  const d = text.flatMap(decompose);
  for (let i = 0; i < d.length; ) {
    let end = i;
    while (end < d.length && classOf(d[end]!) > 0) end++;
    // Sorting a list is stable.
    d.splice(i, end - i, ...d.slice(i, end).sort((x, y) => classOf(x) - classOf(y)));
    i = end + 1;
  }
  const out: number[] = [];
  let starter: number | undefined;
  let last = 0;
  for (const c of d) {
    const p = starter !== undefined && (last === 0 || last < classOf(c)) ? compose(out[starter]!, c) : undefined;
    if (p !== undefined) out[starter!] = p;
    else {
      out.push(c);
      last = classOf(c);
      if (last === 0) starter = out.length - 1;
    }
  }
  return out;
}

const text = (points: readonly number[]): string => points.map((point) => String.fromCodePoint(point)).join('');

const reaches = (c: number): boolean =>
  (c < 0xd800 || c > 0xdfff) && !['unassigned', 'ignorable'].includes(classify(c));

/** The code points that reach NFC: assigned in Unicode 12.0 and not ignorable (NRM-1, NRM-2). */
const reaching = Array.from({ length: 0x110000 }, (_, c) => c).filter(reaches);

describe('the pseudo-code of NFC', () => {
  test.skipIf(!hasUcd)('has the classes, decompositions and pairs of the database', () => {
    const database = readFileSync(`${UCD}/UnicodeData.txt`, 'utf8')
      .split('\n')
      .map((line) => line.split(';'));
    const excluded = new Set(
      Array.from(readFileSync(`${UCD}/CompositionExclusions.txt`, 'utf8').matchAll(/^[0-9A-F]{4,6}/gm), ([hex]) => hex),
    );
    const ranks = new Map(database.map(([hex, , , rank]) => [hex, Number(rank)]));
    const composites = new Set(pair.values());
    const differing: string[] = [];
    for (const [hex, , , rank, , decomposition] of database) {
      const c = Number.parseInt(hex!, 16);
      if (!reaches(c) || (c >= 0xac00 && c <= 0xd7a3)) continue;
      const isCanonical = decomposition !== undefined && decomposition !== '' && !decomposition.startsWith('<');
      const parts = isCanonical ? decomposition.split(' ') : [];
      const isPair = parts.length === 2 && rank === '0' && ranks.get(parts[0]) === 0 && !excluded.has(hex!);
      const expected = isPair ? parts.map((part) => Number.parseInt(part, 16)).join(' ') : undefined;
      if (classOf(c) !== Number(rank) || mapping.has(c) !== isCanonical) differing.push(hex!);
      if (isPair ? pair.get(expected!) !== c : composites.has(c)) differing.push(hex!);
    }
    expect(differing).toEqual([]);
  });

  test('agrees with the engine on every code point that reaches it', () => {
    expect(reaching.filter((c) => text(nfc([c])) !== text([c]).normalize('NFC'))).toEqual([]);
  });

  test('agrees with the engine on random sequences', () => {
    const { next } = splitmix64(1);
    const below = (limit: number): number => Number(next() % BigInt(limit));
    // Code points that NFC moves or changes, those that they are made of, and Hangul.
    const busy = [
      ...new Set(reaching.flatMap((c) => (classOf(c) > 0 || mapping.has(c) ? [c, ...decompose(c)] : []))),
      ...Array.from({ length: 200 }, (_, i) => [0x1100 + i, 0xac00 + i]).flat(),
    ].filter((c) => classify(c) !== 'ignorable' && classify(c) !== 'unassigned');
    const differing: string[] = [];
    for (let i = 0; i < 200_000; i++) {
      const list = i % 4 === 0 ? reaching : busy;
      const sequence = Array.from({ length: 1 + below(8) }, () => list[below(list.length)]!);
      if (text(nfc(sequence)) !== text(sequence).normalize('NFC')) differing.push(sequence.join(' '));
    }
    expect(differing.slice(0, 5)).toEqual([]);
  });

  // The same version as the data: only where the database is installed.
  test.skipIf(!hasUcd)('passes NormalizationTest.txt', () => {
    const script = `
import bz2, os
folder = ${JSON.stringify(UCD)}
plain = os.path.join(folder, 'NormalizationTest.txt')
data = open(plain, 'rb') if os.path.exists(plain) else bz2.open(plain + '.bz2')
print(data.read().decode())`;
    const lines = execFileSync('python3', ['-c', script], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
    let tested = 0;
    for (const line of lines) {
      const columns = /^((?:[0-9A-F ]+;){5})/.exec(line)?.[1]?.split(';');
      if (columns === undefined) continue;
      // Lines with code points of later versions: they are not assigned here.
      if (columns.some((column) => column.split(' ').some((hex) => hex !== '' && !reaches(Number.parseInt(hex, 16)))))
        continue;
      const [c1, c2, c3, c4, c5] = columns.map((column) => column.split(' ').map((hex) => Number.parseInt(hex, 16)));
      for (const source of [c1!, c2!, c3!]) expect(nfc(source), line).toEqual(c2);
      for (const source of [c4!, c5!]) expect(nfc(source), line).toEqual(c4);
      tested++;
    }
    expect(tested).toBeGreaterThan(18_000);
  });

  test('is identical to that of the specification', () => {
    const specification = readFileSync(new URL('../../spec/simhash-doc.md', import.meta.url), 'utf8');
    // A change of a line there has to be made here as well.
    for (const line of [
      'return 0x1100 + s div 588, 0x1161 + (s mod 588) div 28, and 0x11A7 + t if t > 0',
      'if 0x1100 <= x <= 0x1112 and 0x1161 <= y <= 0x1175: return 0xAC00 + ((x - 0x1100) * 21 + y - 0x1161) * 28',
      'if 0xAC00 <= x <= 0xD7A3 and (x - 0xAC00) mod 28 = 0 and 0x11A8 <= y <= 0x11C2: return x + y - 0x11A7',
      'for each line pair;c;x y:         mapping[c] := x y;  pair[x, y] := c',
      'p := compose(out[starter], c) if starter is not none and (last = 0 or last < class[c]), else none',
    ])
      expect(specification).toContain(line);
  });
});
