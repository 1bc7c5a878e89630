import { escapeHtml } from '../../common/text.ts';
import { SCHEME } from '../../conformance/records/claim-file.ts';
import { type Page, SECTIONS } from '../pages/html.ts';
import { capitalise } from '../playground/view/sentences.ts';

export interface Files {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly modules: readonly string[];
}

/** No connections (PDFium is an address with its content), no inline script or style, no plug-ins, no forms. Workers start from a blob, which imports their file, so that they inherit this policy. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  'connect-src data:',
  "manifest-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function renderDocument(page: Page, pages: readonly Page[], files: Files): string {
  const up = page.base ?? '../'.repeat(page.path.split('/').length - 1);
  const heading = page.section === 'playground' ? page.title : `${page.title} · simhash-doc`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(heading)}</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
${files.styles.map((file) => `<link rel="stylesheet" href="${up}${file}">`).join('\n')}
${files.scripts.map((file) => `<script defer src="${up}${file}"></script>`).join('\n')}
${files.modules.map((file) => `<script type="module" src="${up}${file}"></script>`).join('\n')}
</head>
<body class="${page.section.replace(' ', '-')}">
<a class="skip" href="#main">Skip to content</a>
<header class="site-header row">
<a class="brand" href="${up}index.html"><svg aria-hidden="true" viewBox="0 0 16 16"><path d="M1 15V9h2v6zm4 0V4h2v11zm4 0v-4h2v4zm4 0V1h2v14z"/></svg>simhash-doc</a>
<nav aria-label="Site"><ul class="row">
${navigation(page, pages, up)}
</ul></nav>
<a class="search-link" href="${up}index.html#install">Install</a>
<a class="search-link" href="${up}search.html">Search</a>
<button class="theme" type="button" hidden>Theme</button>
</header>
${
  page.contents === undefined
    ? ''
    : `<nav class="contents" aria-label="Contents"><details><summary>Contents</summary>${page.contents}</details></nav>\n`
}<main id="main" tabindex="-1">
${page.body}
</main>
<footer class="site-footer">
<p>Nothing you open here leaves your browser: the page has no server part, and its <a href="https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP">Content Security Policy</a> forbids connections.</p>
<p>simhash-doc ${SCHEME} is a release candidate. Its code is free software under the MIT licence; its text has CC-BY 4.0, its vectors and data CC0 and the Unicode licence.</p>
</footer>
</body>
</html>
`;
}

function navigation(page: Page, pages: readonly Page[], up: string): string {
  return SECTIONS.flatMap((section) => {
    const first = pages.find((each) => each.section === section);
    if (first === undefined) return [];
    const current = first === page ? ' aria-current="page"' : section === page.section ? ' aria-current="true"' : '';
    return `<li><a href="${up}${first.path}"${current}>${capitalise(section)}</a></li>`;
  }).join('\n');
}
