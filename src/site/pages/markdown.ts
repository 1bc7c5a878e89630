import { createRequire } from 'node:module';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../common/text.ts';
import { contentsOf, type Heading, heading, isNumeric, scrollBox } from './html.ts';

/** Its own types bring the types of a page into every file. */
const hljs: {
  getLanguage(name: string): unknown;
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
} = createRequire(import.meta.url)('highlight.js/lib/common');

interface MarkdownOptions {
  readonly targetOf: (href: string) => string | undefined;
  readonly sizeOf?: (href: string) => string;
  readonly afterRule?: (rule: string) => string;
  readonly beforeSections?: { readonly html: string; readonly headings: readonly Heading[] };
  readonly endOfSection?: (rules: readonly string[]) => string;
}

const COMMENT = /<!--.*?-->\n*/gs;
/** The anchor before a heading. It is the heading's own on a page. */
const HEADING_ANCHOR = /^<a id="([^"]+)"><\/a>\n\n(#{2,6} .+)$/gm;
const OWN_ANCHOR = / \{#([^}]+)\}$/;
/** The empty head of a table: Markdown has no tables without a head. */
const EMPTY_HEAD = /<thead>\n<tr>\n(?:<th><\/th>\n)+<\/tr>\n<\/thead>\n/g;
/** A name that is not broken in a title. */
const NAME = /\b(?:sim|min)hash-doc\b/g;
const NUMBERS = /(<td[^>]*>)([\d.,%≤≥=·/–()kof ]{1,24})(<\/td>)/g;
const RULE = /<a id="([^"]+)"><\/a>\*\*([A-Z]{3}-\d+)\*\*/g;

/** Makes the anchor of a heading as GitHub does. */
export function slugOf(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return kept.replaceAll(' ', '-');
}

/** Writes an image, with the file for narrow screens beside it if there is one; only the text if the site does not have it. */
function imageOf(href: string, text: string, { targetOf, sizeOf = () => '' }: MarkdownOptions): string {
  const target = targetOf(href);
  if (target === undefined) return escapeHtml(text);
  const image = `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}"${sizeOf(href)} loading="lazy">`;
  const narrow = href.replace(/(?=\.svg$)/, '-narrow');
  const other = targetOf(narrow);
  if (other === undefined || sizeOf(narrow) === '') return image;
  return `<picture><source media="(max-width: 40rem)" srcset="${escapeHtml(other)}"${sizeOf(narrow)}>${image}</picture>`;
}

export function codeBlock(text: string, lang = ''): string {
  const language = lang === 'console' ? 'shell' : lang;
  const isKnown = hljs.getLanguage(language) !== undefined;
  const html = isKnown ? hljs.highlight(text, { language, ignoreIllegals: true }).value : escapeHtml(text);
  const name = lang === '' ? '' : ` class="language-${escapeHtml(lang)}"`;
  return `<pre tabindex="0"><code${name}>${html}\n</code></pre>\n`;
}

export function renderMarkdown(markdown: string, options: MarkdownOptions) {
  const { beforeSections = { html: '', headings: [] } } = options;
  const headings: Heading[] = [...beforeSections.headings];
  let title = '';
  const used = new Set(headings.map(({ id }) => id));
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const [, anchor] = OWN_ANCHOR.exec(text) ?? [];
        const html = this.parser.parseInline(tokens).replace(/ \{#[^}]+\}$/, '');
        if (depth === 1) {
          title ||= html;
          return `<h1>${html.replace(NAME, '<span class="name">$&</span>')}</h1>\n`;
        }
        const slug = anchor ?? slugOf(text);
        let id = slug;
        for (let i = 1; used.has(id); i++) id = `${slug}-${i}`;
        used.add(id);
        if (depth < 4) headings.push({ id, title: html, depth });
        return heading({ id, title: html, depth });
      },
      code({ text, lang }) {
        return codeBlock(text, lang);
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = options.targetOf(href);
        return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      image({ href, text }) {
        return imageOf(href, text, options);
      },
    },
  });
  const tokens = marked.lexer(prepare(markdown, options.afterRule));
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'table') alignNumbers(token as Tokens.Table);
  });
  const body = sectionsOf(tokens)
    .map((section, i) => {
      const source = section.map(({ raw }) => raw).join('');
      const rules = Array.from(source.matchAll(/<a class="rule" id="([^"]+)"/g), ([, id]) => id!);
      return marked.parser(section) + (options.endOfSection?.(rules) ?? '') + (i === 0 ? beforeSections.html : '');
    })
    .join('')
    .replace(EMPTY_HEAD, '')
    // An empty cell names no column.
    .replace(/<th( [^>]*)?><\/th>/g, '<td$1></td>')
    .replace(NUMBERS, (_, start: string, text: string, end: string) => start + text.replaceAll(' ', '\u00a0') + end)
    .replace(/<table>.*?<\/table>/gs, (html) => scrollBox('Table', html));
  return { title, body, headings };
}

function alignNumbers({ header, rows }: Tokens.Table): void {
  header.forEach((head, column) => {
    const cells = rows.map((row) => row[column]!);
    if (head.align !== null || !isNumeric(cells.map(({ text }) => text.replace(/\*\*/g, '')))) return;
    for (const cell of [head, ...cells]) cell.align = 'right';
  });
}

function prepare(markdown: string, afterRule: (rule: string) => string = () => ''): string {
  return markdown
    .replace(COMMENT, '')
    .replace(HEADING_ANCHOR, (_, id: string, line: string) => `${line} {#${id}}`)
    .replace(RULE, (_, id: string, rule: string) => {
      return `<a class="rule" id="${id}" href="#${id}">**${rule}**</a>${afterRule(rule)}`;
    });
}

function sectionsOf(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2) sections.push([]);
    sections.at(-1)!.push(token);
  }
  return sections;
}

export function contentsOfDocument({ headings }: ReturnType<typeof renderMarkdown>): string | undefined {
  return headings.length < 3 ? undefined : contentsOf(headings);
}
