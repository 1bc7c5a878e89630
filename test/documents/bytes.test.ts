import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Line, splitLines } from '../../src/common/lines.ts';
import { type DocumentContent, hashDocument } from '../../src/documents/document-tasks.ts';
import { openInput, readWhole, startStream } from '../../src/documents/read.ts';
import { isHandful } from '../../src/documents/walk-plan.ts';
import { gunzipStream } from '../../src/extract/archive/gzip.ts';
import { unzstdStream } from '../../src/extract/archive/zstd.ts';
import { DETECTION_WINDOW } from '../../src/extract/index.ts';
import { readJsonLines } from '../../src/extract/rows/json-lines.ts';
import { createFingerprinter, fingerprint } from '../../src/index.ts';
import { folder } from '../cli/command.ts';

const LISTENER = { onExtracting: () => undefined, onPages: () => undefined };

/** Hashes plain text that comes in two parts. */
async function hashInParts(bytes: Uint8Array, cut: number) {
  async function* rest(): AsyncGenerator<Uint8Array, undefined> {
    yield bytes.subarray(cut);
    return undefined;
  }
  const content = { isUtf8Text: true, hints: {}, head: bytes.subarray(0, cut), rest: rest(), label: 'simhash-doc' };
  return hashDocument(content as unknown as DocumentContent, LISTENER);
}

describe('UTF-8 in parts', () => {
  // The first and the last code points of two, three and four bytes, with special cases of their second byte.
  const CODE_POINTS = [0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x3ffff, 0x40000, 0x10ffff];

  test.each(CODE_POINTS)('with U+%x, cut anywhere, is well-formed', async (codePoint) => {
    const text = `ferry ${String.fromCodePoint(codePoint)} islands`;
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const outcome = await hashInParts(bytes, cut);
      expect([cut, outcome]).toMatchObject([cut, { warnings: [], size: bytes.length }]);
      expect(outcome.kind === 'done' && outcome.result.fingerprint).toBe(fingerprint(text));
    }
  });

  test.each(['c3', 'e2 82', 'f0 9f 98', '80', 'ed a0 80', 'c0 80', 'f4 90 80 80'])(
    'with %s, cut anywhere, is ill-formed, which is reported',
    async (digits) => {
      const wrong = Buffer.from(digits.replaceAll(' ', ''), 'hex');
      for (const bytes of [
        Buffer.concat([Buffer.from('ferry '), wrong]),
        Buffer.concat([wrong, Buffer.from(' ferry')]),
      ])
        for (let cut = 0; cut <= bytes.length; cut++) {
          const { warnings } = await hashInParts(bytes, cut);
          expect([cut, warnings]).toEqual([cut, [expect.stringContaining('not well-formed UTF-8')]]);
        }
    },
  );
});

test('the number of bytes read is that of the file', async () => {
  const cwd = folder();
  const chunk = 1 << 18;
  for (const size of [
    0,
    1,
    DETECTION_WINDOW - 1,
    DETECTION_WINDOW,
    chunk - 1,
    chunk,
    chunk + 1,
    2 * chunk + DETECTION_WINDOW,
  ]) {
    const path = join(cwd, `${size}`);
    // Each chunk is another one: the parts of a file share a buffer.
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7 + (i >> 8) + (i >> 16));
    writeFileSync(path, bytes);
    let told = 0;
    const input = await openInput({ path, found: false }, (count) => {
      told += count;
    });
    expect(input.fileSize).toBe(size);
    const read = Buffer.from(await readWhole(input, size));
    await input.close();
    expect([size, told, read.equals(bytes)]).toEqual([size, size, true]);
  }
});

describe('parts that share a Buffer, like those of readSync, are read whole', () => {
  const text = Array.from({ length: 500 }, (_, number) => JSON.stringify({ text: `word${number}` })).join('\n');
  const bytes = Buffer.from(text);

  /** Parts of one size; each is overwritten when the next one is asked for. */
  async function* shared(source: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
    const buffer = Buffer.alloc(100);
    for (let at = 0; at < source.length; at += buffer.length) {
      const part = source.subarray(at, at + buffer.length);
      buffer.set(part);
      yield buffer.subarray(0, part.length);
      buffer.fill(0x78);
    }
    return undefined;
  }

  /** Zstandard with one block that is stored as it is. */
  const zstdStored = (source: Uint8Array): Buffer => {
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeUInt32LE(source.length, 5);
    head.writeUIntLE(1 + 8 * source.length, 9, 3);
    return Buffer.concat([head, source]);
  };

  const joined = async (parts: AsyncIterable<Uint8Array>): Promise<string> => {
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(part.slice());
    return Buffer.concat(all).toString();
  };

  test.each<[string, () => Promise<string>]>([
    ['readWhole', async () => Buffer.from(await readWhole(await startStream(shared(bytes)), 1 << 20)).toString()],
    [
      'readWhole, after a head',
      async () =>
        Buffer.from(
          await readWhole({ head: bytes.subarray(0, 150), rest: shared(bytes.subarray(150)) }, 1 << 20),
        ).toString(),
    ],
    [
      'splitLines',
      async () => {
        const lines: Line[] = [];
        for await (const some of splitLines(shared(bytes))) lines.push(...some);
        return lines.join('\n');
      },
    ],
    [
      'readJsonLines',
      async () => {
        const rows: string[] = [];
        for await (const { content } of readJsonLines(shared(bytes), { textField: 'text' }))
          rows.push(JSON.stringify(content));
        return rows.join('\n');
      },
    ],
    ['gunzipStream', () => joined(gunzipStream(shared(gzipSync(bytes))))],
    ['unzstdStream', () => joined(unzstdStream(shared(zstdStored(bytes))))],
  ])('by %s', async (_, read) => {
    expect(await read()).toBe(text);
  });

  test('by createFingerprinter', async () => {
    for (const start of ['', '\ufeff']) {
      const fingerprinter = createFingerprinter();
      for await (const part of shared(Buffer.from(start + text))) fingerprinter.update(part);
      expect(fingerprinter.digest()).toBe(fingerprint(text));
    }
    const buffer = Buffer.from([0xef]);
    const fingerprinter = createFingerprinter().update(buffer);
    buffer[0] = 0x61;
    expect(fingerprinter.update(Buffer.from('\ufeffone').subarray(1)).digest()).toBe(fingerprint('one'));
  });
});

test('few small documents, or one of any size, need no workers', () => {
  const never = (): number => {
    throw new Error('expected the size of one document not to be asked for');
  };
  expect(isHandful(1, never)).toBe(true);
  expect(isHandful(2, () => 1)).toBe(true);
  expect(isHandful(2, () => 2 ** 40)).toBe(false);
  expect(isHandful(1e6, () => 1)).toBe(false);
});
