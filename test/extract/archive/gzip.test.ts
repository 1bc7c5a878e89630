import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReader } from '../../../src/extract/archive/byte-reader.ts';
import { extract } from '../../../src/extract/index.ts';
import { all, codeOf, firstRows, forAllAsync, IS_SLOW, runs } from '../../suite.ts';
import { inParts } from './reading.ts';
import { withoutZlib } from './without-zlib.ts';

const load = async () => ({
  ...(await import('../../../src/extract/archive/gzip.ts')),
  ...(await import('../../../src/extract/archive/gzip-recovery.ts')),
});
type Engine = Awaited<ReturnType<typeof load>>;
const pako = await withoutZlib(load);
const native = await load();
const { gunzip, withoutGzipSuffix } = native;

const ENGINES: readonly (readonly [name: string, engine: Engine])[] = [
  ['node:zlib', native],
  ['pako', pako],
];

/** The output, and the code of the error that ends it. */
async function streamed(bytes: Uint8Array, engine: Engine, size = bytes.length + 1) {
  const parts: Uint8Array[] = [];
  const code = await codeOf(async () => {
    for await (const part of engine.gunzipStream(inParts(bytes, size))) parts.push(part);
  });
  return { text: Buffer.concat(parts).toString('latin1'), code };
}

/** Bytes that compress badly, the same every time. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
}

/** A member with every optional field of the header. */
function withFields(text: string): Buffer {
  const plain = zlib.gzipSync(text);
  const header = Buffer.from(plain.subarray(0, 10));
  header[3] = 4 | 8 | 16 | 2;
  const fields = Buffer.from('\x03\0abcname.txt\0a comment\0\x12\x34', 'latin1');
  return Buffer.concat([header, fields, plain.subarray(10)]);
}

const TWO = Buffer.concat([zlib.gzipSync('first, '), withFields('second')]);

describe.each(ENGINES)('gunzip with %s', (_name, engine) => {
  test.each([
    ['one member', zlib.gzipSync('a'), 'a'],
    ['an empty member', zlib.gzipSync(''), ''],
    ['stored', zlib.gzipSync('abc', { level: 0 }), 'abc'],
    ['several members', TWO, 'first, second'],
    ['empty members among others', Buffer.concat([zlib.gzipSync(''), TWO, zlib.gzipSync('')]), 'first, second'],
    ['zeros behind the last', Buffer.concat([TWO, Buffer.alloc(1000)]), 'first, second'],
    ['anything else behind the last', Buffer.concat([TWO, Buffer.from('garbage')]), 'first, second'],
  ])('decompresses %s', async (_what, bytes, text) => {
    for (const size of [1, 2, 3, 7, 1 << 16])
      expect(await streamed(bytes, engine, size)).toEqual({ text, code: undefined });
  });

  test('reads more than fits into its buffers', async () => {
    // More than is tried at once of what is read, and of what is made.
    for (const bytes of firstRows(1, [noise(5 << 20), Buffer.alloc(20 << 20, 'a long text, ')])) {
      const compressed = Buffer.concat([zlib.gzipSync(bytes, { level: 1 }), zlib.gzipSync('end')]);
      const { text, code } = await streamed(compressed, engine, 100_000);
      expect(code).toBeUndefined();
      expect(Buffer.from(text, 'latin1').equals(Buffer.concat([bytes, Buffer.from('end')]))).toBe(true);
    }
  });

  test('reports a file that is cut off at any byte, except between members', async () => {
    const first = zlib.gzipSync('first, ').length;
    for (let length = 0; length < TWO.length; length++) {
      const { text, code } = await streamed(TWO.subarray(0, length), engine);
      expect(code).toBe(length === first ? undefined : 'damaged');
      expect('first, second'.startsWith(text)).toBe(true);
    }
  });

  test('returns the text or reports damage, whichever byte is changed', async () => {
    const bytes = zlib.gzipSync('a text that is long enough, long enough for a match');
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 0x55;
      const { code } = await streamed(altered, engine);
      // Time, extra flags and system are not looked at.
      expect([at, code]).toEqual([at, at >= 4 && at < 10 ? undefined : 'damaged']);
    }
  });

  test('stops when the meter throws', async () => {
    let total = 0;
    const bytes = zlib.gzipSync(Buffer.alloc(32 << 20));
    const stop = Object.assign(new Error('enough'), { code: 'too-large' });
    const onInflated = (length: number) => {
      total += length;
      if (total > 1000) throw stop;
    };
    await expect(engine.gunzipStream([bytes], { onInflated }).next()).rejects.toBe(stop);
  });

  test('passes on an error of the source', async () => {
    const failing = async function* () {
      yield TWO.subarray(0, 5);
      throw new Error('disk');
    };
    await expect(all(engine.gunzipStream(failing()))).rejects.toThrow('disk');
  });
});

test('both engines agree for any bytes in any parts', async () => {
  const member = fc
    .tuple(fc.string({ maxLength: 200 }), fc.constantFrom(0, 1, 9))
    .map(([text, level]) => zlib.gzipSync(text, { level }));
  const file = fc
    .tuple(
      fc.array(member, { maxLength: 4 }),
      fc.uint8Array({ maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
    )
    .map(([members, garbage, changes]) => {
      const bytes = Buffer.concat([...members, garbage]);
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
      return bytes;
    });
  await forAllAsync([file, fc.integer({ min: 1, max: 100 })], runs(200), async (bytes, size) => {
    const expected = await streamed(bytes, pako);
    expect(await streamed(bytes, native)).toEqual(expected);
    expect(await streamed(bytes, native, size)).toEqual(expected);
    expect(await streamed(bytes, pako, size)).toEqual(expected);
    if (expected.code === undefined) expect(expected.text).toBe(Buffer.from(await gunzip(bytes)).toString('latin1'));
    else await expect(gunzip(bytes)).rejects.toMatchObject({ code: expected.code });
  });
});

describe('gunzip of a whole file', () => {
  test('returns at most the limit', async () => {
    const bytes = zlib.gzipSync(Buffer.alloc(10_000));
    await expect(gunzip(bytes, { limits: { inflated: 10_000 } })).resolves.toHaveLength(10_000);
    await expect(gunzip(bytes, { limits: { inflated: 9_999 } })).rejects.toMatchObject({ code: 'too-large' });
    const bomb = zlib.gzipSync(Buffer.alloc(40 << 20));
    await expect(gunzip(bomb)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('100 times'),
    });
    await expect(gunzip(bomb, { limits: { ratio: 2000 } })).resolves.toHaveLength(40 << 20);
    const many = Buffer.concat(Array(100).fill(bytes));
    await expect(gunzip(many, { limits: { inflated: 500_000 } })).rejects.toMatchObject({ code: 'too-large' });
  });

  test('removes nested gzip in extraction up to the limit', async () => {
    let bytes = Buffer.from('<html><p>text');
    for (let depth = 0; depth < 4; depth++) bytes = zlib.gzipSync(bytes);
    await expect(extract(bytes, { path: 'a.gz' })).resolves.toMatchObject({ text: 'text', mediaType: 'text/html' });
    await expect(extract(zlib.gzipSync(bytes))).rejects.toMatchObject({ code: 'too-deep' });
    await expect(extract(bytes.subarray(0, -1))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('ends for a file that contains itself', async () => {
    // Russ Cox's quine is of this kind; here a chain that is deep enough stands for it.
    let bytes = Buffer.from('text');
    for (let depth = 0; depth < 100; depth++) bytes = zlib.gzipSync(bytes);
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'too-deep' });
  });

  test.each([
    ['a.txt.gz', 'a.txt'],
    ['a.GZ', 'a'],
    ['a.tgz', 'a.tar'],
    ['a.txt', 'a.txt'],
  ])('the name %s was %s before compression', (path, name) => {
    expect(withoutGzipSuffix(path)).toBe(name);
  });
});

describe.each(ENGINES)('gunzip after damage with %s', (_name, engine) => {
  const member = (text: string) => zlib.gzipSync(`WARC/${text}`);

  async function resumed(bytes: Uint8Array, size = bytes.length + 1): Promise<string[]> {
    const found: string[] = [];
    // What stands after the last mark, if anything: a mark stands ahead of every member, and after the last.
    let isMarked = false;
    for await (const piece of engine.gunzipResuming(createReader(inParts(bytes, size)), 'WARC/')) {
      if (piece instanceof Uint8Array) found.push((isMarked ? '' : found.pop()) + Buffer.from(piece).toString());
      else if (piece.damage !== undefined) found.push('damage');
      isMarked = !(piece instanceof Uint8Array);
    }
    return found;
  }

  const a = member('a');
  const b = member(`b ${noise(200).toString('hex')}`);
  const c = member('c');
  const [A, C] = ['WARC/a', 'WARC/c'];

  test.each([
    ['nothing', Buffer.concat([a, c]), [A, C]],
    ['zeros at the end', Buffer.concat([a, c, Buffer.alloc(99)]), [A, C]],
    ['garbage between', Buffer.concat([a, Buffer.from('garbage \x1f\x8b\x08\0', 'latin1'), c]), [A, 'damage', C]],
    ['garbage at the end', Buffer.concat([a, Buffer.from('garbage')]), [A, 'damage']],
    ['garbage first', Buffer.concat([Buffer.from('garbage'), a]), ['damage', A]],
    ['another member is no garbage', Buffer.concat([a, zlib.gzipSync('x'), c]), [A, 'x', C]],
    ['but is not gone on at', Buffer.concat([Buffer.from('?'), zlib.gzipSync('x'), c]), ['damage', C]],
    ['a magic number cut off', Buffer.concat([a, Buffer.from([0x1f])]), [A, 'damage']],
  ])('continues at the next member: %s', async (_what, bytes, expected) => {
    for (const size of [1, 5, 1 << 16]) expect(await resumed(bytes, size)).toEqual(expected);
  });

  test('loses only a member that is cut off anywhere', async () => {
    for (let length = 3; length < b.length; length += IS_SLOW ? 1 : 3) {
      const found = await resumed(Buffer.concat([a, b.subarray(0, length), c]));
      expect(found[0]).toBe(A);
      expect(found.slice(-2)).toEqual(['damage', C]);
    }
  });

  test('loses only a member that is changed anywhere', async () => {
    for (let at = 10; at < b.length; at += IS_SLOW ? 1 : 3) {
      const altered = Buffer.from(b);
      altered[at]! ^= 0xff;
      const found = await resumed(Buffer.concat([a, altered, c]));
      expect(found[0]).toBe(A);
      expect(found.slice(-2)).toEqual(['damage', C]);
    }
  });
});
