import { readFileSync } from 'node:fs';
import { link } from '../html.ts';
import type { Page } from '../types.ts';

/** Renders the page for any missing address. Its links start from the path of the site that package.json names. */
export function renderNotFound(root: URL): Page {
  const { homepage } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { homepage: string };
  const base = new URL(homepage).pathname;
  return {
    path: '404.html',
    title: 'Page not found',
    description: 'There is no page at this address.',
    section: 'not found',
    base,
    body: `<h1>Page not found</h1>
<p>There is no page at this address. Try the ${link(`${base}search.html`, 'search')}, or begin at the ${link(`${base}index.html`, 'playground')}.</p>`,
  };
}
