import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isHandful } from '../../src/documents/plan.ts';
import { openInput, readWhole } from '../../src/documents/read.ts';
import { type Content, hashDocument } from '../../src/documents/workers/work.ts';
import { DETECTION_WINDOW } from '../../src/extract/index.ts';
import { fingerprint } from '../../src/index.ts';
import { folder } from '../cli/command.ts';

const LIMITS = { octets: 1 << 30 } as Parameters<typeof hashDocument>[1];
const LISTENER = { onExtracting: () => undefined, onPages: () => undefined };

/** Hashes plain text that comes in two parts. */
async function hashInParts(octets: Uint8Array, cut: number) {
  async function* rest(): AsyncGenerator<Uint8Array, undefined> {
    yield octets.subarray(cut);
    return undefined;
  }
  const content = { isUtf8Text: true, hints: {}, head: octets.subarray(0, cut), rest: rest(), label: 'simhash-doc' };
  return hashDocument(content as unknown as Content, LIMITS, LISTENER);
}

describe('plain text in parts', () => {
  // The first and the last code points of two, three and four octets, with what is special about their second octet.
  const CODE_POINTS = [0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x3ffff, 0x40000, 0x10ffff];

  test.each(CODE_POINTS)('U+%x, cut anywhere, is well-formed', async (codePoint) => {
    const text = `ferry ${String.fromCodePoint(codePoint)} islands`;
    const octets = new TextEncoder().encode(text);
    for (let cut = 0; cut <= octets.length; cut++) {
      const { result, warnings, size } = await hashInParts(octets, cut);
      expect([cut, warnings, size]).toEqual([cut, [], octets.length]);
      expect('fingerprint' in result && result.fingerprint).toBe(fingerprint(text));
    }
  });

  test.each(['c3', 'e2 82', 'f0 9f 98', '80', 'ed a0 80', 'c0 80', 'f4 90 80 80'])(
    '%s, cut anywhere, is not, and is told',
    async (digits) => {
      const wrong = Buffer.from(digits.replaceAll(' ', ''), 'hex');
      for (const octets of [
        Buffer.concat([Buffer.from('ferry '), wrong]),
        Buffer.concat([wrong, Buffer.from(' ferry')]),
      ])
        for (let cut = 0; cut <= octets.length; cut++) {
          const { warnings } = await hashInParts(octets, cut);
          expect([cut, warnings]).toEqual([cut, [expect.stringContaining('not well-formed UTF-8')]]);
        }
    },
  );
});

test('the octets that were read are told, and are those of the file', async () => {
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
    const octets = Uint8Array.from({ length: size }, (_, i) => i * 7 + (i >> 8));
    writeFileSync(path, octets);
    let told = 0;
    const input = await openInput({ path, found: false }, (count) => {
      told += count;
    });
    expect(input.fileSize).toBe(size);
    const read = Buffer.from(await readWhole(input, size));
    await input.close();
    expect([size, told, read.equals(octets)]).toEqual([size, size, true]);
  }
});

test('few small documents need no workers, nor does one of any size', () => {
  const never = (): number => {
    throw new Error('expected the size of one document not to be asked for');
  };
  expect(isHandful(1, never)).toBe(true);
  expect(isHandful(2, () => 1)).toBe(true);
  expect(isHandful(2, () => 2 ** 40)).toBe(false);
  expect(isHandful(1e6, () => 1)).toBe(false);
});
