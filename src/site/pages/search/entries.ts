import { type Asset, type Page, plainText } from '../html.ts';
import type { SearchEntry } from './find.ts';

export const searchPage: Page = {
  path: 'search.html',
  title: 'Search',
  description: 'Search the specification, the test vectors, the guides and the reference.',
  section: 'search',
  body: `<h1>Search</h1>
<p><label for="query">In the specification, the test vectors, the guides and the reference</label></p>
<p><input type="search" id="query" autocomplete="off" spellcheck="false"></p>
<p id="count" role="status"></p>
<noscript><p class="notice">The search needs JavaScript.</p></noscript>
<ol id="found" class="found"></ol>`,
};

/** Sections of the reference and of vectors begin with what they are for, so the rest can be cut to keep the index small. */
const MAX_REFERENCE = 300;
const MAX_VECTOR = 150;

const HEADING =
  /<(?<tag>h[1-4])(?: id="(?<id>[^"]*)")?[^>]*>(?<title>.*?)<\/\k<tag>>|<a class="rule" id="(?<rule>[^"]+)"[^>]*>(?<name>.*?)<\/a>/gs;

/** Writes the index as scripts, which the policy of the pages lets them load; vectors, half of it, are in one of their own. */
export function renderSearchIndex(pages: readonly Page[]): Asset[] {
  // The list of all vectors repeats the text of their pages.
  const entries = pages.filter(({ path }) => path !== 'vectors/all.html').flatMap(entriesOf);
  const isVector = ([path]: SearchEntry): boolean => path.startsWith('vectors/');
  const asset = (name: string, part: readonly SearchEntry[]): Asset => ({
    path: `${name}.js`,
    bytes: new TextEncoder().encode(`globalThis[${JSON.stringify(name)}] = ${JSON.stringify(part)};\n`),
  });
  return [
    asset(
      'search-index',
      entries.filter((entry) => !isVector(entry)),
    ),
    asset('search-vectors', entries.filter(isVector)),
  ];
}

export function entriesOf({ path, title, body, section }: Page): SearchEntry[] {
  const starts = [...body.matchAll(HEADING)].map(({ 0: { length }, index, groups }) => {
    const { id, rule } = groups as { id?: string; rule?: string };
    return { index, end: index + length, id: id ?? rule, html: groups!['title'] ?? groups!['name']! };
  });
  return starts.flatMap(({ end, id, html }, at): SearchEntry[] => {
    const place = id === undefined ? path : `${path}#${id}`;
    // A heading of level 3 in a vector has no anchor and belongs to the vector.
    if (id === undefined && at > 0) return [];
    const next = starts.slice(at + 1).find((other) => other.id !== undefined);
    const text = plainText(
      body.slice(end, next?.index).replace(/<(svg|details)\b.*?<\/\1>|<a class="cited".*?<\/a>/gs, ' '),
    );
    const short = text.replace(/\s+/g, ' ').trim();
    return [[place, title, plainText(html).trim(), shortened(section, short)]];
  });
}

/** Of a vector, its title: what follows the link to the playground is data. */
function shortened(section: Page['section'], text: string): string {
  if (section === 'vectors') return text.replace(/ open in the playground .*$/, '').slice(0, MAX_VECTOR);
  return section === 'reference' ? text.slice(0, MAX_REFERENCE) : text;
}
