import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPagedList } from '../../src/common/paged-list.ts';
import type { Reading } from '../../src/documents/open.ts';
import { createWriter, writeAll } from '../../src/duplicates/rows/compressed-writer.ts';
import { type RowSource, stateOf } from '../../src/duplicates/rows/row-sources.ts';
import { createRowTable } from '../../src/duplicates/rows/row-table.ts';
import { keptLines } from '../../src/duplicates/rows/write-rows.ts';
import { folder } from '../cli/command.ts';
import { forAllAsync } from '../suite.ts';

test('a list in pages holds its numbers', () => {
  const list = createPagedList(Float64Array);
  const values = Array.from({ length: 70_000 }, (_, i) => (i * 2 ** 33) / 3);
  for (const value of values) list.push(value);
  list.set(65_535, -1);
  list.set(65_536, -2);
  const expected = values.with(65_535, -1).with(65_536, -2);
  expect(list.length).toBe(values.length);
  expect(values.map((_, i) => list.get(i))).toEqual(expected);
  list.release();
  expect(list.length).toBe(0);
  list.push(5);
  expect(list.get(0)).toBe(5);
});

describe('the table of rows', () => {
  const digestOf = (text: number): string => createHash('sha256').update(`${text}`).digest('binary');

  test('finds equal texts, and frees memory that is no longer needed', () => {
    const table = createRowTable(1);
    // Row 3n + 2 has the text of row n; row 3 has none.
    const texts: (number | null)[] = [];
    const firsts: number[] = [];
    for (let row = 0; row < 20_000; row++) {
      const text = row === 3 ? null : row % 3 === 2 ? texts[(row - 2) / 3]! : firsts.length;
      texts.push(text);
      if (text === null) table.skip();
      else {
        if (text === firsts.length) firsts.push(row);
        const fingerprint = (BigInt(row) << 40n) | 0xfedcba98n;
        table.add(fingerprint, row, digestOf(text), 2 ** 33 + row, row);
      }
    }
    table.seal();
    expect(table.rows).toBe(texts.length);
    expect(texts.map((_, row) => table.textOf(row))).toEqual(texts);
    const { count, fingerprints, rowOf, tokensOf, placeOf } = table.texts;
    const range = Array.from({ length: count }, (_, text) => text);
    expect(range.map(rowOf)).toEqual(firsts);
    expect(range.map(tokensOf)).toEqual(firsts);
    expect(range.map(placeOf)).toEqual(firsts.map((row) => ({ offset: 2 ** 33 + row, length: row })));
    expect(fingerprints.values).toEqual(BigUint64Array.from(firsts, (row) => (BigInt(row) << 40n) | 0xfedcba98n));
    table.endSearch();
    expect(table.texts.fingerprints.values.length).toBe(0);
    expect(range.map(table.texts.rowOf)).toEqual(firsts);
  });

  test('treats two texts as equal only if 16 bytes of their digests are', () => {
    const table = createRowTable(1);
    const digests = ['', ...Array.from({ length: 16 }, (_, i) => i)].map((at) =>
      String.fromCharCode(...Array.from({ length: 32 }, (_, i) => (i === at ? 0xfe : 0xff))),
    );
    for (const digest of [...digests, ...digests]) table.add(1n, 1, digest, 0, 0);
    expect(digests.map((_, row) => table.textOf(row))).toEqual(digests.map((_, i) => i));
    expect(digests.map((_, row) => table.textOf(digests.length + row))).toEqual(digests.map((_, i) => i));
  });
});

test('lines of any length are written whole, however the file is cut', async () => {
  const cwd = folder();
  const path = join(cwd, 'in.jsonl');
  const reading = {
    hints: { fields: { textField: 'a' }, limits: {} },
    onRead() {},
  } as unknown as Reading;
  const lengths = fc.oneof(fc.nat(2000), fc.integer({ min: 250_000, max: 300_000 }));
  const line = fc.record({ length: lengths, isKept: fc.boolean() });
  await forAllAsync([fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean()], 10, async (lines, isEnded) => {
    const texts = lines.map(({ length }, i) => `{"a":"${String.fromCharCode(97 + (i % 26)).repeat(length)}"}`);
    writeFileSync(path, texts.join('\n') + (isEnded ? '\n' : ''));
    const source: RowSource = {
      path,
      name: path,
      format: 'jsonl',
      isPlain: true,
      first: 5,
      schema: '',
      changed: [],
      state: stateOf(path),
    };
    const isKept = (row: number): boolean => lines[row - 5]?.isKept ?? false;
    const blocks: Buffer[] = [];
    const file = {
      async write(part: Uint8Array, at: number) {
        blocks.push(Buffer.from(part.subarray(at)));
        return { bytesWritten: part.length - at };
      },
    };
    await writeAll(keptLines([source], reading, isKept), createWriter(file as never), null);
    const kept = texts.filter((_, i) => lines[i]!.isKept).map((text) => `${text}\n`);
    const isCut = !isEnded && lines.at(-1)!.isKept;
    expect(Buffer.concat(blocks).toString() === (isCut ? kept.join('').slice(0, -1) : kept.join(''))).toBe(true);
  });
});
