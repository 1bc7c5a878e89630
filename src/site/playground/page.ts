import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../common/text.ts';
import type { Page } from '../pages/html.ts';
import { codeBlock } from '../pages/markdown.ts';

export function renderPlayground(root: URL): Page {
  return {
    path: 'index.html',
    title: 'simhash-doc: fingerprints for documents',
    description: 'Compare two documents by their simhash-doc fingerprints in the browser.',
    section: 'playground',
    body: `<div class="intro row">
<h1>Fingerprints that show how alike two documents are</h1>
<p class="soft">simhash-doc gives a document the same few characters in every language and program, and similar documents similar ones. Try it: type, paste or drop documents: text, HTML, PDF, DOCX, EPUB and more, or a ZIP. <strong>Nothing leaves your browser.</strong></p>
</div>
<noscript><p class="notice">The playground needs JavaScript. The other pages do not.</p></noscript>
<div id="playground"></div>
<section class="next" aria-labelledby="next-title">
<h2 id="next-title">What next</h2>
<ul>
<li><a href="guides/corpus.html">Find the duplicates in a folder</a>, in a <a href="guides/archive.html">web archive</a> or in a
<a href="guides/dataset.html">dataset</a></li>
<li><a href="guides/choosing.html">Choose a label and a threshold</a>, and see <a href="spec/evaluation.html">how good they are</a></li>
<li><a href="guides/port.html">Check an implementation</a> in another language, by the <a href="spec/index.html">specification</a> and
its <a href="vectors/index.html">test vectors</a></li>
</ul>
${install(root)}
</section>`,
  };
}

function install(root: URL): string {
  const { repository } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    repository?: { readonly url: string };
  };
  // The address of a clone; the site that shows the repository has no suffix.
  const url = repository?.url.replace(/^git\+|\.git$/g, '');
  const clone =
    url === undefined ? 'a clone of the repository' : `a clone of <a href="${escapeHtml(url)}">the repository</a>`;
  const cff = readFileSync(new URL('CITATION.cff', root), 'utf8');
  const field = (name: string): string => new RegExp(`^ *(?:- )?${name}: "?(.+?)"?$`, 'm').exec(cff)![1]!;
  const [authors, title, version, year] = [field('name'), field('title'), field('version'), yearOfSpecification(root)];
  return `<h3 id="install">Install</h3>
<p>Version ${escapeHtml(version)} is a draft and not in a registry yet. In ${clone}, with Node 20.19 or later:</p>
${codeBlock('npm ci && npm link\nsimhash-doc compare A.pdf B.html\nsimhash-doc dupes FOLDER', 'bash')}
<h3 id="cite">Cite</h3>
<p data-copied>${escapeHtml(`${authors}: ${title}, version ${version}, ${year}.`)}</p>
<details><summary>BibTeX</summary>
<pre tabindex="0" data-copied>@software{simhash-doc,
  author = {{${escapeHtml(authors)}}},
  title = {{${escapeHtml(title)}}},
  version = {${escapeHtml(version)}},
  year = {${year}},
  url = {${escapeHtml(field('url'))}}
}</pre>
</details>`;
}

function yearOfSpecification(root: URL): string {
  try {
    const format = { cwd: root, encoding: 'utf8' } as const;
    const date = execFileSync('git', ['log', '-1', '--format=%cs', '--', 'spec'], format);
    if (date !== '') return date.slice(0, 4);
  } catch {
    // Not a repository, or no git.
  }
  return String(new Date().getUTCFullYear());
}
