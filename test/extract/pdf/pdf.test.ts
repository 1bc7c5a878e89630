import { constants, deflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import {
  at,
  bytesOf,
  FIRST_FREE,
  hex,
  lines,
  makeCjkPdf,
  makeEncryptedPdf,
  makePdf,
  type PdfParts,
  stream,
} from './pdf-made.ts';

async function textOf(content: string | readonly string[], parts?: PdfParts): Promise<string> {
  return (await extract(makePdf(typeof content === 'string' ? [content] : content, parts))).text;
}

describe('extraction of PDF: lines and words', () => {
  test('reports text, extractor and warnings', async () => {
    const { mediaType, extractor, warnings, text } = await extract(makePdf([at(72, 700, 'Hello, world')]));
    expect({ mediaType, extractor, warnings, text }).toEqual({
      mediaType: 'application/pdf',
      extractor: 'pdf/4',
      warnings: [],
      text: 'Hello, world',
    });
  });

  test('puts a space at a gap, and none where a word is only kerned', async () => {
    expect(await textOf('BT /F 10 Tf 72 700 Td [(Two)-300(words) -300 (k)20(er)-40(ned)] TJ ET')).toBe(
      'Two words kerned',
    );
  });

  test('omits spaces that kerning cancels, if a font has many of them', async () => {
    expect(await textOf('BT /F 10 Tf 72 700 Td [(Cont )278(ents)-300(of the )278(wor )278(ld)] TJ ET')).toBe(
      'Contents of theworld',
    );
    const spaces = at(72, 650, 'one of the few spaces that are taken back is no mistake, as far as we know');
    expect(await textOf(`BT /F 10 Tf 72 700 Td [(Line )278(25)] TJ ET ${spaces}`)).toMatch(/^Line 25\n/);
  });

  test('puts a space where a font draws all of its spaces without a width', async () => {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[32/.notdef]>>>>';
    const pages = `/Kids[${FIRST_FREE + 1} 0 R]/Count 1/Resources<</Font<</T ${FIRST_FREE} 0 R>>>>`;
    const content = 'BT /T 12 Tf 72 700 Td (the harbour) Tj ( of) Tj 0 -14 Td (Oslo ) Tj ET';
    expect(await textOf(content, { objects: [font], pages })).toBe('the harbour of\nOslo');
  });

  test('joins a word that changes its font or rises', async () => {
    expect(await textOf(at(72, 700, 'H') + at(79.3, 698, '2', 'F', 7) + at(83.3, 700, 'O'))).toBe('H2O');
  });

  test('joins an initial to the rest of its word', async () => {
    const content = at(72, 688, 'W', 'F', 30) + at(101, 702, 'hen the') + at(101, 690, 'day came');
    expect(await textOf(content)).toBe('When the\nday came');
  });

  test('separates cells by tabs, and columns drawn one after the other by lines', async () => {
    const table = at(72, 700, 'Name') + at(172, 700, 'Value') + at(72, 688, 'length') + at(172, 688, 'seven');
    expect(await textOf(table)).toBe('Name\tValue\nlength\tseven');
    const columns = lines(72, 700, ['first', 'second']) + lines(300, 700, ['third', 'fourth']);
    expect(await textOf(columns)).toBe('first\nsecond\nthird\nfourth');
  });

  test('separates overlapping words, and returns text once that is drawn twice', async () => {
    expect(await textOf(at(72, 700, 'dimension') + at(105, 700, 'description'))).toBe('dimension description');
    expect(await textOf(at(72, 700, 'bold') + at(72.3, 700, 'bold') + at(110, 700, 'text'))).toBe('bold\ttext');
  });

  test('reads a rotated page', async () => {
    const turned = 'BT /F 10 Tf 0 1 -1 0 300 100 Tm (Turned to the) Tj 0 1 -1 0 312 100 Tm (left) Tj ET';
    expect(await textOf(turned)).toBe('Turned to the\nleft');
    // A 1 and an i are drawn narrower than they are.
    for (const matrix of ['0 1 -1 0', '0 -1 1 0', '-1 0 0 -1', '0 2 -1 0'])
      expect(await textOf(`BT /F 10 Tf ${matrix} 300 400 Tm (1.1 of 111: https://it.li) Tj ET`)).toBe(
        '1.1 of 111: https://it.li',
      );
  });

  test('reads invisible text, such as that of a scan', async () => {
    expect(await textOf(`3 Tr ${at(72, 700, 'recognised')}`)).toBe('recognised');
  });

  test('omits metadata and annotations', async () => {
    const objects = ['<</Title(A title)>>'];
    expect(await textOf(at(72, 700, 'text'), { objects, trailer: `/Info ${FIRST_FREE} 0 R` })).toBe('text');
  });
});

describe('extraction of PDF: words across lines', () => {
  test('joins a word at its hyphen if the second half is in lower case', async () => {
    expect(await textOf(lines(72, 700, ['a docu-', 'ment of Baden-', 'Baden']))).toBe('a document of Baden-Baden');
  });

  test('keeps the hyphen of a word that has one elsewhere, and of two words if no other word is split', async () => {
    const known = ['a well-known name,', 'and a well-', 'known one'];
    expect(await textOf(lines(72, 700, known))).toBe('a well-known name,\nand a well-known one');
    const halves = ['the open door to a source', 'is an open-', 'source one'];
    expect(await textOf(lines(72, 700, halves))).toBe('the open door to a source\nis an open-source one');
  });

  test('keeps the hyphen of abbreviations, numbers and single letters', async () => {
    expect(await textOf(lines(72, 700, ['a BSD-', 'derived x86-', 'like kfreebsd-', 'amd64 e-', 'mail']))).toBe(
      'a BSD-derived x86-like kfreebsd-amd64 e-mail',
    );
  });

  test('joins halves that the rest of the document has as one word', async () => {
    const content = ['some thing, something', 'or some-', 'thing'];
    expect(await textOf(lines(72, 700, content))).toBe('some thing, something\nor something');
  });

  test('joins an address that is split across lines', async () => {
    expect(await textOf(lines(72, 700, ['see https://example.org/one/', 'two/three.html for more']))).toBe(
      'see https://example.org/one/two/three.html for more',
    );
  });

  test('joins across pages, over headers and page numbers, which are returned once', async () => {
    const page = (number: number, texts: readonly string[]) =>
      at(72, 770, `Annual Report ${number}`) + lines(72, 700, texts) + at(300, 30, String(number));
    expect(await textOf([page(1, ['the docu-']), page(2, ['ment goes on']), page(3, ['to its end'])])).toBe(
      'Annual Report 1\nthe\n1\ndocument goes on\nto its end',
    );
    expect(await textOf([page(1, ['one']), page(2, ['the docu-']), page(3, ['ment'])])).toBe(
      'Annual Report 1\none\n1\nthe document',
    );
  });
});

describe('extraction of PDF: objects between the lines of a text', () => {
  test('joins a word over the notes and captions between two columns', async () => {
    const column = lines(72, 700, ['This is a manu-']) + at(72, 100, 'A note below.', 'F', 8);
    const other = at(300, 700, 'Figure 1') + lines(300, 660, ['script with columns']);
    expect(await textOf(column + other)).toBe('This is a\nA note below.\nFigure 1\nmanuscript with columns');
  });

  test('does not join a word with a line outside its paragraph', async () => {
    const column = lines(72, 700, ['This is a manu-', 'Script']) + at(72, 100, 'note', 'F', 8) + at(300, 700, 'lower');
    expect(await textOf(column)).toBe('This is a manu-Script\nnote\nlower');
  });

  test('omits the numbers of lines, and joins the words around them', async () => {
    const words = ['a docu-', 'ment with', 'lines that', 'are num-', 'bered in', 'the mar-', 'gin, and', 'none more'];
    const text = 'a document with\nlines that\nare numbered in\nthe margin, and\nnone more';
    const numbered = (x: number) =>
      words.map((each, index) => at(72, 700 - 20 * index, each) + at(x, 700 - 20 * index, `${index + 11}`, 'F', 6));
    expect(await textOf(numbered(40).join(''))).toBe(text);
    const before = words.map((each, index) => at(72, 700 - 20 * index, `${index + 1} ${each}`));
    expect(await textOf(before.join(''))).toBe(text);
  });

  test('keeps numbers that do not count lines', async () => {
    const rows = [3, 4, 5].map(
      (number, index) => at(72, 700 - 12 * index, `${number}`) + at(100, 700 - 12 * index, 'x'),
    );
    expect(await textOf(rows.join(''))).toBe('3\tx\n4\tx\n5\tx');
  });

  test('omits small line numbers within the margin of other text', async () => {
    const code = Array.from({ length: 9 }, (_, index) =>
      [at(72, 700 - 12 * index, `${index + 1}`, 'F', 6), at(80, 700 - 12 * index, 'code')].join(''),
    );
    expect(await textOf([at(60, 760, 'Above the listing'), ...code].join(''))).toBe(
      ['Above the listing', ...Array(9).fill('code')].join('\n'),
    );
  });

  const NUMBERS = Array.from({ length: 9 }, (_, index) => String(index + 1));
  const rows = (x: number, numbers: readonly string[], ...words: readonly (readonly [number, string])[]) =>
    numbers
      .flatMap((number, index) =>
        [[x, number] as const, ...words].map(([left, word]) => at(left, 700 - 12 * index, word)),
      )
      .join('');

  test.each([
    ['under a heading', at(70, 712, 'No.') + at(150, 712, 'Item') + rows(72, NUMBERS, [150, 'part'])],
    [
      'right of other text',
      at(60, 780, 'Title') + at(60, 760, 'A text as wide as the table') + rows(72, NUMBERS, [150, 'part']),
    ],
    ['with several cells', rows(72, NUMBERS, [150, 'part'], [250, 'price'])],
    ['between cells', rows(150, NUMBERS, [72, 'part'], [250, 'price'])],
    [
      'with zeros before them',
      rows(
        72,
        NUMBERS.map((number) => `0${number}`),
        [150, 'part'],
      ),
    ],
    ['side by side', rows(72, NUMBERS, [150, 'part']) + rows(250, NUMBERS, [300, 'part'])],
    ['without words', rows(72, NUMBERS, [150, '20.75']) + at(72, 500, 'the end')],
  ])('keeps the numbers of a table: %s', async (_case, content) => {
    const { length } = (await textOf(content)).match(/\b0?[1-9]\b/g) ?? [];
    expect(length).toBe(_case === 'side by side' ? 18 : 9);
  });

  test('separates the mark of a note from the word and from the note, but no exponent from its base', async () => {
    const word =
      at(72, 700, 'word') + at(92.3, 704, '3', 'F', 6) + at(98, 700, 'and 5 km') + at(139.3, 704, '2', 'F', 6);
    const note = at(72, 100, '3', 'F', 5) + at(75, 97, 'Such as this', 'F', 8);
    expect(await textOf(word + note)).toBe('word 3 and 5 km2\n3 Such as this');
  });

  test('does not join a row of a table with the next, nor a paragraph with the next', async () => {
    const row = (y: number, cells: readonly string[]) => cells.map((cell, at_) => at(72 + 100 * at_, y, cell, 'W'));
    const table = [...row(700, ['季节', '鸣钟次数']), ...row(685, ['第一个冬天', '一百一十次'])].join('');
    expect(await textOf(table)).toBe('季节\t鸣钟次数\n第一个冬天\t一百一十次');
    const paragraphs = lines(72, 700, ['相似的文档会得到', '相近的指纹与文本'], 'W') + at(72, 668, '下一段', 'W');
    expect(await textOf(paragraphs)).toBe('相似的文档会得到相近的指纹与文本\n下一段');
  });
});

describe('extraction of PDF: scripts', () => {
  test('resolves ligatures and presentation forms', async () => {
    expect(await textOf(at(72, 700, 'o\uFB03ce \uFB01le', 'U'))).toBe('office file');
    expect(await textOf(at(72, 700, '\u2F42\u2EDA', 'W'))).toBe('\u6587\u9875');
  });

  test('puts accents on the letters that they were drawn over', async () => {
    const tex = 'BT /F 10 Tf 72 700 Td [(caf)20(\\264)423(e na)55(\\250)278(\\020ve)] TJ ET';
    expect(await textOf(tex.replace('\\020', 'i'))).toBe('caf\u00e9 na\u00efve');
  });

  test('returns right-to-left text in reading order', async () => {
    // Glyphs from left to right, as most producers draw them: the text reversed.
    const visual = [...'\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD'].reverse().join('');
    expect(await textOf(at(72, 700, visual, 'U'))).toBe('\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD');
    // Word by word from the right.
    const words = at(100, 700, '\u05DD\u05D5\u05DC\u05E9', 'U') + at(77, 700, '\u05DD\u05DC\u05D5\u05E2', 'U');
    expect(await textOf(words)).toBe('\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD');
  });

  test('keeps the order of Latin words on a right-to-left line', async () => {
    const word = [...'\u05E9\u05DC\u05D5\u05DD'];
    const drawn = [...word].reverse().join('');
    const line = at(72, 700, `${drawn} `, 'U') + at(97, 700, 'open source', 'U') + at(152, 700, ` ${drawn}`, 'U');
    expect(await textOf(line)).toBe(`${word.join('')} open source ${word.join('')}`);
    // Glyph by glyph from left to right, the signs in the font of the Latin words.
    const glyphs = `.XML-${drawn}`;
    const single = Array.from(glyphs, (glyph, index) => at(72 + 5 * index, 700, glyph, 'U')).join('');
    expect(await textOf(single)).toBe(`${word.join('')}-XML.`);
  });

  test('puts a word inside a right-to-left line in its place', async () => {
    // Words from left to right; an object has the end of one and a sign after the space.
    const line = at(72, 700, 'XM', 'U') + at(82, 700, '\u05D4 .', 'U') + at(97, 700, 'PD', 'U');
    expect(await textOf(line + at(112, 700, '\u05DD\u05D5\u05DC\u05E9', 'U'))).toBe(
      '\u05E9\u05DC\u05D5\u05DD PD. \u05D4XM',
    );
  });

  test('resolves Arabic forms, and drops the tatweels that stretch a line', async () => {
    const visual = [...'\uFEB3\uFEFC\uFEE1'].reverse().join('');
    expect(await textOf(at(72, 700, visual, 'U'))).toBe('\u0633\u0644\u0627\u0645');
    expect(await textOf(at(72, 700, [...'\u0633\u0640\u0640\u0644\u0627\u0645'].reverse().join(''), 'U'))).toBe(
      '\u0633\u0644\u0627\u0645',
    );
  });

  test('joins lines of Chinese and Japanese that reach the margin, and no others', async () => {
    const paragraph = ['相似的文档会得到相近的指', '纹这个程序可以读取多种格', '式的文件'];
    expect(await textOf(at(72, 730, '标题', 'W', 16) + lines(72, 700, paragraph, 'W'))).toBe(
      `标题\n${paragraph.join('')}`,
    );
    const items = ['文件', '多种格式', '相似的文档会得到相近的指纹'];
    expect(await textOf(lines(72, 700, items, 'W'))).toBe(items.join('\n'));
  });

  test('removes the gaps of a line of ideographs that is stretched', async () => {
    expect(await textOf(`BT /W 10 Tf 2 Tc 72 700 Td <${hex('相似的文档')}> Tj ET`)).toBe('相似的文档');
  });

  test('joins Latin to ideographs and Hangul at gaps of less than a third of the size', async () => {
    const draw = (before: string, gap: number, after: string) =>
      at(72, 700, before, 'W') + at(92 + gap, 700, 'XY', 'W') + at(112 + 2 * gap, 700, after, 'W');
    for (const gap of [1.5, 2.5, 3.4]) {
      expect(await textOf(draw('的文', gap, '以外'))).toBe('的文XY以外');
      expect(await textOf(draw('공용', gap, '가'))).toBe('공용XY가');
    }
    expect(await textOf(draw('공용', 4, '가'))).toBe('공용 XY 가');
    // A space that is drawn is one, and a producer of Korean that leaves gaps in place of spaces means them.
    const api = at(72, 700, 'API ', 'U');
    expect(await textOf(api + at(92, 700, '공용', 'W'))).toBe('API 공용');
    expect(await textOf(api + at(89, 700, '공용', 'W'))).toBe('API공용');
    expect(await textOf(draw('공용', 3, '가') + at(131, 700, '나', 'W'))).toBe('공용 XY 가 나');
  });

  test('reads vertical text', async () => {
    expect(await textOf(at(300, 700, '縦書きの文', 'V') + at(285, 700, '書です', 'V'))).toBe('縦書きの文書です');
  });

  test('maps the predefined character maps', async () => {
    expect(await textOf(`BT /G 10 Tf 72 700 Td <${hex('中文')}> Tj ET`)).toBe('中文');
  });

  test('joins a Korean word that is split across lines', async () => {
    const content = ['비슷한 문서는 서로 가까운 지문을 갖고 파일', '을 읽는다'];
    expect(await textOf(lines(72, 700, content, 'W'))).toBe('비슷한 문서는 서로 가까운 지문을 갖고 파일을 읽는다');
  });

  test('joins a single Korean syllable at a line end or start that is no word elsewhere', async () => {
    const read = (first: string, second: string) =>
      textOf(lines(72, 700, [`비슷한 문서는 서로 ${first}`, second], 'W'));
    expect(await read('가까운 보편적이', '고 파일을 읽는 것')).toContain('보편적이고');
    expect(await read('가까운 지문과 출', '신이 다른 파일을')).toContain('출신이');
    expect(await read('가까운 지문을 볼', '수 있고 읽을 수 있다')).toContain('볼\n수 있고');
  });

  test('joins Korean words in list items whose first half is not a word, if many words are split', async () => {
    const known = '컴파일 지원합니다 크레이트 문자열 실행할 때마다 다시';
    const items = [
      ['• 이 문서의 컴파', '일은 크레이트 지원합', '니다'],
      ['• 저 문서의 문자', '열은 문자열 크레이', '트 것을'],
      ['• 그 문서의 실행', '할 때마다 향상시', '키기 다시'],
    ];
    const drawn = items.map((each, index) => lines(72, 600 - 60 * index, each, 'W')).join('');
    const text = await textOf(at(72, 700, `${known} 컴파일은 문자열은`, 'W', 16) + drawn);
    expect(text).toContain('향상시키기 다시');
    expect(text).toContain('이 문서의 컴파일은 크레이트 지원합니다');
    const whole = lines(72, 600, ['이 문서의 문자열은', '향상시켜 문서의 것'], 'W');
    expect(await textOf(at(72, 700, known, 'W', 16) + whole)).toContain('문자열은\n향상시켜');
  });

  test('joins figures with the ideographs beside them across a gap', async () => {
    expect(await textOf(at(72, 700, '2014', 'U') + at(94, 700, '年', 'W') + at(108, 700, 'x', 'U'))).toBe('2014年 x');
  });

  test('composes letters that fonts take apart: a lam and its alef, the Thai and Lao AM, a capital and its cedilla', async () => {
    const visual = [...'\u0625\u0644 \u0627 \u0641'].reverse().join('');
    expect(await textOf(at(72, 700, visual, 'U'))).toBe('\u0625\u0644\u0627 \u0641');
    expect(await textOf(at(72, 700, '\u0E19\u0E33\u0E49\u0E32 \u0E17\u0E4D\u0E32', 'U'))).toBe(
      '\u0E19\u0E49\u0E33 \u0E17\u0E33',
    );
    expect(await textOf(at(72, 700, '\u0E99\u0ECD\u0EC9\u0EB2', 'U'))).toBe('\u0E99\u0EC9\u0EB3');
    expect(await textOf('BT /F 10 Tf 72 700 Td [(C)555(\\270)-120(elik)] TJ ET')).toBe('\u00C7elik');
  });

  test('puts Indic vowel signs after the consonants that they are drawn before, unless they are there', async () => {
    const written = 'कितनी सर्दियों में क्या';
    expect(await textOf(at(72, 700, 'िकतनी सिदर्यों में क् या सदीर्', 'U'))).toBe(`${written} सर्दी`);
    expect(await textOf(at(72, 700, `${written} किरन कि`, 'U'))).toBe(`${written} किरन कि`);
  });

  test('warns of glyphs without a meaning', async () => {
    const { warnings } = await extract(makePdf([at(72, 700, 'a \uE001\uE002', 'U')]));
    expect(warnings).toEqual(['unreadable: 2 glyphs without a Unicode value']);
  });
});

describe('extraction of PDF: codes that are only numbers of glyphs', () => {
  const font = (name: string, entries: string) =>
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H${entries}/DescendantFonts[<</Type/Font` +
    `/Subtype/CIDFontType2/BaseFont/${name}/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>`;
  const map = stream('', '/CIDInit begincmap 2 beginbfchar<0041><0041><0042><0042>endbfchar endcmap');
  /** `M` maps A and B, `N` maps nothing, and `L` does not exist. */
  const read = (...shown: readonly (readonly [string, string])[]) => {
    const objects = [map, font('Mapped', `/ToUnicode ${FIRST_FREE} 0 R`), font('None', '')];
    const lost = shown.some(([name]) => name === 'L') ? '/L 999 0 R' : '';
    const fonts = `/F 3 0 R/M ${FIRST_FREE + 1} 0 R/N ${FIRST_FREE + 2} 0 R${lost}`;
    const pages = `/Kids[${FIRST_FREE + 3} 0 R]/Count 1/Resources<</Font<<${fonts}>>>>`;
    const draw = ([name, codes]: readonly [string, string], index: number) =>
      `BT /${name} 10 Tf 72 ${700 - 20 * index} Td <${codes}> Tj ET`;
    return extract(makePdf([at(72, 740, 'Text') + shown.map(draw).join('\n')], { objects, pages }));
  };
  const unreadable = (count: number) => [`unreadable: ${count} glyphs without a Unicode value`];

  test('are omitted in a font with other meanings, and do not break a word', async () => {
    expect(await read(['M', '00410142004201420041'])).toMatchObject({ text: 'Text\nABA', warnings: unreadable(2) });
  });

  test('are omitted in a font without any meaning, if control codes are among them', async () => {
    expect(await read(['N', '00390052004F0003'])).toMatchObject({ text: 'Text', warnings: unreadable(4) });
    expect(await read(['N', '0057006F00720064'])).toMatchObject({ text: 'Text\nWord', warnings: [] });
  });

  test('are characters in an encrypted document, of which PDFium maps only the first range', async () => {
    const identity = stream('', '/CIDInit begincmap 1 beginbfrange<0000><ffff><0000>endbfrange endcmap');
    const objects = [identity, font('Identity', `/ToUnicode ${FIRST_FREE} 0 R`)];
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</I ${FIRST_FREE + 1} 0 R>>>>`;
    const content = `BT /I 10 Tf 72 700 Td <${hex('it’s')}> Tj ET`;
    expect(await extract(makeEncryptedPdf(content, { objects, pages }))).toMatchObject({ text: 'it’s', warnings: [] });
  });

  test('are omitted in a lost font', async () => {
    const { text, warnings } = await read(['L', '00390052004F0003001500130014'], ['L', '0057006F00720064']);
    const damaged = 'damaged: 1 object missing or with errors; some text may be missing';
    expect({ text, warnings }).toEqual({ text: 'Text', warnings: [damaged, ...unreadable(22)] });
  });
});

describe('a PDF that cannot be read completely', () => {
  const hello = at(72, 700, 'Hello');

  test('without text is an error', async () => {
    await expect(extract(makePdf(['']))).rejects.toMatchObject({
      code: 'no-text',
      message: 'contains no text: it is empty, or only has images',
    });
  });

  test('without readable text, in a font of type 3 with its own glyph names, is an error', async () => {
    const glyph = stream('', '500 0 0 0 400 700 d1 0 0 400 700 re f');
    const font =
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[0.01 0 0 0.01 0 0]/CharProcs<</a1 ${FIRST_FREE} 0 R>>` +
      '/Encoding<</Differences[1/a1]>>/FirstChar 1/LastChar 1/Widths[500]>>';
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</T ${FIRST_FREE + 1} 0 R>>>>`;
    const bytes = makePdf(['BT /T 1 Tf 72 700 Td <01010101> Tj ET'], { objects: [glyph, font], pages });
    await expect(extract(bytes)).rejects.toMatchObject({
      code: 'no-text',
      message: 'contains no text that can be read: 4 glyphs without a Unicode value',
    });
  });

  test.each([
    ['nothing but a header', bytesOf('%PDF-1.7\n')],
    ['cut off before its catalog', makePdf([hello]).subarray(0, 60)],
    ['a page tree that holds itself', makePdf([hello], { pages: '/Kids[2 0 R]/Count 5' })],
    ['no pages', makePdf([hello], { pages: '/Kids[]/Count 0' })],
    [
      'noise',
      Uint8Array.from({ length: 5000 }, (_, index) => (index < 9 ? '%PDF-1.7\n'.charCodeAt(index) : index * 197)),
    ],
  ])('is damaged: %s', async (_name, bytes) => {
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('that is cut off yields the rest', async () => {
    const whole = makePdf([hello]);
    const { text, warnings } = await extract(whole.subarray(0, whole.length - 300));
    expect({ text, warnings }).toEqual({
      text: 'Hello',
      warnings: ['damaged: its end is missing, and pages may also be missing'],
    });
  });

  test('yields the other pages if some fail', async () => {
    const page = `${FIRST_FREE} 0 R`;
    const { text, warnings } = await extract(makePdf([hello], { pages: `/Kids[99 0 R ${page}]/Count 2` }));
    expect(text).toBe('Hello');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^page 1 of 2 could not be read: /);
    const several = makePdf([hello], { pages: `/Kids[99 0 R ${page} 98 0 R ${page}]/Count 4` });
    expect((await extract(several)).warnings[0]).toMatch(/^2 pages, the first of them 1, of 4 could not be read: /);
  });

  test('may be encrypted, which is an error', async () => {
    const key = '0'.repeat(32);
    const encrypt = `/ID[(${key})(${key})]/Encrypt<</Filter/Standard/V 1/R 2/O(${key})/U(${key})/P -4>>`;
    await expect(extract(makePdf([hello], { trailer: encrypt }))).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('may have at most the limit of pages', async () => {
    const bytes = makePdf([hello, hello, hello]);
    await expect(extract(bytes, {}, { limits: { pages: 2 } })).rejects.toMatchObject({ code: 'too-many-pages' });
    const claimed = makePdf([hello], { pages: `/Kids[${FIRST_FREE} 0 R]/Count 2000000000` });
    expect((await extract(claimed)).text).toBe('Hello');
  });

  test.each([1, 2])('has a stream that grows beyond the limit, compressed %i times', async (layers) => {
    let bytes = new Uint8Array(4_000_000);
    for (let layer = 0; layer < layers; layer++) bytes = new Uint8Array(deflateSync(bytes));
    const filter = `/Filter[${'/FlateDecode'.repeat(layers)}]`;
    const objects = [stream(filter, String.fromCharCode(...bytes))];
    const document = makePdf([hello], { objects });
    await expect(extract(document, {}, { limits: { inflated: 1_000_000 } })).rejects.toMatchObject({
      code: 'too-large',
    });
    expect((await extract(document)).text).toBe('Hello');
    const picture = makePdf([hello], { objects: [stream(`/Subtype/Image${filter}`, String.fromCharCode(...bytes))] });
    expect((await extract(picture, {}, { limits: { inflated: 1_000_000 } })).text).toBe('Hello');
  });

  test.each([
    ['large', 900_000, 2, 909_000],
    // Too short to reach the limit: those count that come after sixteen times the limit.
    ['small', 100_000, 20, 130_000],
  ])('has %s streams that grow beyond the limit together', async (_size, length, count, inflated) => {
    const flate = String.fromCharCode(...deflateSync(Buffer.alloc(length)));
    const objects = Array.from({ length: count }, () => stream('/Filter/FlateDecode', flate));
    const document = makePdf([hello], { objects });
    await expect(extract(document, {}, { limits: { inflated } })).rejects.toMatchObject({ code: 'too-large' });
    const single = makePdf([hello], { objects: objects.slice(1, 2) });
    expect((await extract(single, {}, { limits: { inflated } })).text).toBe('Hello');
  });

  test('may have forms that draw themselves', async () => {
    const form = (entries: string, content: string) =>
      stream(
        `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X ${FIRST_FREE} 0 R>>${entries}>>`,
        content,
      );
    const pages = `/Kids[${FIRST_FREE + 1} 0 R]/Count 1/Resources<</Font<</F 3 0 R>>/XObject<</X ${FIRST_FREE} 0 R>>>>`;
    expect(await textOf(`${hello} /X Do`, { objects: [form('', '/X Do')], pages })).toBe('Hello');
  });
});

test('every page is reported as progress', async () => {
  const told: (readonly [number, number])[] = [];
  const pages = ['one', 'two', 'three'].map((text) => at(72, 700, text));
  await extract(makePdf(pages), {}, { onProgress: (done, total) => told.push([done, total]) });
  expect(told).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test('the bytes of the input do not change, even of a Buffer', async () => {
  const bytes = Buffer.from(makePdf([at(72, 700, 'Hello')]));
  const before = Buffer.from(bytes);
  await extract(bytes);
  expect(bytes.equals(before)).toBe(true);
});

test('extraction prints nothing', async () => {
  const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
  const content = `/Missing Do /F 10 Tf ${at(72, 700, 'Hello')} /Nothing gs [[[ BT /Z 1 Tf (x) Tj`;
  await extract(makePdf([content]));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

describe('text that is not drawn as glyphs, or drawn by other glyphs', () => {
  /** A page with annotations: the fields of a form, or others. */
  function withAnnotations(
    content: string,
    annotations: readonly string[],
    others: readonly string[] = [],
  ): Uint8Array {
    const numbers = annotations.map((_, index) => `${FIRST_FREE + others.length + index} 0 R`).join(' ');
    const page = FIRST_FREE + others.length + annotations.length;
    const objects = [
      ...others,
      ...annotations,
      `<</Type/Page/Parent 2 0 R/Contents ${page + 2} 0 R/Annots[${numbers}]>>`,
    ];
    const catalog = `/AcroForm<</Fields[${numbers}]/DA(/Helv 0 Tf 0 g)>>`;
    return makePdf([content], { catalog, objects, pages: `/Kids[${page} 0 R]/Count 1` });
  }
  const field = (entries: string): string => `<</Type/Annot/Subtype/Widget/Rect[110 690 200 712]/F 4${entries}>>`;

  test('includes the values of form fields and the text of annotations, but nothing hidden', async () => {
    const annotations = [
      field('/FT/Tx/T(name)/V(Ada Lovelace)'),
      field('/FT/Ch/Ff 131072/T(city)/Opt[[(r)(Rome)][(o)(Oslo)]]/V(o)'),
      field('/FT/Tx/T(many)/Ff 4096/V(two\\rlines)'),
      field('/FT/Tx/T(secret)/Ff 8192/V(password)'),
      '<</Type/Annot/Subtype/Widget/Rect[110 690 200 712]/F 2/FT/Tx/T(unseen)/V(hidden)>>',
      field('/FT/Btn/T(box)/V/Yes'),
      '<</Type/Annot/Subtype/FreeText/Contents(A remark)/DA(/Helv 10 Tf)/Rect[110 630 300 652]/F 4>>',
      '<</Type/Annot/Subtype/Text/Contents(A comment)/Rect[110 600 130 620]/F 4>>',
    ];
    const { text } = await extract(withAnnotations(at(72, 700, 'Name'), annotations));
    expect(text).toBe('Name\nAda Lovelace\nOslo\ntwo\nlines\nA remark');
    expect((await extract(withAnnotations('', [field('/FT/Tx/T(name)/V(only this)')]))).text).toBe('only this');
  });

  test('includes the appearance of signatures, stamps, buttons and fields without a value', async () => {
    const form = '/Type/XObject/Subtype/Form/BBox[0 0 90 22]/Resources<</Font<</F 3 0 R>>>>';
    const appearances = ['Signed by Ada', 'Approved', '1,123.00', 'Send'].map((shown) => stream(form, at(2, 8, shown)));
    const shown = (index: number): string => `/AP<</N ${FIRST_FREE + index} 0 R>>`;
    const annotations = [
      field(`/FT/Sig/T(signature)${shown(0)}`),
      `<</Type/Annot/Subtype/Stamp/Rect[110 630 300 652]/F 4${shown(1)}>>`,
      field(`/FT/Tx/T(sum)/V()${shown(2)}`),
      field(`/FT/Tx/T(kept)/V(1123)${shown(2)}`),
      field('/FT/Sig/T(unsigned)'),
      field(`/FT/Btn/Ff 65536/T(send)/MK<</CA(Send it)>>${shown(3)}`),
      field(`/FT/Btn/T(box)/AS/Yes/V/Yes/AP<</N<</Yes ${FIRST_FREE + 3} 0 R>>>>`),
    ];
    const { text } = await extract(withAnnotations(at(72, 700, 'Name'), annotations, appearances));
    expect(text).toBe('Name\nSigned by Ada\nApproved\n1,123.00\n1123\nSend');
  });

  test('includes the appearance of a text annotation without contents', async () => {
    const shown = stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 90 22]/Resources<</Font<</F 3 0 R>>>>',
      at(2, 8, 'Shown'),
    );
    const annotations = ['/Contents()', '/Contents( )', '', '/Contents(Written)'].map(
      (contents) => `<</Type/Annot/Subtype/FreeText/Rect[110 630 300 652]${contents}/AP<</N ${FIRST_FREE} 0 R>>>>`,
    );
    const { text } = await extract(withAnnotations(at(72, 700, 'Name'), annotations, [shown]));
    expect(text).toBe('Name\nShown\nShown\nShown\nWritten');
  });

  test('includes letters of a font of type 3 with a misleading size', async () => {
    const glyph = stream('', '500 0 0 0 400 700 d1 0 0 400 700 re f');
    const differences = [...'SaturdyPge3of'].map((letter) => `${letter.charCodeAt(0)}/${letter}`).join(' ');
    const glyphs = [...new Set('SaturdyPge3of')].map((letter) => `/${letter} ${FIRST_FREE} 0 R`).join('');
    const widths = Array.from({ length: 95 }, () => '500').join(' ');
    const font = (scale: number): string =>
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[${scale} 0 0 ${scale} 0 0]/CharProcs<<${glyphs}>>` +
      `/Encoding<</Differences[${differences}]>>/FirstChar 32/LastChar 126/Widths[${widths}]/ToUnicode 8 0 R>>`;
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</T ${FIRST_FREE + 1} 0 R>>>>`;
    const text = (scale: number, content: string) => textOf(content, { objects: [glyph, font(scale)], pages });
    // Letters of width 5 at size 1, and at size 50.
    expect(await text(0.01, 'BT /T 1 Tf 72 700 Td [(Satur) -200 (day) -2000 (Page)] TJ ET')).toBe('Saturday Page');
    expect(await text(0.0002, 'BT /T 50 Tf 72 700 Td [(Page) -50 (3) -50 (of) -50 (3)] TJ ET')).toBe('Page 3 of 3');
  });

  test('includes replacement text instead of all objects that it replaces', async () => {
    const replaced = (text: string, content: string) => `/Span <</ActualText <FEFF${hex(text)}>>> BDC ${content} EMC\n`;
    const arabic = '\u0633\u0644\u0627\u0645';
    expect(await textOf(replaced(arabic, at(72, 700, 'xy', 'U')))).toBe(arabic);
    for (const word of ['हिन्दी', 'สวัสดี'])
      expect(await textOf(replaced(word, at(72, 700, 'xy', 'U')) + at(90, 700, 'end', 'U'))).toBe(`${word} end`);
    const split = at(72, 700, 'b', 'U') + at(77, 700, 'c', 'U') + at(82, 700, 'd', 'U');
    expect(await textOf(replaced('ball', split) + at(87, 700, 'oon', 'U'))).toBe('balloon');
    // The mark is drawn before its letter.
    const marked = at(82.5, 702, '\u064B', 'U') + at(82, 700, '\u0636', 'U');
    const line = at(77, 700, '\u0627', 'U') + replaced('\u0636\u064B', marked) + at(84, 700, '\u064A', 'U');
    expect((await textOf(line)).replaceAll(' ', '')).toBe('\u064A\u0636\u064B\u0627');
  });

  test.each([
    ['a font', '/Type1/BaseFont/AB#43+Minion'],
    ['a font of type 3', '/Type3/FontBBox[0 0 1 1]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<>>'],
  ])('includes ligatures that only the names of glyphs describe: of %s', async (_what, font) => {
    const objects = [
      `<</Type/Font/Subtype${font}/FirstChar 1/Widths[${'500 '.repeat(255)}]/Encoding ${FIRST_FREE + 1} 0 R>>`,
      `<</Type/Encoding/Differences[1/f_f_i/T_h.liga/uni00660074 4/longs_t/nameless/U/one/equal${[...'aceog'].map((letter) => ` ${letter.charCodeAt(0)}/${letter}`).join('')} 32/space]>>`,
    ];
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</X ${FIRST_FREE} 0 R>>>>`;
    const shown = 'BT /X 10 Tf 72 700 Td (o\\001ce \\002e ge\\003 ca\\004\\005\\006\\007\\010) Tj ET';
    const { text, warnings } = await extract(makePdf([shown], { objects, pages }));
    expect({ text, warnings }).toEqual({
      text: 'office The geft caſt U1=',
      warnings: ['unreadable: 1 glyph without a Unicode value'],
    });
  });

  test('puts a mark on a letter of its own line, and of two as near on the right one', async () => {
    // A maqaf is no mark, and a line above is closer than the size.
    const above = at(92, 707, '\u05D1', 'U') + at(87, 707, '\u05BE', 'U') + at(82, 707, '\u05D0', 'U');
    const below = at(92, 700, '\u05D3', 'U') + at(87, 700, '\u05D2', 'U') + at(89.5, 699, '\u05B8', 'U');
    expect(await textOf(above + below)).toBe('\u05D1\u05BE\u05D0\n\u05D3\u05B8\u05D2');
  });

  test('includes a lam-alef that the font maps to two letters', async () => {
    const map = stream(
      '',
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
        '3 beginbfchar <41> <0633> <42> <06440627> <43> <0645> endbfchar endcmap end',
    );
    const font = `<</Type/Font/Subtype/Type1/BaseFont/Arabic/FirstChar 65/LastChar 67/Widths[500 500 500]/ToUnicode ${FIRST_FREE} 0 R>>`;
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</A ${FIRST_FREE + 1} 0 R>>>>`;
    const objects = [map, font];
    // Glyphs from left to right, as LibreOffice draws them.
    expect(await textOf('BT /A 10 Tf 72 700 Td (CBA) Tj ET', { objects, pages })).toBe('\u0633\u0644\u0627\u0645');
  });

  describe('a character map with errors', () => {
    const head =
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) ' +
      '/Supplement 0>> def /CMapName /Adobe-Identity-UCS def 1 begincodespacerange <0000> <FFFF> endcodespacerange ';
    const font = `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode ${FIRST_FREE} 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontBBox[0 -200 1000 800]/Ascent 800/Descent -200>>>>]>>`;
    const pages = `/Kids[${FIRST_FREE + 2} 0 R]/Count 1/Resources<</Font<</F 3 0 R/X ${FIRST_FREE + 1} 0 R>>>>`;
    const make = (map: string, codes: string) =>
      makePdf([`BT /X 10 Tf 72 700 Td <${codes}> Tj ET`], { objects: [map, font], pages });
    const flate = (text: string) => stream('/Filter/FlateDecode', String.fromCharCode(...deflateSync(text)));

    test.each([
      [
        'a wrong number of characters',
        '9 beginbfchar <0001> <0041>\n<0002> <0042>\nendbfchar endcmap',
        '00010002',
        'AB',
      ],
      [
        'a wrong number of ranges',
        '1 beginbfrange <0001> <0002> <0041>\n<0003> <0003> <0043> endbfrange',
        '00010003',
        'AC',
      ],
      [
        'a range over several high bytes',
        '1 beginbfrange <00f0> <0310> <0040> endbfrange endcmap',
        '00f10201',
        'A\u0151',
      ],
      [
        'a range over several high bytes and codes that others name',
        '2 beginbfrange <00f0> <0310> <0040> <0101> <0101> <0073> endbfrange 1 beginbfchar <0102> <0075> endbfchar endcmap',
        '00f1010001010102',
        'APsu',
      ],
      [
        'a range over all codes, which maps none in particular',
        '2 beginbfrange <0000> <ffff> <0000> <0041> <0041> <0061> endbfrange 2 beginbfchar <0100> <0062> endbfchar endcmap',
        '0100',
        'b',
      ],
      ['the same as a list', '1 beginbfrange <00ff> <0101> [<0041> <0042> <0043>] endbfrange', '00ff01000101', 'ABC'],
    ])('is repaired: %s', async (_case, sections, codes, text) => {
      for (const map of [flate(head + sections), stream('', head + sections)]) {
        const bytes = make(map, codes);
        const before = bytes.slice();
        expect(await extract(bytes)).toMatchObject({ text, warnings: [] });
        expect(bytes).toEqual(before);
      }
    });
  });

  test('excludes signs of a music font', async () => {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Emmentaler-20/Encoding/WinAnsiEncoding>>';
    const pages = `/Kids[${FIRST_FREE + 1} 0 R]/Count 1/Resources<</Font<</F 3 0 R/M ${FIRST_FREE} 0 R>>>>`;
    const content = `${at(72, 700, 'Song')}BT /M 20 Tf 72 650 Td (qrst) Tj ET`;
    const { text, warnings } = await extract(makePdf([content], { objects: [font], pages }));
    expect({ text, warnings }).toEqual({
      text: 'Song',
      warnings: ['left out: 4 glyphs of music or symbol fonts without a Unicode value'],
    });
  });

  test('excludes attached files, which are counted', async () => {
    const names = Array.from('ab', (name, index) => `(${name}.txt) ${FIRST_FREE + index} 0 R`).join('');
    const objects = Array.from('ab', (name) => `<</Type/Filespec/F(${name}.txt)>>`);
    const catalog = `/Names<</EmbeddedFiles<</Names[${names}]>>>>`;
    const { warnings } = await extract(makePdf([at(72, 700, 'Letter')], { catalog, objects }));
    expect(warnings).toEqual(['left out: 2 attached files']);
  });

  test('includes predefined maps of Chinese, Japanese and Korean without embedded fonts', async () => {
    const { bytes, text } = makeCjkPdf();
    expect((await extract(bytes)).text).toBe(text);
  });
});

test('pages of a few lines that are copies of each other are kept', async () => {
  const ticket = (name: string) => at(72, 700, 'Admit one') + at(72, 680, 'Row 7') + at(72, 660, name);
  expect(await textOf([ticket('Ada'), ticket('Ada'), ticket('Ada')])).toBe(
    Array(3).fill('Admit one\nRow 7\nAda').join('\n'),
  );
});

describe('text that resembles a header or footer is kept', () => {
  const pages = (page: (name: string) => string) => ['one', 'two', 'three'].map(page);
  const count = (text: string, word: string): number => text.split(word).length - 1;

  test('if it is the first and last lines of paragraphs', async () => {
    const same = ['Same at the top', 'of a paragraph', 'with', 'four', 'lines'];
    const text = await textOf(pages((name) => lines(72, 770, same) + at(72, 400, name) + lines(72, 70, same)));
    expect(count(text, 'Same at the top')).toBe(6);
    expect(count(text, 'lines')).toBe(6);
  });

  test('if it is the last lines of pages that end in their upper half', async () => {
    const body = (name: string) => [name, 'a', 'b', 'c', 'd'].map((word, index) => at(72, 700 - 30 * index, word));
    const text = await textOf(
      pages((name) => [...body(name), at(72, 500, 'The same end')].join('') + at(72, 480, 'of it')),
    );
    expect(count(text, 'The same end')).toBe(3);
  });

  test('if it is the number of a row whose other cells differ, or a row of several numbers', async () => {
    const body = (name: string) => [700, 600, 500, 400, 300].map((y) => at(72, y, `${name} ${y}`)).join('');
    const row = (...cells: readonly string[]) => cells.map((cell, x) => at(72 + 150 * x, 50, cell)).join('');
    expect(await textOf(pages((name) => body(name) + row(`Sum ${name}`, `${name.length}`)))).toMatch(
      /two\t3\n.*three\t5$/su,
    );
    expect(await textOf(pages((name) => body(name) + row('Sum', '7', `${name.length}`)))).toMatch(/Sum\t7\t5$/u);
    expect(count(await textOf(pages((name) => body(name) + row('Report', `${name.length}`))), 'Report')).toBe(1);
  });

  test('unless it is a footer of two rows next to other drawings', async () => {
    const footer = at(72, 50, 'Source:') + ['Made', 'by', 'Ada'].map((cell, x) => at(72 + 100 * x, 38, cell)).join('');
    const page = (name: string) => [700, 600, 500, 400, 300].map((y) => at(72, y, `${name} ${y}`)).join('');
    expect(count(await textOf(pages((name) => page(name) + at(72, 90, 'last') + footer)), 'Made\tby\tAda')).toBe(1);
  });
});

describe('damage of compressed content', () => {
  const draw = Array.from({ length: 40 }, (_, line) => at(72, 780 - 12 * line, `line ${line} of the text`)).join('');
  const whole = String.fromCharCode(...deflateSync(draw));
  const read = (content: string, entries = '/Filter/FlateDecode') => {
    const objects = [stream(entries, content), `<</Type/Page/Parent 2 0 R/Contents ${FIRST_FREE} 0 R>>`];
    return extract(makePdf([], { objects, pages: `/Kids[${FIRST_FREE + 1} 0 R]/Count 1` }));
  };
  const changed = (at: number) =>
    whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ 0x55) + whole.slice(at + 1);
  const damaged = ['damaged: 1 stream of text with errors; some text may be missing'];

  test.each([
    ['in the middle', changed(whole.length >> 1)],
    ['in its checksum', changed(whole.length - 1)],
    ['at its end, which is missing', whole.slice(0, -20)],
  ])('is reported: %s', async (_where, content) => {
    expect((await read(content)).warnings).toEqual(damaged);
  });

  test('is an error if nothing can be read', async () => {
    await expect(read(`${whole.slice(0, 1)}\0${whole.slice(2)}`)).rejects.toMatchObject({
      code: 'damaged',
      message: 'contains no text that can be read: 1 stream of text with errors',
    });
  });

  test('is not reported for intact content: whole, without a checksum, flushed but not ended, or encoded twice', async () => {
    const flushed = String.fromCharCode(...deflateSync(draw, { finishFlush: constants.Z_SYNC_FLUSH }));
    const hexed = `${Array.from(whole, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}>`;
    const contents = [
      [whole],
      [whole.slice(0, -4)],
      [flushed],
      [hexed, '/Filter[/ASCIIHexDecode/FlateDecode]'],
    ] as const;
    for (const [content, entries] of contents) expect((await read(content, entries)).warnings).toEqual([]);
  });
});

describe('damage to objects', () => {
  const bytes = makePdf([lines(72, 700, ['one', 'two']), at(72, 700, 'three')]);
  const whole = new TextDecoder('latin1').decode(bytes);
  const read = (from: string | RegExp, to: string) => extract(bytesOf(whole.replace(from, to)));
  const damaged = 'damaged: 1 object missing or with errors; some text may be missing';

  test.each([
    ['an object that is missing', '10 0 obj', '10 0 o6j'],
    ['a byte that is no part of a token', '[0 0 600 800]', '[0 0 600 8\xF70]'],
  ])('is reported: %s', async (_what, from, to) => {
    expect((await read(from, to)).warnings).toContain(damaged);
  });

  test('is reported: content with a string without an end', async () => {
    const { text, warnings } = await read('(one)', '(one ');
    expect(text).not.toContain('two');
    expect(warnings).toEqual(['damaged: 1 stream of text with errors; some text may be missing']);
  });

  test('is reported: fewer pages than there are', async () => {
    const { text, warnings } = await read('/Count 2', '/Count 1');
    expect({ text, warnings }).toEqual({ text: 'one\ntwo', warnings: ['damaged: 1 of 2 pages can be found'] });
  });

  test('is not reported where it loses nothing', async () => {
    for (const [from, to] of [
      ['/Contents 10 0 R', '/SubType/X/Contents 10 0 R'],
      ['/BaseFont/Helvetica', '/BaseFont/Helve tica Ten'],
      ['/BaseFont/Helvetica', '/BaseFont/Helvetica\xE9/Title(\xFE\xFF\0%)% \xE9(\n'],
      ['/Type/Catalog', '/Type/Catalog/Outlines 99 0 R'],
    ] as const)
      expect(await read(from, to)).toMatchObject({ text: 'one\ntwo\nthree', warnings: [] });
  });

  test('in a table of objects is mended', async () => {
    const place = /\d{10} 00000 n(?= \ntrailer)/;
    expect(whole.search(place)).toBeGreaterThan(0);
    expect(await read(place, '0000000017 00000 n')).toMatchObject({ text: 'one\ntwo\nthree', warnings: [] });
  });

  test.each<[string, string | RegExp, string]>([
    ['without its keyword', 'trailer', ''],
    ['without a dictionary', /<<\/Size.*>>/, ''],
    ['with an empty dictionary', /<<\/Size.*>>/, '<<>>'],
    ['without the beginning of its dictionary', '<</Size', '/Size'],
    ['without the end of its dictionary', 'R>>\nstartxref', 'R\nstartxref'],
    ['without a catalog', '/Root 1 0 R', ''],
    ['with another object as its catalog', '/Root 1 0 R', '/Root 2 0 R'],
  ])('in a trailer is mended: %s', async (_what, from, to) => {
    expect(await read(from, to)).toMatchObject({ text: 'one\ntwo\nthree', warnings: [] });
  });
});

test.each<[string, (whole: string) => string]>([
  ['damaged', (whole) => whole.replace('%PDF-1.7\n', '%P\0F_1.7\n%\xe2\xe3\xcf\xd3\n')],
  ['missing', (whole) => whole.slice(9)],
  ['of PostScript', (whole) => whole.replace('%', '%!PS-Adobe-3.0 ')],
  ['after much else', (whole) => `${'junk '.repeat(400)}\n${whole}`],
])('a header is mended: %s', async (_what, change) => {
  const whole = new TextDecoder('latin1').decode(makePdf([at(72, 700, 'Hello')]));
  const path = 'a.pdf';
  expect(await extract(bytesOf(change(whole)), { path })).toMatchObject({ text: 'Hello', warnings: [] });
});

test('a broken table of objects is built anew', async () => {
  const bytes = bytesOf(
    new TextDecoder('latin1').decode(makePdf([at(72, 700, 'Hello')])).replace(/startxref\n\d+/, 'startxref\n7'),
  );
  expect((await extract(bytes)).text).toBe('Hello');
});

describe('a PDF that draws too much for its size is rejected', () => {
  const form = (content: string) =>
    stream(`/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</A ${FIRST_FREE} 0 R>>>>`, content);
  const page = (objects: number, resources: string) =>
    `/Kids[${FIRST_FREE + objects} 0 R]/Count 1/Resources<<${resources}/Font<</F 3 0 R/Q ${FIRST_FREE + 1} 0 R>>>>`;

  test('for a form that draws itself', async () => {
    const objects = [form(`0 0 m 1 1 l S ${'/A Do '.repeat(8)}`)];
    const parts = { objects, pages: page(1, `/XObject<</A ${FIRST_FREE} 0 R>>`) };
    await expect(textOf('/A Do', parts)).rejects.toThrow(/for its size/);
  });

  test('for inline images that are larger than their data', async () => {
    const image = 'BI /W 5000 /H 5000 /BPC 8 /CS /RGB /F /Fl ID x\x9cxx EI\n';
    await expect(textOf(image.repeat(1000))).rejects.toThrow('draws too much for its size');
  });

  test('for characters that stand for thousands of others', async () => {
    const map = `/CIDInit begincmap 1 beginbfchar <0041> <${'0041'.repeat(1000)}> endbfchar endcmap`;
    const descendant = '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/DW 500>>';
    const font = `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode ${FIRST_FREE} 0 R/DescendantFonts[${descendant}]>>`;
    const shown = `BT /Q 10 Tf 10 10 Td <${'0041'.repeat(1000)}> Tj ET`;
    await expect(textOf(shown, { objects: [stream('', map), font], pages: page(2, '') })).rejects.toThrow(
      'draws too many characters for its size',
    );
  });

  test('for endless streams', async () => {
    await expect(extract(bytesOf(`%PDF-1.4\n${'1 0 obj<</Length 99>>stream\n'.repeat(8000)}`))).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('have no end'),
    });
  });
});
