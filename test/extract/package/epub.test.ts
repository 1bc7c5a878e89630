import { describe, expect, test } from 'vitest';
import { type ExtractionOptions, extract } from '../../../src/extract/index.ts';
import { type Members, packageOf } from './package-of.ts';

const CONTAINER = (path: string) =>
  `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${path}" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const page = (body: string) =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title></head><body>${body}</body></html>`;

interface Item {
  readonly id: string;
  readonly href: string;
  readonly type?: string;
  readonly properties?: string;
  readonly fallback?: string;
  /** Attributes of its place in the spine; it has none there if not given. */
  readonly spine?: string;
}

async function epubOf(items: readonly Item[], members: Members, folder = 'OEBPS/'): Promise<Uint8Array> {
  const manifest = items.map(
    ({ id, href, type = 'application/xhtml+xml', properties = '', fallback }) =>
      `<item id="${id}" href="${href}" media-type="${type}" properties="${properties}" ${fallback === undefined ? '' : `fallback="${fallback}"`}/>`,
  );
  const spine = items.flatMap(({ id, spine }) => (spine === undefined ? [] : [`<itemref idref="${id}" ${spine}/>`]));
  return packageOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER(`${folder}content.opf`),
    [`${folder}content.opf`]: `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>${manifest.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    ...members,
  });
}

async function textOf(items: readonly Item[], members: Members, options: ExtractionOptions = {}): Promise<string> {
  return (await extract(await epubOf(items, members), {}, options)).text;
}

describe('the reading order of EPUB', () => {
  const members = {
    'OEBPS/a.xhtml': page('<p>a</p>'),
    'OEBPS/b.xhtml': page('<p>b</p>'),
    'OEBPS/c.xhtml': page('<p>c</p>'),
  };
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, href: `${id}.xhtml` })) as [Item, Item, Item];

  test('is that of the spine; other items are not read', async () => {
    expect(await textOf([{ ...b, spine: '' }, { ...a, spine: '' }, c], members)).toBe('b\na');
  });

  test('has a file once that several items name parts of', async () => {
    const parts = ['', '#one', '#two'].map((part, index) => ({ id: `p${index}`, href: `a.xhtml${part}`, spine: '' }));
    expect(await textOf([...parts, { ...b, spine: '' }], members)).toBe('a\nb');
  });

  test('has items outside the linear order in their place', async () => {
    expect(
      await textOf(
        [
          { ...a, spine: '' },
          { ...b, spine: 'linear="no"' },
          { ...c, spine: '' },
        ],
        members,
      ),
    ).toBe('a\nb\nc');
  });

  test('omits navigation', async () => {
    const nav = { ...b, properties: 'scripted nav', spine: '' };
    const ncx = { id: 'ncx', href: 'toc.ncx', type: 'application/x-dtbncx+xml' };
    expect(await textOf([{ ...a, spine: '' }, nav, ncx], { ...members, 'OEBPS/toc.ncx': '<ncx>no</ncx>' })).toBe('a');
  });

  test('has progress after each item', async () => {
    const steps: [number, number][] = [];
    const items = [a, b, c].map((each) => ({ ...each, spine: '' }));
    await textOf(items, members, { onProgress: (...step) => steps.push(step) });
    expect(steps).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });
});

describe('a path in EPUB', () => {
  test.each([
    ['relative to the package document', '../text/a.xhtml', 'text/a.xhtml'],
    ['percent-encoded', 'a%20b%C3%A9.xhtml', 'OEBPS/a bé.xhtml'],
    ['composed, but decomposed in the archive', 'b%C3%A9.xhtml', 'OEBPS/be\u0301.xhtml'],
    ['decomposed, but composed in the archive', 'be\u0301.xhtml', 'OEBPS/b\u00e9.xhtml'],
    ['as it is written, if the archive has it so', 'a%20b.xhtml', 'OEBPS/a%20b.xhtml'],
    ['with a fragment', 'a.xhtml#one', 'OEBPS/a.xhtml'],
    ['not percent-encoded after all', '100%.xhtml', 'OEBPS/100%.xhtml'],
  ])('is resolved: %s', async (_what, href, name) => {
    expect(await textOf([{ id: 'a', href, spine: '' }], { [name]: page('a') })).toBe('a');
  });

  test('of a package document may be at the root', async () => {
    const bytes = await epubOf([{ id: 'a', href: 'a.xhtml', spine: '' }], { 'a.xhtml': page('a') }, '');
    expect((await extract(bytes)).text).toBe('a');
  });

  test('of the package document is searched for without a container', async () => {
    const bytes = await epubOf([{ id: 'a', href: 'a.xhtml', spine: '' }], {
      'OEBPS/a.xhtml': page('a'),
      'META-INF/container.xml': '<container/>',
    });
    expect((await extract(bytes)).text).toBe('a');
  });
});

describe('a content document of EPUB', () => {
  const only = (content: string | Uint8Array, type = 'application/xhtml+xml') =>
    textOf([{ id: 'a', href: 'a.xhtml', type, spine: '' }], { 'OEBPS/a.xhtml': content });

  test.each([
    [
      'rules for HTML',
      page('<h1>wo<b>r</b>d</h1><table><tr><td>a</td><td>b</td></tr></table><p hidden="">x</p>'),
      'word\na\tb',
    ],
    [
      'elements closed at once',
      page('<script src="x"/><a id="p1"/>a<div/>b<textarea/><p>c</p>').replace('<title>no</title>', '<title/>'),
      'a\nb\nc',
    ],
    ['entities of HTML', page('a&nbsp;&eacute;&#x4E2D;<![CDATA[<b>]]>'), 'a\u00A0é中<b>'],
    ['not well-formed: as HTML', page('<p>a & b<p>c<br>d &copy; <b>e<i>f</b></i>'), 'a & b\nc\nd © ef'],
    ['without its namespace: as HTML', '<html><head><title>no</title></head><body><p>a</p></body></html>', 'a'],
    [
      'pictures and formulas',
      page(
        '<svg xmlns="http://www.w3.org/2000/svg"><title>no</title><text>a</text></svg><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mi>y</mi></math>',
      ),
      'a\nx y',
    ],
    ['preformatted', page('<pre>a\n  b</pre>'), 'a\n  b'],
  ])('is read: %s', async (_what, content, text) => {
    expect(await only(content)).toBe(text);
  });

  test('may declare a charset', async () => {
    const content = Buffer.from(page('é').replace('utf-8', 'iso-8859-1'), 'latin1');
    expect(await only(new Uint8Array(content))).toBe('é');
  });

  test('may be HTML or SVG', async () => {
    expect(await only('<title>no</title><p>a<p>b', 'text/html')).toBe('a\nb');
    expect(
      await only('<svg xmlns="http://www.w3.org/2000/svg"><text>a</text><text>b</text></svg>', 'image/svg+xml'),
    ).toBe('a\nb');
  });

  test('may be a fallback', async () => {
    const items = [
      { id: 'x', href: 'x.pdf', type: 'application/pdf', fallback: 'y', spine: '' },
      { id: 'y', href: 'y.png', type: 'image/png', fallback: 'a' },
      { id: 'a', href: 'a.xhtml' },
    ];
    expect(await textOf(items, { 'OEBPS/a.xhtml': page('a') })).toBe('a');
  });

  test.each([
    ['XML with a fallback', 'a', 'application/xml'],
    ['HTML with a fallback', 'a', 'text/html'],
    ['a picture in SVG with a fallback', 'x', 'image/svg+xml'],
    ['XML whose fallbacks are images', 'x', 'text/xml'],
  ])('is chosen among fallbacks: %s', async (_what, text, type) => {
    const items = [
      { id: 'x', href: 'x', type, fallback: 'y', spine: '' },
      { id: 'y', href: 'y.png', type: 'image/png', ...(type === 'text/xml' ? {} : { fallback: 'z' }) },
      { id: 'z', href: 'z.xml', type: 'text/xml', fallback: 'a' },
      { id: 'a', href: 'a.xhtml', fallback: 'x' },
    ];
    const members = {
      'OEBPS/x': '<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>',
      'OEBPS/a.xhtml': page('a'),
    };
    expect(await textOf(items, members)).toBe(text);
  });

  test('may have white space around its identifiers', async () => {
    const items = [
      { id: ' x ', href: 'x.pdf', type: 'application/pdf', fallback: 'a\n', spine: '' },
      { id: '\n a', href: 'a.xhtml' },
    ];
    expect(await textOf(items, { 'OEBPS/a.xhtml': page('a') })).toBe('a');
    const bytes = await packageOf({
      mimetype: 'application/epub+zip',
      'a.opf':
        '<package><manifest><item id="a " href="a" media-type="text/html"/></manifest><spine><itemref idref=" a"/></spine></package>',
      a: 'a',
    });
    expect((await extract(bytes)).text).toBe('a');
  });

  test('that cannot be read is reported, and the rest is read', async () => {
    const items = [
      { id: 'x', href: 'x.png', type: 'image/png', fallback: 'x', spine: '' },
      { id: 'y', href: 'y.xhtml', spine: '' },
      { id: 'a', href: 'a.xhtml', spine: '' },
    ];
    const { text, warnings } = await extract(await epubOf(items, { 'OEBPS/a.xhtml': page('a') }));
    expect(text).toBe('a');
    expect(warnings).toEqual([
      'left out of the reading order: "OEBPS/x.png" is not text',
      '"OEBPS/y.xhtml" is missing from the package',
    ]);
  });
});

describe('encryption in EPUB', () => {
  const encryption = (algorithm: string) => ({
    'OEBPS/a.xhtml': page('a'),
    'META-INF/encryption.xml': `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><KeyInfo/><CipherData><CipherReference URI="OEBPS/a.xhtml"/></CipherData></EncryptedData></encryption>`,
  });
  const items = [{ id: 'a', href: 'a.xhtml', spine: '' }];

  test('of content is an error', async () => {
    const text = textOf(items, encryption('http://www.w3.org/2001/04/xmlenc#aes256-cbc'));
    await expect(text).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('of fonts is ignored', async () => {
    expect(await textOf(items, encryption('http://www.idpf.org/2008/embedding'))).toBe('a');
  });
});

describe('extraction of EPUB', () => {
  test.each([
    ['without a package document', { mimetype: 'application/epub+zip' }],
    ['without content', { mimetype: 'application/epub+zip', 'a.opf': '<package/>' }],
  ])('fails: %s', async (_what, members) => {
    await expect(extract(await packageOf(members))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('finds no text in a spine of images', async () => {
    const [first, second] = ['a', 'b'].map((id) => ({ id, href: `${id}.jpg`, type: 'image/jpeg', spine: '' }));
    const images = [first!, { ...second!, fallback: 'n' }];
    const navigation = { id: 'n', href: 'n.xhtml', properties: 'nav' };
    await expect(textOf([images[1]!, navigation], {})).rejects.toMatchObject({ code: 'no-text' });
    await expect(textOf([...images, navigation], {})).rejects.toMatchObject({ code: 'no-text' });
    // A page that should be there, but is not.
    await expect(textOf([...images, { id: 'x', href: 'x.xhtml', spine: '' }], {})).rejects.toMatchObject({
      code: 'damaged',
    });
  });
});

test('EPUB is detected by its container if the mimetype is not its first member', async () => {
  const opf =
    '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>';
  const bytes = await packageOf({
    'a.xhtml': page('one'),
    'content.opf': opf,
    'META-INF/container.xml': CONTAINER('content.opf'),
    mimetype: 'application/epub+zip',
  });
  expect(await extract(bytes)).toMatchObject({ text: 'one', mediaType: 'application/epub+zip' });
  await expect(extract(bytes, { type: 'zip' })).rejects.toMatchObject({ code: 'archive' });
  await expect(extract(await packageOf({ 'a.xhtml': page('one') }))).rejects.toMatchObject({ code: 'archive' });
});
