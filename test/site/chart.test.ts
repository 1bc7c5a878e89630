import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawShares, evaluationChart } from '../../src/site/pages/documents.ts';

const root = new URL('../../', import.meta.url);

test('the chart of the evaluation shows the means of the results, with the worst and the best collection', () => {
  const rows = [...evaluationChart(root).matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)];
  const shown = rows.map(([, name, cells]) => {
    const [bytes, mean, least, most] = /^<td[^>]*>(\d+)<.*>(\d+) % <small>(\d+)–(\d+)</
      .exec(cells!)!
      .slice(1)
      .map(Number);
    expect(cells).toContain(`<rect class="bar" width="${mean}"`);
    return [name!.replace(/<[^>]*>/g, ''), bytes, mean, least, most];
  });
  const all = JSON.parse(readFileSync(new URL('spec/evaluation/rivals.json', root), 'utf8')) as {
    method: string;
    bytes: number;
    best: { recall: number } | null;
  }[];
  const expected = (method: string): number[] => {
    const found = all.filter((each) => each.method === method).map(({ best }) => best?.recall ?? 0);
    const mean = found.reduce((sum, each) => sum + each, 0) / found.length;
    return [mean, Math.min(...found), Math.max(...found)].map((share) => Math.floor(100 * share + 1e-9));
  };
  expect(shown).toContainEqual(['minhash-doc', 8, ...expected('minhash-doc')]);
  expect(shown).toContainEqual(['minhash-doc-256', 32, ...expected('minhash-doc-256')]);
  expect(shown).toContainEqual(['ISCC', 8, ...expected('ISCC text code, 64 bits')]);
  expect(shown).toContainEqual(['TLSH', 35, ...expected('TLSH')]);
  expect(shown).toContainEqual(['MinHash, whole', 512, ...expected('datasketch, words')]);
  // The sentence below the chart.
  expect(expected('minhash-doc-256')[1]).toBeGreaterThanOrEqual(expected('datasketch, words')[1]!);
});

test('a share in a table of the evaluation has a bar, with a line from the worst to the best', () => {
  const cell = (text: string): string => `<td align="right">${text}</td>`;
  expect(drawShares(cell('84 % (4)'))).toMatch(/^<td align="right">84\u00a0% \(4\)<svg.* width="84" .*M84 5H84/);
  expect(drawShares(cell('58 % (<code>a</code>) / 94\u00a0% / 100 %'))).toMatch(/ width="94" .*M58 5H100/);
  expect(drawShares('<td>58 to 96\u00a0% found</td>')).toMatch(/ width="58" .*M58 5H96/);
  for (const other of [cell('1,448'), cell('none'), '<td>84\u00a0%</td>']) expect(drawShares(other)).toBe(other);
});
