import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as scheme from 'simhash-doc';
import { type Language, makeText } from './corpus.ts';
import { median, printTable } from './measure.ts';
import { plainFingerprint } from './plain.ts';

const MEGABYTE = 1_000_000;

/** Markdown files below a folder: text that people wrote. */
function* markdownFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.isFile() && entry.name.endsWith('.md')) yield path;
  }
}

function inParts(octets: Uint8Array, size: number): bigint | null {
  const fingerprinter = scheme.createFingerprinter();
  for (let at = 0; at < octets.length; at += size) fingerprinter.update(octets.subarray(at, at + size));
  return fingerprinter.digest();
}

/** Seconds that `count` workers take for the same document `rounds` times each, started and warmed up before. */
async function inWorkers(count: number, octets: Uint8Array, rounds: number): Promise<number> {
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { fingerprint } from ${JSON.stringify(import.meta.resolve('simhash-doc'))};
    fingerprint(workerData);
    parentPort.on('message', (rounds) => {
      for (let i = 0; i < rounds; i++) fingerprint(workerData);
      parentPort.postMessage('done');
    });
    parentPort.postMessage('ready');`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData: octets }));
  const answers = (): Promise<unknown> =>
    Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  await answers();
  const start = performance.now();
  const done = answers();
  for (const worker of workers) worker.postMessage(rounds);
  await done;
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return seconds;
}

/** Measures fingerprint throughput beside the plain transcription, and the cost of each step. */
export async function benchFingerprint(): Promise<void> {
  const root = new URL(import.meta.resolve('simhash-doc/package.json'));
  const real = [...markdownFiles(new URL('node_modules', root).pathname)].map((path) => readFileSync(path));
  const languages: Language[] = ['english', 'russian', 'japanese', 'mixed'];
  const corpora: { name: string; documents: Uint8Array[] }[] = [
    ...languages.map((name) => ({ name, documents: [new TextEncoder().encode(makeText(name, 8 * MEGABYTE, 1))] })),
    { name: `${real.length} real files (Markdown)`, documents: real },
    {
      name: 'documents of 200 octets',
      documents: Array.from({ length: 20000 }, (_, i) => new TextEncoder().encode(makeText('english', 200, i))),
    },
  ];

  const rows: (string | number)[][] = [
    ['text', 'MB', 'non-ASCII octets', 'octets, MB/s', 'strings, MB/s', 'in parts of 64 KiB', 'plain, MB/s', 'ratio'],
  ];
  for (const { name, documents } of corpora) {
    const size = documents.reduce((sum, document) => sum + document.length, 0) / MEGABYTE;
    const nonAscii = documents.reduce((sum, document) => sum + document.filter((octet) => octet > 127).length, 0);
    const strings = documents.map((document) => new TextDecoder().decode(document));
    const each = <T>(list: readonly T[], run: (item: T) => unknown) =>
      median(() => list.forEach((item) => void run(item)));
    const octetTime = each(documents, scheme.fingerprint);
    const stringTime = each(strings, scheme.fingerprint);
    const partTime = each(documents, (document) => inParts(document, 1 << 16));
    const plainTime = each(documents, plainFingerprint);
    for (const document of documents.slice(0, 50))
      if (scheme.fingerprint(document) !== plainFingerprint(document)) throw new Error(`${name}: results differ`);
    rows.push([
      name,
      size.toFixed(1),
      `${((nonAscii / size / MEGABYTE) * 100).toFixed(0)} %`,
      (size / octetTime).toFixed(0),
      (size / stringTime).toFixed(0),
      (size / partTime).toFixed(0),
      (size / plainTime).toFixed(0),
      `${(plainTime / octetTime).toFixed(1)}`,
    ]);
  }
  console.log('### Throughput\n');
  printTable(rows);

  console.log('### Workers\n');
  const document = corpora[0]!.documents[0]!;
  const one = await inWorkers(1, document, 10);
  const two = await inWorkers(2, document, 10);
  const rate = (count: number, seconds: number) => ((count * 10 * document.length) / MEGABYTE / seconds).toFixed(0);
  printTable([
    ['workers', 'MB/s', 'ratio'],
    [1, rate(1, one), '1.0'],
    [2, rate(2, two), ((2 * one) / two).toFixed(2)],
  ]);

  console.log('### Cost of each step by itself, called on the whole text\n');
  const stages: (string | number)[][] = [['step', 'english, ns per octet', 'mixed, ns per octet']];
  const texts = [corpora[0]!, corpora[3]!].map(({ documents }) => {
    const octets = documents[0]!.subarray(0, 2 * MEGABYTE);
    const text = scheme.normalise(scheme.decode(octets));
    const tokens = scheme.tokenise(text).map((token) => new TextEncoder().encode(token.text));
    const hashes = tokens.map(scheme.hashToken);
    return { octets, text, tokens, hashes };
  });
  const cost = (name: string, run: (input: (typeof texts)[number]) => unknown): void => {
    stages.push([
      name,
      ...texts.map((input) => ((median(() => run(input), 3) * 1e9) / input.octets.length).toFixed(1)),
    ]);
  };
  cost('1 decode', ({ octets }) => scheme.decode(octets));
  cost('3 normalise', ({ text }) => scheme.normalise(text));
  cost('4 strip locators', ({ text }) => scheme.stripLocators(text));
  cost('5 tokenise', ({ text }) => scheme.tokenise(text));
  cost('7 token hash', ({ tokens }) => tokens.forEach((token) => void scheme.hashlittle2(token)));
  cost('8 simhash of bigints', ({ hashes }) => scheme.simhash(hashes));
  cost('all, composed', ({ octets }) => scheme.fingerprint(octets));
  printTable(stages);
}
