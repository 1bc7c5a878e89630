import { escapeHtml, formatNumber, joinWithAnd, pluralize } from '../../common/text.ts';
import { visible } from '../../conformance/report/printable-text.ts';
import type { Vector } from '../../conformance/vector.ts';
import { playgroundLink } from './citations.ts';
import { code, heading, link, relativeLink } from './html.ts';

/** Code points of a text, bytes and items of a list that are shown. */
const MAX_CODE_POINTS = 600;
const MAX_BYTES = 64;
const MAX_ITEMS = 64;

/** Results that are folded, because they are long and rarely needed. */
const INTERMEDIATES: ReadonlySet<string> = new Set(
  'decoded normalised stripped tokens hashes counters octets keys'.split(' '),
);

const LANGUAGES: Readonly<Record<string, string>> = { c: 'C', go: 'Go', java: 'Java', python: 'Python', rust: 'Rust' };

export function vectorHtml(
  vector: Vector,
  { page, placeOfRule }: { readonly page: string; readonly placeOfRule: (rule: string) => string },
): string {
  const { id, title, operation, input } = vector;
  const outcome =
    vector.error === undefined
      ? expectedHtml(operation, vector.expected as Readonly<Record<string, unknown>>)
      : `<dt>error</dt><dd>${code(vector.error)}</dd>`;
  const flags = vector.flags.map((flag) => link(relativeLink(page, `vectors/flags.html#${flag}`), escapeHtml(flag)));
  const { document, agrees } = vector;
  const fingerprint = document === null ? 'no fingerprint' : code(document ?? '');
  const languages = agrees.map((name) => LANGUAGES[name] ?? name);
  return `<article class="case">
${heading({ id, title: escapeHtml(id), depth: 2 })}<p>${escapeHtml(title)}${vector.status === 'retired' ? ' (retired)' : ''} ${playgroundLink(page, id)}</p>
<dl>
<dt>rules</dt><dd>${vector.rules.map((rule) => link(relativeLink(page, placeOfRule(rule)), rule)).join(' ')}</dd>
${flags.length === 0 ? '' : `<dt>flags</dt><dd>${flags.join(' ')}</dd>\n`}<dt>operation</dt><dd>${code(operation)}</dd>
</dl>
<h3>Input</h3>
<dl>
${Object.entries(input).map(memberHtml).join('\n')}
</dl>
<h3>Expected</h3>
${outcome.startsWith('<dt>') ? `<dl>\n${outcome}\n</dl>` : outcome}
${document === undefined ? '' : `<dl>\n<dt>as a document</dt><dd>${fingerprint}</dd>\n</dl>\n`}${
  languages.length === 0 ? '' : `<p>Confirmed by implementations in ${joinWithAnd(languages)}.</p>\n`
}</article>
`;
}

function expectedHtml(operation: string, expected: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(expected);
  const isFolded = ([name]: readonly [string, unknown]): boolean =>
    operation === 'fingerprint' && INTERMEDIATES.has(name);
  const list = (some: typeof members): string => `<dl>\n${some.map(memberHtml).join('\n')}\n</dl>`;
  const shown = list(members.filter((member) => !isFolded(member)));
  const folded = members.filter(isFolded);
  return folded.length === 0 ? shown : `${shown}\n<details><summary>Every step</summary>\n${list(folded)}\n</details>`;
}

function memberHtml([name, value]: readonly [string, unknown]): string {
  return `<dt>${escapeHtml(name)}</dt><dd>${valueHtml(name, value)}</dd>`;
}

function valueHtml(name: string, value: unknown): string {
  if (typeof value === 'string') {
    if (name === 'utf8' || name === 'octets') return digitsHtml(value, 2, 'octet');
    if (name === 'utf16') return digitsHtml(value, 4, 'unit');
    return name === 'base64' ? digitsHtml(Buffer.from(value, 'base64').toString('hex'), 2, 'octet') : textHtml(value);
  }
  if (!Array.isArray(value)) return code(visibleJson(value));
  if (value.length === 0) return '(none)';
  const shown = value.slice(0, MAX_ITEMS);
  const rest = value.length > shown.length ? ` … (${formatNumber(value.length)} in all)` : '';
  if (shown.every((item) => typeof item === 'number')) return `${code(shown.join(' '))}${rest}`;
  const items = shown.map((item) => (typeof item === 'string' ? textHtml(item) : code(visibleJson(item))));
  return `${items.join(' ')}${rest}`;
}

function visibleJson(value: unknown): string {
  const json = JSON.stringify(value, (_, member) => (typeof member === 'string' ? visible(member) : member));
  const characters = Array.from(json.replaceAll('\\\\u{', '\\u{'));
  return `${characters.slice(0, MAX_CODE_POINTS).join('')}${characters.length > MAX_CODE_POINTS ? ' …' : ''}`;
}

function textHtml(text: string): string {
  const characters = Array.from(text);
  const shown = escapeHtml(visible(characters.slice(0, MAX_CODE_POINTS).join('')).replace(/\\(["\\])/g, '$1'));
  const marked = shown.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => `<b>‹U+${hex.toUpperCase()}›</b>`);
  const rest = characters.length > MAX_CODE_POINTS ? ` … (${pluralize(characters.length, 'code point')})` : '';
  return text === '' ? '(empty)' : `<code class="text">${marked}</code>${rest}`;
}

function digitsHtml(hex: string, width: number, noun: string): string {
  const groups = hex.match(new RegExp(`.{${width}}`, 'g')) ?? [];
  const rest = groups.length > MAX_BYTES ? ` … (${pluralize(groups.length, noun)})` : '';
  return groups.length === 0 ? '(empty)' : `${code(groups.slice(0, MAX_BYTES).join(' ').toUpperCase())}${rest}`;
}
