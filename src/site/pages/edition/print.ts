import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../../common/text.ts';
import { link } from '../html.ts';
import { type RenderedMarkdown, renderMarkdown } from '../markdown.ts';
import { type Citation, citationText } from './citation.ts';

/** The documents in the order of the edition. Anchors of the first stay as they are, the others get a prefix. */
const DOCUMENTS = [
  'simhash-doc',
  'normalisation',
  'lookup',
  'variants',
  'minhash-doc',
  'extraction',
  'sharing',
  'carrying',
  'annexes',
  'conformance',
  'security',
  'rationale',
  'rules',
] as const;

type DocumentName = (typeof DOCUMENTS)[number];

const isDocument = (name: string): name is DocumentName => (DOCUMENTS as readonly string[]).includes(name);

const anchorOf = (document: DocumentName, anchor: string): string =>
  document === DOCUMENTS[0] ? anchor : `${document}--${anchor}`;

/** Returns the target of a link; undefined for a document outside the edition, which is only named. */
function targetOf(document: DocumentName, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [file, anchor] = href.split('#') as [string, string | undefined];
  const name = file === '' ? document : file.replace(/\.md$/, '');
  if (!isDocument(name)) return file.endsWith('.md') ? undefined : href;
  return `#${anchor === undefined ? `document-${name}` : anchorOf(name, anchor)}`;
}

function render(root: URL, document: DocumentName): RenderedMarkdown {
  return renderMarkdown(readFileSync(new URL(`spec/${document}.md`, root), 'utf8'), {
    idOf: (anchor) => anchorOf(document, anchor),
    targetOf: (href) => targetOf(document, href),
  });
}

function contents(documents: ReadonlyMap<DocumentName, RenderedMarkdown>): string {
  const items = [...documents].map(([document, { title, headings }]) => {
    const sections = headings
      .filter(({ depth }) => depth === 2)
      .map((heading) => `<li>${link(`#${heading.id}`, heading.title)}</li>`);
    return `<li>${link(`#document-${document}`, title)}<ul>${sections.join('')}</ul></li>`;
  });
  return `<nav><h2>Contents</h2><ul>${items.join('\n')}</ul></nav>`;
}

const STYLE = `
@page { size: A4; margin: 20mm 18mm; }
body { font: 10.5pt/1.45 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, nav, header { font-family: system-ui, sans-serif; line-height: 1.2; break-after: avoid; }
code, pre { font: 0.85em/1.35 ui-monospace, Consolas, monospace; }
pre { padding: 0.6em; border: 1px solid #ccc; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.88em; }
th, td { border: 1px solid #bbb; padding: 0.2em 0.5em; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
tr { break-inside: avoid; }
a { color: inherit; }
h2 a, h3 a, h4 a, .rule { text-decoration: none; }
nav ul { list-style: none; padding-left: 1em; }
section { break-before: page; }
`;

/** Makes one HTML document, which loads nothing, of all documents of the specification. */
export function makePrintEdition(root: URL, citation: Citation): string {
  const { version, date } = citation;
  const documents = new Map(DOCUMENTS.map((document) => [document, render(root, document)]));
  const sections = [...documents].map(
    ([document, { body }]) => `<section id="document-${document}">\n${body}</section>\n`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>simhash-doc ${version}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p>Specification, version ${version}, ${date}</p>
<p>Cite as: <cite>${escapeHtml(citationText(citation))}</cite></p>
</header>
${contents(documents)}
${sections.join('')}</body>
</html>
`;
}
