import { describe, expect, test } from 'vitest';
import { type ExtractionHints, type ExtractionOptions, extract } from '../../../src/extract/index.ts';

const utf8 = new TextEncoder();

async function read(markup: string, options: ExtractionOptions = {}) {
  return extract(utf8.encode(markup), { type: 'xml' }, options);
}

type Case = readonly [what: string, markup: string, text: string];

async function expectText(cases: readonly Case[], wrap: (markup: string) => string = (markup) => markup) {
  for (const [what, markup, text] of cases) expect([what, (await read(wrap(markup))).text]).toEqual([what, text]);
}

describe('any XML', () => {
  test.each<Case>([
    ['elements separate', '<a><b>one</b><b>two</b></a>', 'one\ntwo'],
    ['but not within a text', '<a>wo<b>r</b>d</a>', 'word'],
    ['also when the text comes last', '<a><p><b>wo</b>rd</p><p><b>o</b>ne</p></a>', 'word\none'],
    ['an element that is all another holds', '<a>wo<b><c>r</c></b>d</a>', 'word'],
    ['several are no parts of a line', '<a>x<b><c>one</c><c>two</c></b>y</a>', 'x\none\ntwo\ny'],
    ['white space is no text', '<a>\n <b>one</b>\n <b>two</b>\n</a>', 'one\ntwo'],
    ['comments and instructions', '<?xml version="1.0"?><!-- x --><a>wo<!-- x --><?x y?>rd</a>', 'word'],
    ['CDATA', '<a><![CDATA[a < b &amp; c]]></a>', 'a < b &amp; c'],
    ['attributes', '<a b="c">d</a>', 'd'],
    ['references', '<a>&lt;&amp;&#233;&#x4e2d;&quot;</a>', '<&é中"'],
    [
      'HTML within',
      '<a xmlns:h="http://www.w3.org/1999/xhtml">x<h:p>one<h:br/>two</h:p><h:script>no</h:script></a>',
      'x\none\ntwo',
    ],
    ['empty', '<a/>', ''],
  ])('is read: %s', async (_what, markup, text) => {
    expect((await read(markup)).text).toBe(text);
  });

  test('has the extractor xml', async () => {
    expect(await extract(utf8.encode('<?xml version="1.0"?><a>b</a>'))).toEqual({
      text: 'b',
      mediaType: 'application/xml',
      extractor: 'xml/3',
      charset: 'UTF-8',
      warnings: [],
    });
  });
});

describe('FictionBook', () => {
  const book = (body: string) =>
    `<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><stylesheet>no</stylesheet><description><title-info><book-title>no</book-title></title-info></description>${body}<binary id="i">bm8=</binary></FictionBook>`;

  test('has the bodies with their notes', async () => {
    const body =
      '<body><title><p>a</p></title><section><p>wo<emphasis>r</emphasis>d<a type="note" href="#n">1</a><image href="#i"/></p><empty-line/>' +
      '<poem><stanza><v>b</v><v>c</v></stanza><text-author>d</text-author></poem><table><tr><td>e</td><td>f</td></tr></table></section></body><body name="notes"><section id="n"><p>g</p></section></body>';
    const { text, mediaType, extractor } = await extract(utf8.encode(book(body)), { path: 'a' });
    expect(text).toBe('a\nword 1\nb\nc\nd\ne\tf\ng');
    expect([mediaType, extractor]).toEqual(['application/x-fictionbook+xml', 'xml/3']);
  });
});

describe('the charset of XML', () => {
  const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
  const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
  const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?><a>é</a>`;
  test.each<readonly [string, Uint8Array, ExtractionHints, string]>([
    ['UTF-8 by default', utf8.encode('<?xml version="1.0"?><a>é</a>'), {}, 'UTF-8'],
    ['declared', latin1(declared('ISO-8859-1')), {}, 'windows-1252'],
    ['a mark beats it', utf16(`\uFEFF${declared('ISO-8859-1')}`), {}, 'UTF-16LE'],
    ['UTF-16 without a mark', utf16(declared('UTF-16')), {}, 'UTF-16LE'],
    ['the transport beats it', utf8.encode(declared('ISO-8859-1')), { transportCharset: 'utf-8' }, 'UTF-8'],
    [
      'the caller beats both',
      utf8.encode(declared('ISO-8859-1')),
      { charset: 'utf-8', transportCharset: 'koi8-r' },
      'UTF-8',
    ],
    ['UTF-16 that cannot be', utf8.encode(declared('UTF-16')), {}, 'UTF-8'],
    ['an unknown one', utf8.encode(declared('x-none')), {}, 'UTF-8'],
  ])('is detected: %s', async (_what, bytes, hints, charset) => {
    expect(await extract(bytes, { type: 'xml', ...hints })).toMatchObject({ text: 'é', charset });
  });

  test.each([
    ['MacCyrillic', 'x-mac-cyrillic', 'и'],
    ['MACROMAN', 'macintosh', 'Ë'],
    ['IBM866', 'IBM866', 'ш'],
  ])('may be a name that only XML declarations use: %s', async (label, charset, text) => {
    const bytes = latin1(declared(label).replace('é', '\xe8'));
    expect(await extract(bytes)).toMatchObject({ text, charset, warnings: [] });
  });

  test('is reported if it is unknown', async () => {
    const unknown = 'the declared encoding "IBM855" is unknown and not used';
    const { warnings } = await extract(latin1(declared('IBM855')));
    expect(warnings[0]).toBe(unknown);
    expect(warnings[1]).toMatch(/^1 replacement character/);
    const html = '<?xml version="1.0" encoding="IBM855"?><html xmlns="http://www.w3.org/1999/xhtml"><p>a<br></html>';
    expect(await extract(utf8.encode(html), { type: 'xml' })).toMatchObject({ text: 'a', warnings: [unknown] });
  });

  test('is guessed with auto', async () => {
    const words = 'Старый мельник сказал, что вода в реке поднялась ночью, и теперь мост закрыт.';
    const letters = words.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x350));
    const body = `<article><p class="the and of with this">${letters}</p></article>`;
    for (const declaration of ['<?xml version="1.0"?>', '<?xml version="1.0" encoding="x-none"?>']) {
      const { text, charset, warnings } = await extract(latin1(declaration + body), { charset: 'auto' });
      expect({ text, charset }).toEqual({ text: words, charset: 'windows-1251' });
      expect(warnings.at(-1)).toBe('no charset is declared: guessed windows-1251');
    }
    expect(await extract(latin1(declared('ISO-8859-1')), { charset: 'auto' })).toMatchObject({
      text: 'é',
      warnings: [],
    });
  });
});

describe('entities in XML', () => {
  const doctype = (subset: string, body: string) => `<!DOCTYPE a [${subset}]><a>${body}</a>`;

  test('that are declared, with markup, in each other, expand once', async () => {
    const subset =
      '<!-- <!ENTITY p "x"> --><!ENTITY p "Big <b>P</b>roduct &q; &#x26; Co"><!ENTITY p "y"><!ENTITY q \'é\'>' +
      '<!ENTITY two "<i>a</i><i>b</i>">';
    expect((await read(doctype(subset, '&p;|&two;'))).text).toBe('Big Product é & Co|a b');
  });

  test('of HTML expand', async () => {
    expect(await read('<a>&eacute;&nbsp;&Auml;&hellip;</a>')).toMatchObject({ text: 'é\u00A0Ä…', warnings: [] });
  });

  test('that are external or unknown are dropped and reported', async () => {
    const subset = '<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY % f SYSTEM "http://localhost/"> %f;';
    const { text, warnings } = await read(doctype(subset, 'a&e;&none;&toString;&__proto__;b'));
    expect(text).toBe('ab');
    expect(warnings).toEqual(['unknown entities are left out: "&e;" "&none;" "&toString;" "&__proto__;"']);
  });

  test('in circles expand to nothing', async () => {
    expect(await read(doctype('<!ENTITY x "&y;"><!ENTITY y "&x;">', 'a&x;b'))).toMatchObject({ text: 'ab' });
  });

  test('that multiply are an error', async () => {
    const levels = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    await expect(read(doctype(`<!ENTITY l0 "lol">${levels}`, '&l20;'))).rejects.toMatchObject({ code: 'too-large' });
    const long = read(doctype(`<!ENTITY x "${'x'.repeat(100_000)}">`, '&x;'.repeat(100_000)));
    await expect(long).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('XML that is not well-formed', () => {
  test.each<Case>([
    ['a stray end tag', '<a><p>wo</b>rd</p><p>two</p></a>', 'word\ntwo'],
    ['misnested', '<a><p>wo<b>r<i>d</b> x</i></p><p>two</p></a>', 'word x\ntwo'],
    ['not closed', '<a><p>one</p><p>two', 'one\ntwo'],
    ['& and <', '<a><p>AT&T, 1 < 2, &c</p><!-- & --><p>two</p></a>', 'AT&T, 1 < 2, &c\ntwo'],
    ['attributes', '<a b=c d><p>one</p></a>', 'one'],
    ['its declaration', '<?xml version="1.0" encoding="utf-8"><a><p>one</p></a>', 'one'],
    ['a line end ahead of its declaration', '\n<?xml version="1.0"?><a><p>one</p></a>', 'one'],
    ['several roots', '<a>one</a><b>two</b>', 'one\ntwo'],
    ['a prefix without a namespace', '<a><x:b>one</x:b></a>', 'one'],
  ])('is read: %s', async (_what, markup, text) => {
    const extraction = await read(markup);
    expect(extraction.text).toBe(text);
    if (!markup.includes('x:b')) expect(extraction.warnings[0]).toMatch(/^not well-formed XML \(/);
  });

  test.each([
    ['no element', 'just text'],
    ['nothing', ''],
    ['an end tag alone', '</a>'],
    ['in very many places', `<a>${'</b>'.repeat(100_000)}</a>`],
  ])('is damaged: %s', async (_what, markup) => {
    await expect(read(markup)).rejects.toMatchObject({ code: 'damaged' });
  });
});

describe('limits of XML', () => {
  test('apply to depth', async () => {
    await expect(read('<a>'.repeat(3000))).rejects.toMatchObject({ code: 'too-deep' });
    await expect(read('<a><b><c/></b></a>', { limits: { depth: 2 } })).rejects.toMatchObject({ code: 'too-deep' });
    const deep = `${'<a>'.repeat(50_000)}x${'</a>'.repeat(50_000)}`;
    expect((await read(deep, { limits: { depth: 100_000 } })).text).toBe('x');
  });

  test.each([
    ['comments', `<a>&${'<!--'.repeat(100_000)}`],
    ['CDATA', `<a>&${'<![CDATA['.repeat(100_000)}</a>`],
    ['declarations', `<!DOCTYPE a [${'<!ENTITY a "'.repeat(50_000)}]><a>x</a>`],
    ['attributes', `<a ${Array.from({ length: 20_000 }, (_, i) => `a${i}=""`).join(' ')}>x</a>`],
    ['parts of lines', `<a>${'<b>'.repeat(1900)}${'<c>x</c><c>y</c>'.repeat(20_000)}`],
  ])('end hostile %s', async (_what, markup) => {
    await read(markup).catch((error) => expect(error.code).toBe('damaged'));
  });
});

describe('XHTML', () => {
  const NS = 'xmlns="http://www.w3.org/1999/xhtml"';
  test.each<readonly [what: string, markup: string, text: string, extractor: string]>([
    [
      'by the rules for HTML',
      `<html ${NS}><head><title/></head><body><p>wo<b>r</b>d</p><div/>a</body></html>`,
      'word\na',
      'xml/3',
    ],
    ['not well-formed', `<html ${NS}><body><p>one<p>t<b>wo</body></html>`, 'one\ntwo', 'html/2'],
    ['without its namespace', '<html><head><title>no</title></head><body><p>a</p></body></html>', 'a', 'html/2'],
  ])('is read as HTML: %s', async (_what, markup, text, extractor) => {
    expect(await read(markup)).toMatchObject({ text, extractor });
  });
});

const FRONT = `
  <front>
    <journal-meta><journal-id>no</journal-id><publisher><publisher-name>no</publisher-name></publisher></journal-meta>
    <article-meta>
      <article-id pub-id-type="doi">no</article-id>
      <article-categories><subj-group><subject>no</subject></subj-group></article-categories>
      <title-group><article-title>On <italic>Paper</italic><xref ref-type="fn" rid="f">*</xref></article-title>
        <subtitle>A study</subtitle><alt-title>no</alt-title></title-group>
      <contrib-group><contrib><name><surname>No</surname></name></contrib></contrib-group><aff>no</aff>
      <pub-date><year>no</year></pub-date><history><date><year>no</year></date></history>
      <permissions><license><p>no</p></license></permissions>
      <abstract><p>Short.</p></abstract><kwd-group><kwd>no</kwd></kwd-group>
      <funding-group><award-group>no</award-group></funding-group><counts/><custom-meta-group>no</custom-meta-group>
    </article-meta>
  </front>`;

describe('JATS', () => {
  const jats = (body: string) =>
    `<article xmlns:mml="http://www.w3.org/1998/Math/MathML" article-type="x"><body>${body}</body></article>`;

  test('has title and abstract, and no metadata', async () => {
    const { text } = await read(
      `<article>${FRONT}<body><sec><label>1</label><title>Intro</title><p>Text.</p></sec></body></article>`,
    );
    expect(text).toBe('On Paper *\nA study\nShort.\n1\nIntro\nText.');
  });

  test('has the text of its elements', async () => {
    await expectText(
      [
        ['inline', '<p><bold>wo</bold><italic>rd</italic><sub>s</sub></p>', 'words'],
        [
          'marks beside words',
          '<p>study<sup><xref ref-type="bibr">12</xref></sup>, <xref ref-type="fig">Fig. 2</xref>B</p>',
          'study 12 , Fig. 2B',
        ],
        [
          'formulas',
          '<p>the<inline-formula><alternatives><mml:math><mml:mi>x</mml:mi></mml:math><tex-math>\\x</tex-math></alternatives></inline-formula>axis</p><disp-formula>y</disp-formula><p><mml:math><mml:mi>x</mml:mi></mml:math>a</p>',
          'the axis\na',
        ],
        [
          'figures',
          '<fig><object-id>no</object-id><label>Figure 1</label><caption><title>Cap</title><p>tion</p></caption><alt-text>no</alt-text><graphic><alt-text>no</alt-text></graphic><attrib>Us</attrib><permissions>no</permissions></fig>',
          'Figure 1\nCap\ntion\nUs',
        ],
        [
          'tables',
          '<table-wrap><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table><table-wrap-foot><fn><p>e</p></fn></table-wrap-foot></table-wrap>',
          'a\tb\nc\td\ne',
        ],
        [
          'lists',
          '<list><list-item><label>1.</label><p>a</p></list-item><list-item><p>b</p></list-item></list>',
          '1.\na\nb',
        ],
        ['definitions', '<def-list><def-item><term>a</term><def><p>b</p></def></def-item></def-list>', 'a\nb'],
        [
          'quotations, verse',
          '<disp-quote><p>a</p></disp-quote><verse-group><verse-line>b</verse-line><verse-line>c</verse-line></verse-group>',
          'a\nb\nc',
        ],
        ['line ends, code', '<p>a<break/>b</p><preformat>c\n d</preformat>', 'a\nb\nc\n d'],
        ['links: the text', '<p><ext-link href="no">a</ext-link><uri>b</uri></p>', 'ab'],
        ['generated text', '<p><x>(</x>a<x>)</x></p>', '(a)'],
        ['unknown elements', '<sec><new>a</new><new>b</new></sec><p>wo<new>rd</new></p>', 'a\nb\nword'],
      ],
      jats,
    );
  });

  test('has references', async () => {
    const back = (ref: string) =>
      `<article dtd-version="1"><back><ref-list><title>R</title><ref><label>1</label>${ref}</ref></ref-list></back></article>`;
    await expectText(
      [
        [
          'marked up',
          '<element-citation><person-group><name><surname>Li</surname><given-names>A</given-names></name><etal/></person-group><article-title>On <italic>X</italic></article-title><source>J</source><year>2000</year><pub-id>no</pub-id></element-citation>',
          'R\n1\nLi A On X J 2000',
        ],
        [
          'mixed',
          '<mixed-citation><string-name><surname>Li</surname>, <given-names>A</given-names></string-name>. <article-title>On X</article-title>. <source>J</source> <volume>3</volume>:<fpage>1</fpage>. <pub-id>no</pub-id></mixed-citation>',
          'R\n1\nLi , A . On X . J 3 : 1 .',
        ],
        [
          'identifiers, with what they begin with as locators',
          '<mixed-citation>J. doi:<pub-id pub-id-type="doi">10.1000/1</pub-id>. PMID: <pub-id>2</pub-id></mixed-citation>',
          'R\n1\nJ. . PMID:',
        ],
        ['plain', '<mixed-citation>Li A. On <italic>X</italic>. J 2000.</mixed-citation>', 'R\n1\nLi A. On X. J 2000.'],
      ],
      back,
    );
  });

  test('has back matter, responses and floats', async () => {
    const { text } = await read(
      `<article article-type="x"><body><p>a</p></body><back><ack><p>thanks</p></ack><fn-group><fn><label>1</label><p>note</p></fn></fn-group><app-group><app><title>App</title></app></app-group><glossary><def-list/></glossary></back><floats-group><fig><caption><p>cap</p></caption></fig></floats-group><sub-article><front-stub><article-id>no</article-id><title-group><article-title>Sub</article-title></title-group></front-stub><body><p>b</p></body></sub-article></article>`,
    );
    expect(text).toBe('a\nthanks\n1\nnote\nApp\ncap\nSub\nb');
  });

  test.each([
    ['by its document type', `<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "x"><article>${FRONT}</article>`],
    ['by its first child', `<article>${FRONT}</article>`],
    [
      'in an envelope',
      `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><record><metadata><article xmlns="" dtd-version="1.2">${FRONT}</article></metadata></record></OAI-PMH>`,
    ],
  ])('is detected by %s', async (_what, markup) => {
    expect((await read(markup)).text).toBe('On Paper *\nA study\nShort.');
  });

  test('includes books', async () => {
    const { text } = await read(
      '<book><book-meta><book-id>no</book-id><book-title-group><book-title>B</book-title></book-title-group></book-meta><book-body><book-part><book-part-meta><title-group><title>C</title></title-group><contrib-group>no</contrib-group></book-part-meta><body><p>a</p></body></book-part></book-body></book>',
    );
    expect(text).toBe('B\nC\na');
  });
});

describe('TEI', () => {
  const tei = (text: string, header = '') =>
    `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>${header}</teiHeader>${text}</TEI>`;
  const body = (inner: string) => tei(`<text><body>${inner}</body></text>`);
  const HEADER =
    '<fileDesc><titleStmt><title>Title</title><author>no</author></titleStmt><publicationStmt><p>no</p></publicationStmt><sourceDesc><biblStruct><analytic><title>no</title></analytic></biblStruct></sourceDesc></fileDesc><profileDesc><abstract><p>abs</p></abstract><langUsage>no</langUsage></profileDesc><revisionDesc>no</revisionDesc>';

  test('has the title and abstract of its header', async () => {
    expect((await read(tei('<text><body><p>a</p></body></text>', HEADER))).text).toBe('Title\nabs\na');
    const page = '<text><front><titlePage><docTitle><titlePart>Title</titlePart></docTitle></titlePage></front></text>';
    expect((await read(tei(page, HEADER))).text).toBe('abs\nTitle');
  });

  test('has the text of its elements', async () => {
    await expectText(
      [
        [
          'structure',
          '<div><head>A</head><p>b</p><lg><l>c</l><l>d</l></lg><list><item>e</item><item>f</item></list></div>',
          'A\nb\nc\nd\ne\nf',
        ],
        ['inline', '<p>wo<hi>r</hi><hi>d</hi> <persName>Ann</persName></p>', 'word Ann'],
        [
          'notes, pictures, tables',
          '<p>wo</p><note>n</note><figure><head>h</head><figDesc>d</figDesc></figure><table><row><cell>a</cell><cell>b</cell></row></table>',
          'wo\nn\nh\nd\na\tb',
        ],
        ['line beginnings', '<p>wo<lb break="no"/>rd<lb/>a<pb/>b<pb break="no"/>c</p>', 'word\na bc'],
        [
          'readings',
          '<p><choice><sic>teh</sic><corr>the</corr></choice> <choice><abbr>Dr</abbr><expan>Doctor</expan></choice> <choice><orig>vp</orig><reg>up</reg></choice> <del>x</del><add>y</add> <app><lem>l</lem><rdg>r</rdg></app></p>',
          'the Doctor up y l',
        ],
        ['a reading alone', '<p><sic>teh</sic> <abbr>Dr</abbr></p>', 'teh Dr'],
        ['words', '<s><w>a</w><w>b</w><pc>.</pc></s><p><w part="I">wo</w><w part="F">rd</w></p>', 'a b .\nword'],
        ['pages of a print', '<fw>no</fw><p>a<fw>no</fw></p><formula>no</formula>', 'a'],
        [
          'bibliography',
          '<listBibl><bibl>Li, <title>On X</title>, <idno>no</idno></bibl><biblStruct><analytic><author><persName><forename>A</forename><surname>Li</surname></persName></author><title>T</title></analytic></biblStruct></listBibl>',
          'Li, On X,\nA Li\nT',
        ],
      ],
      body,
    );
  });

  test('has responsibility in a bibliography, and none in the header', async () => {
    const respStmt = '<respStmt><resp>Translated by</resp> <name>Ann Li</name></respStmt>';
    const full = `<biblFull><titleStmt><title>T</title><author>Li</author>${respStmt}</titleStmt></biblFull>`;
    const markup = `<listBibl><biblStruct><analytic><title>T</title>${respStmt}</analytic></biblStruct>${full}</listBibl>`;
    expect((await read(body(markup))).text).toBe('T\nTranslated by\nAnn Li\nT\nLi\nTranslated by\nAnn Li');
    const header = HEADER.replace('</titleStmt>', `${respStmt}</titleStmt>`);
    expect((await read(tei('<text><body><p>a</p></body></text>', header))).text).toBe('Title\nabs\na');
  });

  test('has examples without a header', async () => {
    const titles = '<titlePage><docTitle>Page</docTitle></titlePage>';
    const inner = `<teiHeader>${HEADER.replaceAll('no<', 'yes<')}</teiHeader>${titles}`;
    const example = `<egXML xmlns="http://www.tei-c.org/ns/Examples">${inner}</egXML>`;
    const { text } = await read(tei(`<text><body>${example}</body></text>`, HEADER));
    expect(text).toBe('Title\nabs\nTitle\nyes\nyes\nyes\nabs\nyes\nyes\nPage');
  });

  test('has no pictures of pages and annotations', async () => {
    expect(
      (await read(tei('<facsimile>no</facsimile><standOff>no</standOff><text><body><p>a</p></body></text>'))).text,
    ).toBe('a');
  });

  test('is read without a namespace', async () => {
    expect(
      (
        await read(
          '<TEI.2><teiHeader><encodingDesc>no</encodingDesc></teiHeader><text><body><p>a</p></body></text></TEI.2>',
        )
      ).text,
    ).toBe('a');
  });
});

describe('DocBook', () => {
  const docbook = (inner: string) =>
    `<article xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink">${inner}</article>`;

  test('has the text of its elements', async () => {
    await expectText(
      [
        [
          'info',
          '<info><title>T</title><subtitle>S</subtitle><author><personname>no</personname></author><pubdate>no</pubdate><abstract><para>A</para></abstract></info>',
          'T\nS\nA',
        ],
        ['structure', '<title>T</title><section><title>S</title><para>a</para></section>', 'T\nS\na'],
        ['inline', '<para>wo<emphasis>r</emphasis><literal>d</literal> <link>a</link></para>', 'word a'],
        ['footnotes', '<para>one<footnote><para>note</para></footnote> two</para>', 'one\nnote\ntwo'],
        [
          'tables',
          '<informaltable><tgroup><tbody><row><entry>a</entry><entry>b</entry></row></tbody></tgroup></informaltable>',
          'a\tb',
        ],
        [
          'lists',
          '<variablelist><varlistentry><term>a</term><listitem><para>b</para></listitem></varlistentry></variablelist>',
          'a\nb',
        ],
        [
          'pictures',
          '<mediaobject><imageobject/><textobject><phrase>no</phrase></textobject><caption><para>c</para></caption></mediaobject>',
          'c',
        ],
        [
          'synopses',
          '<classsynopsis><classsynopsisinfo>One of <classname>Event</classname> constants</classsynopsisinfo><funcsynopsisinfo>#include <literal>x</literal></funcsynopsisinfo></classsynopsis>',
          'One of Event constants\n#include x',
        ],
        ['programs', '<programlisting>a\n  b</programlisting>', 'a\n  b'],
        [
          'index terms and remarks',
          '<para>wo<indexterm><primary>no</primary></indexterm>rd<remark>no</remark></para>',
          'word',
        ],
        ['keys and menus', '<para><keycombo><keycap>Ctrl</keycap><keycap>C</keycap></keycombo></para>', 'Ctrl C'],
      ],
      docbook,
    );
  });

  test.each([
    [
      'by its document type',
      '<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x" [<!ENTITY v "two">]><book><bookinfo><title>T</title><author>no</author></bookinfo><chapter><para>&v;</para></chapter></book>',
    ],
    [
      'by its first child',
      '<book><bookinfo><title>T</title><author>no</author></bookinfo><chapter><para>two</para></chapter></book>',
    ],
  ])('of version 4 is detected by %s', async (_what, markup) => {
    expect((await read(markup)).text).toBe('T\ntwo');
  });
});
