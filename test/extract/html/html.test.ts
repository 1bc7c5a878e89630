import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ExtractionHints, extract } from '../../../src/extract/index.ts';
import { forAllAsync, IS_SLOW, runs, slowTest } from '../../suite.ts';

const utf8 = new TextEncoder();

/** Extracts from markup in UTF-8. */
async function textOf(markup: string): Promise<string> {
  return (await extract(utf8.encode(markup), { type: 'html', charset: 'utf-8' })).text;
}

/** Runs of letters and digits: enough of steps 2 to 5 to see what is one word and what is two. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Rule (see the comments of src/extract/html/html.ts), markup, text. */
const CASES: readonly (readonly [rule: string, markup: string, text: string])[] = [
  [
    'HTM-8 a slot in another host',
    '<x-a><template shadowrootmode=open><p><slot></slot>!</p></template>a<b>b</b></x-a>',
    'ab!',
  ],
  [
    'HTM-8 a table before which text is moved',
    '<div><template shadowrootmode=open><slot></slot></template><table>a<tr><td>b</table></div>',
    'a\nb',
  ],
  ['HTM-3 noscript in the head does not end it', '<head><noscript><p>a</p></noscript><title>b</title></head>c', 'c'],
  ['HTM-3 void elements without a box', 'a<link href=b><meta name=c content=d><base><area alt=e>f', 'af'],

  // HTM-4: hidden
  ['HTM-4 closed dialog', 'a<dialog>b</dialog>c', 'ac'],

  // HTM-5: block and inline
  ['HTM-5 block in inline', '<b>a<div>b</div>c</b>', 'a\nb\nc'],
  ['HTM-5 borders do not add up', '<div><div><p>a</p></div></div><div>b</div>', 'a\nb'],
  ['HTM-5 closed details', '<details><summary>a</summary>b</details>c', 'a\nb\nc'],
  ['HTM-5 xmp', 'a<xmp><b>b</xmp>c', 'a\n<b>b\nc'],
  ['HTM-5 paragraph closed by a block', '<p>a<ul><li>b</ul>c', 'a\nb\nc'],

  // HTM-6: what else separates
  ['HTM-6 two br', 'a<br><br/>b', 'a\n\nb'],
  ['HTM-6 br at the end of a block', '<p>a<br></p>b', 'a\nb'],
  ['HTM-6 br at both ends', '<br>a<br>', 'a'],
  ['HTM-6 /br', 'a</br>b', 'a\nb'],
  ['HTM-6 cells', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', 'a\tb\nc\td'],
  ['HTM-6 block in a cell', '<table><tr><td><p>a</p><td>b</table>', 'a\nb'],
  ['HTM-6 list items outside of lists', '<li>a<li>b', 'a\nb'],
  ['HTM-6 ordered list has no numbers', '<ol><li>a<li>b</ol>', 'a\nb'],
  ['HTM-6 optgroup', '<select><optgroup label=a><option>b</optgroup><optgroup><option>c</select>', 'b\nc'],

  // Within a line: objects without text, and boxes with a text of their own
  ['object picture', 'a<picture><source srcset=b><img alt=c></picture>d', 'ad'],
  ['object embed', 'a<embed src=b>c', 'ac'],
  ['object map', 'a<map><area alt=b></map>c', 'ac'],

  // SVG and MathML
  ['SVG without text', 'a<svg><path d="M0 0"/></svg>b', 'ab'],
  ['SVG CDATA', '<svg><text><![CDATA[a]]></text></svg>', 'a'],
  [
    'MathML annotation',
    '<math><semantics><mi>a</mi><annotation>b</annotation>' +
      '<annotation-xml encoding="text/html"><p>c</p></annotation-xml></semantics></math>',
    'a',
  ],

  // White space
  ['space is collapsed', ' a \n\t b <i> c</i> ', 'a b c'],
  ['space across elements is one', 'a <b> b </b> c', 'a b c'],
  ['space at block borders is none', '<p> a </p> <p> b </p>', 'a\nb'],
  ['no-break space stays', 'a&nbsp;<b>b</b>&nbsp; c', 'a\u00A0b\u00A0 c'],
  ['no-break space alone', 'a<b>&nbsp;</b>b', 'a\u00A0b'],
  ['ideographic space stays', '一　<b>　二</b>', '一　　二'],
  ['pre', 'a<pre>b\n  c\td\n</pre>e', 'a\nb\n  c\td\ne'],
  ['pre loses its first line end', '<pre>\na\n\nb</pre>', 'a\n\nb'],
  ['pre with inline', '<pre>a <b>b</b>\n<i>c</i></pre>', 'a b\nc'],
  ['pre keeps CR LF as one line end', '<pre>a\r\nb\rc</pre>', 'a\nb\nc'],
  ['space between cells', '<table> <tr> <td> a </td> <td> b </td> </tr> </table>', 'a\tb'],
];

describe('HTML extraction', () => {
  test.each(CASES)('follows %s: %s', async (_rule, markup, text) => {
    expect(await textOf(markup)).toBe(text);
  });

  const blocks = [
    'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form',
    'h1 h2 h3 h4 h5 h6 header hgroup legend li listing main menu nav ol optgroup option p pre search section summary',
    'ul xmp',
  ];
  test.each(blocks.join(' ').split(' '))('separates words at <%s> (HTM-5)', async (name) => {
    expect(await textOf(`a<${name} open>b</${name}>c`)).toBe('a\nb\nc');
  });

  const inline =
    'a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label map mark nobr output q ruby s ' +
    'samp slot small span strike strong sub sup time tt u var x-custom';
  test.each(inline.split(' '))('does not separate words at <%s> (HTM-5)', async (name) => {
    expect(await textOf(`a<${name}>b</${name}>c`)).toBe('abc');
  });
});

/** The bytes of ASCII markup with `#` standing for bytes given in hexadecimal. */
function bytesOf(markup: string, hex = ''): Uint8Array {
  const [before, after = ''] = markup.split('#');
  return Buffer.concat([Buffer.from(before!, 'latin1'), Buffer.from(hex, 'hex'), Buffer.from(after, 'latin1')]);
}

function utf16(text: string, bigEndian = false): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

const META = (label: string) => `<meta charset=${label}><p>#`;
const PADDING = `<!--${'x'.repeat(1100)}-->`;

describe('XHTML (HTM-2)', () => {
  const page = (inside: string): Uint8Array =>
    utf8.encode(`<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">${inside}</html>`);
  const read = (bytes: Uint8Array, path = 'a.xhtml') => extract(bytes, { path });

  test.each([
    ['an element without content', '<head><title/><script src="a"/></head><body><p>a</p></body>', 'a'],
    ['CDATA', '<body><p><![CDATA[a < b]]></p></body>', 'a < b'],
    ['an entity of HTML', '<body><p>a&nbsp;b</p></body>', 'a\u00a0b'],
    ['hidden elements', '<body><p hidden="">a</p><dialog>b</dialog><template><p>c</p></template>d</body>', 'd'],
    ['no shadow root', '<body><div><template shadowrootmode="open">a</template>b</div></body>', 'b'],
  ])('is XML: %s', async (_name, inside, text) => {
    expect(await read(page(inside), 'a.XHT')).toMatchObject({
      text,
      extractor: 'html/2',
      charset: 'UTF-8',
      warnings: [],
    });
  });

  test('is HTML, with a warning, if it is not well-formed', async () => {
    const { text, warnings } = await read(page('<body><p>a<p>b</body>'));
    expect(text).toBe('a\nb');
    expect(warnings).toEqual([expect.stringMatching(/^not well-formed XML \(.+\): read as HTML$/)]);
  });

  test('is HTML by another name', async () => {
    expect((await read(page('<head><title/></head><body><p>a</p></body>'), 'a.html')).text).toBe('');
  });

  test('has an article', async () => {
    const bytes = page('<body><nav>a</nav><article><p>b</p></article></body>');
    expect(await extract(bytes, { path: 'a.xhtml', extractor: 'article' })).toMatchObject({ text: 'b' });
  });
});

test('a NUL does not make a page binary data', async () => {
  expect((await extract(utf8.encode('<html><p>a\0b</p>'))).text).toBe('ab');
});

describe('the charset of HTML (HTM-1)', () => {
  test.each<readonly [name: string, bytes: Uint8Array, hints: ExtractionHints, charset: string, text: string]>([
    ['meta charset in quotes and odd case', bytesOf('<META CHARSET=" Utf8 "><p>#', 'c3a9'), {}, 'UTF-8', 'é'],
    ['content without http-equiv', bytesOf('<meta content="a; charset=koi8-r">#', 'e9'), {}, 'windows-1252', 'é'],
    ['unknown meta, then a known one', bytesOf(`<meta charset=nosuch>${META('koi8-r')}`, 'f0'), {}, 'KOI8-R', 'П'],
    ['meta x-user-defined means windows-1252', bytesOf(META('x-user-defined'), '80'), {}, 'windows-1252', '€'],
    ['us-ascii means windows-1252', bytesOf(META('us-ascii'), '92'), {}, 'windows-1252', '’'],
    ['iso-8859-15', bytesOf(META('iso-8859-15'), 'a4'), {}, 'ISO-8859-15', '€'],
    ['gb2312 means GBK', bytesOf(META('gb2312'), 'd6d0cec4'), {}, 'GBK', '中文'],
    ['iso-2022-jp', bytesOf(META('iso-2022-jp'), '1b2442467c4b5c386c1b2842'), {}, 'ISO-2022-JP', '日本語'],

    ['caller beats meta', bytesOf(META('utf-8'), 'f0'), { charset: 'koi8-r' }, 'KOI8-R', 'П'],
    ['caller beats transport', bytesOf('#', 'f0'), { charset: 'koi8-r', transportCharset: 'big5' }, 'KOI8-R', 'П'],
    ['caller may say utf-16', utf16('<p>é'), { charset: 'utf-16' }, 'UTF-16LE', 'é'],
    ['caller beats a late meta', bytesOf(`${PADDING}${META('utf-8')}`, 'f0'), { charset: 'koi8-r' }, 'KOI8-R', 'П'],

    ['XML declaration in odd form', bytesOf("<?xml encoding =\n'koi8-r' ?><p>#", 'f0'), {}, 'KOI8-R', 'П'],
    ['XML declaration of UTF-16', bytesOf('<?xml encoding="utf-16"?><p>#', 'c3a9'), {}, 'UTF-8', 'é'],
    ['meta beats XML declaration', bytesOf(`<?xml encoding="big5"?>${META('koi8-r')}`, 'f0'), {}, 'KOI8-R', 'П'],
    ['XHTML by name', bytesOf('<p>#', 'c3a9'), { path: 'a.xhtml' }, 'UTF-8', 'é'],
    ['XHTML with a meta', bytesOf(META('koi8-r'), 'f0'), { path: 'a.xht' }, 'KOI8-R', 'П'],

    [
      'http-equiv behind the prescan',
      bytesOf(`${PADDING}<meta http-equiv=content-type content='text/html;charset = "koi8-r"'><p>#`, 'f0'),
      {},
      'KOI8-R',
      'П',
    ],
    ['late utf-16 means utf-8', bytesOf(`${PADDING}${META('utf-16')}`, 'c3a9'), {}, 'UTF-8', 'é'],
    ['late meta in a script', bytesOf(`${PADDING}<script>${META('koi8-r')}</script>`, 'e9'), {}, 'windows-1252', ''],
    [
      'meta cut by the prescan',
      bytesOf(
        `<!--${'x'.repeat(1024 - '<!---->'.length - '<meta charset="iso-8859-1'.length)}--><meta charset="iso-8859-15"><p>#`,
        'a4',
      ),
      {},
      'ISO-8859-15',
      '€',
    ],
    [
      'meta in what only looks like markup to the prescan',
      bytesOf(`<title><meta charset=big5></title>${META('koi8-r')}`, 'f0'),
      {},
      'KOI8-R',
      'П',
    ],
    ...['charset', 'charset ', 'charset=', 'charset= ', 'charset="x', 'charsetcharset', ';'].map(
      (tail) =>
        [
          `content that ends in ${JSON.stringify(tail)}, then a known meta`,
          bytesOf(`<meta http-equiv=content-type content='text/html; ${tail}'>${META('koi8-r')}`, 'f0'),
          {},
          'KOI8-R',
          'П',
        ] as const,
    ),
  ])('is detected: %s', async (_name, bytes, hints, charset, text) => {
    const extraction = await extract(bytes, { type: 'html', ...hints });
    expect({ charset: extraction.charset, text: extraction.text }).toEqual({ charset, text });
  });

  test('may be windows-1252, including bytes 80 to 9F', async () => {
    const bytes = bytesOf('<pre>#', Buffer.from(Array.from({ length: 32 }, (_, i) => 0x80 + i)).toString('hex'));
    expect((await extract(bytes, { type: 'html' })).text).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9Dž\u0178');
  });

  test.each([{ charset: 'nosuch' }, { charset: '' }, { charset: 'iso-2022-kr' }, { transportCharset: 'hz-gb-2312' }])(
    'is rejected by %o',
    async (hints) => {
      await expect(extract(bytesOf('<p>a'), { type: 'html', ...hints })).rejects.toMatchObject({
        code: 'unknown-charset',
      });
    },
  );

  test.each(['', PADDING])('is rejected if a meta names an encoding without a decoder', async (before) => {
    const bytes = bytesOf(`${before}<meta charset=iso-2022-cn>`);
    await expect(extract(bytes, { type: 'html' })).rejects.toMatchObject({ code: 'unknown-charset' });
  });

  test('causes warnings', async () => {
    const warnings = async (bytes: Uint8Array, hints = {}) =>
      (await extract(bytes, { type: 'html', ...hints })).warnings;
    expect(await warnings(bytesOf('<p>a'))).toEqual([]);
    expect(await warnings(bytesOf(META('utf-8'), 'c3a9'))).toEqual([]);
    expect(await warnings(bytesOf('<p>#', 'e9'))).toEqual(['no charset is declared: read as windows-1252']);
    expect(await warnings(bytesOf('<p>#', 'c3a9'))).toEqual([]);
    expect(await warnings(bytesOf(META('utf-8'), 'ff'))).toEqual([
      '1 replacement character (U+FFFD) after decoding as UTF-8: it may be damaged or in another charset',
    ]);
    expect(await warnings(bytesOf('#<p>', 'efbbbf'), { charset: 'koi8-r' })).toEqual([
      'the byte order mark says UTF-8: the charset KOI8-R is not used',
    ]);
    expect(await warnings(bytesOf('a'), { transportCharset: 'nosuch' })).toEqual([
      'the transport\'s charset "nosuch" is unknown and not used',
    ]);
    expect(await warnings(bytesOf('a'), { transportCharset: 'no\u009b2Jsuch' })).toEqual([
      'the transport\'s charset "no\\u009b2Jsuch" is unknown and not used',
    ]);
    expect(await warnings(bytesOf('<frameset><frame src=a></frameset>'))).toEqual([
      'a frameset: its content is in other documents',
    ]);
  });
});

test('the result has text, media type, extractor, charset and warnings', async () => {
  expect(await extract(utf8.encode('<meta charset=utf-8><p>a'), { type: 'html' })).toEqual({
    text: 'a',
    mediaType: 'text/html',
    extractor: 'html/2',
    charset: 'UTF-8',
    warnings: [],
  });
});

describe('the size and nesting of HTML', () => {
  const N = IS_SLOW ? 100_000 : 20_000;
  test.each([
    ['div', '<div>'.repeat(N)],
    ['closed div', `${'<div>'.repeat(N)}x${'</div>'.repeat(N)}`],
    ['span', '<span>'.repeat(N)],
    ['b', '<b>'.repeat(N)],
    ['list', '<ul><li>'.repeat(N / 2)],
    ['hidden', `<div hidden>${'<div>'.repeat(N)}</div>`],
    ['svg', `<svg>${'<g>'.repeat(N)}`],
    ['stray end tags', '</div></p></br>'.repeat(N)],
    ['comments', '<!--'.repeat(N)],
    ['attributes', `<p ${Array.from({ length: N / 10 }, (_, i) => `a${i}=1`).join(' ')}>`],
  ])('may be large: %s', async (_name, markup) => {
    const bytes = utf8.encode(`a ${markup}`);
    const { text } = await extract(bytes, { type: 'html', charset: 'utf-8' }, { limits: { depth: 2 * N } });
    expect(wordsOf(text)[0]).toBe('a');
  });

  test('is limited in depth', async () => {
    expect(await textOf(`${'<div>'.repeat(1900)}a`)).toBe('a');
    await expect(textOf(`${'<div>'.repeat(2000)}a`)).rejects.toMatchObject({ code: 'too-deep' });
    const lower = extract(utf8.encode('<p><b>a'), { type: 'html' }, { limits: { depth: 3 } });
    await expect(lower).rejects.toMatchObject({ code: 'too-deep' });
  });

  test('is bounded for formatting that every block leaves open', async () => {
    const open = Array.from({ length: 1000 }, (_, i) => `<b i=${i}>`).join('');
    await expect(textOf(`<p>${open}</p>${'<p>x'.repeat(1500)}`)).rejects.toMatchObject({ code: 'too-large' });
    // Sixteen open fonts and two hundred paragraphs are only careless.
    expect(wordsOf(await textOf(`<p>${open.slice(0, 120)}</p>${'<p>x y'.repeat(200)}`))).toHaveLength(400);
  });

  test('keeps the order of long texts in deep elements', async () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${i}${'x'.repeat((i % 8) * 700)}`);
    const markup = `<p>${words.slice(0, 25).join(' <b>')} ${words.slice(25).join(' </b>')}`;
    expect(wordsOf(await textOf(markup))).toEqual(words);
  });

  /** Milliseconds of CPU that it takes to extract so many copies of some markup. */
  async function timeOf(markup: string, times: number): Promise<number> {
    const bytes = utf8.encode(markup.repeat(times));
    const start = process.cpuUsage();
    await extract(bytes, { type: 'html', charset: 'utf-8' }, { limits: { depth: 1_000_000 } });
    return process.cpuUsage(start).user / 1000;
  }

  for (const [what, markup] of [
    ['size', '<p>one <b>t</b>wo<br>&amp; <td>\n'],
    ['depth', '<b>x'],
    ['depth of formatting in blocks', '<b><p>x'],
  ] as const)
    slowTest(`time grows with the ${what}, not with its square`, async () => {
      await timeOf(markup, 20_000);
      const [small, large] = [await timeOf(markup, 20_000), await timeOf(markup, 160_000)];
      expect(large).toBeLessThan(8 * 4 * small);
    });
});

describe('any HTML', () => {
  const TAGS =
    'a b p div td tr table select option svg math title text mi annotation-xml foreignObject template noscript script ' +
    'style textarea plaintext frameset object ruby rt head body html form li pre button details dialog br wbr img';
  const piece = fc.oneof(
    fc.constantFrom(...TAGS.split(' ')).map((name) => `<${name}>`),
    fc.constantFrom(...TAGS.split(' ')).map((name) => `</${name}>`),
    fc.constantFrom('<!--', '-->', '<![CDATA[', ']]>', '<?xml ', '<!doctype html>', '&amp', '&#', '<', '>', '\0', '"'),
    fc.constantFrom('<meta charset=', '<meta http-equiv=content-type content="charset', ' hidden', ' x="', 'utf-8'),
    fc.string({ unit: 'binary' }),
  );

  test('is read without an error to scalar values', async () => {
    await forAllAsync([fc.array(piece, { maxLength: 40 })], runs(1000), async (pieces) => {
      const { text } = await extract(utf8.encode(pieces.join('')), { type: 'html' });
      expect(text).not.toMatch(/\p{Cs}/u);
    });
  });

  test('is read to text or a coded error from any bytes', async () => {
    await forAllAsync([fc.uint8Array({ maxLength: 200 })], runs(500), async (bytes) => {
      await extract(bytes, { type: 'html' });
    });
  });

  test('has the same words with inline elements around parts of words', async () => {
    const names = fc.constantFrom('b', 'i', 'em', 'span', 'a', 'sup', 'code', 'x-y', 'mark', 'font', 'u');
    const word = fc.string({ unit: fc.constantFrom(...'abcdeéжωन你한'), minLength: 1, maxLength: 8 });
    const traceless = ['', '', '<wbr>', '<img alt="x y">', '<!-- x y -->', '<script>x y</script>', '<i hidden>x y</i>'];
    /** A word with elements around some of its letters and, between them, what leaves no trace. */
    const wrapped = word.chain((letters) =>
      fc
        .tuple(
          fc.array(names, { minLength: letters.length, maxLength: letters.length }),
          fc.array(fc.constantFrom(...traceless), { minLength: letters.length, maxLength: letters.length }),
        )
        .map(([tags, between]) => ({
          letters,
          markup: [...letters].map((letter, i) => `<${tags[i]}>${letter}</${tags[i]}>${between[i]}`).join(''),
        })),
    );
    const separators = [' ', '\n', '<br>', '<p>', '<hr>', '<div></div>', '<li>', ' <b> </b> ', '<button>'];
    const separator = fc.constantFrom(...separators);
    await forAllAsync([fc.array(fc.tuple(wrapped, separator), { maxLength: 12 })], runs(500), async (parts) => {
      const markup = parts.map(([each, between]) => each.markup + between).join('');
      expect(wordsOf(await textOf(markup))).toEqual(parts.map(([each]) => each.letters));
    });
  });
});
