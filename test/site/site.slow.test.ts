import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import type { Operation } from '../../src/conformance/vector.ts';
import { DOCUMENT_LABEL } from '../../src/duplicates/answer.ts';
import { type FileServer, serve } from '../../src/site/build/serve.ts';
import { buildSite } from '../../src/site/build/site.ts';
import { isThere } from '../adapters/implementations.ts';
import { run } from '../cli/command.ts';
import { PDFS } from '../engines/pdfs.ts';
import {
  BROWSERS,
  catchCopies,
  copiedBy,
  dropFile,
  dropPaths,
  expectAccessible,
  expectNarrow,
  findProgram,
  openPage,
  openParts,
  press,
  screenshot,
  startBrowser,
  textOf,
} from './browser.ts';

/** The bytes that a first visitor loads until the first answer: see src/site/README.md. */
const MAX_FIRST_LOAD = 61_000;

const adapter = createInProcessAdapter();
const work = mkdtempSync(join(tmpdir(), 'simhash-doc-site-'));
const site = join(work, 'site');
const pdf = PDFS.get('ferry-en.pdf')!;

beforeAll(() => buildSite(site));

/** The fingerprint of a document, as the command prints it. */
async function commandFingerprint(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(work, name);
  writeFileSync(file, bytes);
  return (await run(['hash', '--label', DOCUMENT_LABEL, file])).stdout.split(' ')[0]!;
}

test('the first load is within its budget', async () => {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="((?:assets\/|icon)[^"]+)"/g)].map(([, file]) => file!);
  // The worker is loaded for the first fingerprint; what it imports dynamically are parsers.
  const scripts = files.map((file) => readFileSync(join(site, file), 'utf8')).join('\n');
  const worker = /assets\/(worker-[\w-]+\.js)|"(worker-[\w-]+\.js)"/.exec(scripts);
  const first = ['index.html', ...files, `assets/${worker![1] ?? worker![2]}`];
  const sizes = first.map((file) => gzipSync(readFileSync(join(site, file))).length);
  expect(sizes.length).toBeGreaterThan(4);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_FIRST_LOAD);
});

describe.each(BROWSERS)('the site in %s', (name, program) => {
  const path = findProgram(program);
  if (!isThere(program, path !== undefined)) return;
  let browser: Browser;
  let server: FileServer;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await serve(site, { base: '/under/any path/'.replace(' ', '-') });
    browser = await startBrowser(name, path!);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const open = (path: string): Promise<Page> => openPage(browser, `${server.url}${path}`, errors);
  /** Opens the playground with all its parts. */
  const openPlayground = async (fragment = ''): Promise<Page> => {
    const page = await open(`index.html${fragment}`);
    await openParts(page);
    return page;
  };

  test('computes the fingerprint of the command for a dropped PDF', async () => {
    const page = await openPlayground();
    await dropFile(page, '.pane-a', 'ferry.pdf', pdf);
    await textOf(page, '.pane-a .file-card', /application\/pdf/);
    const input = (await page.$('.pane-b input[type=file]')) as ElementHandle<never>;
    const zipped = join(work, 'ferry.pdf.gz');
    writeFileSync(zipped, gzipSync(PDFS.get('ferry-ru.pdf')!));
    await input.uploadFile(zipped);
    await textOf(page, '.pane-b .file-card', /application\/pdf/);
    expect(await textOf(page, '#fingerprint-A')).toBe(await commandFingerprint('ferry.pdf', pdf));
    expect(await textOf(page, '#fingerprint-B')).toBe(
      await commandFingerprint('ferry-ru.pdf', PDFS.get('ferry-ru.pdf')!),
    );
    await textOf(page, '.evidence', /at least 80 %/);
    expect(await textOf(page, '.sentence')).toBe('Not near-duplicates: 0 % of the words are shared');
    await screenshot(page, `${name}-pdf`);
    await page.close();
  });

  test('reads the pasted source of a page as HTML on request', async () => {
    const page = await openPlayground('#a=');
    const html = '<!doctype html><p>one <b>quick</b> f<i>o</i>x';
    await page.evaluate(`(() => {
      const area = document.querySelector('#text-A');
      area.value = ${JSON.stringify(html)};
      area.dispatchEvent(new Event('input'));
    })()`);
    await textOf(page, '#fingerprint-A');
    await press(page, '::-p-text(Read it as HTML)');
    await textOf(page, '.pane-a .file-card', /text\/html/);
    expect(await textOf(page, '#fingerprint-A')).toBe(await commandFingerprint('pasted.html', Buffer.from(html)));
    await page.close();
  });

  test('shares typed text by its link, and reads it again', async () => {
    const page = await openPlayground('#a=one+quick+fox&b=');
    await textOf(page, '#fingerprint-A');
    await page.type('#text-B', 'one quick fox and https://example.org/');
    await textOf(page, '.evidence', /Distance/);
    await press(page, 'input[value="minhash-doc"]');
    await page.waitForFunction("location.hash.includes('example.org') && location.hash.includes('label=minhash-doc')");
    await textOf(page, '.evidence', /of 64 bits/);
    await textOf(page, '.legend', /\d+ bins\. The same word wins/);
    await textOf(page, '.passages', /https:\/\/example\.org/);
    await catchCopies(page);
    await press(page, '::-p-text(Copy link)');
    expect(await copiedBy(page)).toBe(page.url());
    await press(page, '::-p-text(Copy as vector)');
    const copied = JSON.parse(await copiedBy(page)) as { operation: Operation; input: object; expected: object }[];
    for (const { operation, input, expected } of copied)
      expect(await adapter.request(operation, input)).toMatchObject({ kind: 'ok', result: expected });
    const both = /minhash-doc:.*minhash-doc:/;
    const fingerprints = await textOf(page, '.fingerprints', both);
    const again = await openPlayground(`${new URL(page.url()).hash}`);
    expect(await textOf(again, '.fingerprints', both)).toBe(fingerprints);
    await page.close();
    await again.close();
  });

  test('compares two texts with the sentence of the command', async () => {
    const [a, b] = ['one quick fox and a lazy dog', 'one quick fox and a lazy dog again'];
    for (const [name, text] of Object.entries({ a, b })) writeFileSync(join(work, name), text);
    const { stdout } = await run(['compare', join(work, 'a'), join(work, 'b')]);
    const page = await openPlayground(`#${new URLSearchParams({ a, b })}`);
    const sentence = await textOf(page, '.sentence', /Near-duplicate/);
    const [distance] = /[Dd]istance \d+ of 256/.exec(await textOf(page, '.evidence'))!;
    expect(`${sentence}; ${distance}`.toLowerCase()).toBe(stdout.split('\n')[0]);
    await page.close();
  });

  test('shows the whole answer above the editors, and keeps it in sight', async () => {
    const page = await open('index.html');
    await page.setViewport({ width: 1280, height: 800 });
    expect(await textOf(page, '.sentence', /shared/)).toMatch(/^Near-duplicate: \d+ % of the words are shared$/);
    const boxOf = (selector: string): Promise<{ top: number; bottom: number }> =>
      page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
    const [answer, editor] = [await boxOf('.answer'), await boxOf('#text-A')];
    expect(answer.bottom).toBeLessThan(editor.top);
    expect(editor.bottom).toBeLessThan(800);
    await page.$eval('.fingerprints', (last) => last.scrollIntoView({ block: 'end', behavior: 'instant' }));
    expect((await boxOf('.answer')).top).toBe(0);
    expect(
      await page.$eval('input[name=label]:checked', (input) => (input as unknown as { value: string }).value),
    ).toBe(DOCUMENT_LABEL);
    await screenshot(page, `${name}-first-sight`);
    await page.close();
  });

  test.each([
    ['0', /^Near-duplicate: 9\d % of the words are shared$/],
    ['1', /^Near-duplicate: 9\d % of the words are shared$/],
    ['2', /^Near-duplicate: 99 % of the words are shared$/],
    ['3', /^Near-duplicate: 9\d % of the words are shared$/],
    ['4', /^Not near-duplicates: 1\d % of the words are shared$/],
  ])('gives the intended answer for example %s', async (value, sentence) => {
    const page = await open('index.html#a=');
    await page.select('.examples select', value);
    expect(await textOf(page, '.sentence', /words/)).toMatch(sentence);
    expect(await textOf(page, '.evidence')).not.toContain('unreliable');
    await textOf(page, value === '4' ? '.differences' : '.passages', /./);
    expect(await page.$eval('.examples select', (select) => (select as unknown as { value: string }).value)).toBe(
      value,
    );
    await page.waitForFunction(`location.hash === '${value === '0' ? '' : `#example=${value}`}'`);
    await page.reload();
    expect(await textOf(page, '.sentence', /words/)).toMatch(sentence);
    await page.close();
  });

  test('opens a vector, and its fingerprint agrees', async () => {
    const page = await openPlayground('#vector=fingerprint/word');
    await textOf(page, '.vector', /computes the fingerprint that the vector expects/);
    expect(await textOf(page, '#fingerprint-A')).toBe('simhash-doc:HSTFUPMSEJJXA');
    await page.close();
  });

  test('leads from a rule of the specification to the playground', async () => {
    const page = await open('spec/simhash-doc.html');
    const link = `document.querySelector('main a[href*="index.html#vector="]')`;
    await page.evaluate(`${link}.closest('details')?.setAttribute('open', '')`);
    await press(page, 'main a[href*="index.html#vector="]');
    expect(await textOf(page, '.vector', /Rules: /)).toMatch(/DEC-|CLS-|EXT-/);
    await page.close();
  });

  test('cancels a long job without blocking the page', async () => {
    const page = await openPlayground();
    await textOf(page, '.evidence', /Distance/);
    await page.evaluate(`(() => {
      window.beats = 0;
      setInterval(() => window.beats++, 20);
      const part = '<p>' + 'a long document that takes its time '.repeat(1000);
      const file = new File(['<!doctype html>', ...Array(4000).fill(part)], 'long.html');
      const transfer = new DataTransfer();
      transfer.items.add(file);
      document.querySelector('.pane-b').dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    })()`);
    await page.waitForSelector('.pane-b .working button', { visible: true });
    const beats = await page.evaluate('window.beats');
    await page.waitForFunction(`window.beats > ${beats} + 5`);
    await press(page, '.pane-b .working button');
    await textOf(page, '.pane-b .pane-status', /Cancelled/);
    await page.close();
  });

  test('shows many documents as the groups of dupes, and a pair by the keyboard', async () => {
    const page = await openPlayground();
    await press(page, 'input[value="simhash-doc"]');
    const input = (await page.$('.pane-a input[type=file]')) as ElementHandle<never>;
    const names = ['one.txt', 'two.txt', 'three.html', 'four.xml', 'broken.pdf', 'empty.txt'];
    const texts = [
      'the same few words',
      'words the same few',
      '<p>the same <b>few words',
      '<r>something else entirely</r>',
      '%PDF-1.7 no',
      '1 2',
    ];
    const files = names.map((file) => join(work, file));
    for (const [index, file] of files.entries()) writeFileSync(file, texts[index]!);
    await input.uploadFile(...files);
    expect(await textOf(page, '.sentence', /among/)).toBe('1 group of near-duplicates among 6 documents');
    expect(await textOf(page, '.group', /./)).toMatch(
      /^1\. one\.txt2\. two\.txt Same words, but word order .*3\. three\.html Same words/,
    );
    for (const pane of ['.pane-a', '.pane-b'])
      expect(await page.$eval(pane, (element) => element.checkVisibility())).toBe(false);
    await page.evaluate("document.querySelector('.groups details').open = true");
    await textOf(page, '.list tr:nth-child(5) .failure');
    await textOf(page, '.list tr:nth-child(6)', /no letters/);
    await catchCopies(page);
    await press(page, '::-p-text(Copy as JSON Lines)');
    const lines = (await copiedBy(page)).split('\n');
    const { stdout } = await run(['hash', '--json', ...names.slice(0, 4)], { cwd: work });
    expect(`${lines.slice(0, 4).join('\n')}\n`).toBe(stdout);
    expect(await page.$eval('::-p-text(Swap)', (button) => button.disabled)).toBe(true);
    await press(page, '::-p-text(Copy link)');
    await textOf(page, '.notice', /^A link holds two documents: choose a pair first\.$/);
    await page.focus('.group button');
    await page.keyboard.press('Enter');
    await textOf(page, '.sentence', /^Same words, but word order differs$/);
    const inView = `(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && document.activeElement.textContent;
    })()`;
    await page.waitForFunction(`${inView} === '← Back to all 6 documents'`);
    expect(await page.$eval('.pane-a', (element) => element.checkVisibility())).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForFunction(`${inView} === '2. two.txt'`);
    await page.keyboard.press('Enter');
    await textOf(page, '.sentence', /^Same words, but word order differs$/);
    await screenshot(page, `${name}-many`);
    await page.close();
  });

  test.runIf(name === 'chrome')('reads a dropped folder with everything in it', async () => {
    const folder = join(work, 'folder');
    mkdirSync(join(folder, 'below'), { recursive: true });
    writeFileSync(join(folder, 'a.txt'), 'the same few words');
    writeFileSync(join(folder, '.hidden'), 'not seen');
    for (const file of ['b.txt', 'c.txt']) writeFileSync(join(folder, 'below', file), 'words the same few');
    const page = await openPlayground();
    await dropPaths(page, '.pane-a', [folder]);
    expect(await textOf(page, '.sentence', /among/)).toBe('2 groups of near-duplicates among 3 documents');
    expect(await textOf(page, '.group', /./)).toMatch(/a\.txt.*b\.txt.*c\.txt/);
    await page.close();
  });

  test('opens a ZIP archive as a list of its documents', async () => {
    const writer = new ZipWriter(new Uint8ArrayWriter());
    const texts = ['the same few words', '<p>the same <b>few</b> words', 'something else', ''];
    for (const [index, text] of texts.entries())
      await writer.add(`${index}.${text.startsWith('<') ? 'html' : 'txt'}`, new TextReader(text));
    const page = await open('index.html');
    await dropFile(page, '.pane-b', 'all.zip', new Uint8Array(await writer.close()));
    expect(await textOf(page, '.sentence', /among/)).toBe('1 group of near-duplicates among 3 documents');
    expect(await textOf(page, '.group')).toBe('1. 0.txt2. 1.html Same words · distance 0');
    await page.close();
  });

  test('opens empty after it was cleared, also when it is reloaded', async () => {
    const page = await open('index.html');
    await textOf(page, '.sentence', /Near-duplicate/);
    await press(page, '::-p-text(Clear)');
    await textOf(page, '.sentence', /^Type, paste or drop document A/);
    await page.waitForFunction("location.hash === '#a='");
    await page.reload();
    await textOf(page, '.sentence', /^Type, paste or drop document A/);
    await page.close();
  });

  test('connects to nothing, not even from a worker', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}index.html`);
    const tries = await page.evaluate(`(async () => {
      const tell = (promise) => promise.then(() => 'connected', () => 'refused');
      const code = 'fetch(' + JSON.stringify(location.href) + ').then(() => postMessage("connected"), () => postMessage("refused"))';
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      const inWorker = new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
      return Promise.all([tell(fetch(location.href)), inWorker]);
    })()`);
    expect(tries).toEqual(['refused', 'refused']);
    await page.close();
  });

  test.each([
    ['simhash-doc', '.fingerprints'],
    ['minhash-doc-256', '.winners'],
  ])('has an accessible playground with %s, light and dark, that fits a narrow screen', async (label, section) => {
    const page = await openPlayground();
    await press(page, `input[value="${label}"]`);
    await textOf(page, section, /./);
    await expectAccessible(page);
    await screenshot(page, `${name}-playground-${label}`);
    await page.evaluate("document.documentElement.dataset.theme = 'dark'");
    await expectAccessible(page);
    await screenshot(page, `${name}-playground-${label}-dark`);
    await expectNarrow(page);
    await screenshot(page, `${name}-playground-${label}-narrow`);
    await page.close();
  });

  test.each(['vectors/simhash', 'report-card/index', 'spec/evaluation'])(
    'has an accessible page %s.html, light and dark, that fits a narrow screen',
    async (path) => {
      const page = await open(`${path}.html`);
      await expectAccessible(page);
      await page.evaluate("document.documentElement.dataset.theme = 'dark'");
      await expectAccessible(page);
      await expectNarrow(page);
      await screenshot(page, `${name}-${path.replace('/', '-')}`);
      await page.close();
    },
  );

  test('finds rules, vectors and guides, and keeps the query in the address', async () => {
    const page = await open('search.html');
    await page.type('#query', 'nrm-2');
    await textOf(page, '#count', /sections$/);
    await textOf(page, '#found', /NRM-2/);
    const again = await open(`search.html${new URL(page.url()).hash}`);
    await textOf(again, '#found', /NRM-2/);
    await expectAccessible(again);
    await press(again, '#found a');
    await again.waitForFunction("!location.pathname.endsWith('search.html')");
    await page.close();
    await again.close();
  });

  test('searches when it is opened from a file, where the playground runs or says how to run it', async () => {
    const page = await openPage(browser, pathToFileURL(join(site, 'search.html')).href, errors);
    await page.type('#query', 'nrm-2');
    await textOf(page, '#found', /NRM-2/);
    await page.goto(pathToFileURL(join(site, 'guides/corpus.html')).href);
    await textOf(page, '.copy', /Copy/);
    // Chromium refuses modules from files, and reports it; Firefox runs them.
    const playground = await openPage(browser, pathToFileURL(join(site, 'index.html')).href, []);
    const answer =
      name === 'chrome' ? /^This browser runs the playground only from a web server: serve / : /^Near-duplicate/;
    await textOf(playground, '#playground', answer);
    for (const each of [page, playground]) await each.close();
  });

  test('has one row of navigation, closed contents and a chart with bars on a narrow screen', async () => {
    const page = await browser.newPage();
    await page.setViewport({ width: 360, height: 740 });
    await page.goto(`${server.url}spec/evaluation.html`);
    const [first, last] = await page.$$eval('.site-header li', (items) =>
      [items[0]!, items.at(-1)!].map((item) => item.getBoundingClientRect().top),
    );
    expect(first).toBe(last);
    expect(await page.$eval('.contents details', (details) => (details as unknown as { open: boolean }).open)).toBe(
      false,
    );
    const boxOf = (selector: string): Promise<{ left: number; right: number }> =>
      page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
    expect((await boxOf('.chart .bar-cell svg')).right).toBeLessThanOrEqual(360);
    expect((await boxOf('.site-header [aria-current]')).right).toBeLessThanOrEqual(360);
    await screenshot(page, `${name}-evaluation-narrow`);
    await page.close();
  });

  test('marks the section that is read in the contents, and copies what is typed in a block of code', async () => {
    const page = await open('guides/corpus.html');
    await page.setViewport({ width: 1280, height: 800 });
    await page.reload();
    await page.$eval('#remove-them', (heading) => heading.scrollIntoView());
    await page.waitForFunction("document.querySelector('.contents a[aria-current]')?.hash === '#remove-them'");
    const [copied, session] = (await page.evaluate(`(() => {
      const texts = [];
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { texts.push(text); } } });
      const session = [...document.querySelectorAll('pre > code')].find(({ textContent }) => textContent.startsWith('$ '));
      session.closest('.code').querySelector('.copy').click();
      return [texts[0], session.textContent];
    })()`)) as [string, string];
    expect(session).toContain(`$ ${copied.split('\n')[0]}`);
    expect(copied).not.toMatch(/^\$/m);
    await page.close();
  });

  test('filters a list of vectors', async () => {
    const page = await open('vectors/all.html');
    await page.type('.filter input', 'nrm-2 ignorable');
    await textOf(page, '.filter output', /^\d+ of \d{4}$/);
    const shown = await page.$$eval('tbody tr:not([hidden])', (rows) => rows.map(({ textContent }) => textContent));
    expect(shown.length).toBeGreaterThan(5);
    for (const row of shown) expect(row).toMatch(/NRM-2.*Ignorable/);
    await page.close();
  });

  test('reports no errors', () => {
    expect(errors).toEqual([]);
  });
});
