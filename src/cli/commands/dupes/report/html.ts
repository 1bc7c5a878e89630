import { createHash } from 'node:crypto';
import { escapeControls, escapeHtml, formatBytes, formatNumber, pluralize } from '../../../../common/text.ts';
import { nameOf } from '../../../../documents/outcome.ts';
import { countWords, type Difference, differencesOf } from '../../../../documents/words.ts';
import type { Document } from '../../../../duplicates/collect.ts';
import type { Group, Member } from '../../../../duplicates/group.ts';
import { roundOverlap } from '../../../../duplicates/match.ts';
import { createReader } from '../../../../duplicates/reread.ts';
import { replaceFile } from '../../../../lookup/index/file/replace.ts';
import type { Session } from '../../../session.ts';
import type { Result } from './result.ts';

/** The most words of a difference that are shown, those that differ most. */
const MAX_WORDS = 60;

/** The words of longer documents are not shown: the texts of a document and of the one to keep are held as strings. */
const MAX_TOKENS = 500_000;

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid GrayText; margin-top: 1.5rem; }
h2 { font-size: 1.1rem; }
code { overflow-wrap: anywhere; }
li { margin: .4rem 0; }
small { color: GrayText; }
del { color: light-dark(#a40e26, #ff9492); text-decoration: none; }
ins { color: light-dark(#116329, #6fdd8b); text-decoration: none; }`;

/**
 * Writes the groups with the words that differ as a page of HTML, which needs nothing else.
 * @param path - the file; it is replaced when the page is complete
 * @param result - the groups
 * @param session - what reads the documents
 */
export async function writeHtml(path: string, result: Result, session: Session): Promise<void> {
  await replaceFile(path, async (file) => {
    await file.write(startOf(result));
    for (const [index, group] of result.groups.entries())
      await file.write(await sectionOf(result, group, index + 1, session));
    await file.write('</body>\n</html>\n');
  });
}

function startOf({ groups, collection, isVerified }: Result): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const found = `${pluralize(groups.length, 'group')} among ${pluralize(collection.documents.length, 'document')}`;
  const note = isVerified
    ? 'The first document of each group is the one to keep. <del>−</del> are words that it has more often, <ins>+</ins> those that the other one has more often.'
    : 'These are candidates: only fingerprints were compared.';
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
<h1>${found}</h1>
<p>${note}</p>
`;
}

async function sectionOf(result: Result, group: Group, number: number, session: Session): Promise<string> {
  const { collection } = result;
  const { kept, members, reclaimable } = group;
  const words = result.isVerified ? await readDifferences(result, group, session) : new Map<number, Difference[]>();
  const freed = reclaimable === null ? '' : `, ${formatBytes(reclaimable)} can be reclaimed`;
  const items = members.map((member) => itemOf(result, member, words.get(member.document)));
  return `<section>
<h2>${number}. ${pluralize(members.length + 1, 'document')}${freed}</h2>
<p><code>${html(nameOf(collection.documents[kept]!.place))}</code></p>
<ul>
${items.join('\n')}
</ul>
</section>
`;
}

function itemOf({ collection, flagsOf }: Result, member: Member, words: readonly Difference[] | undefined): string {
  const { document, distance, overlap, isIdentical, isConfirmed } = member;
  const { short, repetitive } = flagsOf(document);
  const remarks = [
    pluralize(distance, 'bit'),
    ...(overlap === null ? [] : [`overlap ${roundOverlap(overlap)}`]),
    ...(isIdentical ? ['identical'] : []),
    ...(short ? ['short'] : []),
    ...(repetitive ? ['repetitive'] : []),
    ...(overlap !== null && !isConfirmed ? ['linked only'] : []),
  ];
  const name = `<code>${html(nameOf(collection.documents[document]!.place))}</code>`;
  return `<li>${name} <small>${remarks.join(', ')}</small>${wordsOf(words)}</li>`;
}

function wordsOf(words: readonly Difference[] | undefined): string {
  if (words === undefined || words.length === 0) return '';
  const shown = words.slice(0, MAX_WORDS).map(({ token, a, b }) => {
    const times = Math.abs(a - b) === 1 ? '' : `&nbsp;×${formatNumber(Math.abs(a - b))}`;
    const word = `${html(token.slice(0, 100))}${times}`;
    return a > b ? `<del>−${word}</del>` : `<ins>+${word}</ins>`;
  });
  const more = words.length - shown.length;
  return `<br>${shown.join(' ')}${more === 0 ? '' : ` and ${formatNumber(more)} more`}`;
}

/** The words that differ between the document to keep and each member. Two texts are held at a time. */
async function readDifferences(
  { collection }: Result,
  { kept, members }: Group,
  session: Session,
): Promise<Map<number, Difference[]>> {
  const read = createReader(collection, session);
  const isShort = (document: number): boolean => lengthOf(collection.documents[document]!) <= MAX_TOKENS;
  const differing = members.filter(({ document, overlap }) => overlap !== 1 && isShort(document));
  const differences = new Map<number, Difference[]>();
  if (!isShort(kept) || differing.length === 0) return differences;
  let words: ReadonlyMap<string, number> | undefined;
  for await (const { result } of read('extract', [kept])) if ('text' in result) words = countWords(result.text);
  if (words === undefined) return differences;
  const others = differing.map(({ document }) => document);
  for await (const { document, result } of read('extract', others))
    if ('text' in result) differences.set(document, differencesOf(words, countWords(result.text)).slice(0, 10_000));
  return differences;
}

/** In tokens, or in octets where those of an index were not counted. */
function lengthOf({ tokens, size }: Document): number {
  return tokens ?? size ?? 0;
}

/** Escapes text for HTML; control characters are shown. */
function html(text: string): string {
  return escapeHtml(escapeControls(text));
}
