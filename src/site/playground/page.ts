import type { Page } from '../pages/types.ts';

/** The playground without its parts that need JavaScript. */
export const playgroundPage: Page = {
  path: 'index.html',
  title: 'simhash-doc: fingerprints for documents',
  description: 'Compare two documents by their simhash-doc fingerprints, step by step, in the browser.',
  section: 'playground',
  body: `<div class="intro">
<h1>How alike are two documents?</h1>
<p>A <dfn>simhash-doc</dfn> fingerprint is 64 or 256 bits that stand for a document. Documents that share most of their words get
fingerprints that differ in few bits, in every language and format. Type, paste or drop two documents: text, HTML, PDF, EPUB,
DOCX, ODT or XML, also in gzip. <strong>Nothing leaves this page</strong>: its policy forbids connections, and it works offline.</p>
</div>
<noscript><p class="notice">The playground needs JavaScript. The other pages do not.</p></noscript>
<div id="playground"></div>`,
};
