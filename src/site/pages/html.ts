import { posix } from 'node:path';
import { escapeHtml } from '../../common/text.ts';

export const SECTIONS = [
  'playground',
  'specification',
  'vectors',
  'report card',
  'evaluation',
  'guides',
  'reference',
] as const;

export interface Page {
  /** The path relative to the site, without a leading slash: `spec/simhash-doc.html`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly section: (typeof SECTIONS)[number] | 'search' | 'not found';
  /** HTML inside `<main>`, readable without JavaScript. Links are relative to the page. */
  readonly body: string;
  /** The path of the site on its server, for the page that is shown at any address. */
  readonly base?: string;
  readonly contents?: string;
}

export interface Asset {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export function relativeLink(from: string, to: string): string {
  const [path, fragment] = to.split('#') as [string, string?];
  const hash = fragment === undefined ? '' : `#${fragment}`;
  return path === from && hash !== '' ? hash : `${posix.relative(posix.dirname(from), path)}${hash}`;
}

/** Writes a link; its text is HTML. */
export function link(href: string, html: string): string {
  return `<a href="${escapeHtml(href)}">${html}</a>`;
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

export function plainText(html: string): string {
  return html
    .replace(/<\/?(?:p|div|li|td|th|tr|dd|dt|pre|br|h\d|figure)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name]!);
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Puts a wide element into a box that scrolls, also by keyboard. */
export function scrollBox(label: string, html: string): string {
  return `<div class="scroll" role="group" aria-label="${escapeHtml(label)}" tabindex="0">\n${html}\n</div>`;
}

/** Writes a table from HTML cells. The first of each row is its header; the label is for screen readers. */
export function table(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const classes = head.map((_, column) =>
    isNumeric(rows.map((cells) => cells[column] ?? '')) ? ' class="number"' : '',
  );
  const header = head.map((cell, column) => `<th scope="col"${classes[column]}>${cell}</th>`).join('');
  const body = rows.map(
    ([first, ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells.map((cell, i) => `<td${classes[i + 1]}>${cell}</td>`).join('')}</tr>`,
  );
  return scrollBox(
    label,
    `<table>\n<thead><tr>${header}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`,
  );
}

/** Tests whether a column is right-aligned: `12`, `✓ 1,200 of 1,200`, `3 %`, or a dash for none. */
export function isNumeric(cells: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.replace(/<[^>]*>/g, '').trim());
  return (
    texts.some((text) => /\d/.test(text)) &&
    texts.every((text) => /^(?:–|(?:✓ )?[\d,.]+(?: of [\d,.]+| %)?)?$/.test(text))
  );
}

export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

export function heading({ id, title, depth }: Heading): string {
  // A link holds no other link.
  const text = title.includes('<a ') ? title : link(`#${id}`, title);
  return `<h${depth} id="${escapeHtml(id)}">${text}</h${depth}>\n`;
}

export function contentsOf(headings: readonly Heading[]): string {
  const items: { readonly entry: string; readonly below: string[] }[] = [];
  for (const { id, title, depth } of headings) {
    const entry = link(`#${id}`, title);
    const last = items.at(-1);
    if (depth > 2 && last !== undefined) last.below.push(`<li>${entry}</li>`);
    else items.push({ entry, below: [] });
  }
  const list = items.map(
    ({ entry, below }) => `<li>${entry}${below.length === 0 ? '' : `\n<ul>${below.join('')}</ul>`}</li>`,
  );
  return `<ul>\n${list.join('\n')}\n</ul>`;
}
