/** Wrong implementations of step 0 for HTML: extract. */
import { decodeAs } from '../../../src/extract/text/charset.ts';
import { attributeOf, type Element, type HtmlReading, reading } from './html-reading.ts';
import { type Mutation, mistakesOfStep } from './mutation.ts';

const step = mistakesOfStep(0);

const html = (name: string, title: string, changes: Partial<HtmlReading>, source: string): Mutation =>
  step(`html-${name}`, title, {}, { html: changes, source });

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
  html('scripts-kept', 'keeps scripts', kept('script'), 'get_text of Beautiful Soup'),
  html('styles-kept', 'keeps style sheets', kept('style'), 'get_text of Beautiful Soup'),
  html('noscript-kept', 'keeps noscript', kept('noscript'), 'parsers without scripting'),
  html(
    'hidden-kept',
    'keeps what the attribute hidden hides',
    { isHidden: () => false },
    'extractors that know elements alone',
  ),
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
  html(
    'links-read',
    'reads addresses of links',
    { own: (element) => (element.tagName === 'a' ? ` ${attributeOf(element, 'href') ?? ''} ` : '') },
    'html2text',
  ),
  html(
    'sections-join',
    'treats the sections of HTML5 as inline',
    joined('article', 'aside', 'footer', 'header', 'hgroup', 'main', 'nav', 'section', 'search'),
    'parsers from before HTML5',
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
  html(
    'quotes-added',
    'writes quotes around q',
    { text: (markup, r) => reading.text(markup.replace(/<q>/g, '<q>"').replace(/<\/q>/g, '"</q>'), r) },
    'browsers, which add them by their style',
  ),
  html(
    'references-twice',
    'decodes character references twice',
    { text: (markup, r) => reading.text(reading.text(markup, r).replaceAll('<', '&lt;'), r) },
    'unescape before parsing',
  ),
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
];
