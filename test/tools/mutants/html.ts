/** Wrong implementations of step 0 for HTML: extract. */
import { decodeAs } from '../../../src/extract/text/charset.ts';
import { attributeOf, type Element, type HtmlReading, reading } from './html-reading.ts';
import type { Changes } from './mutation.ts';

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

export const htmlChanges: Changes = {
  'html-tags-deleted': { html: { text: (markup) => markup.replace(/<[^>]*>/g, '') } },
  'html-tags-as-spaces': { html: { text: (markup) => decodeFive(withoutCode(markup).replace(/<[^>]*>/g, ' ')) } },
  'html-tags-deleted-without-code': {
    html: { text: (markup) => decodeFive(withoutCode(markup).replace(/<[^>]*>/g, '')) },
  },
  'html-text-content': { html: { isAbsent: () => false, separates: () => false } },
  'html-text-joined-by-spaces': { html: separated(() => true) },
  'html-scripts-kept': { html: kept('script') },
  'html-styles-kept': { html: kept('style') },
  'html-noscript-kept': { html: kept('noscript') },
  'html-hidden-kept': { html: { isHidden: () => false } },
  'html-style-evaluated': {
    html: {
      isHidden: (element) => reading.isHidden(element) || /display:\s*none/.test(attributeOf(element, 'style') ?? ''),
    },
  },
  'html-style-blocks': { html: separated((element) => /display:\s*block/.test(attributeOf(element, 'style') ?? '')) },
  'html-details-lost': {
    html: {
      text: (markup, r) =>
        reading.text(
          markup.replace(/<details>(\s*<summary>[\s\S]*?<\/summary>)[\s\S]*?<\/details>/g, '<details>$1</details>'),
          r,
        ),
    },
  },
  'html-alt-read': { html: { own: (element) => attributeOf(element, 'alt') ?? '' } },
  'html-alt-read-apart': {
    html: { own: (element) => (element.tagName === 'img' ? ` ${attributeOf(element, 'alt') ?? ''} ` : '') },
  },
  'html-links-read': {
    html: { own: (element) => (element.tagName === 'a' ? ` ${attributeOf(element, 'href') ?? ''} ` : '') },
  },
  'html-sections-join': {
    html: joined('article', 'aside', 'footer', 'header', 'hgroup', 'main', 'nav', 'section', 'search'),
  },
  'html-figures-lost': { html: lost('figure', 'figcaption') },
  'html-tables-lost': { html: lost('table') },
  'html-boilerplate-lost': { html: lost('nav', 'header', 'footer', 'aside') },
  'html-quotes-added': {
    html: { text: (markup, r) => reading.text(markup.replace(/<q>/g, '<q>"').replace(/<\/q>/g, '"</q>'), r) },
  },
  'html-references-twice': {
    html: { text: (markup, r) => reading.text(reading.text(markup, r).replaceAll('<', '&lt;'), r) },
  },
  'html-charset-sniffed': {
    html: {
      decode: (bytes, charset) => {
        const asUtf8 = decodeAs(bytes, 'UTF-8');
        return asUtf8.includes('\ufffd') ? reading.decode(bytes, charset) : asUtf8;
      },
    },
  },
  'html-charset-latin-1': {
    html: {
      decode: (bytes, charset) => {
        const text = reading.decode(bytes, charset);
        return text === decodeAs(bytes, 'windows-1252') ? String.fromCharCode(...bytes) : text;
      },
    },
  },
};
