import type { Page } from '../pages/types.ts';

/** The playground without its parts that need JavaScript. */
export const playgroundPage: Page = {
  path: 'index.html',
  title: 'simhash-doc: fingerprints for documents',
  description: 'Compare two documents by their simhash-doc fingerprints, step by step, in the browser.',
  section: 'playground',
  body: `<div class="intro">
<h1>How alike are two documents?</h1>
<p>Type, paste or drop documents: text, HTML, PDF, DOCX, EPUB and more, or a ZIP. <strong>Nothing leaves this page.</strong></p>
</div>
<noscript><p class="notice">The playground needs JavaScript. The other pages do not.</p></noscript>
<div id="playground"></div>`,
};
