import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, makeText } from './corpus.ts';
import { inFolder, printTable } from './measure.ts';

/** A page: navigation of links, then paragraphs with links and emphasis. */
function makePage(sentences: readonly string[], links: number, paragraphs: number, seed: number): string {
  const random = createRandom(seed);
  const sentence = (): string => sentences[random() % sentences.length]!;
  const words = (count: number): string => sentence().split(' ').slice(0, count).join(' ');
  const item = (i: number): string =>
    `<li class="item item-${i % 7}"><a href="/section/${i}/page-${random() % 999}.html" title="${words(2)}">` +
    `<span class="icon" aria-hidden="true"></span><span class="label">${words(2)}</span></a></li>`;
  const paragraph = (): string =>
    `<p>${sentence()} <a class="link" href="#n${random() % 99}"><b>${words(2)}</b></a> ${sentence()} <em>${words(3)}</em>.</p>\n`;
  return (
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${words(4)}</title>` +
    `<link rel="stylesheet" href="/style.css"><script>window.page = ${seed};</script></head><body class="page">` +
    `<nav><ul class="menu">${Array.from({ length: links }, (_, i) => item(i)).join('')}</ul></nav>` +
    `<main><h1 id="top">${words(4)}</h1>\n${Array.from({ length: paragraphs }, paragraph).join('')}</main></body></html>`
  );
}

/** Pages of some kinds: mostly markup and small, as on the web, mostly text and long. */
const KINDS = [
  { name: 'small, mostly markup', links: 20, paragraphs: 2, count: 200 },
  { name: 'medium', links: 60, paragraphs: 60, count: 60 },
  { name: 'long, mostly text', links: 20, paragraphs: 1200, count: 6 },
] as const;

/**
 * Reads pages many times and prints the best time of each. In a process of its own: the trees of one would slow down
 * the other through the parser's caches.
 */
const READER = `
  import { readFileSync } from 'node:fs';
  const [, which, folder, count] = process.argv;
  const decoder = new TextDecoder();
  const readers = {
    parse5: async () => {
      const { parse } = await import('parse5');
      return (page) => parse(decoder.decode(page), { scriptingEnabled: true });
    },
    extract: async () => {
      const { extract } = await import('simhash-doc/extract');
      return (page) => extract(page, { type: 'html' });
    },
  };
  const read = await readers[which]();
  const pages = Array.from({ length: Number(count) }, (_, i) => readFileSync(folder + '/' + i + '.html'));
  const best = pages.map(() => Infinity);
  for (let round = 0; round < 12; round++)
    for (const [i, page] of pages.entries()) {
      const start = performance.now();
      await read(page);
      best[i] = Math.min(best[i], performance.now() - start);
    }
  console.log(JSON.stringify(best));
`;

/** Measures HTML and its parser alone. */
export async function benchPages(): Promise<void> {
  const sentences = makeText('english', 1 << 18, 3).split('. ');
  const rows: (string | number)[][] = [['pages', 'kB each', 'parse5, MB/s', 'extract, MB/s', 'of parse5']];
  for (const { name, links, paragraphs, count } of KINDS) {
    await inFolder(async (folder) => {
      const pages = Array.from({ length: count }, (_, i) => makePage(sentences, links, paragraphs, i));
      for (const [i, page] of pages.entries()) writeFileSync(join(folder, `${i}.html`), page);
      const bytes = pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0);
      // They take turns, so that other work of the machine affects both.
      const best = { parse5: pages.map(() => Infinity), extract: pages.map(() => Infinity) };
      for (let turn = 0; turn < 3; turn++)
        for (const which of ['parse5', 'extract'] as const) {
          const args = ['--input-type=module', '-e', READER, which, folder, String(count)];
          const times: number[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
          best[which] = times.map((time, i) => Math.min(time, best[which][i]!));
        }
      const [parser, ours] = [best.parse5, best.extract].map((times) => times.reduce((sum, time) => sum + time, 0));
      const rate = (time: number): string => (bytes / time / 1000).toFixed(1);
      rows.push([name, (bytes / count / 1000).toFixed(1), rate(parser!), rate(ours!), (parser! / ours!).toFixed(2)]);
    });
  }
  printTable(rows);
}
