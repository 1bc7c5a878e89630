import { describe, expect, test } from 'vitest';
import { type ExtractionHints, extract } from '../../../src/extract/index.ts';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

describe('plain text', () => {
  test.each<[name: string, bytes: string, hints: ExtractionHints, charset: string, text: string]>([
    ['nothing', '', {}, 'UTF-8', ''],
    ['ASCII', '61 0d 0a 62', {}, 'UTF-8', 'a\r\nb'],
    ['UTF-8', 'c3 a9 e4 b8 ad f0 9f 98 80', {}, 'UTF-8', 'é中😀'],
    ['DEC-1 one mark is dropped', 'ef bb bf ef bb bf 61', {}, 'UTF-8', '\uFEFFa'],
    ['DEC-2 ill-formed', '61 e4 b8 62 ff 63', {}, 'UTF-8', 'a\uFFFDb\uFFFDc'],
    ['a UTF-16 mark is honoured', 'ff fe 61 00 62 00', {}, 'UTF-16LE', 'ab'],
    ['the other one', 'fe ff 00 61 d8 00 00 62', {}, 'UTF-16BE', 'a\uFFFDb'],
    ['markup is text', '3c 62 3e 26 61 6d 70 3b', {}, 'UTF-8', '<b>&amp;'],
    ['utf-8 by name', 'ef bb bf c3 a9', { charset: 'UTF8' }, 'UTF-8', 'é'],
    ['windows-1252', '80 93 e9 94', { charset: 'cp1252' }, 'windows-1252', '€“é”'],
    ['latin1 means windows-1252', '80', { charset: 'latin1' }, 'windows-1252', '€'],
    ['koi8-r', 'f0 d2 c9 d7 c5 d4', { charset: 'koi8-r' }, 'KOI8-R', 'Привет'],
    ['gb18030', 'd6 d0 95 32 82 36', { charset: 'gb18030' }, 'gb18030', '中𠀀'],
    ['shift_jis', '93 fa 96 7b', { charset: 'sjis' }, 'Shift_JIS', '日本'],
    ['euc-kr', 'c7 d1', { charset: 'euc-kr' }, 'EUC-KR', '한'],
    ['utf-16 means utf-16le', 'e9 00', { charset: 'utf-16' }, 'UTF-16LE', 'é'],
    ['utf-16be', '00 e9', { charset: 'utf-16be' }, 'UTF-16BE', 'é'],
    ['utf-16le with its mark', 'ff fe e9 00', { charset: 'utf-16le' }, 'UTF-16LE', 'é'],
    [
      'utf-16 with a lone surrogate and an odd byte',
      '00 d8 61 00 62',
      { charset: 'utf-16' },
      'UTF-16LE',
      '\uFFFDa\uFFFD',
    ],
    ['a mark beats the label', 'fe ff 00 e9', { charset: 'utf-16le' }, 'UTF-16BE', 'é'],
    ['transport', 'f0', { transportCharset: 'koi8-r' }, 'KOI8-R', 'П'],
    ['caller beats transport', 'f0', { charset: 'koi8-r', transportCharset: 'utf-8' }, 'KOI8-R', 'П'],
    ['unknown transport', 'c3 a9', { transportCharset: 'nosuch' }, 'UTF-8', 'é'],
  ])('is decoded: %s', async (_name, bytes, hints, charset, text) => {
    const extraction = await extract(hex(bytes), { type: 'text', ...hints });
    expect({ charset: extraction.charset, text: extraction.text }).toEqual({ charset, text });
  });

  test('may be windows-1252, including bytes 80 to 9F, or any byte of latin1', async () => {
    const bytes = Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i);
    const { text } = await extract(bytes, { charset: 'windows-1252' });
    expect(text.slice(0, 32)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9Dž\u0178');
    expect(text.slice(32)).toBe(String.fromCharCode(...bytes.subarray(32)));
  });

  test('has text, media type, extractor, charset and warnings', async () => {
    expect(await extract(hex('61'))).toEqual({
      text: 'a',
      mediaType: 'text/plain',
      extractor: 'text/2',
      charset: 'UTF-8',
      warnings: [],
    });
  });

  test('causes warnings', async () => {
    expect((await extract(hex('61 ff ff'))).warnings).toEqual([
      '2 replacement characters (U+FFFD) after decoding as UTF-8: it may be damaged or in another charset',
    ]);
    expect((await extract(hex('61'), { transportCharset: 'nosuch' })).warnings).toEqual([
      'the transport\'s charset "nosuch" is unknown and not used',
    ]);
    expect((await extract(hex('ef bb bf 61'), { charset: 'big5' })).warnings).toEqual([
      'the byte order mark says UTF-8: the charset Big5 is not used',
    ]);
  });
});

describe('plain text is rejected', () => {
  test.each(['nosuch', '', ' ', 'utf 8', 'replacement', 'iso-2022-kr', 'hz-gb-2312'])(
    'for the charset %j',
    async (charset) => {
      await expect(extract(hex('61'), { charset })).rejects.toMatchObject({ name: 'Error', code: 'unknown-charset' });
    },
  );

  test('for an unknown charset despite a byte order mark', async () => {
    await expect(extract(hex('ef bb bf'), { charset: 'nosuch' })).rejects.toMatchObject({ code: 'unknown-charset' });
  });

  test.each(['a', null, undefined, [97], new ArrayBuffer(1), new Uint16Array(1)])(
    'for %o instead of bytes',
    async (bytes) => {
      await expect(extract(bytes as unknown as Uint8Array)).rejects.toMatchObject({
        name: 'TypeError',
        code: 'wrong-type',
      });
    },
  );
});
