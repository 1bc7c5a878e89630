import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { escapeHtml, pluralize } from '../../common/text.ts';
import { loadMutantTitles } from '../../conformance/suite/load.ts';
import { evaluationChart } from './chart.ts';
import type { Citations } from './citations.ts';
import { claimTable, STATUS } from './claims.ts';
import { link, plainText, relativeLink } from './html.ts';
import { contentsOfDocument, renderMarkdown } from './markdown.ts';
import { REPORT_CARD, reportTables } from './report-card.ts';
import type { Page } from './types.ts';

/** A document of the repository that is a page. */
interface Document {
  /** Its path from the root of the repository. */
  readonly source: string;
  readonly section: Page['section'];
  /** The heading in the index of the section. */
  readonly purpose?: string;
  readonly description: string;
}

/** The documents of the site, in the order of their sections. */
const DOCUMENTS: readonly Document[] = [
  {
    source: 'spec/simhash-doc.md',
    section: 'specification',
    purpose: 'To compute fingerprints',
    description: 'The scheme, step by step: what a program computes from a text to its fingerprint.',
  },
  {
    source: 'spec/normalisation.md',
    section: 'specification',
    purpose: 'To compute fingerprints',
    description: 'Normalization Form C: its data, and an algorithm for programs without a library.',
  },
  {
    source: 'spec/lookup.md',
    section: 'specification',
    purpose: 'To read documents and find what is near',
    description: 'Distance, similarity, verdict, and the 16 tables that find what is near.',
  },
  {
    source: 'spec/minhash-doc.md',
    section: 'specification',
    purpose: 'To compute fingerprints',
    description:
      'The labels minhash-doc and minhash-doc-256, whose distance estimates how many words two documents share.',
  },
  {
    source: 'spec/variants.md',
    section: 'specification',
    purpose: 'To compute fingerprints',
    description: 'The registered labels, how one is registered, and bg1 for scripts that are written without spaces.',
  },
  {
    source: 'spec/extraction.md',
    section: 'specification',
    purpose: 'To read documents and find what is near',
    description: 'Step 0: how a text is extracted from HTML, PDF and other media.',
  },
  {
    source: 'spec/sharing.md',
    section: 'specification',
    purpose: 'To exchange fingerprints with others',
    description: 'The layouts in which systems share an index: a folder of files, PostgreSQL, Cassandra.',
  },
  {
    source: 'spec/carrying.md',
    section: 'specification',
    purpose: 'To exchange fingerprints with others',
    description: 'How a fingerprint is carried in WARC, HTTP, HTML, XML, JSON and SQL.',
  },
  {
    source: 'spec/annexes.md',
    section: 'specification',
    purpose: 'To read documents and find what is near',
    description: 'Verification on the documents, streaming, and how other simhash libraries differ.',
  },
  {
    source: 'spec/conformance.md',
    section: 'specification',
    purpose: 'To check an implementation, and to know why',
    description: 'Conformance classes, error codes, the format of the test vectors, and the protocol of adapters.',
  },
  {
    source: 'spec/security.md',
    section: 'specification',
    purpose: 'To exchange fingerprints with others',
    description: 'What a fingerprint can be trusted with, and what it reveals.',
  },
  {
    source: 'spec/status.md',
    section: 'specification',
    purpose: 'To check an implementation, and to know why',
    description: 'Implementations and their claims, errata, and what 1.0.0 still needs.',
  },
  {
    source: 'spec/registrations.md',
    section: 'specification',
    purpose: 'To exchange fingerprints with others',
    description: 'Drafts of registrations: an Internet-Draft, an HTTP field, multicodec; nothing is submitted.',
  },
  {
    source: 'spec/rationale.md',
    section: 'specification',
    purpose: 'To check an implementation, and to know why',
    description: 'Why every rule is as it is, and what was tried instead.',
  },
  {
    source: 'spec/rules.md',
    section: 'specification',
    purpose: 'To compute fingerprints',
    description: 'All rules of the specification.',
  },
  {
    source: 'vectors/README.md',
    section: 'vectors',
    description: 'Where the test vectors come from and how good they are.',
  },
  {
    source: 'vectors/CHANGELOG.md',
    section: 'vectors',
    description: 'What each version of the test vectors added, and what it requires of implementations.',
  },
  {
    source: 'vectors/KILLS.md',
    section: 'vectors',
    description: 'Known wrong implementations, each with the number of vectors that detect it.',
  },
  {
    source: 'spec/evaluation.md',
    section: 'evaluation',
    description: 'What fingerprints can and cannot tell: measured on 17 collections and beside other methods.',
  },
  {
    source: 'vectors/REPORT-CARD.md',
    section: 'report card',
    description: 'What existing simhash libraries answer to the test vectors, class by class and step by step.',
  },
  {
    source: 'src/site/guides/corpus.md',
    section: 'guides',
    purpose: 'To do something now',
    description: 'How to find near-duplicates in a folder of documents and remove them after review.',
  },
  {
    source: 'src/site/guides/archive.md',
    section: 'guides',
    purpose: 'To do something now',
    description: 'How to fingerprint the documents of WARC and ZIP files and find versions and copies.',
  },
  {
    source: 'src/site/guides/dataset.md',
    section: 'guides',
    purpose: 'To do something now',
    description: 'How to write a dataset of JSON Lines or Parquet without its near-duplicates.',
  },
  {
    source: 'spec/choosing.md',
    section: 'guides',
    purpose: 'To decide first',
    description: 'Which label, threshold and method to choose, with error rates.',
  },
  {
    source: 'spec/deduplication.md',
    section: 'guides',
    purpose: 'To decide first',
    description: 'Removing near-duplicates from collections of any size, also on a cluster.',
  },
  {
    source: 'src/site/guides/port.md',
    section: 'guides',
    purpose: 'To do something now',
    description: 'How to check an implementation in another language against the test vectors.',
  },
];

export const PRINT_PATH = 'spec/print.html';

const EVALUATION = 'spec/evaluation.md';

/** Pages that take the place of a document or a folder of the repository. */
const REPLACED: Readonly<Record<string, string>> = {
  'vectors/REPORT-CARD.md': REPORT_CARD,
  'vectors/reports': REPORT_CARD,
  vectors: 'vectors/index.html',
  'src/site/playground': 'index.html',
};

const COPIED = /^(?:spec|vectors)\/.*\.(?:txt|json|svg)$/;

export function pageOfDocument(source: string): string {
  return REPLACED[source] ?? source.replace(/^src\/site\//, '').replace(/\.md$/, '.html');
}

const sources: ReadonlySet<string> = new Set(DOCUMENTS.map(({ source }) => source));

/** Finds where a link of a document leads on the site; undefined if the site does not have the target. */
function targetOf(root: URL, { source }: Document, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [file, anchor] = href.split('#') as [string, string?];
  const path = file === '' ? source : posix.join(posix.dirname(source), file).replace(/\/$/, '');
  const url = new URL(path, root);
  const copied = COPIED.test(path) && existsSync(url) && statSync(url).isFile();
  const target = REPLACED[path] ?? (sources.has(path) ? pageOfDocument(path) : copied ? path : undefined);
  if (target === undefined) return;
  return relativeLink(pageOfDocument(source), anchor === undefined ? target : `${target}#${anchor}`);
}

export function renderDocuments(root: URL, citations: Citations): Page[] {
  return DOCUMENTS.map((document) => {
    const path = pageOfDocument(document.source);
    const rendered = renderMarkdown(readDocument(root, document.source), {
      targetOf: (href) => targetOf(root, document, href),
      sizeOf: (href) => sizeOfImage(new URL(href, new URL(document.source, root))),
      afterRule: (rule) => countOfVectors(citations, rule),
      ...(path === REPORT_CARD && { beforeSections: reportTables(root, citations) }),
      ...(document.source === STATUS && { beforeSections: claimTable(root) }),
      endOfSection: (rules) => vectorLists(path, citations, rules),
    });
    const contents = contentsOfDocument(rendered);
    const lead = document.source === EVALUATION ? evaluationChart(root) : '';
    return {
      path,
      title: plainText(rendered.title),
      description: document.description,
      section: document.section,
      body: rendered.body.replace('</h1>\n', () => `</h1>\n${lead}`),
      ...(contents !== undefined && { contents }),
    };
  });
}

/** Reserves the place of an SVG image on its page. */
function sizeOfImage(file: URL): string {
  if (!file.pathname.endsWith('.svg') || !existsSync(file)) return '';
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
  return width === undefined ? '' : ` width="${width}" height="${height}"`;
}

/** Renders the first pages of the sections that hold several documents. */
export function renderIndexes(root: URL): Page[] {
  return [
    indexPage(
      root,
      'specification',
      {
        path: 'spec/index.html',
        title: 'Specification',
        description: 'The documents that define simhash-doc, and their reasons.',
      },
      `<p>${link('print.html', 'All of it on one page')}, to print or to keep.</p>\n`,
    ),
    indexPage(root, 'guides', {
      path: 'guides/index.html',
      title: 'Guides',
      description: 'How to use simhash-doc: a folder of documents, an archive, a dataset, a port.',
    }),
  ];
}

function indexPage(
  root: URL,
  section: Page['section'],
  about: Pick<Page, 'path' | 'title' | 'description'>,
  lead = '',
): Page {
  const listed = DOCUMENTS.filter((document) => document.section === section);
  const item = ({ source, description }: Document): string => {
    const title = /^# (.+)$/m.exec(readFileSync(new URL(source, root), 'utf8'))![1]!;
    const href = relativeLink(about.path, pageOfDocument(source));
    return `<dt>${link(href, escapeHtml(title))}</dt>\n<dd>${escapeHtml(description)}</dd>`;
  };
  const parts = [...new Set(listed.map(({ purpose }) => purpose))].map((purpose) => {
    const items = listed.filter((document) => document.purpose === purpose).map(item);
    return `<h2>${escapeHtml(purpose ?? '')}</h2>\n<dl class="documents">\n${items.join('\n')}\n</dl>\n`;
  });
  return { ...about, section, body: `<h1>${escapeHtml(about.title)}</h1>\n${lead}${parts.join('')}` };
}

function readDocument(root: URL, source: string): string {
  const markdown = readFileSync(new URL(source, root), 'utf8');
  if (source !== 'vectors/KILLS.md') return markdown;
  // Each row of a table is a wrong implementation, to which vectors link.
  const known = loadMutantTitles();
  return markdown.replace(/^\| `([^`|]+)`/gm, (row, name: string) =>
    known.has(name) ? `| <a id="${name}"></a>${row.slice(2)}` : row,
  );
}

export function anchorOfVectors(rule: string): string {
  return `vectors-of-${rule}`;
}

function countOfVectors(citations: Citations, rule: string): string {
  const count = citations.vectorsOfRule(rule).length;
  return ` <a class="cited" href="#${anchorOfVectors(rule)}">${pluralize(count, 'vector')}</a> `;
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
  return `<div class="citing">\n${lists.join('\n')}\n</div>\n`;
}
