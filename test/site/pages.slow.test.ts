import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import '../built.ts';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import { loadRules } from '../../src/conformance/suite/rules.ts';
import type { Page } from '../../src/site/pages/html.ts';
import { renderAssets, renderPages } from '../../src/site/pages/index.ts';
import { renderPlayground } from '../../src/site/playground/page.ts';
import { attribute, elementsOf, parsePage } from '../page.ts';

const root = new URL('../../', import.meta.url);

/** Reads a page as a browser does. */
function read({ path, title, body, contents = '' }: Page) {
  const html = `<!DOCTYPE html><html lang="en"><title>${title.replaceAll('<', '&lt;')}</title><nav>${contents}</nav><main>${body}</main></html>`;
  const { errors, elements } = parsePage(html);
  const ids = elements.flatMap((element) => attribute(element, 'id') ?? []);
  const links = elements.flatMap((element) => attribute(element, 'href') ?? attribute(element, 'src') ?? []);
  return { path, errors, elements, ids: new Set(ids), repeated: ids.length - new Set(ids).size, links };
}

const rendered = [renderPlayground(root), ...(await renderPages(root))];
const pages = new Map(rendered.map((page) => [page.path, read(page)]));
const assets = new Set((await renderAssets(root)).map(({ path }) => path));

test('every page is HTML without errors, with one heading of level 1 and each anchor once', () => {
  expect(pages.size).toBe(rendered.length);
  for (const { path, errors, elements, repeated } of pages.values()) {
    expect(errors, path).toEqual([]);
    expect(elements.filter(({ tagName }) => tagName === 'h1').length, path).toBe(1);
    expect(repeated, path).toBe(0);
  }
});

test('every link inside the site leads to a page, an anchor or a file', () => {
  let count = 0;
  const broken: string[] = [];
  for (const { path, links } of pages.values())
    for (const href of links) {
      if (/^https?:/.test(href)) continue;
      const [file, anchor] = href.split('#') as [string, string?];
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      // An anchor of the playground is a state.
      if (target === 'index.html') continue;
      count++;
      const page = pages.get(target);
      const exists = page === undefined ? assets.has(target) : anchor === undefined || page.ids.has(anchor);
      if (!exists) broken.push(`${path} -> ${href}`);
    }
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(10_000);
});

test('the indexes of the specification and of the guides describe each page', () => {
  for (const section of ['specification', 'guides']) {
    const [index, ...others] = rendered.filter((page) => page.section === section);
    const listed = [...index!.body.matchAll(/<dt><a href="([^"]+)">.+?<\/a><\/dt>\n<dd>.{20,}<\/dd>/g)].map(
      ([, href]) => posix.join(posix.dirname(index!.path), href!),
    );
    expect(listed.sort()).toEqual(others.map(({ path }) => path).sort());
    const purposes = [...index!.body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, purpose]) => purpose!);
    expect(purposes.length).toBeGreaterThan(1);
    for (const purpose of purposes) expect(purpose).toMatch(/^To /);
  }
});

test('pages have no script, style or form, and no element that needs one', () => {
  for (const { path, elements } of pages.values()) {
    const tags = new Set(elements.map(({ tagName }) => tagName));
    for (const tag of ['script', 'style', 'form', 'button', 'input', 'iframe', 'link'])
      expect(tags, path).not.toContain(tag);
    const names = new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name)));
    expect(
      [...names].filter((name) => name === 'style' || name.startsWith('on')),
      path,
    ).toEqual([]);
  }
});

test('every rule has an anchor and lists its vectors, which open in the playground', () => {
  const groups = loadFiles();
  for (const { id, link } of loadRules().values()) {
    const page = pages.get(link.split('#')[0]!.replace(/\.md$/, '.html'))!;
    expect(page.ids.has(id), id).toBe(true);
    const list = page.elements.find((element) => attribute(element, 'id') === `vectors-of-${id}`)!;
    const opened = elementsOf(list)
      .flatMap((element) => attribute(element, 'href') ?? [])
      .filter((href) => href.startsWith('../index.html#'))
      .map((href) => new URLSearchParams(href.slice(href.indexOf('#') + 1)).get('vector'));
    const citing = groups.flatMap(({ vectors }) => vectors.filter(({ rules }) => rules.includes(id)));
    expect(opened, id).toEqual(citing.map((vector) => vector.id));
  }
});

test('every vector is on the page that lists link to', () => {
  for (const { group, vectors } of loadFiles()) {
    const parts = rendered.filter(({ path }) => new RegExp(`^vectors/${group}(?:-\\d+)?\\.html$`).test(path));
    const ids = parts.flatMap(({ path }) => [...pages.get(path)!.ids].filter((id) => id.includes('/')));
    expect(ids).toEqual(vectors.map(({ id }) => id));
  }
});

test('no page has an empty value or a link to Markdown', () => {
  for (const { path, body } of rendered) {
    expect(body, path).not.toMatch(/>(?:undefined|NaN)<|\[object Object/);
    expect(body, path).not.toMatch(/href="(?!https?:)[^"]*\.md["#]/);
  }
});

test('the reference has everything that an entry point exports, and describes each function', async () => {
  for (const [entry, file] of [
    ['simhash-doc', 'index.js'],
    ['simhash-doc-extract', 'extract/index.js'],
    ['simhash-doc-lookup', 'lookup/index.js'],
    ['simhash-doc-conformance', 'conformance/index.js'],
  ] as const) {
    const page = pages.get(`reference/${entry}.html`)!;
    const exported = Object.keys(await import(new URL(`dist/${file}`, root).href));
    expect(exported.filter((name) => !page.ids.has(name))).toEqual([]);
    // A signature is followed by its text.
    const { body } = rendered.find(({ path }) => path === page.path)!;
    for (const name of exported) expect(body, name).toMatch(new RegExp(`id="${name}">[^\\n]*\\n<pre[^]*?</pre>\\n<p>`));
  }
});

test('the reference has everything that the Python package and the crate export', () => {
  const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
  const python = /__all__ = \[([^\]]*)\]/.exec(read('src/python/python/simhash_doc/__init__.py'))![1]!.match(/\w+/g)!;
  expect(python.filter((name) => !pages.get('reference/python.html')!.ids.has(name))).toEqual([]);
  const lib = Array.from(
    read('src/rust/src/lib.rs').matchAll(/^( *)pub use crate::\w+::\{?([^};]*)\}?;|^pub use \w+::\{([^}]*)\}/gm),
  );
  const rust = lib.flatMap(([, , steps, names]) =>
    (steps ?? names)!.split(', ').map((name) => (steps === undefined ? name : `steps::${name}`)),
  );
  expect(rust.length).toBeGreaterThan(20);
  expect(rust.filter((name) => !pages.get('reference/rust.html')!.ids.has(name))).toEqual([]);
});
