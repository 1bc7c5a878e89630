import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { escapeHtml, pluralize } from '../../common/text.ts';
import { loadRules, type Rule } from '../../conformance/suite/rules.ts';
import type { Citations } from './citations.ts';
import { code, link, type Page, plainText, relativeLink, scrollBox } from './html.ts';
import { contentsOfDocument, renderMarkdown } from './markdown.ts';
import { claimTable, REPORT_CARD, reportTables, STATUS } from './report-card.ts';

/** The index of the rules, which is made for the site alone. */
const RULES = 'spec/rules.md';

const GROUPS = [
  group('specification', 'To compute, compare and look up', {
    'spec/simhash-doc.md':
      'The scheme, step by step: what a program computes from a text to its fingerprint, and its labels.',
    'spec/minhash-doc.md':
      'The labels minhash-doc and minhash-doc-256, and bigrams for scripts that are written without spaces.',
    'spec/lookup.md': 'Distance, similarity, verdict, and the 16 tables that find what is near.',
    'spec/extraction.md': 'Step 0: how a text is extracted from a document, and exactly how from HTML.',
    'spec/conformance.md': 'Conformance classes, claims, error codes and grades.',
  }),
  group('specification', 'To read documents, and to exchange fingerprints', {
    'spec/media.md': 'What belongs to the text in PDF, office documents, e-mail and other media.',
    'spec/verification.md':
      'Confirming a match on the documents: the overlap of their tokens, and what makes them different.',
    'spec/sharing.md': 'The layouts in which systems share an index: a folder of files, PostgreSQL.',
    'spec/carrying.md': 'How a fingerprint is carried in WARC, HTTP, HTML, XML, JSON and SQL.',
    'spec/security.md': 'What a fingerprint can be trusted with, and what it reveals.',
  }),
  group('specification', 'To know why, and what comes next', {
    'spec/rationale.md': 'Why every rule is as it is, and what was tried instead.',
    'spec/status.md': 'Implementations and their claims, errata, and what 1.0.0 still needs.',
    [RULES]: 'All rules of the specification.',
  }),
  group('vectors', '', {
    'vectors/README.md':
      'How implementations are tested: operations, the protocol of adapters, the format of the vectors.',
    'vectors/CHANGELOG.md': 'What each version of the test vectors added, and what it requires of implementations.',
    'vectors/KILLS.md': 'Known wrong implementations, each with the number of vectors that detect it.',
  }),
  group('evaluation', '', {
    'spec/evaluation.md': 'What fingerprints can and cannot tell: measured on 19 collections and beside other methods.',
  }),
  group('report card', '', {
    'vectors/REPORT-CARD.md':
      'What existing simhash libraries answer to the test vectors, class by class and step by step.',
  }),
  group('guides', 'To do something now', {
    'src/site/guides/corpus.md': 'How to find near-duplicates in a folder of documents and remove them after review.',
    'src/site/guides/archive.md':
      'How to fingerprint the documents of WARC and ZIP files and find versions and copies.',
    'src/site/guides/dataset.md': 'How to write a dataset of JSON Lines or Parquet without its near-duplicates.',
    'src/site/guides/decontaminate.md': 'How to remove the rows of a dataset that another dataset has.',
    'src/site/guides/library.md': 'How to fingerprint, read, compare and look up documents from JavaScript.',
    'src/site/guides/engines.md':
      'How to look up fingerprints in FAISS, usearch, DuckDB, ClickHouse, pgvector and search engines.',
    'src/site/guides/port.md': 'How to check an implementation in another language against the test vectors.',
  }),
  group('guides', 'To decide first', {
    'src/site/guides/choosing.md': 'Which label, threshold and method to choose, with error rates.',
    'src/site/guides/deduplication.md': 'Removing near-duplicates from collections of any size, also on a cluster.',
  }),
];

/** Groups documents, which are described by source. The purpose is a heading on the index of the section, if it has one. */
function group(section: Page['section'], purpose: string, descriptions: Readonly<Record<string, string>>) {
  const documents = Object.entries(descriptions).map(([source, description]) => ({ source, description, section }));
  return { section, purpose, documents };
}

const documents = GROUPS.flatMap((each) => each.documents);

function readSource(root: URL, source: string): string {
  return source === RULES ? makeRuleIndex() : readFileSync(new URL(source, root), 'utf8');
}

const RULE_KINDS =
  'EXT HTM MED DEC CLS NRM LOC TOK BIG STP HSH SIM MIN SER LAB CMP TAB LKP ERR GRD VER IDX CAR SEC'.split(' ');

function makeRuleIndex(): string {
  const placeOf = ({ id }: Rule): number => RULE_KINDS.indexOf(id.slice(0, 3)) * 1000 + Number(id.slice(4));
  const rules = [...loadRules().values()].sort((a, b) => placeOf(a) - placeOf(b));
  const rows = rules.map(({ id, origin, section, link }) => [`[${id}](${link.replace('spec/', '')})`, origin, section]);
  return `# Rules of simhash-doc

Rules are in the order of the steps; rules of no step come last.
Rules that the proposal states are listed in [rationale.md](rationale.md#origins), with its words.

| Rule | Origin | Section |
|---|---|---|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

const EVALUATION = 'spec/evaluation.md';

const REPLACED: Readonly<Record<string, string>> = {
  'vectors/REPORT-CARD.md': REPORT_CARD,
  'vectors/reports': REPORT_CARD,
  vectors: 'vectors/index.html',
  'src/site/playground': 'index.html',
};

const COPIED = /^(?:(?:spec|vectors)\/.*\.(?:txt|json|svg)|src\/site\/guides\/pictures\/.*\.webp)$/;

export function pageOfDocument(source: string): string {
  return REPLACED[source] ?? source.replace(/^src\/site\//, '').replace(/\.md$/, '.html');
}

const sources: ReadonlySet<string> = new Set(documents.map(({ source }) => source));

function targetOf(root: URL, source: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [file, anchor] = href.split('#') as [string, string?];
  const path = file === '' ? source : posix.join(posix.dirname(source), file).replace(/\/$/, '');
  const url = new URL(path, root);
  const copied = COPIED.test(path) && existsSync(url) && statSync(url).isFile();
  const target =
    REPLACED[path] ?? (sources.has(path) ? pageOfDocument(path) : copied ? pageOfDocument(path) : undefined);
  if (target === undefined) return;
  return relativeLink(pageOfDocument(source), anchor === undefined ? target : `${target}#${anchor}`);
}

export function renderDocuments(root: URL, citations: Citations): Page[] {
  return documents.map(({ source, description, section }) => {
    const path = pageOfDocument(source);
    const rendered = renderMarkdown(readSource(root, source), {
      targetOf: (href) => targetOf(root, source, href),
      sizeOf: (href) => sizeOfImage(new URL(href, new URL(source, root))),
      afterRule(rule) {
        const count = citations.vectorsOfRule(rule).length;
        return ` <a class="cited" href="#${anchorOfVectors(rule)}">${pluralize(count, 'vector')}</a> `;
      },
      ...(path === REPORT_CARD && { beforeSections: reportTables(root, citations) }),
      ...(source === STATUS && { beforeSections: claimTable(root) }),
      endOfSection: (rules) => vectorLists(path, citations, rules),
    });
    const contents = contentsOfDocument(rendered);
    const [lead, html] =
      source === EVALUATION ? [evaluationChart(root), drawShares(rendered.body)] : ['', rendered.body];
    return {
      path,
      title: plainText(rendered.title),
      ...{ description, section },
      body: html.replace('</h1>\n', () => `</h1>\n${lead}`),
      ...(contents !== undefined && { contents }),
    };
  });
}

/** Returns attributes with the size of an SVG or WebP image, so that its page reserves the place. */
function sizeOfImage(file: URL): string {
  if (file.pathname.endsWith('.webp')) {
    // The extended format: RFC 9649, section 2.7.
    const bytes = readFileSync(file);
    return ` width="${bytes.readUIntLE(24, 3) + 1}" height="${bytes.readUIntLE(27, 3) + 1}"`;
  }
  if (!file.pathname.endsWith('.svg') || !existsSync(file)) return '';
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
  return width === undefined ? '' : ` width="${width}" height="${height}"`;
}

export function renderIndexes(root: URL): Page[] {
  return [
    indexPage(root, {
      path: 'spec/index.html',
      title: 'Specification',
      description: 'The documents that define simhash-doc, and their reasons.',
      section: 'specification',
    }),
    indexPage(root, {
      path: 'guides/index.html',
      title: 'Guides',
      description: 'How to use simhash-doc: a folder of documents, an archive, a dataset, a port.',
      section: 'guides',
    }),
  ];
}

function indexPage(root: URL, about: Omit<Page, 'body'>): Page {
  const item = ({ source, description }: (typeof documents)[number]): string => {
    const title = /^# (.+)$/m.exec(readSource(root, source))![1]!;
    const href = relativeLink(about.path, pageOfDocument(source));
    return `<dt>${link(href, escapeHtml(title))}</dt>\n<dd>${escapeHtml(description)}</dd>`;
  };
  const parts = GROUPS.filter(({ section }) => section === about.section).map(
    ({ purpose, documents }) =>
      `<h2>${escapeHtml(purpose)}</h2>\n<dl class="documents">\n${documents.map(item).join('\n')}\n</dl>\n`,
  );
  return { ...about, body: `<h1>${escapeHtml(about.title)}</h1>\n${parts.join('')}` };
}

export function anchorOfVectors(rule: string): string {
  return `vectors-of-${rule}`;
}

function vectorLists(path: string, citations: Citations, rules: readonly string[]): string {
  if (rules.length === 0) return '';
  const lists = rules.map((rule) => {
    const vectors = citations.vectorsOfRule(rule);
    // The anchor is inside, so that a browser opens the details that a link leads to.
    return `<details><summary>${escapeHtml(rule)}: ${pluralize(vectors.length, 'vector')}</summary>
<div id="${anchorOfVectors(rule)}">${citations.list(path, vectors)}</div>
</details>`;
  });
  return `<div class="citing box">\n${lists.join('\n')}\n</div>\n`;
}

interface Measured {
  readonly collection: string;
  readonly method: string;
  readonly bytes: number;
  /** The recall at the threshold with which at most 1 % of the reported pairs are false; null if no threshold achieves that. */
  readonly best: { readonly recall: number } | null;
}

const METHODS: readonly (readonly [method: string, name: string, isOurs?: true])[] = [
  ['simhash-doc', 'simhash-doc', true],
  ['minhash-doc', 'minhash-doc', true],
  ['datasketch, 8 octets', 'MinHash, cut to 8 bytes'],
  ['ISCC text code, 64 bits', 'ISCC'],
  ['minhash-doc-256', 'minhash-doc-256', true],
  ['datasketch, 32 octets', 'MinHash, cut to 32 bytes'],
  ['ISCC text code, 256 bits', 'ISCC'],
  ['TLSH', 'TLSH'],
  ['datasketch, words', 'MinHash, whole'],
];

/** Draws a share in percent as a bar, with a line from the smallest to the largest. */
function drawBar(share: number, min: number, max: number): string {
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${share}" height="10"/><path d="M${min} 5H${max}"/></svg>`;
}

/** Draws the shares in tables: `84 %`, `58 to 100 %`, or the worst, the median and the best: `58 % (…) / 94 % / 100 %`. */
export function drawShares(html: string): string {
  // A number and its % stay on one line.
  const whole = html.replace(/<t[dh][ >].*?<\/t[dh]>/g, (cell) => cell.replace(/(?<=\d) %/g, '\u00a0%'));
  return whole.replace(/(<td(?: align="right")?>)(.*?)(<\/td>)/g, (cell, start: string, text: string, end: string) => {
    const [, least, most] = /^([\d.]+)\sto\s([\d.]+)\s%/.exec(plainText(text)) ?? [];
    if (most !== undefined) return start + text + drawBar(Number(least), Number(least), Number(most)) + end;
    if (start === '<td>') return cell;
    const shares = Array.from(plainText(text).matchAll(/([\d.]+)\s%/g), ([, share]) => Number(share));
    const middle = shares[shares.length >> 1];
    return middle === undefined ? cell : start + text + drawBar(middle, Math.min(...shares), Math.max(...shares)) + end;
  });
}

export function evaluationChart(root: URL): string {
  const all = JSON.parse(readFileSync(new URL('spec/evaluation/rivals.json', root), 'utf8')) as Measured[];
  const collections = new Set(all.map(({ collection }) => collection)).size;
  const rows = METHODS.map(([method, name, isOurs]) => {
    const measured = all.filter((each) => each.method === method);
    const found = measured.map(({ best }) => best?.recall ?? 0);
    const mean = found.reduce((sum, each) => sum + each) / found.length;
    const [share, min, max] = [mean, Math.min(...found), Math.max(...found)].map((each) =>
      Math.floor(100 * each + 1e-9),
    );
    const bar = drawBar(share!, min!, max!);
    return `<tr${isOurs ? ' class="ours"' : ''}><th scope="row">${isOurs ? code(name) : escapeHtml(name)}</th><td class="number">${measured[0]!.bytes}</td><td class="number">${share} % <small>${min}–${max}</small></td><td class="bar-cell">${bar}</td></tr>`;
  });
  return `<figure class="chart">
<figcaption><strong>Near-duplicates found, with at most 1 % false reports</strong>, by the bytes of a fingerprint: the mean of ${collections}
collections, and the worst and the best of them.</figcaption>
${scrollBox('Found with at most 1 % false reports', `<table><thead><tr><th scope="col">Method</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Found</th><td></td></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>`)}
<p>MinHash is that of datasketch, from the set of words; whole, it has 128 numbers. ISCC is the text code of iscc-core, TLSH that of py-tlsh.
${code('minhash-doc-256')} finds as much in 32 bytes as MinHash does in 512. Where no threshold has so few false reports, 0 % are found.</p>
</figure>
`;
}
