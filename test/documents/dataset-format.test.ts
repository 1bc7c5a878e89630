import { describe, expect, test } from 'vitest';
import {
  datasetFormatOf,
  isZstd,
  mayBeDataset,
  withoutZstdSuffix,
} from '../../src/documents/dataset/dataset-format.ts';
import type { DocumentHints } from '../../src/documents/hints.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const hintsOf = (hints: Partial<DocumentHints> = {}): DocumentHints => hints as DocumentHints;
const FIELDS = hintsOf({ fields: { text: 'text' } as unknown as NonNullable<DocumentHints['fields']> });

/** All bytes strings that differ from these in one byte, by one. */
function* neighboursOf(bytes: readonly number[]): Generator<Uint8Array> {
  for (const [i, byte] of bytes.entries())
    for (const other of [byte - 1, byte + 1]) yield Uint8Array.from(bytes.with(i, other & 0xff));
}

describe('a signature', () => {
  const FRAME = [0x28, 0xb5, 0x2f, 0xfd];

  test('of Zstandard is that of a frame, or of one of sixteen skippable ones', () => {
    expect(isZstd(Uint8Array.from([...FRAME, 1]))).toBe(true);
    for (const other of neighboursOf(FRAME)) expect([[...other], isZstd(other)]).toEqual([[...other], false]);
    for (let low = 0; low < 16; low++) expect(isZstd(Uint8Array.from([0x50 + low, 0x2a, 0x4d, 0x18]))).toBe(true);
    for (const first of [0x4f, 0x60, 0xd0]) expect(isZstd(Uint8Array.from([first, 0x2a, 0x4d, 0x18]))).toBe(false);
    for (const other of neighboursOf([0x2a, 0x4d, 0x18]))
      expect([[...other], isZstd(Uint8Array.from([0x50, ...other]))]).toEqual([[...other], false]);
    for (const length of [0, 1, 2, 3]) expect(isZstd(Uint8Array.from(FRAME.slice(0, length)))).toBe(false);
  });

  test('of Parquet is not that of a text that begins with PAR1', () => {
    const formatOf = (bytes: Uint8Array): unknown => datasetFormatOf(bytes, 'a', hintsOf());
    const PAR1 = [...bytesOf('PAR1')];
    for (const next of [0x00, 0x15, 0x1f]) expect(formatOf(Uint8Array.from([...PAR1, next]))).toBe('parquet');
    for (const next of [[], [0x20], [0x41], [0xc3]]) expect(formatOf(Uint8Array.from([...PAR1, ...next]))).toBe(null);
    for (const other of neighboursOf(PAR1)) expect(formatOf(Uint8Array.from([...other, 0x15]))).toBe(null);
  });
});

describe('JSON Lines are detected', () => {
  test('by their name in either case', () => {
    for (const name of ['a.jsonl', 'a.ndjson', 'A.JSONL'])
      expect(datasetFormatOf(bytesOf('x'), name, hintsOf())).toBe('jsonl');
    for (const name of ['a.json', 'jsonl', 'a.jsonl.txt', 'ajsonl'])
      expect([name, datasetFormatOf(bytesOf('{"a":1}\n'), name, hintsOf())]).toEqual([name, null]);
  });

  test('by their first line if fields are named', () => {
    for (const text of ['{"a":1}\n', ' \n{"a":1}\nx', '{"a":"cut'])
      expect([text, datasetFormatOf(bytesOf(text), 'a', FIELDS)]).toEqual([text, 'jsonl']);
    for (const text of ['{"a":\n', '[1]\n', '{a', 'words\n', ''])
      expect([text, datasetFormatOf(bytesOf(text), 'a', FIELDS)]).toEqual([text, null]);
  });

  test('unless there is --raw, or a type and no field', () => {
    const formatOf = (hints: Partial<DocumentHints>): unknown =>
      datasetFormatOf(bytesOf('x'), 'a.jsonl', hintsOf(hints));
    expect(formatOf({ raw: true })).toBe(null);
    expect(formatOf({ ...FIELDS, raw: true })).toBe(null);
    expect(formatOf({ type: 'text' })).toBe(null);
    expect(formatOf({ ...FIELDS, type: 'text' })).toBe('jsonl');
  });
});

test('a file compressed with Zstandard is read if it may be a dataset', () => {
  expect(mayBeDataset('a.jsonl.zst', hintsOf())).toBe(true);
  expect(mayBeDataset('a.txt.zst', hintsOf())).toBe(false);
  expect(mayBeDataset('a.txt.zst', FIELDS)).toBe(true);
  expect(mayBeDataset('a.jsonl.zst', hintsOf({ raw: true }))).toBe(false);
  expect(['a.zst', 'a.ZSTD', 'zst', 'a.zst.b'].map(withoutZstdSuffix)).toEqual(['a', 'a', 'zst', 'a.zst.b']);
});
