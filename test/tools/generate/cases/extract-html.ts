import { casesOf, type Group, list, type Table } from '../case.ts';
import { hexOf, utf8Of } from './inputs.ts';

/**
 * The tokens are written by hand, from the HTML profile of the specification. Where the profile and what browsers show
 * could be read in two ways, there is no case.
 */
type Row = [
  markup: string | { readonly hex: string; readonly charset?: string },
  tokens: string,
  extractor?: 'article',
];

/** Bytes of ASCII markup with `#` standing for bytes in hex. */
function withBytes(markup: string, bytes: string, charset?: string): { hex: string; charset?: string } {
  const hex = markup
    .split('#')
    .map((part) => hexOf(Buffer.from(part, 'latin1')))
    .join(bytes.replaceAll(' ', ''));
  return charset === undefined ? { hex } : { hex, charset };
}

/** Markup whose transport names UTF-8. */
const inUtf8 = (markup: string) => ({ hex: utf8Of(markup), charset: 'utf-8' });

function utf16(text: string, bigEndian: boolean): { hex: string } {
  const bytes = Buffer.from(text, 'utf16le');
  return { hex: hexOf(bigEndian ? bytes.swap16() : bytes) };
}

const elements = (names: string): string =>
  list(names)
    .map((name, i) => `a${i}<${name}>b${i}</${name}>c${i} `)
    .join('');
const separated = (names: string): string =>
  list(names)
    .map((_, i) => `a${i} b${i} c${i}`)
    .join(' ');
const joined = (names: string): string =>
  list(names)
    .map((_, i) => `a${i}b${i}c${i}`)
    .join(' ');

const sections = 'address article aside footer header hgroup main nav search section h1 h2 h3 h4 h5 h6';
const grouping = 'blockquote center dd dir div dl dt figcaption figure listing menu ol p pre ul xmp';
const phrases =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strong strike sub sup ' +
  'time tt u var x-custom';

/** A page whose text has the fingerprint that the specification lists. */
const FOX = '<p>The <b>quick</b> br<i>own</i> fox</p><p>jumps over <a href=a>the lazy dog</a>.';

const rows: Table<Row> = [
  'HTM-3 HTM-5',
  [
    'paragraphs',
    'paragraphs separate words; inline elements in them do not',
    '<!doctype html><html><body><p>One <b>two</b><p>three</body></html>',
    'One two three',
  ],
  'HTM-3 HtmlTree',
  ['fragment', 'a document without html, head and body is read', 'one <i>two</i>', 'one two'],
  ['no-markup', 'a document without markup is read', 'one\ntwo', 'one two'],
  'HTM-3 SIM-1 EmptyAsZero',
  ['empty', 'no octets give no tokens and no fingerprint', '', ''],
  ['empty-body', 'a body without text gives no tokens', '<title>one</title><body><p></p></body>', ''],
  'HTM-3 SIM-1 HtmlTree EmptyAsZero',
  ['frameset', 'a page of frames has no text', '<html><frameset><frame src=a><noframes>one</noframes></frameset>', ''],
  'HTM-5 HtmlTree CaseSensitive',
  [
    'capital-tags',
    'names of elements are matched in any case',
    '<P>one<DIV>two</DIV>three<SCRIPT>four</SCRIPT>',
    'one two three',
  ],
  'HTM-3 HtmlTree',
  ['behind-body', 'text after the end of the body is text', '<body>one</body> two</html> three', 'one two three'],
  'HTM-5 HtmlTree',
  [
    'unclosed',
    'elements that are never closed separate words',
    '<div><p>one<b>two<ul><li>three<li>four',
    'onetwo three four',
  ],
  ['misnested', 'inline elements that overlap do not separate words', '<b>on<i>e</b> tw</i>o', 'one two'],
  'HTM-5 HtmlBlock',
  [
    'block-in-inline',
    'a block inside an inline element separates words',
    '<b>one<div>two</div>three</b>',
    'one two three',
  ],
  'HTM-2 MarkupStripped',
  ['less-than', 'a less-than sign that begins no tag is text', 'one < two <3 three', 'one two three'],

  'HTM-1 HtmlCharset',
  ['charset-default', 'the default encoding is windows-1252', withBytes('<p>caf# ', 'e9'), 'caf\u00e9'],
  [
    'charset-default-c1',
    'the octets 80 to 9F of windows-1252 are letters and signs',
    withBytes('<p>c#ur ', '9c'),
    'c\u0153ur',
  ],
  'HTM-1 HtmlCharset EncodingSniffed',
  [
    'charset-default-utf-8',
    'octets of UTF-8 without a declaration are not detected',
    withBytes('<p>caf# ', 'c3a9'),
    'caf\u00c3',
  ],
  'HTM-1 HtmlCharset',
  [
    'charset-transport',
    'the charset of the transport is used',
    withBytes('<p>#', 'f0d2c9d7c5d4', 'koi8-r'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-transport-utf-8',
    'the charset of the transport is matched in any case',
    withBytes('<p>caf#', 'c3a9', 'UTF-8'),
    'caf\u00e9',
  ],
  [
    'charset-transport-first',
    'the transport takes precedence over a meta element',
    withBytes('<meta charset=utf-8><p>#', 'f0d2c9d7c5d4', 'koi8-r'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-transport-unknown',
    'an unknown charset of the transport is ignored',
    withBytes('<meta charset=koi8-r><p>#', 'f0d2c9d7c5d4', 'nosuch'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  ['charset-transport-latin-1', 'iso-8859-1 means windows-1252', withBytes('<p>c#ur', '9c', 'iso-8859-1'), 'c\u0153ur'],
  [
    'charset-meta',
    'a meta element declares the encoding',
    withBytes('<head><meta charset="utf-8"><title>x</title></head><p>caf#', 'c3a9'),
    'caf\u00e9',
  ],
  [
    'charset-meta-http-equiv',
    'a meta element with http-equiv declares the encoding',
    withBytes('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>#', 'cff0e8e2e5f2'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-meta-comment',
    'a meta element in a comment declares nothing',
    withBytes('<!--<meta charset=koi8-r>--><p>caf#', 'e9'),
    'caf\u00e9',
  ],
  [
    'charset-meta-unknown',
    'an unknown charset of a meta element is ignored',
    withBytes('<meta charset=nosuch><p>caf#', 'e9'),
    'caf\u00e9',
  ],
  [
    'charset-meta-utf-16',
    'a meta element that says UTF-16 means UTF-8',
    withBytes('<meta charset=utf-16><p>caf#', 'c3a9'),
    'caf\u00e9',
  ],
  'HTM-1 DEC-1 HtmlCharset Bom',
  [
    'charset-bom',
    'a byte order mark of UTF-8 names the encoding',
    withBytes('#<p>caf\u00c3\u00a9', 'efbbbf'),
    'caf\u00e9',
  ],
  'HTM-1 HtmlCharset Bom',
  [
    'charset-bom-first',
    'a byte order mark takes precedence over the transport',
    withBytes('#<meta charset=koi8-r><p>caf\u00c3\u00a9', 'efbbbf', 'windows-1251'),
    'caf\u00e9',
  ],
  'HTM-1 HtmlCharset',
  [
    'charset-utf-16le',
    'a byte order mark of UTF-16LE names the encoding',
    utf16('\ufeff<p>caf\u00e9 \u4e2d\u{10400}', false),
    'caf\u00e9 \u4e2d\u{10400}',
  ],
  [
    'charset-utf-16be',
    'a byte order mark of UTF-16BE takes precedence over a meta element',
    utf16('\ufeff<meta charset=utf-8><p>caf\u00e9', true),
    'caf\u00e9',
  ],
  'HTM-1 DEC-2 HtmlCharset IllFormed',
  [
    'charset-ill-formed',
    'an ill-formed octet of UTF-8 splits a word',
    withBytes('<meta charset=utf-8><p>one#two', 'ff'),
    'one two',
  ],
  'HTM-1 HtmlCharset',
  [
    'charset-shift-jis',
    'Shift_JIS is decoded',
    withBytes('<meta charset=shift_jis><p>#', '93fa967b8cea'),
    '\u65e5\u672c\u8a9e',
  ],
  ['charset-euc-jp', 'EUC-JP is decoded', withBytes('<meta charset=euc-jp><p>#', 'c6fccbdcb8ec'), '\u65e5\u672c\u8a9e'],
  [
    'charset-gb18030',
    'GB 18030 with a code of four octets is decoded',
    withBytes('<meta charset=gb18030><p>#', 'd6d0cec495328236'),
    '\u4e2d\u6587\u{20000}',
  ],
  ['charset-big5', 'Big5 is decoded', withBytes('<meta charset=big5><p>#', 'a4a4a4e5'), '\u4e2d\u6587'],
  ['charset-euc-kr', 'EUC-KR is decoded', withBytes('<meta charset=euc-kr><p>#', 'c7d1b1b9beee'), '\ud55c\uad6d\uc5b4'],
  ['charset-iso-8859-2', 'ISO-8859-2 is decoded', withBytes('<meta charset=iso-8859-2><p>k#', 'f9f2'), 'k\u016f\u0148'],

  [
    'charset-meta-late',
    'a meta element after the first 1024 octets declares the encoding',
    withBytes(`<p>${' '.repeat(1100)}<meta charset=koi8-r>#`, 'f0d2c9d7c5d4'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-meta-late-unknown',
    'the first meta element with a known encoding counts, after the first 1024 octets too',
    withBytes(
      `<p>${' '.repeat(1100)}<meta charset=nosuch><meta name=a><meta charset=koi8-r><meta charset=utf-8>#`,
      'f0d2c9d7c5d4',
    ),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-meta-early',
    'a meta element in the first 1024 octets takes precedence over a later one',
    withBytes(`<meta charset=koi8-r><p>${' '.repeat(1100)}<meta charset=utf-8>#`, 'f0d2c9d7c5d4'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-meta-two',
    'the first of two meta elements counts',
    withBytes('<meta charset=koi8-r><meta charset=utf-8><p>#', 'f0d2c9d7c5d4'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-xml',
    'an XML declaration declares the encoding',
    withBytes('<?xml version="1.0" encoding="koi8-r"?><html><body><p>#', 'f0d2c9d7c5d4'),
    '\u041f\u0440\u0438\u0432\u0435\u0442',
  ],
  [
    'charset-xml-default',
    'after an XML declaration without an encoding, the default is UTF-8',
    withBytes('<?xml version="1.0"?><html><body><p>caf#', 'c3a9'),
    'caf\u00e9',
  ],
  [
    'charset-utf-16le-xml',
    'an XML declaration in UTF-16LE without a byte order mark is detected',
    utf16('<?xml version="1.0"?><p>caf\u00e9 \u4e2d', false),
    'caf\u00e9 \u4e2d',
  ],
  [
    'charset-utf-16be-xml',
    'an XML declaration in UTF-16BE without a byte order mark is detected',
    utf16('<?xml version="1.0"?><p>caf\u00e9 \u4e2d', true),
    'caf\u00e9 \u4e2d',
  ],

  'HTM-3 EXT-1 HtmlSkipped',
  [
    'head',
    'the head with its title and descriptions is left out',
    '<head><title>one</title><meta name=description content=two></head><p>three',
    'three',
  ],
  ['title-in-body', 'a title element in the body is left out', '<body>one <title>two</title>three', 'one three'],
  [
    'script',
    'a script with markup in it is left out',
    'one <script>let two = "<p>three</p>"; if (four < five) {}</script>six',
    'one six',
  ],
  'HTM-3 HtmlSkipped',
  ['script-joins', 'a script in a word does not separate', 'on<script>two</script>e', 'one'],
  'HTM-3 EXT-1 HtmlSkipped',
  ['style', 'a style sheet is left out', 'one <style>two { color: three }</style>four', 'one four'],
  'HTM-3 HtmlSkipped',
  ['template', 'a template is left out', 'one <template><p>two</p></template>three', 'one three'],
  [
    'noscript',
    'noscript is left out, in the body and in the head',
    '<head><noscript><p>one</p></noscript><title>two</title></head><body>three <noscript><p>four</p></noscript>five',
    'three five',
  ],
  'HTM-3 EXT-1 HtmlSkipped',
  ['comment', 'a comment in a word does not separate', 'on<!-- two -->e', 'one'],
  'HTM-3 HtmlSkipped HtmlTree',
  [
    'comment-odd',
    'processing instructions, declarations and CDATA are comments',
    'on<?two?>e<!three> <![CDATA[four]]>five',
    'one five',
  ],
  'HTM-3 HtmlSkipped',
  [
    'comment-conditional',
    'a conditional comment is left out',
    'one <!--[if IE]><p>two</p><![endif]-->three',
    'one three',
  ],
  [
    'ruby',
    'readings of ruby annotations are left out',
    inUtf8('<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp>\u5b57<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>'),
    '\u6f22\u5b57',
  ],
  ['datalist', 'a datalist is left out', 'one <datalist><option>two<option>three</datalist> four', 'one four'],
  [
    'iframe',
    'the contents of iframe, noembed and noframes are left out',
    'one <iframe>two</iframe> three <noembed>four</noembed> five <noframes>six</noframes> seven',
    'one three five seven',
  ],
  [
    'media',
    'the contents of video, audio and canvas are left out',
    'on<video src=a>two</video>e thr<audio src=a>four</audio>ee fi<canvas>six</canvas>ve',
    'one three five',
  ],
  [
    'gauges',
    'the contents of meter and progress are left out',
    'on<meter value=0.5>two</meter>e thr<progress value=1>four</progress>ee',
    'one three',
  ],
  'HTM-3 HtmlSkipped HtmlBlock',
  ['dialog-closed', 'a dialog that is not open is left out', 'on<dialog>two</dialog>e', 'one'],
  'HTM-3 HtmlSkipped',
  ['object-data', 'the content of an object with data is left out', 'on<object data=a><p>two</p></object>e', 'one'],
  'HTM-3 HTM-5 HtmlSkipped HtmlInline',
  [
    'object-no-data',
    'the content of an object without data is text, and the object is inline',
    'on<object type=a>e</object> two',
    'one two',
  ],
  'HTM-3 HtmlSkipped',
  [
    'ruby-container',
    'a container of ruby annotations is left out',
    inUtf8('<ruby>\u6f22<rb>\u5b57</rb><rtc>kan<rt>ji</rt></rtc></ruby>'),
    '\u6f22\u5b57',
  ],
  [
    'svg-defined',
    'descriptions and definitions in a drawing are left out',
    'on<svg><desc>a</desc><metadata>b</metadata><defs><text>c</text></defs><symbol><text>d</text></symbol>' +
      '<clipPath><text>e</text></clipPath><mask><text>f</text></mask><marker><text>g</text></marker>' +
      '<pattern><text>h</text></pattern></svg>e',
    'one',
  ],
  [
    'math-annotations',
    'annotations and invisible parts of a formula are left out',
    '<math><semantics><mi>one</mi><annotation>two</annotation><annotation-xml><mi>three</mi></annotation-xml></semantics>' +
      '<mphantom><mi>four</mi></mphantom></math>',
    'one',
  ],
  'HTM-3 EXT-1 HtmlAttributes',
  [
    'attributes',
    'values of attributes are not text',
    '<p title=one lang=two data-x=three>four <a href=five aria-label=six>seven</a> <input value=eight placeholder=nine>',
    'four seven',
  ],
  'HTM-3 HTM-5 HtmlAttributes',
  [
    'image',
    'an image in a word does not separate, and its alternative text is not text',
    'on<img alt="two" title=three>e',
    'one',
  ],
  'HTM-3 HtmlSkipped',
  [
    'svg-title',
    'title, script and style of a drawing are left out',
    '<p>one <svg><title>two</title><style>three{}</style><script>four</script><text>five</text></svg> six',
    'one five six',
  ],
  'HTM-4 HTM-3 HtmlStyles',
  [
    'style-attribute',
    'text that only a style would hide is text',
    'one <span style="display:none">two</span> three',
    'one two three',
  ],
  'HTM-5 HtmlStyles',
  ['inline-block-style', 'a style does not make a block', 'on<span style="display:block">e</span>', 'one'],

  'HTM-4 HtmlHidden',
  ['hidden', 'an element with hidden is left out', '<p>one<p hidden>two<p>three', 'one three'],
  [
    'hidden-values',
    'hidden counts with any value',
    'one <i hidden=false>two</i> <i hidden="">three</i> <i HIDDEN=hidden>four</i> <i hidden=until-found>five</i> six',
    'one six',
  ],
  [
    'hidden-inside',
    'elements inside a hidden element are left out',
    '<div hidden><p>one</p><table><tr><td>two</table></div>three',
    'three',
  ],
  ['hidden-inline', 'a hidden inline element in a word does not separate', 'on<span hidden>two</span>e', 'one'],
  'HTM-4 SIM-1 HtmlHidden EmptyAsZero',
  ['hidden-body', 'a hidden body is left out', '<body hidden>one', ''],
  ['hidden-html', 'a hidden root is left out', '<html hidden>one', ''],
  'HTM-4 HtmlHidden',
  ['aria-hidden', 'aria-hidden does not hide', 'one <span aria-hidden=true>two</span>', 'one two'],

  'HTM-5 HtmlBlock',
  ['block-sections', 'sections and headings separate words', elements(sections), separated(sections)],
  ['block-grouping', 'grouping elements separate words', elements(grouping), separated(grouping)],
  [
    'block-form',
    'form, fieldset and legend separate words',
    'one<form>two<fieldset><legend>three</legend>four</fieldset>five</form>six',
    'one two three four five six',
  ],
  [
    'block-details',
    'details and summary separate words, and closed details are text',
    'one<details><summary>two</summary>three</details>four',
    'one two three four',
  ],
  ['block-dialog', 'an open dialog separates words', 'one<dialog open>two</dialog>three', 'one two three'],
  ['block-rule', 'hr separates words', 'one<hr>two', 'one two'],
  [
    'block-options',
    'options and their groups separate words',
    '<select><option>one<option>two<optgroup label=three><option>four</optgroup></select>',
    'one two four',
  ],
  ['block-empty', 'an empty block separates words', 'one<div></div>two', 'one two'],
  'HTM-5 HtmlBlock HtmlTree',
  [
    'block-plaintext',
    'plaintext separates words, and everything after it is text',
    'one<plaintext>two</p>three',
    'one two p three',
  ],
  'HTM-5 HtmlInline',
  ['inline', 'inline elements, including unknown ones, do not separate words', elements(phrases), joined(phrases)],
  [
    'inline-letters',
    'elements around each letter do not separate',
    '<b>w</b><i>o</i><u>r</u><a href=x>d</a><sub>s</sub>',
    'words',
  ],
  [
    'inline-initial',
    'an element around an initial does not separate',
    '<p><span class=initial>O</span>nce upon',
    'Once upon',
  ],
  [
    'inline-label',
    'label, output, slot and map are inline',
    'on<label>e t</label>w<output>o</output> th<slot>re</slot>e f<map>ou</map>r',
    'one two three four',
  ],
  ['inline-quote', 'quotes are not added', 'on<q>e</q>', 'one'],
  'HTM-5 HtmlInline WhiteSpace',
  ['inline-space', 'white space inside inline elements separates', 'one<b> two</b><i>\n</i>three', 'one two three'],

  'HTM-5 HtmlBlock HtmlInline',
  [
    'svg-text',
    'each text of a drawing separates words; the drawing and its groups do not',
    'on<svg><g>e</g></svg> two<svg><text>three</text><text>four</text></svg>five',
    'one two three four five',
  ],
  [
    'svg-tspan',
    'a tspan with a position separates words; another does not',
    '<svg><text>on<tspan>e</tspan><tspan x=1>two</tspan>three<tspan y=2>four</tspan>fi<tspan dx=3>ve</tspan></text></svg>',
    'one two three four five',
  ],
  'HTM-5 HtmlBlock',
  [
    'svg-foreign',
    'foreignObject separates words',
    '<svg>one<foreignObject>two<b>s</b></foreignObject>three</svg>',
    'one twos three',
  ],
  [
    'math-boxes',
    'each element of a formula separates words',
    'one<math><mrow><mi>a</mi><mi>b</mi></mrow><mtext>two</mtext></math>three',
    'one a b two three',
  ],
  'HTM-5 HtmlInline',
  ['math-alone', 'a formula itself does not separate words', 'on<math>e</math> two', 'one two'],
  ['inline-input', 'an input does not separate words', 'on<input type=hidden>e tw<input value=a>o', 'one two'],

  'HTM-6 HtmlBreak',
  ['line-break', 'br separates words', 'one<br>two<br/>three</br>four', 'one two three four'],
  [
    'list-items',
    'list items separate words',
    '<ul><li>one</li><li>two</li></ul><ol><li>three<li>four</ol>',
    'one two three four',
  ],
  'HTM-6 EXT-2 HtmlBreak',
  ['cells', 'cells of a table separate words', '<table><tr><td>one<td>two<tr><td>12<td>kg</table>', 'one two kg'],
  [
    'cells-header',
    'header cells, groups of rows and the caption separate words',
    '<table><caption>one</caption><col><thead><tr><th>two<th>three</thead><tbody><tr><td>four</tbody><tfoot><tr><td>five</tfoot></table>six',
    'one two three four five six',
  ],
  'HTM-6 HtmlBreak',
  ['table-joined', 'a table separates the words around it', 'one<table><tr><td>two</table>three', 'one two three'],
  'HTM-6 HtmlTree',
  ['table-misplaced', 'misplaced text in a table comes before the table', '<table>one<tr><td>two</table>', 'one two'],
  'HTM-6 HtmlBreak',
  [
    'table-nested',
    'a table in a cell separates words',
    '<table><tr><td>one<table><tr><td>two<td>three</table>four<td>five</table>',
    'one two three four five',
  ],
  ['word-break', 'wbr does not separate', 'hyphen<wbr>ation', 'hyphenation'],
  'HTM-6 NRM-2 HtmlBreak Ignorable',
  ['soft-hyphen', 'a soft hyphen does not separate', 'hyphen&shy;ation docu&#173;ment', 'hyphenation document'],
  'HTM-6 CLS-6 ZeroWidthSpace',
  ['zero-width-space', 'a zero width space separates', 'hyphen&#8203;ation', 'hyphen ation'],

  'HTM-6 HtmlBreak',
  [
    'boxes',
    'button, select, textarea and marquee separate words',
    'a<button>b</button>c<select><option>d</select>e<textarea>f</textarea>g<marquee>h</marquee>i',
    'a b c d e f g h i',
  ],

  'HTM-2 HtmlReference',
  ['reference-named', 'named references are decoded', 'caf&eacute; &Uuml;ber &amp; &lt;b&gt;', 'caf\u00e9 \u00dcber b'],
  [
    'reference-unclosed',
    'named references without a semicolon are decoded',
    '&eacutet&eacute &ampx',
    '\u00e9t\u00e9 x',
  ],
  [
    'reference-numeric',
    'numeric references are decoded',
    '&#233;t&#xe9; &#X10400; &#x4e2d;',
    '\u00e9t\u00e9 \u{10400} \u4e2d',
  ],
  ['reference-windows', 'numeric references 128 to 159 mean windows-1252', 'c&#156;ur don&#146;t', 'c\u0153ur don t'],
  'HTM-2 HtmlReference LoneSurrogate',
  [
    'reference-impossible',
    'numeric references to no code point split a word',
    'one&#xD800;two&#x110000;three',
    'one two three',
  ],
  'HTM-2 HtmlReference',
  ['reference-once', 'references are decoded once', 'caf&amp;eacute; &amp;amp;', 'caf eacute amp'],
  ['reference-unknown', 'an unknown reference is text', '&nosuch; one', 'nosuch one'],
  'HTM-2 HtmlReference WhiteSpace',
  ['reference-space', 'a reference to a no-break space separates', 'one&nbsp;two&emsp;three', 'one two three'],
  'HTM-2 NRM-2 HtmlReference Ignorable',
  ['reference-joiner', 'references to joiners are decoded, and step 3 deletes them', 'on&zwnj;e tw&zwj;o', 'one two'],
  'HTM-2 NRM-3 HtmlReference MissingNfc',
  ['reference-mark', 'a letter and a referenced mark compose', 'cafe&#x301;', 'caf\u00e9'],
  'HTM-2 HtmlReference',
  [
    'reference-raw',
    'references in xmp and in comments are not decoded',
    '<xmp>caf&eacute;</xmp><!-- &eacute; -->',
    'caf eacute',
  ],
  'HTM-2 LOC-5 HtmlReference LocatorScheme',
  [
    'reference-scheme',
    'a locator with references is decoded before step 4',
    'one http&#58;//example.org/?a=b&amp;c=d two',
    'one two',
  ],

  'EXT-3 HTM-5 HtmlInline',
  [
    'same-text',
    'a page has the fingerprint of the same text without markup',
    FOX,
    'The quick brown fox jumps over the lazy dog',
  ],
  'EXT-2 HtmlSkipped',
  [
    'captions',
    'captions, quotes and lists of references are text',
    '<figure><img alt=one><figcaption>Figure two</figcaption></figure><blockquote>three</blockquote><ol class=references><li>Four, <cite>five</cite> (2001)</ol><footer>six</footer>',
    'Figure two three Four five six',
  ],
  'EXT-2 HTM-3 HtmlAttributes',
  [
    'links',
    'the text of a link is text; its address is not',
    '<a href="http://example.org/one">two</a> and <a href=x>http://example.org/three</a>',
    'two and',
  ],
  'EXT-1 EXT-2 HTM-3 HTM-5 HTM-6 HTM-2',
  [
    'page',
    'a whole page is read',
    '<!DOCTYPE html>\r\n<html lang="en"><head><meta charset="utf-8"><title>The ferry</title><style>p{}</style></head>\r\n<body><header><h1>The f<em>erry</em></h1></header>\r\n<nav><ul><li><a href="/">Home</a></li><li><a href="/a">About</a></li></ul></nav>\r\n<main><p>The ferry leaves at dawn,<br>and nobody re&shy;mem&shy;bers<!-- whom --> it.</p>\r\n<table><caption>Times</caption><tr><th>Day</th><th>Time</th></tr><tr><td>Monday</td><td>6:30</td></tr></table>\r\n<figure><img src="a.png" alt="A quay"><figcaption>The quay</figcaption></figure></main>\r\n<footer>&copy; 2026 info@example.org</footer><script>track()</script></body></html>\r\n',
    'The ferry Home About The ferry leaves at dawn and nobody remembers it Times Day Time Monday The quay',
  ],

  'HTM-7',
  [
    'article-one',
    'the only article is the text',
    '<header>one</header><main>two <article>three</article></main><footer>four</footer>',
    'three',
    'article',
  ],
  [
    'article-many',
    'of several articles, the main element is the text',
    '<p>one<main>two <article>three</article> <article>four</article></main><p>five',
    'two three four',
    'article',
  ],
  [
    'article-role',
    'an element with the role main is the text',
    '<p>one<div ROLE=" Main x">two</div>',
    'two',
    'article',
  ],
  [
    'article-body',
    'without an article or main element, the body is the text',
    '<p>one <nav>two</nav> <div>three</div> <aside>four</aside>',
    'one three',
    'article',
  ],
  [
    'article-mains',
    'of several main elements, the body is the text',
    '<p>one <main>two</main> <div role=main>three</div>',
    'one two three',
    'article',
  ],
  [
    'article-nested',
    'an article in the article, such as a comment, is part of it',
    '<p>one <article>two <article>three</article></article>',
    'two three',
    'article',
  ],
  [
    'article-skipped',
    'elements and roles around an article are skipped inside it',
    '<article><header>one</header>two<div role=navigation>three</div><form>four</form><aside>five</aside><footer>six</footer>seven<p role=banner>eight<p role=contentinfo>nine<p role=COMPLEMENTARY>ten<p role="search form">eleven</article>',
    'two seven',
    'article',
  ],
  [
    'article-role-order',
    'only the first word of a role counts, and other roles are kept',
    '<p>one <article>two <div role="region navigation">three</div> <div role=note>four</div></article>',
    'two three four',
    'article',
  ],
  [
    'article-in-skipped',
    'an article in what is skipped is no article',
    '<p>one <aside><article>two</article></aside> <div hidden><article>three</article></div>',
    'one',
    'article',
  ],
  [
    'article-beside-skipped',
    'articles in what is skipped do not count',
    '<p>one <aside><article>two</article></aside> <article>three</article> <article hidden>four</article>',
    'three',
    'article',
  ],
  [
    'article-in-template',
    'an article in a template does not count',
    '<p>one <template><article>two</article></template> <article>three</article>',
    'three',
    'article',
  ],
  [
    'article-form',
    'a page that is all form is read whole',
    '<body><form><nav>one</nav> <article>two</article></form>',
    'one two',
    'article',
  ],
  [
    'article-body-role',
    'the roles of html and body are ignored',
    '<html role=banner><body role=form>one',
    'one',
    'article',
  ],
  [
    'article-svg',
    'elements of the same names in SVG and MathML are ordinary',
    '<p>one <svg><text>two<article>three</article></text></svg> <math><nav>four</nav></math>',
    'one twothree four',
    'article',
  ],
  [
    'article-formatting',
    'formatting that is left open goes on in and after the article',
    '<p><b>one<article>tw<b>o</article>three',
    'two',
    'article',
  ],
  [
    'article-table',
    'text that a table casts out stays outside of the article',
    '<table><tr>one<td><article>two</article></table>',
    'two',
    'article',
  ],
  [
    'article-not-asked',
    'without the extractor article, the whole body is read',
    '<nav>one</nav><article>two</article>',
    'one two',
  ],
];

export const extractHtmlGroup: Group = {
  group: 'extract-html',
  description: 'Step 0: an HTML document, with the charset that the transport named, to the tokens of its text.',
  cases: casesOf('extract-html', rows, (markup, tokens, extractor?) => {
    const { hex, charset } = typeof markup === 'string' ? withBytes(markup, '23') : markup;
    return {
      input: { utf8: hex, ...(charset === undefined ? {} : { charset }), ...(extractor && { extractor }) },
      hand: { tokens: list(tokens), ...(markup === FOX && { fingerprint: '4L3UPEMLCUTGM' }) },
    };
  }),
};
