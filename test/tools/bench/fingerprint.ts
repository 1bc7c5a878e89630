import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fingerprint, fingerprint, LABELS } from 'simhash-doc';
import { createStreamingPipeline } from '../../../src/fingerprint/stream.ts';
import { type Language, makeText } from './corpus.ts';
import { bestTimes, printTable } from './measure.ts';

const MEGABYTE = 1_000_000;
const LANGUAGES: readonly Language[] = ['english', 'russian', 'japanese', 'mixed'];
const encoder = new TextEncoder();

/** Markdown files below a folder: text that people wrote. */
export function* markdownFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.isFile() && entry.name.endsWith('.md')) yield path;
  }
}

/** Computes the fingerprint as without WebAssembly. */
function byStream(bytes: Uint8Array): Fingerprint | null {
  const pipeline = createStreamingPipeline();
  pipeline.update(bytes);
  pipeline.end();
  return pipeline.result();
}

/** Documents of a size in bytes, 4 MB of them together. */
function documentsOf(language: Language, size: number): Uint8Array[] {
  const text = encoder.encode(makeText(language, 4 * MEGABYTE + size, 1));
  return Array.from({ length: (4 * MEGABYTE) / size }, (_, i) => text.subarray(i * size, (i + 1) * size));
}

/** Measures the bare scheme on bytes and strings, with and without WebAssembly; then all labels on documents of some sizes. */
export async function benchFingerprint(): Promise<void> {
  const real = Array.from(markdownFiles('node_modules'), (path) => readFileSync(path));
  const corpora: [string, readonly Uint8Array[]][] = [
    ...LANGUAGES.map((name): [string, Uint8Array[]] => [name, documentsOf(name, 4 * MEGABYTE)]),
    [`${real.length} real files (Markdown)`, real],
    ['english, 200 bytes each', documentsOf('english', 200)],
  ];
  const rows = corpora.map(([name, documents]) => {
    const size = documents.reduce((sum, document) => sum + document.length, 0) / MEGABYTE;
    const strings = documents.map((document) => new TextDecoder().decode(document));
    const [ofBytes, ofStrings, ofStream] = bestTimes([
      () => documents.forEach((document) => void fingerprint(document)),
      () => strings.forEach((text) => void fingerprint(text)),
      () => documents.forEach((document) => void byStream(document)),
    ]) as [number, number, number];
    const perSecond = Math.round(documents.length / ofBytes).toLocaleString('en');
    const rates = [(size / ofBytes).toFixed(0), (ofBytes / ofStrings).toFixed(2), (size / ofStream).toFixed(0)];
    return [name, ...rates, perSecond];
  });
  printTable([['text', 'bytes, MB/s', 'strings, of bytes', 'without WebAssembly', 'documents/s'], ...rows]);
  benchLabels();
}

function benchLabels(): void {
  const others = LABELS.slice(1);
  const head = [...others.map((label) => `${label}, of bare`), ...others.map((label) => `${label}, documents/s`)];
  const rows: string[][] = [['text', 'bytes each', 'bare, MB/s', ...head]];
  for (const language of LANGUAGES)
    for (const size of [200, 2000, 20_000, 4 * MEGABYTE]) {
      const documents = documentsOf(language, size);
      const runs = LABELS.map((label) => () => documents.forEach((document) => void fingerprint(document, { label })));
      const [bare, ...times] = bestTimes(runs) as [number, ...number[]];
      const rate = (documents.length * size) / MEGABYTE / bare;
      const shares = times.map((time) => (bare / time).toFixed(2));
      const perSecond = times.map((time) => Math.round(documents.length / time).toLocaleString('en'));
      rows.push([language, size.toLocaleString('en'), rate.toFixed(0), ...shares, ...perSecond]);
    }
  printTable(rows);
}
