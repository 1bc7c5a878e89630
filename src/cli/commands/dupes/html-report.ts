import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../../common/replace-file.ts';
import { escapeControls, escapeHtml, formatBytes, formatNumber, pluralize } from '../../../common/text.ts';
import type { Place } from '../../../documents/document-outcome.ts';
import { pathOf } from '../../../documents/file-path.ts';
import { STDIN } from '../../../documents/walk.ts';
import type { DocumentGroup, DocumentGroupMember } from '../../../duplicates/group.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import { loadPassages, type Part, type Passages } from '../../../duplicates/passages.ts';
import { createReader } from '../../../duplicates/reread.ts';
import type { Session } from '../../session.ts';
import { warn } from '../../terminal/print.ts';
import type { Result } from './dupes-result.ts';
import { SCRIPT, STYLE } from './html-assets.ts';
import { removableIn } from './removable-paths.ts';

const MAX_GROUPS = 200;

const MAX_MEMBERS = 20;

/** The time in milliseconds after which no further group is compared. */
const MAX_TIME = 120_000;

/** Longer documents are not compared: the texts of a document and of the one to keep are held as strings. */
const MAX_TOKENS = 2_000_000;

interface Page extends Result {
  readonly path: string;
  readonly session: Session;
  /** Null if documents are not compared. */
  readonly compareWith: ((kept: string) => (other: string) => Passages) | null;
  readonly end: number;
}

/** Writes the groups as a page of HTML that loads nothing; replaces an existing page when the new one is complete. */
export async function writeHtml(path: string, result: Result, session: Session): Promise<void> {
  let compareWith: Page['compareWith'] = null;
  try {
    if (result.isVerified) compareWith = await loadPassages();
  } catch (error) {
    warn((error as Error).message);
  }
  const page: Page = { ...result, path, session, compareWith, end: performance.now() + MAX_TIME };
  await replaceFile(path, async (file) => {
    await file.appendFile(startOf(page));
    for (const [index, group] of result.groups.entries())
      await file.appendFile(await sectionOf(page, group, index + 1));
    await file.appendFile(sectionOfContained(page));
    await file.appendFile(`</main>\n${REMOVAL}<script>${SCRIPT}</script>\n</body>\n</html>\n`);
  });
}

const REMOVAL = `<footer id="removal" hidden>
<p><output id="ticked"></output> <button type="button" id="copy">Copy the command that removes them</button></p>
<pre id="command" tabindex="0" aria-label="The command"></pre>
</footer>
`;

function startOf({ groups, collection, isVerified, compareWith }: Page): string {
  const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`;
  const found = `${pluralize(groups.length, 'group')} among ${pluralize(collection.documents.length, 'document')}`;
  const notes = isVerified
    ? [
        'The first document of each group is the one to keep. Passages show what differs from it.',
        ...(compareWith === null ? ['Passages are missing: they need the package <code>diff</code>.'] : []),
        ...(groups.length > MAX_GROUPS ? [`Passages are shown in the first ${MAX_GROUPS} groups.`] : []),
      ]
    : ['These are candidates: only fingerprints were compared.'];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>simhash-doc: ${found}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${found}</h1>
${sumsOf(groups)}<p>Label <code>${html(collection.label)}</code>. ${notes.join(' ')}</p>
</header>
<main>
<div id="tools" role="search" data-label="${html(collection.label)}" hidden>
<label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" aria-describedby="hint">
<output id="count" for="filter"></output>
<span><button type="button" id="previous">Previous</button> <button type="button" id="next">Next</button></span>
<label><input id="one" type="checkbox" checked> one group at a time</label>
<label><input id="keys" type="checkbox" checked> keys</label>
<p id="hint" class="note">Words of paths and remarks, such as <kbd>differs</kbd>, or sizes, such as <kbd>&gt;1M</kbd>. Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous group, <kbd>Enter</kbd> its passages, <kbd>/</kbd> filter.</p>
</div>
`;
}

function sumsOf(groups: readonly DocumentGroup[]): string {
  const members = groups.flatMap((group) => group.members);
  const freed = groups.reduce((sum, { reclaimable }) => sum + (reclaimable ?? 0), 0);
  const sums = [
    ['documents in groups', formatNumber(groups.length + members.length)],
    ['identical to the one to keep', formatNumber(members.filter(({ isIdentical }) => isIdentical).length)],
    ['can be reclaimed', formatBytes(freed)],
  ] as const;
  return `<dl>${sums.map(([name, sum]) => `<div><dt>${name}</dt><dd>${sum}</dd></div>`).join('')}</dl>\n`;
}

/** Draws the members by their distances from the document to keep, which is on the left; nothing for a single one. */
function pictureOf({ members }: DocumentGroup): string {
  if (members.length === 1) return '';
  const far = Math.max(8, members.at(-1)!.distance);
  const x = (distance: number): number => Math.round(10 + (380 * distance) / far);
  const counts = new Map<number, number>();
  for (const { distance } of members) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  const dots = Array.from(counts, ([distance, count]) => {
    const title = `${pluralize(count, 'document')} at ${pluralize(distance, 'bit')}`;
    return `<circle cx="${x(distance)}" cy="10" r="${Math.min(9, 3 + Math.sqrt(count))}"><title>${title}</title></circle>`;
  });
  const label = `Distances from the document to keep: ${[...counts.keys()].sort((a, b) => a - b).join(', ')} bits`;
  return `<svg viewBox="0 0 400 34" role="img" aria-label="${label}"><path d="M10 10h380M10 4v12M390 4v12"/>${dots.join('')}<text x="10" y="31">0 bits</text><text x="390" y="31">${far}</text></svg>
`;
}

function boxOf({ collection }: Page, document: number, isTicked: boolean): string {
  const { place, size, isLinked, isReference } = collection.documents[document]!;
  const isFile = place.member === undefined && place.raw === undefined && size !== null && place.path !== STDIN;
  if (!isFile || isLinked || isReference || place.path.search(UNSAFE) >= 0) return '';
  const state = isTicked ? ' checked' : '';
  return `<input type="checkbox" class="remove" aria-label="Remove ${html(place.path)}" data-size="${size}" hidden${state}> `;
}

async function sectionOf(page: Page, group: DocumentGroup, number: number): Promise<string> {
  const { documents } = page.collection;
  const { kept, members, reclaimable } = group;
  const passages = await passagesOf(page, group, number);
  const freed = reclaimable === null ? '' : `, ${formatBytes(reclaimable)} can be reclaimed`;
  // Very many arguments would overflow the stack.
  const sizeOf = (document: number): number => documents[document]!.size ?? 0;
  const size = members.reduce((largest, { document }) => Math.max(largest, sizeOf(document)), sizeOf(kept));
  const identical = members.filter(({ isIdentical }) => isIdentical);
  const ticked = new Set(removableIn(page, { ...group, members: identical }));
  const items = members.map((member) => {
    const { document, distance, overlap, isIdentical } = member;
    const remarks = [
      pluralize(distance, 'bit'),
      ...(overlap === null ? [] : [`overlap ${roundOverlap(overlap)}`]),
      ...(isIdentical ? ['identical'] : []),
      ...page.flagsOf(document),
    ];
    return `<li>${boxOf(page, document, ticked.has(member))}${aboutDocument(page, document, remarks, member)}${passages.of.get(document) ?? ''}</li>`;
  });
  return `<section id="g${number}" tabindex="-1" aria-labelledby="t${number}" data-size="${size}">
<h2 id="t${number}"><a href="#g${number}">${formatNumber(number)}.</a> ${pluralize(members.length + 1, 'document')}${freed}</h2>
${pictureOf(group)}<ul>
<li>${aboutDocument(page, kept, ['keep', ...page.flagsOf(kept)])}</li>
${items.join('\n')}
</ul>
${passages.note === '' ? '' : note(passages.note)}</section>
`;
}

function sectionOfContained(page: Page): string {
  const { contained, collection } = page;
  if (contained.length === 0) return '';
  const linkOf = (document: number): string => {
    const { place, size } = collection.documents[document]!;
    return nameAsLink(place, linkTo(place, size, page.path));
  };
  const items = contained.map(({ document, container, distance, share }) => {
    const remarks = [pluralize(distance, 'bit'), `${roundOverlap(share)} of the words`, ...page.flagsOf(document)];
    return `<li>${aboutDocument(page, document, remarks)}<div class="about">in ${linkOf(container)}</div></li>`;
  });
  return `<section id="contained" tabindex="-1" aria-labelledby="tc" data-size="0">
<h2 id="tc"><a href="#contained">${pluralize(contained.length, 'document')}</a> contained in a longer one; not removed</h2>
<ul>
${items.join('\n')}
</ul>
</section>
`;
}

/** The name of a document as a link, and the facts about it. */
function aboutDocument(page: Page, document: number, remarks: readonly string[], member?: DocumentGroupMember): string {
  const { place, size } = page.collection.documents[document]!;
  const date = place.member?.date;
  const all = [...remarks, ...(size === null ? [] : [formatBytes(size)]), ...(date === undefined ? [] : [html(date)])];
  const differs = member?.differs ?? [];
  const mark =
    differs.length === 0 ? '' : ` <strong class="differs">differs: ${html(differs.join(', '))}; not removed</strong>`;
  return `<div class="about">${nameAsLink(place, linkTo(place, size, page.path))} <span class="remarks">${all.join(', ')}</span>${mark}</div>`;
}

function nameAsLink({ path, member }: Place, link: string | null): string {
  const name = `<code><bdi>${html(path)}</bdi></code>`;
  const within = member === undefined ? '' : `<code>!<bdi>${html(member.name)}</bdi></code>`;
  return `${link === null ? name : `<a href="${html(link)}">${name}</a>`}${within}`;
}

/** A URL relative to the page, so that the folder of both can be moved; null for standard input and names of no file. */
function linkTo(place: Place, size: number | null, page: string): string | null {
  if (size === null || place.path === STDIN || place.path.includes('\0')) return null;
  if (sep === '\\') {
    const path = relative(resolve(page, '..'), resolve(place.path));
    return isAbsolute(path) ? pathToFileURL(path).href : percentEncode(Buffer.from(path.replaceAll(sep, '/')));
  }
  const folder = posix.dirname(absolute(Buffer.from(page)));
  return percentEncode(Buffer.from(posix.relative(folder, absolute(Buffer.from(pathOf(place)))), 'latin1'));
}

/** An absolute path, one character for each byte. */
function absolute(path: Buffer): string {
  const bytes = path.toString('latin1');
  const from = Buffer.from(process.cwd()).toString('latin1');
  const names = bytes.split('/').filter((name) => name !== '' && name !== '.');
  const isDirect = names.every((name, index) => name !== '..' || names[index - 1] === '..' || index === 0);
  if (isDirect) return posix.resolve(from, bytes);
  // After a symbolic link, `..` is the parent of its target.
  let folder = posix.dirname(bytes);
  try {
    // `realpathSync` resolves `..` in the text of the path.
    folder = realpathSync.native(Buffer.from(folder, 'latin1'), 'buffer').toString('latin1');
  } catch {
    // The folder is gone: its name is resolved as it is.
  }
  return posix.resolve(from, folder, posix.basename(bytes));
}

/** Percent-encodes a path: a colon would begin a scheme, and names need not be UTF-8. */
function percentEncode(path: Uint8Array): string {
  return Array.from(path, (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w.~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

async function passagesOf(page: Page, group: DocumentGroup, number: number) {
  const { compareWith, collection, session, end } = page;
  const of = new Map<number, string>();
  const others = group.members.filter(({ isIdentical }) => !isIdentical).map(({ document }) => document);
  if (compareWith === null || others.length === 0 || number > MAX_GROUPS) return { of, note: '' };
  if (performance.now() > end) return { of, note: LATE };
  // The tokens of documents of an index were not counted.
  const isLong = (document: number): boolean => {
    const { tokens, size } = collection.documents[document]!;
    return (tokens ?? size ?? 0) > MAX_TOKENS;
  };
  if (isLong(group.kept)) return { of, note: LONG };
  const first = others.slice(0, MAX_MEMBERS);
  for (const document of first.filter(isLong)) of.set(document, note(LONG));
  const read = createReader(collection, session);
  let compare: ((other: string) => Passages) | undefined;
  for await (const { outcome } of read('extract', [group.kept]))
    if (outcome.kind === 'done') compare = compareWith(outcome.result.text);
    else return { of, note: `Not compared: the document to keep: ${html(outcome.failure.message)}.` };
  const compared = first.filter((document) => !isLong(document));
  for await (const { document, outcome } of read('extract', compared))
    if (outcome.kind === 'failed') of.set(document, note(`Not compared: ${html(outcome.failure.message)}.`));
    else if (compare === undefined || performance.now() > end) of.set(document, note(LATE));
    else of.set(document, asTable(compare(outcome.result.text)));
  const isAll = others.length <= MAX_MEMBERS;
  return { of, note: isAll ? '' : `Passages are shown for the first ${MAX_MEMBERS} documents that are not identical.` };
}

const LATE = `Not compared: comparing all groups would take more than ${MAX_TIME / 1000} seconds.`;
const LONG = `Not compared: more than ${formatNumber(MAX_TOKENS)} words.`;

function note(sentence: string): string {
  return `<p class="note">${sentence}</p>\n`;
}

function asTable({ shown, total, isComplete }: Passages): string {
  if (total === 0) return note('The texts are the same but for spaces.');
  const rows = shown.map(
    ({ a, b }) => `<tr><td dir="auto">${asMarked(a, 'del')}</td><td dir="auto">${asMarked(b, 'ins')}</td></tr>`,
  );
  const more = total - shown.length;
  const notes = [
    ...(more === 0 ? [] : [`${pluralize(more, 'further passage')} ${more === 1 ? 'is' : 'are'} not shown.`]),
    ...(isComplete ? [] : ['Too much differs for a full comparison: a passage may be marked as a whole.']),
  ];
  return `<details>
<summary>${pluralize(total, 'passage')} that ${total === 1 ? 'differs' : 'differ'}</summary>
<table>
<thead><tr><th scope="col">keep</th><th scope="col">this document</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
${notes.length === 0 ? '' : note(notes.join(' '))}</details>`;
}

function asMarked(parts: readonly Part[], tag: 'del' | 'ins'): string {
  return parts
    .map((part) => {
      if (part.kind === 'gap')
        return `<span class="gap"> …${part.words === 0 ? '' : ` ${pluralize(part.words, 'more word')} …`} </span>`;
      if (part.kind === 'same') return html(part.text, '\n');
      return `<${tag}>${html(part.text, '\n', INVISIBLE)}</${tag}>`;
    })
    .join('');
}

/** Characters that HTML does not allow, or that change the order of the text around them. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Characters to show by number, including format characters, which may be the only difference. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu;

/** Escapes text for HTML; control characters are shown, other than those in `kept`. */
function html(text: string, kept = '', characters = UNSAFE): string {
  return escapeHtml(escapeControls(text, kept, characters));
}
