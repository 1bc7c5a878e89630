import { describe, expect, test } from 'vitest';
import { createFingerprinter, fingerprint } from '../../src/index.ts';
import { firstRows, IS_SLOW } from '../suite.ts';

const KIBIBYTE = 1024;
const encoder = new TextEncoder();

/** Feeds `count` times the same chunk, and returns by how many bytes the buffers grew. */
function growth(first: string, chunk: string, count: number): { grown: number; result: bigint | null; tokens: number } {
  const bytes = encoder.encode(chunk);
  const before = process.memoryUsage().arrayBuffers;
  const fingerprinter = createFingerprinter().update(encoder.encode(first));
  let max = 0;
  for (let i = 0; i < count; i++) {
    fingerprinter.update(bytes);
    if (i % 64 === 0) max = Math.max(max, process.memoryUsage().arrayBuffers);
  }
  const result = fingerprinter.digest();
  return { grown: max - before, result, tokens: fingerprinter.tokenCount };
}

describe('memory does not grow with the document:', () => {
  // 24 MiB each; the limit leaves room for the buffers that the engine has not collected yet.
  const COUNT = 384;
  const LIMIT = 8 * KIBIBYTE * KIBIBYTE;
  test.each(
    firstRows(3, [
      ['words', '', 'near duplicate detection '.repeat(2621)],
      ['one locator, form 1', 'http://', 'a'.repeat(64 * KIBIBYTE)],
      ['one locator, form 5', 'me@example', '.com-x'.repeat(10922)],
      ['punctuation without a space', '', ',;:!?'.repeat(13107)],
      ['letters of many short words, no space', '', 'a,b(c)d:e/f;'.repeat(5461)],
      ['ignorable code points', 'a', '\u00ad'.repeat(32 * KIBIBYTE)],
      ['ideographs with full stops', '', '文書の類似性。'.repeat(3120)],
      ['Hangul syllables of jamo', '', '\u1112\u1161\u11ab\u1100\u1173\u11af '.repeat(3450)],
    ]),
  )('%s', (_name, first, chunk) => {
    expect(growth(first, chunk, COUNT).grown).toBeLessThan(LIMIT);
  });

  test('a long token is held whole, and freed', () => {
    const { result, tokens } = growth('', 'a'.repeat(64 * KIBIBYTE), 128);
    expect(tokens).toBe(1);
    expect(result).toBe(fingerprint('a'.repeat(128 * 64 * KIBIBYTE)));
  });
});

describe('time is linear where a naive scan is quadratic:', () => {
  // Each would take many minutes if every start scanned to the end of its run.
  const LENGTH = IS_SLOW ? 4_000_000 : 1_000_000;
  test.each([
    ['a.a.a.a', 'a.'],
    ['a-a-a-a', 'a-'],
    ['+a+a+a', '+a'],
    ['dotted numbers', '10.1010.'],
    ['percent signs', '%'],
    ['many @', 'a@'],
    ['many @ with labels', 'a.b@c-'],
    ['www. again and again', 'www.www '],
    ['hex runs', 'abcdef0-'],
    ['colons', 'doi: http: '],
  ])('%s', (_name, unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    expect(() => fingerprint(text)).not.toThrow();
    const fingerprinter = createFingerprinter();
    for (let at = 0; at < text.length; at += 997) fingerprinter.update(text.slice(at, at + 997));
    expect(fingerprinter.digest()).toBe(fingerprint(text));
  });

  test('one byte at a time, inside one long run', () => {
    const bytes = encoder.encode(`${'a.'.repeat(200_000)}@b`);
    const fingerprinter = createFingerprinter();
    for (let at = 0; at < bytes.length; at++) fingerprinter.update(bytes.subarray(at, at + 1));
    expect(fingerprinter.digest()).toBe(fingerprint(bytes));
  });
});

test('digest() may be called again, and an empty document has no fingerprint', () => {
  const fingerprinter = createFingerprinter().update('one two');
  expect(fingerprinter.digest()).toBe(fingerprinter.digest());
  expect(createFingerprinter().digest()).toBeNull();
  expect(createFingerprinter().update(new Uint8Array(0)).digest()).toBeNull();
  expect(createFingerprinter().update('12 345').digest()).toBeNull();
});

test('the first byte order mark is dropped however the parts are cut, and no other', () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
  for (let cut = 0; cut <= 4; cut++)
    expect(createFingerprinter().update(bytes.subarray(0, cut)).update(bytes.subarray(cut)).digest()).toBe(
      fingerprint('a'),
    );
});

test('the caller may change chunks after update', () => {
  const chunk = encoder.encode('alpha be');
  const fingerprinter = createFingerprinter().update(chunk);
  chunk.fill(0x78);
  expect(fingerprinter.update(encoder.encode('ta gamma')).digest()).toBe(fingerprint('alpha beta gamma'));
});
