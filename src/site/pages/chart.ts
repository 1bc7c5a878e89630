import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../common/text.ts';
import { code, scrollBox } from './html.ts';

/** A measurement of a method on a collection (spec/evaluation/rivals.json), as far as it is shown. */
interface Measured {
  readonly collection: string;
  readonly method: string;
  readonly bytes: number;
  /** The recall at the threshold with which at most 1 % of the reported pairs are false; null if no threshold achieves that. */
  readonly best: { readonly recall: number } | null;
}

/** The methods of the chart: the name in the results, its title, and whether it is one of ours. */
const METHODS: readonly (readonly [method: string, name: string, isOurs?: true])[] = [
  ['simhash-doc', 'simhash-doc', true],
  ['minhash-doc', 'minhash-doc', true],
  ['datasketch, 8 octets', 'MinHash, cut to 8 bytes'],
  ['ISCC text code, 64 bits', 'ISCC'],
  ['minhash-doc-256', 'minhash-doc-256', true],
  ['datasketch, 32 octets', 'MinHash, cut to 32 bytes'],
  ['ISCC text code, 256 bits', 'ISCC'],
  ['TLSH', 'TLSH'],
  ['datasketch, words', 'MinHash, whole'],
];

/** Writes the share of near-duplicates that each method finds, by the size of its fingerprints. */
export function evaluationChart(root: URL): string {
  const all = JSON.parse(readFileSync(new URL('spec/evaluation/rivals.json', root), 'utf8')) as Measured[];
  const collections = new Set(all.map(({ collection }) => collection)).size;
  const rows = METHODS.map(([method, name, isOurs]) => {
    const measured = all.filter((each) => each.method === method);
    const found = measured.map(({ best }) => best?.recall ?? 0);
    const mean = found.reduce((sum, each) => sum + each) / found.length;
    const [share, min, max] = [mean, Math.min(...found), Math.max(...found)].map((each) =>
      Math.floor(100 * each + 1e-9),
    );
    const bar = `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${share}" height="10"/><path d="M${min} 5H${max}"/></svg>`;
    return `<tr${isOurs ? ' class="ours"' : ''}><th scope="row">${isOurs ? code(name) : escapeHtml(name)}</th><td class="number">${measured[0]!.bytes}</td><td class="number">${share} % <small>${min}–${max}</small></td><td class="bar-cell">${bar}</td></tr>`;
  });
  return `<figure class="chart">
<figcaption><strong>Near-duplicates found, with at most 1 % false reports</strong>, by the bytes of a fingerprint: the mean of ${collections}
collections, and the worst and the best of them.</figcaption>
${scrollBox('Found with at most 1 % false reports', `<table><thead><tr><th scope="col">Method</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Found</th><td></td></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>`)}
<p>MinHash is that of datasketch, from the set of words; whole, it has 128 numbers. ISCC is the text code of iscc-core, TLSH that of py-tlsh.
${code('minhash-doc-256')} finds as much in 32 bytes as MinHash does in 512. Where no threshold has so few false reports, 0 % are found.</p>
</figure>
`;
}
