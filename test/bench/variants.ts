import { fingerprint } from 'simhash-doc';
import { type Language, makeText } from './corpus.ts';
import { bestTimes, printTable } from './measure.ts';

const MEGABYTE = 1_000_000;
const LANGUAGES: readonly Language[] = ['english', 'russian', 'japanese', 'mixed'];
const SIZES = [200, 2000, 20_000, 4 * MEGABYTE];
const VARIANTS = ['simhash-doc', 'simhash-doc+bg1', 'simhash-doc+cap8', 'simhash-doc+bg1+cap8'];

const encoder = new TextEncoder();

/** Documents of a size, 4 MB of them together, each of its own. */
function documentsOf(language: Language, size: number): Uint8Array[] {
  const text = encoder.encode(makeText(language, 4 * MEGABYTE + size, 1));
  return Array.from({ length: (4 * MEGABYTE) / size }, (_, i) => text.subarray(i * size, (i + 1) * size));
}

/** Measures the variants beside the bare scheme, on documents of several sizes. */
export async function benchVariants(): Promise<void> {
  const rows: string[][] = [
    ['text', 'octets each', 'bare, MB/s', 'bg1, of bare', 'cap8, of bare', 'bg1+cap8, of bare'],
  ];
  for (const language of LANGUAGES)
    for (const size of SIZES) {
      const documents = documentsOf(language, size);
      const runs = VARIANTS.map(
        (variant) => () => documents.forEach((document) => void fingerprint(document, { variant })),
      );
      const [bare, ...others] = bestTimes(runs);
      const rate = (documents.length * size) / MEGABYTE / bare!;
      rows.push([language, String(size), rate.toFixed(0), ...others.map((time) => (bare! / time).toFixed(2))]);
    }
  printTable(rows);
}
