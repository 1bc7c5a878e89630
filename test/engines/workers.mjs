// Uses all entry points that start threads or read files, from dist/: the results as JSON on standard output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractInWorker } from '../../dist/extract/worker.js';
import { openFolderIndex } from '../../dist/lookup/stores/folder/folder-index.js';

const folder = process.argv[2];
const html = await extractInWorker(new TextEncoder().encode('<p>The <b>quick</b> brown fox'));
const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/extract-media.json', import.meta.url), 'utf8'));
const { base64 } = vectors.find(({ id }) => id === 'extract-media/ferry-en-pdf').input;
const pdf = await extractInWorker(Buffer.from(base64, 'base64'));
const slow = new TextEncoder().encode('<p>word '.repeat(2_000_000));
const timeout = await extractInWorker(slow, {}, { timeout: 1 }).catch((error) => error.code);
const written = await openFolderIndex(join(folder, 'index'), { label: 'simhash-doc', create: true });
await written.add('a', 5n);
await written.close();
const index = await openFolderIndex(join(folder, 'index'), { mode: 'read' });
const { matches } = await index.query(5n);
await index.close();
console.log(
  JSON.stringify({
    html: html.text,
    pdf: pdf.text.length > 500,
    timeout,
    index: matches[0]?.id,
  }),
);
