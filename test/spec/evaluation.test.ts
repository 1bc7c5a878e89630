import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeEvaluationPages } from '../tools/evaluate/page/page.ts';
import { readPart } from '../tools/evaluate/results.ts';

const pages = await makeEvaluationPages();

test.each([...pages.keys()])('%s is what `npm run generate -- evaluation` writes from the results', (path) => {
  expect(readFileSync(path, 'utf8')).toBe(pages.get(path));
});

test('the plots are small, described, and follow the colour scheme', () => {
  const plots = [...pages].filter(([path]) => path.endsWith('.svg'));
  expect(plots.length).toBeGreaterThan(2);
  for (const [path, svg] of plots) {
    expect(svg, path).toMatch(/^<svg role="img" aria-labelledby="title" aria-describedby="description" /);
    expect(svg, path).toMatch(/<title id="title">[^<]{10,}<\/title>\n<desc id="description">[^<]{40,}<\/desc>/);
    // The picture of the README is two files, for pages whose scheme is not that of the system.
    if (!path.includes('/found-')) expect(svg, path).toContain('prefers-color-scheme:dark');
    expect(svg, path).not.toMatch(/NaN|undefined|Infinity/);
    // Every line has points.
    expect(svg, path).not.toContain('d=""');
  }
  expect(plots.reduce((sum, [path]) => sum + statSync(path).size, 0)).toBeLessThan(400_000);
});

test('the tables have no empty numbers', () => {
  for (const [path, page] of pages) if (path.endsWith('.md')) expect(page, path).not.toMatch(/NaN|undefined|Infinity/);
});

test('every rival was measured in every collection, or the reason is given', () => {
  const rivals = readPart('rivals');
  const methods = new Set(rivals.map(({ method }) => method));
  const collections = new Set(rivals.map(({ collection }) => collection));
  expect(rivals.length).toBe(methods.size * collections.size);
  for (const { missing, within, truePairs, documents } of rivals) {
    if (missing !== undefined) {
      expect(missing).not.toBe('');
      continue;
    }
    for (const [at, counts] of within!.entries()) {
      const all = counts.true + counts.between + counts.false;
      expect(counts.true).toBeLessThanOrEqual(truePairs);
      expect(all).toBeLessThanOrEqual((documents * (documents - 1)) / 2);
      if (at > 0) expect(counts.true).toBeGreaterThanOrEqual(within![at - 1]!.true);
    }
  }
});
