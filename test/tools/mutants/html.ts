/** Wrong implementations of step 0 for HTML: extract. */
import { decodeAs } from '../../../src/extract/text/charset.ts';
import { attributeOf, type Element, type HtmlReading, reading } from './html-reading.ts';
import { type Mutation, mistakesOfStep } from './mutation.ts';

const step = mistakesOfStep(0);

const html = (name: string, title: string, changes: Partial<HtmlReading>, source?: string): Mutation =>
  step(`html-${name}`, title, {}, source === undefined ? { html: changes } : { html: changes, source });

/** Elements that are absent in the profile and read here. */
const kept = (...names: string[]): Partial<HtmlReading> => ({
  isAbsent: (element, r) => !names.includes(element.tagName) && reading.isAbsent(element, r),
});

/** Elements that are read in the profile and absent here. */
const lost = (...names: string[]): Partial<HtmlReading> => ({
  isAbsent: (element, r) => names.includes(element.tagName) || reading.isAbsent(element, r),
});

/** Elements that separate in the profile and not here. */
const joined = (...names: string[]): Partial<HtmlReading> => ({
  separates: (element) => !names.includes(element.tagName) && reading.separates(element),
});

const separated = (test: (element: Element) => boolean): Partial<HtmlReading> => ({
  separates: (element) => test(element) || reading.separates(element),
});

const isHtml = (element: Element): boolean => element.namespaceURI.endsWith('xhtml');

/** Five references, decoded in a text. */
const decodeFive = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', '\xa0')
    .replaceAll('&amp;', '&');

const withoutCode = (markup: string): string => markup.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '');

export const htmlMutations: readonly Mutation[] = [
  html(
    'tags-deleted',
    'deletes tags by a pattern and keeps the rest',
    { text: (markup) => markup.replace(/<[^>]*>/g, '') },
    'strip_tags of PHP',
  ),
  html(
    'tags-as-spaces',
    'writes a space for each tag, by a pattern',
    { text: (markup) => decodeFive(withoutCode(markup).replace(/<[^>]*>/g, ' ')) },
    'clean-up scripts',
  ),
  html(
    'tags-deleted-without-code',
    'deletes scripts, style sheets and tags by patterns',
    { text: (markup) => decodeFive(withoutCode(markup).replace(/<[^>]*>/g, '')) },
    'clean-up scripts',
  ),
  html('no-extraction', 'treats markup as text', { text: (markup) => markup }),
  html(
    'text-content',
    'joins all text of the tree, without separating anything',
    { isAbsent: () => false, separates: () => false },
    'textContent of browsers',
  ),
  html(
    'text-joined-by-spaces',
    'puts a space between every two pieces of text',
    separated(() => true),
    'get_text(" ") of Beautiful Soup',
  ),
  html('body-text-content', 'joins the text of the body, without separating anything', { separates: () => false }),
  html('scripts-kept', 'keeps scripts', kept('script'), 'get_text of Beautiful Soup'),
  html('styles-kept', 'keeps style sheets', kept('style'), 'get_text of Beautiful Soup'),
  html('title-kept', 'keeps the title', kept('head', 'title')),
  html('noscript-kept', 'keeps noscript', kept('noscript'), 'parsers without scripting'),
  html('templates-read', 'reads templates', {
    own: (element) =>
      'content' in element
        ? (element as unknown as { content: { childNodes: unknown[] } }).content.childNodes
            .map((node) => rawText(node))
            .join(' ')
        : '',
    ...kept('template'),
  }),
  html('ruby-kept', 'keeps readings of ruby annotations', kept('rp', 'rt', 'rtc')),
  html('ruby-readings-kept', 'keeps readings of ruby annotations without their parentheses', kept('rt', 'rtc')),
  html('datalist-kept', 'keeps datalists', kept('datalist')),
  html('iframe-kept', 'keeps the contents of iframe, noembed and noframes', kept('iframe', 'noembed', 'noframes')),
  html('svg-titles-kept', 'keeps titles and descriptions of drawings', {
    isAbsent: (element, r) =>
      !(!isHtml(element) && ['title', 'desc'].includes(element.tagName)) && reading.isAbsent(element, r),
  }),
  html('comments-kept', 'keeps comments', { comment: (data) => data }),
  html('comments-separate', 'lets comments separate words', { comment: () => ' ' }),
  html(
    'hidden-kept',
    'keeps what the attribute hidden hides',
    { isHidden: () => false },
    'extractors that know elements alone',
  ),
  html('hidden-false-kept', 'treats hidden=false as not hidden', {
    isHidden: (element) => reading.isHidden(element) && attributeOf(element, 'hidden')?.toLowerCase() !== 'false',
  }),
  html('hidden-until-found-kept', 'treats hidden=until-found as not hidden', {
    isHidden: (element) => reading.isHidden(element) && attributeOf(element, 'hidden')?.toLowerCase() !== 'until-found',
  }),
  html('aria-hidden-lost', 'leaves out what aria-hidden hides from screen readers', {
    isHidden: (element) => reading.isHidden(element) || attributeOf(element, 'aria-hidden') === 'true',
  }),
  html(
    'style-evaluated',
    'leaves out what a style attribute hides',
    { isHidden: (element) => reading.isHidden(element) || /display:\s*none/.test(attributeOf(element, 'style') ?? '') },
    'innerText of browsers',
  ),
  html(
    'style-blocks',
    'lets display:block of a style attribute separate words',
    separated((element) => /display:\s*block/.test(attributeOf(element, 'style') ?? '')),
    'innerText of browsers',
  ),
  html('closed-dialog-kept', 'keeps closed dialogs', {
    isAbsent: (element, r) => element.tagName !== 'dialog' && reading.isAbsent(element, r),
  }),
  html(
    'details-lost',
    'leaves out closed details, except their summary',
    {
      text: (markup, r) =>
        reading.text(
          markup.replace(/<details>(\s*<summary>[\s\S]*?<\/summary>)[\s\S]*?<\/details>/g, '<details>$1</details>'),
          r,
        ),
    },
    'innerText of browsers',
  ),
  html('alt-read', 'reads alt of images', { own: (element) => attributeOf(element, 'alt') ?? '' }, 'lynx, html2text'),
  html(
    'alt-read-apart',
    'reads alt of images, with spaces around',
    { own: (element) => (element.tagName === 'img' ? ` ${attributeOf(element, 'alt') ?? ''} ` : '') },
    'html2text',
  ),
  html('titles-read', 'reads title attributes', { own: (element) => ` ${attributeOf(element, 'title') ?? ''} ` }),
  html('values-read', 'reads values of inputs', {
    own: (element) => (element.tagName === 'input' ? ` ${attributeOf(element, 'value') ?? ''} ` : ''),
  }),
  html(
    'links-read',
    'reads addresses of links',
    { own: (element) => (element.tagName === 'a' ? ` ${attributeOf(element, 'href') ?? ''} ` : '') },
    'html2text',
  ),
  html(
    'images-separate',
    'lets images separate words',
    separated((element) => element.tagName === 'img'),
  ),
  html(
    'inline-separates',
    'lets inline elements separate words',
    separated(
      (element) =>
        isHtml(element) &&
        ['b', 'i', 'em', 'strong', 'a', 'span', 'u', 'sub', 'sup', 'code', 'font'].includes(element.tagName),
    ),
  ),
  html(
    'unknown-separates',
    'lets unknown elements separate words',
    separated((element) => isHtml(element) && /-|^(?:blink|x|foo|unknown)$/.test(element.tagName)),
  ),
  html('br-joins', 'ignores br', joined('br')),
  html('cells-join', 'treats cells of tables as inline', joined('td', 'th')),
  html('rows-join', 'treats rows of tables as inline', joined('tr', 'td', 'th')),
  html('list-items-join', 'treats list items as inline', joined('li')),
  html('headings-join', 'treats headings as inline', joined('h1', 'h2', 'h3', 'h4', 'h5', 'h6')),
  html(
    'sections-join',
    'treats the sections of HTML5 as inline',
    joined('article', 'aside', 'footer', 'header', 'hgroup', 'main', 'nav', 'section', 'search'),
    'parsers from before HTML5',
  ),
  html('definitions-join', 'treats terms and definitions as inline', joined('dl', 'dt', 'dd')),
  html('options-join', 'treats options as inline', joined('option', 'optgroup')),
  html('forms-join', 'treats form, fieldset and legend as inline', joined('form', 'fieldset', 'legend')),
  html('boxes-join', 'treats button, select and textarea as inline', joined('button', 'select', 'textarea', 'marquee')),
  html('rule-joins', 'ignores hr', joined('hr')),
  html('formulas-join', 'treats elements of formulas as inline', {
    separates: (element) => !element.namespaceURI.endsWith('MathML') && reading.separates(element),
  }),
  html(
    'wbr-separates',
    'lets wbr separate words',
    separated((element) => element.tagName === 'wbr'),
  ),
  html(
    'figures-lost',
    'leaves out figures with their captions',
    lost('figure', 'figcaption'),
    'extractors of main content',
  ),
  html('tables-lost', 'leaves out tables', lost('table'), 'extractors of main content'),
  html(
    'boilerplate-lost',
    'leaves out nav, header, footer and aside',
    lost('nav', 'header', 'footer', 'aside'),
    'extractors of main content',
  ),
  html('quotes-lost', 'leaves out quotes', lost('blockquote')),
  html('links-lost', 'leaves out links', lost('a')),
  html(
    'quotes-added',
    'writes quotes around q',
    { text: (markup, r) => reading.text(markup.replace(/<q>/g, '<q>"').replace(/<\/q>/g, '"</q>'), r) },
    'browsers, which add them by their style',
  ),
  html('references-kept', 'keeps character references as they are written', {
    text: (markup, r) => reading.text(markup.replaceAll('&', '&amp;'), r),
  }),
  html(
    'references-twice',
    'decodes character references twice',
    { text: (markup, r) => reading.text(reading.text(markup, r).replaceAll('<', '&lt;'), r) },
    'unescape before parsing',
  ),
  html('references-numeric-plain', 'treats numeric references 128 to 159 as control characters', {
    text: (markup, r) =>
      reading.text(
        markup.replace(/&#(1[2-5][0-9]);/g, (all, number: string) =>
          Number(number) > 127 ? String.fromCharCode(Number(number)) : all,
        ),
        r,
      ),
  }),
  html('charset-utf-8', 'reads everything as UTF-8', { decode: (bytes) => decodeAs(bytes, 'UTF-8') }),
  html('charset-default-utf-8', 'reads documents without a declaration as UTF-8', {
    decode: (bytes, charset) => {
      const asDefault = reading.decode(bytes, charset);
      return asDefault === decodeAs(bytes, 'windows-1252') ? decodeAs(bytes, 'UTF-8') : asDefault;
    },
  }),
  html(
    'charset-sniffed',
    'reads documents that look like UTF-8 as UTF-8',
    {
      decode: (bytes, charset) => {
        const asUtf8 = decodeAs(bytes, 'UTF-8');
        return asUtf8.includes('\ufffd') ? reading.decode(bytes, charset) : asUtf8;
      },
    },
    'readers that guess an encoding',
  ),
  html(
    'charset-latin-1',
    'reads the octets 80 to 9F of windows-1252 as control characters',
    {
      decode: (bytes, charset) => {
        const text = reading.decode(bytes, charset);
        return text === decodeAs(bytes, 'windows-1252') ? String.fromCharCode(...bytes) : text;
      },
    },
    'ISO-8859-1 of most libraries',
  ),
  html('charset-transport-ignored', 'ignores the charset of the transport', {
    decode: (bytes) => reading.decode(bytes, undefined),
  }),
  html('charset-meta-ignored', 'ignores declarations in the document', {
    decode: (bytes, charset) =>
      reading
        .decode(Uint8Array.from([...bytes].flatMap((byte, i) => (isMeta(bytes, i) ? [0x78] : [byte]))), charset)
        .replaceAll('<xeta', '<meta'),
  }),
  html('charset-meta-first', 'prefers a declaration in the document to that of the transport', {
    decode: (bytes, charset) => {
      const own = reading.decode(bytes, undefined);
      return own === decodeAs(bytes, 'windows-1252') ? reading.decode(bytes, charset) : own;
    },
  }),
  html('charset-mark-ignored', 'ignores a byte order mark', {
    decode: (bytes, charset) => reading.decode(Uint8Array.from([0x20, ...bytes]), charset),
  }),
];

/** Does `meta` stand at this place after a less-than sign? */
function isMeta(bytes: Uint8Array, at: number): boolean {
  return bytes[at - 1] === 0x3c && /^meta$/i.test(String.fromCharCode(...bytes.subarray(at, at + 4)));
}

/** All text of a node of any kind. */
function rawText(node: unknown): string {
  const { value, childNodes } = node as { value?: string; childNodes?: unknown[] };
  return value ?? (childNodes ?? []).map(rawText).join('');
}
