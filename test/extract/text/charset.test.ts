import { describe, expect, test } from 'vitest';
import { type ExtractionHints, extract } from '../../../src/extract/index.ts';
import { decodeAs, isWellFormedUtf8 } from '../../../src/extract/text/charset.ts';
import { decode } from '../../../src/index.ts';
import { forAll } from '../../suite.ts';
import * as arbitrary from '../../twin/arbitraries.ts';

/** Original sentences in charsets of one byte each, given by the code points' offsets. */
const RUSSIAN =
  'Старый мельник сказал, что вода в реке поднялась ночью, и теперь мост закрыт. Мы ждали утра и пили чай у окна.';
const encode = (text: string, from: number, to: number) =>
  Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    return code >= from ? code - from + to : code;
  });
const cyrillic1251 = encode(RUSSIAN, 0x410, 0xc0);

describe('the charset auto', () => {
  test('is UTF-8 for well-formed UTF-8', async () => {
    const { text, charset, warnings } = await extract(new TextEncoder().encode(RUSSIAN), { charset: 'auto' });
    expect({ text, charset, warnings }).toEqual({
      text: RUSSIAN,
      charset: 'UTF-8',
      warnings: ['no charset is declared: guessed UTF-8'],
    });
  });

  test.each(['text', 'html'] as const)('is UTF-8 if it contains U+FFFD: %s', async (type) => {
    const { text, charset } = await extract(new TextEncoder().encode(`${RUSSIAN} \uFFFD`), { charset: 'auto', type });
    expect({ text, charset }).toEqual({ text: `${RUSSIAN} \uFFFD`, charset: 'UTF-8' });
  });

  test.each([
    ['JIS X 0208', '\x1b$BF|K\\\x1b(B and more', '日本 and more', 'ISO-2022-JP'],
    ['JIS C 6226', '\x1b$@F|K\\\x1b(B', '日本', 'ISO-2022-JP'],
    ['JIS X 0201', '\x1b(J\\100\x1b(B', '¥100', 'ISO-2022-JP'],
    ['no characters of these sets', '\x1b$B!', '\x1b$B!', 'UTF-8'],
    ['colours of a terminal', '\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m', 'UTF-8'],
  ])('is that of escape sequences: %s', async (_what, bytes, expected, name) => {
    const { text, charset } = await extract(new TextEncoder().encode(bytes), { charset: 'auto', type: 'text' });
    expect({ text, charset }).toEqual({ text: expected, charset: name });
  });

  test('is guessed from the letters', async () => {
    expect(await extract(cyrillic1251, { charset: 'auto' })).toMatchObject({ text: RUSSIAN, charset: 'windows-1251' });
  });

  test.each(['utf16le', 'UTF-16BE'])('is %s without a byte order mark', async (name) => {
    const bytes = new Uint8Array(Buffer.from('Plain words, one after another.', 'utf16le'));
    if (name === 'UTF-16BE') Buffer.from(bytes.buffer).swap16();
    const { text } = await extract(bytes, { charset: 'auto', type: 'text' });
    expect(text).toBe('Plain words, one after another.');
  });

  test('follows a byte order mark, the transport and the document', async () => {
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(await extract(marked, { charset: 'auto' })).toMatchObject({ charset: 'UTF-8', warnings: [] });
    expect((await extract(cyrillic1251, { charset: 'auto', transportCharset: 'koi8-r' })).charset).toBe('KOI8-R');
    const declared = new TextEncoder().encode('<meta charset=iso-8859-2><p>a');
    expect(await extract(declared, { charset: 'AUTO', type: 'html' })).toMatchObject({
      charset: 'ISO-8859-2',
      warnings: [],
    });
  });

  test('is guessed from the text between the tags of HTML', async () => {
    const tags = new TextEncoder().encode('<div class="the and of with this that"><span title="from which have been">');
    const bytes = new Uint8Array([...Array.from({ length: 50 }, () => [...tags]).flat(), ...cyrillic1251]);
    const { text, charset, warnings } = await extract(bytes, { charset: 'auto', type: 'html' });
    expect({ text, charset }).toEqual({ text: RUSSIAN, charset: 'windows-1251' });
    expect(warnings).toEqual(['no charset is declared: guessed windows-1251']);
  });

  test('is unknown for arbitrary bytes', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => 0x80 + ((i * 89) % 128));
    await expect(extract(bytes, { charset: 'auto', type: 'text' })).rejects.toMatchObject({ code: 'unknown-charset' });
    expect((await extract(new Uint8Array(0), { charset: 'auto' })).charset).toBe('UTF-8');
  });
});

describe('ISO-2022-JP without a declared charset', () => {
  const JAPANESE = '\x1b$BF|K\\\x1b(B';

  test.each([
    ['at the start', `${JAPANESE} and more`, '日本 and more'],
    ['after ASCII, with the set of 1978 and JIS X 0201', `a\n\x1b$@F|K\\\x1b(J b \x1b(I1\x1b(B`, 'a\n日本 b ｱ'],
    ['cut off in a character', `${JAPANESE} \x1b$BF`, '日本 \ufffd'],
  ])('is detected: %s', async (_where, markup, text) => {
    expect(await extract(Buffer.from(markup))).toMatchObject({ text, charset: 'ISO-2022-JP' });
  });

  test.each([
    ['colors of a terminal', `\x1b[31m${JAPANESE}`],
    ['no two-byte set', 'one \x1b(J two \x1b(B'],
    ['half a character', '\x1b$BF|K\x1b(B one'],
    ['a line end within a set', '\x1b$BF|\nK\\\x1b(B'],
    ['bytes beyond ASCII', `${JAPANESE} \xe9`],
    ['too late', `${'a'.repeat(2 ** 16)}${JAPANESE}`],
  ])('is not detected in %s', async (_what, markup) => {
    const bytes = Buffer.from(markup);
    expect(await extract(bytes)).toMatchObject({ charset: 'UTF-8', text: bytes.toString() });
    expect((await extract(Buffer.from(JAPANESE), { transportCharset: 'utf-8' })).charset).toBe('UTF-8');
  });

  test('is recognised in a character that the first 64 KiB cut off', async () => {
    for (const more of [0, 1, 2, 3]) {
      const bytes = Buffer.from(`${JAPANESE}${'a'.repeat(2 ** 16 - 14 + more)}${JAPANESE}`);
      expect((await extract(bytes)).charset).toBe('ISO-2022-JP');
    }
  });

  test('causes a warning if other text has such an escape sequence', async () => {
    const warning = 'it seems to be ISO-2022-JP: name the charset (iso-2022-jp or auto)';
    expect((await extract(Buffer.from(`\x1b[0m${JAPANESE}`))).warnings).toEqual([warning]);
    expect((await extract(Buffer.from(JAPANESE))).warnings).toEqual([]);
    expect((await extract(Buffer.from('\x1b[31mred\x1b[0m'))).warnings).toEqual([]);
    expect((await extract(Buffer.from(`<p>${JAPANESE}`))).warnings).toEqual([warning]);
    expect((await extract(Buffer.from(`<meta charset=iso-2022-jp><p>${JAPANESE}`))).warnings).toEqual([]);
  });
});

describe('a guessed charset', () => {
  const UKRAINIAN =
    'Старий мірошник сказав, що вода в річці піднялася вночі, і тепер міст зачинено. Ґанок її хати ще стоїть, а з вікна видно ліс.';
  const BULGARIAN =
    'Всички хора се раждат свободни и равни по достойнство и права. Те следва да се отнасят помежду си в дух на братство.';
  const PERSIAN = 'پدر ما گاو را به بازار برد و چهار پسر گفتند که آن روز باران ميباريد و ژاله بر گل نشسته بود.';
  const HEBREW =
    'המעבורת יוצאת עם שחר ואיש על הרציף אינו זוכר מי קנה את הכרטיסים. כל בני האדם נולדו בני חורין ושווים בערכם.';
  const CHINESE = '渡船黎明时分离开，码头上没有人记得是谁买了十二张票。阁楼里放着十二箱旧信。';
  const GERMAN =
    'Die Fähre fährt früh ab, und niemand weiß, wer die zwölf Karten für die Überfahrt gekauft hat. Später hörte er es.';

  /** Encodes with the table of a decoder. */
  const encodeIn = (name: string, text: string): Uint8Array => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const codes = new Map([...bytes].map((byte) => [decodeAs(Uint8Array.of(byte), name), byte]));
    return Uint8Array.from(text, (character) => codes.get(character)!);
  };

  test.each([
    ['IBM866', RUSSIAN],
    ['x-mac-cyrillic', RUSSIAN],
    ['x-mac-cyrillic', BULGARIAN],
    ['windows-1251', BULGARIAN],
    ['windows-1251', UKRAINIAN],
    ['KOI8-U', UKRAINIAN],
    ['windows-1256', PERSIAN],
    ['windows-1255', HEBREW],
    ['windows-1252', GERMAN],
  ])('is that of the letters of %s', async (name, text) => {
    const result = await extract(encodeIn(name, text), { charset: 'auto', type: 'text' });
    expect(result).toMatchObject({ text, warnings: [`no charset is declared: guessed ${result.charset}`] });
  });

  test.each([
    ['Russian', RUSSIAN],
    ['Chinese', CHINESE],
    ['German', GERMAN],
  ])('may be UTF-16 without a byte order mark, but not UTF-32: %s', async (_language, text) => {
    const little = new Uint8Array(Buffer.from(text, 'utf16le'));
    const big = new Uint8Array(Buffer.from(little).swap16());
    expect(await extract(little, { charset: 'auto' })).toMatchObject({ text, charset: 'UTF-16LE' });
    expect(await extract(big, { charset: 'auto' })).toMatchObject({ text, charset: 'UTF-16BE' });
    const wide = new Uint8Array(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer);
    await expect(extract(wide, { charset: 'auto' })).rejects.toMatchObject({ code: 'unknown-charset' });
  });

  test('is not code page 850, nor that of a single letter', async () => {
    const letters: Readonly<Record<string, number>> = { ä: 0x84, ö: 0x94, ü: 0x81, ß: 0xe1, Ü: 0x9a };
    const bytes = Uint8Array.from(GERMAN, (character) => letters[character] ?? character.codePointAt(0)!);
    const refusal = { code: 'unknown-charset', message: 'the charset cannot be guessed: name it' };
    await expect(extract(bytes, { charset: 'auto' })).rejects.toMatchObject(refusal);
    const alone = encodeIn('windows-1252', 'The café is closed.');
    await expect(extract(alone, { charset: 'auto' })).rejects.toMatchObject(refusal);
  });

  test.each([
    [
      'Latvian in ISO 8859-4',
      encodeIn(
        'ISO-8859-2',
        'Prŕmis iziet agri no rďta, un neviens krastmalŕ neatceras, kurš nopirka divpadsmit biśetes. Vşjš pţš pŕri upei, bet mşs sşžam pie loga, dzer',
      ),
    ],
    [
      'Kazakh in KZ-1048',
      encodeIn(
        'windows-1251',
        'Паром таѕ ата шыєады, ал жаєалауда тўрєан ешкім он екі билетті кім сатып алєанын білмейді. Барлыќ адамдар тумысынан азат',
      ),
    ],
    // Each letter has two bytes; the first one would be the same letter of Thai.
    [
      'Russian in EUC-JP',
      Uint8Array.from([...cyrillic1251].flatMap((byte) => (byte < 0xc0 ? byte : [0xa7, byte - 14]))),
    ],
    [
      'Korean in Johab',
      Buffer.from(
        'kGGelaSBk2UgrIGlYrVBIJjhkGGJoSCmgZaBtUEgt7aTZSCsYZxxt2UgtGGigZWhIJKBiGEgzmGfaSC1aZaBILh3IKx2k2W7oSCLobTi0GG7oSChtdBllGEuIJRhnGK1QZNlILWhnIGWRSDNZbuhiGEgtWmWgSCs',
        'base64',
      ),
    ],
  ])('letters that no language has beside each other are refused: %s', async (_what, bytes) => {
    await expect(extract(bytes, { charset: 'auto', type: 'text' })).rejects.toMatchObject({ code: 'unknown-charset' });
  });

  test('is not another one if that of the letters has no decoder', async () => {
    const refusal = { code: 'unknown-charset', message: 'the charset cannot be guessed: name it' };
    // CP1125 has its і where IBM866 has ў, and Greek of the Macintosh its ρ where ISO 8859-7 has ς.
    const ukrainian = UKRAINIAN.replaceAll('і', 'ў').replaceAll('ї', '∙').replace('Ґ', 'є');
    const greek =
      'Ωμοι οι ΐξυςφποι ηεξξιοΰξται εμεΰυεςοι λαι έσοι στθξ ακιοπςΫπεια λαι τα διλαιρνατα. Άέξαι πςοιλισνΫξοι νε μοηιλά.';
    // Letters in EBCDIC, with a space that is @ in ASCII.
    const ebcdic = Uint8Array.from('all human beings are born free and equal', (character) =>
      character === ' '
        ? 0x40
        : 0x81 + ((character.charCodeAt(0) - 0x61) % 9) + 16 * Math.floor((character.charCodeAt(0) - 0x61) / 9),
    );
    for (const bytes of [encodeIn('IBM866', ukrainian), encodeIn('ISO-8859-7', greek), ebcdic])
      await expect(extract(bytes, { charset: 'auto', type: 'text' })).rejects.toMatchObject(refusal);
    const chinese = new TextEncoder().encode('words ~{<:Ky2;S{#,NpJ)l6HK!#~}~{<:Ky2;S{~}');
    await expect(extract(chinese, { charset: 'auto' })).rejects.toMatchObject({
      code: 'unknown-charset',
      message: 'it seems to be HZ, which is not decoded: convert it to UTF-8',
    });
  });

  test.each([
    ['html', '<meta charset=utf-8><p>'],
    ['xml', '<?xml version="1.0" encoding="UTF-8"?><p>'],
  ] as const)('overrides a wrong declaration of UTF-8 with a warning: %s', async (type, start) => {
    const bytes = new Uint8Array([...Buffer.from(start), ...cyrillic1251, ...Buffer.from('</p>')]);
    const warning = 'declared as UTF-8, which most of its characters are not: guessed windows-1251';
    expect(await extract(bytes, { charset: 'auto', type })).toMatchObject({ text: RUSSIAN, warnings: [warning] });
    expect((await extract(bytes, { type })).charset).toBe('UTF-8');
  });
});

describe('well-formed UTF-8 that is declared otherwise', () => {
  const words = '日本の言葉';
  const read = async (markup: string, hints: ExtractionHints) => {
    const { charset, warnings } = await extract(new TextEncoder().encode(markup), hints);
    return [charset, warnings[0]];
  };
  test.each<[markup: string, hints: ExtractionHints, charset: string]>([
    [`<meta charset=shift_jis><p>${words}`, { type: 'html' }, 'Shift_JIS'],
    [`<p>${words}`, { type: 'html', transportCharset: 'gbk' }, 'GBK'],
    [`<?xml version="1.0" encoding="GB2312"?><a>${words}</a>`, {}, 'GBK'],
    [words, { transportCharset: 'iso-8859-1' }, 'windows-1252'],
    [words, { charset: 'shift_jis' }, 'Shift_JIS'],
  ])('causes a warning: %s %o', async (markup, hints, charset) => {
    expect(await read(markup, hints)).toEqual([charset, `read as ${charset}, though the bytes are well-formed UTF-8`]);
  });

  test.each<[markup: string, hints: ExtractionHints, charset: string]>([
    ['<meta charset=shift_jis><p>a', { type: 'html' }, 'Shift_JIS'],
    [words, { charset: 'utf-8' }, 'UTF-8'],
  ])('causes no warning: %s %o', async (markup, hints, charset) => {
    expect(await read(markup, hints)).toEqual([charset, undefined]);
  });
});

test('the UTF-8 decoder of the platform agrees with step 1', () => {
  forAll([arbitrary.bytes], 2000, (bytes) => {
    expect(decodeAs(bytes, 'UTF-8')).toBe(decode(bytes));
  });
});

test('a text is well-formed UTF-8 if step 1 decodes it without a replacement', () => {
  forAll([arbitrary.bytes], 2000, (bytes) => {
    const written = bytes.filter((_, at) => bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd);
    const decoded = [...decode(bytes)].filter((character) => character === '\uFFFD');
    expect(isWellFormedUtf8(bytes)).toBe(decoded.length === written.length);
  });
  expect(isWellFormedUtf8(Uint8Array.of(0xef, 0xbf, 0xbd))).toBe(true);
});
