import { fingerprint, LABELS } from 'simhash-doc';
import { type Language, makeText } from './corpus.ts';
import { bestTimes, printTable } from './measure.ts';

const MEGABYTE = 1_000_000;
const LANGUAGES: readonly Language[] = ['english', 'russian', 'japanese', 'mixed'];
const SIZES = [200, 2000, 20_000, 4 * MEGABYTE];

const encoder = new TextEncoder();

/** Documents of a size, 4 MB of them together, each of its own. */
function documentsOf(language: Language, size: number): Uint8Array[] {
  const text = encoder.encode(makeText(language, 4 * MEGABYTE + size, 1));
  return Array.from({ length: (4 * MEGABYTE) / size }, (_, i) => text.subarray(i * size, (i + 1) * size));
}

/** Measures the labels and the bare scheme on documents of several sizes. */
export async function benchLabels(): Promise<void> {
  const rows: string[][] = [
    ['text', 'bytes each', 'bare, MB/s', ...LABELS.slice(1).map((label) => `${label}, of bare`), 'documents/s'],
  ];
  for (const language of LANGUAGES)
    for (const size of SIZES) {
      const documents = documentsOf(language, size);
      const runs = LABELS.map((label) => () => documents.forEach((document) => void fingerprint(document, { label })));
      const [bare, ...others] = bestTimes(runs);
      const rate = (documents.length * size) / MEGABYTE / bare!;
      const shares = others.map((time) => (bare! / time).toFixed(2));
      const perSecond = others.map((time) => Math.round(documents.length / time).toLocaleString('en'));
      rows.push([language, String(size), rate.toFixed(0), ...shares, perSecond.join(' ')]);
    }
  printTable(rows);
}
