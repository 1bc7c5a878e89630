import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meanOf } from '../tools/evaluate/measure/strangers.ts';
import { percent } from '../tools/evaluate/page/format.ts';
import { makeEvaluationPages } from '../tools/evaluate/page/page.ts';
import { seedShares, simhashOf } from '../tools/evaluate/page/scheme.ts';
import { readPart } from '../tools/evaluate/results.ts';

const pages = makeEvaluationPages();

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

test('the page can be read in one sitting', () => {
  expect(pages.get('spec/evaluation.md')!.split(/\s+/).length).toBeLessThan(4000);
});

test('every method was measured in every collection of the comparison', () => {
  const rivals = readPart('rivals');
  const methods = new Set(rivals.map(({ method }) => method));
  expect(rivals.length).toBe(methods.size * new Set(rivals.map(({ collection }) => collection)).size);
});

test('what is said of several hash seeds holds in the results', () => {
  const measured = readPart('collections').map(({ name }) => {
    const simhash = simhashOf(name);
    return { name, simhash: simhash.best?.recall ?? 0, near: simhash.true[3]! / simhash.truePairs };
  });
  const range = (values: readonly number[]) =>
    [Math.min(...values), Math.max(...values)].map((share) => percent(share).replace(' %', '')).join(' to ');
  const seeds = measured.map(({ name }) => meanOf(seedShares(name)));
  const nearSeeds = measured.map(({ name }) => meanOf(seedShares(name, 3)));
  for (const [at, { simhash }] of measured.entries()) expect(seeds[at]).toBeGreaterThan(simhash);
  const text = readFileSync('spec/rationale.md', 'utf8').replace(/\s+/g, ' ');
  expect(text).toContain(
    `the mean of the seeds finds ${range(seeds)} % of the true pairs, simhash ${range(measured.map(({ simhash }) => simhash))} %`,
  );
  expect(text).toContain(
    `at *k* = 3 it finds ${range(nearSeeds)} %, none of them false, simhash ${range(measured.map(({ near }) => near))} %`,
  );
});
