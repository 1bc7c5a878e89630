import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Fingerprint } from 'simhash-doc';
import * as scheme from 'simhash-doc';
import { createStreamingPipeline } from '../../../src/fingerprint/stream.ts';
import { type Language, makeHostileShapes, makeKinds, makeMixture, makeText } from './corpus.ts';
import { bestTimes, median, printTable } from './measure.ts';
import { compileNative, ROOT } from './native.ts';
import { plainFingerprint } from './plain.ts';

const MEGABYTE = 1_000_000;

/** Markdown files below a folder: text that people wrote. */
export function* markdownFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.isFile() && entry.name.endsWith('.md')) yield path;
  }
}

function inParts(bytes: Uint8Array, size: number): bigint | null {
  const fingerprinter = scheme.createFingerprinter();
  for (let at = 0; at < bytes.length; at += size) fingerprinter.update(bytes.subarray(at, at + size));
  return fingerprinter.digest();
}

/** Something, and after it a unit as often as it takes to make a size. */
function repeated(head: Uint8Array, unit: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(head.length + Math.ceil(size / unit.length) * unit.length);
  bytes.set(head);
  for (let at = head.length; at < bytes.length; at += unit.length) bytes.set(unit, at);
  return bytes;
}

/** Seconds that `count` workers take for the same document `rounds` times each, started and warmed up before. */
async function inWorkers(count: number, bytes: Uint8Array, rounds: number): Promise<number> {
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
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData: bytes }));
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

/** Computes the fingerprint as without WebAssembly. */
function byStream(bytes: Uint8Array): Fingerprint | null {
  const pipeline = createStreamingPipeline();
  pipeline.updateBytes(bytes);
  pipeline.end();
  return pipeline.result();
}

/** The rate of the native program on some documents, in MB/s; undefined if it could not be compiled. */
type Ceiling = ((documents: readonly Uint8Array[]) => number) | undefined;

function compileCeiling(): Ceiling {
  // As many bits as the vectors of WebAssembly have.
  const run = compileNative('fingerprint', 'x86-64-v2');
  if (run === undefined) return undefined;
  return (documents) => {
    const folder = mkdtempSync(join(tmpdir(), 'ceiling-'));
    const paths = documents.map((document, i) => {
      const path = join(folder, String(i));
      writeFileSync(path, document);
      return path;
    });
    const answer = run([join(ROOT, 'spec', 'word-classes.txt'), ...paths]) as Answer;
    rmSync(folder, { recursive: true });
    // It skips steps 3 and 4, which do not change generated texts.
    if (documents.length === 1 && answer.fingerprints[0] !== scheme.toHex(scheme.fingerprint(documents[0]!)!))
      throw new Error(`the native program computes ${answer.fingerprints[0]}`);
    return answer.rate;
  };
}

interface Answer {
  readonly rate: number;
  readonly fingerprints: readonly string[];
}

interface Corpus {
  readonly name: string;
  readonly documents: readonly Uint8Array[];
}

const encoder = new TextEncoder();

function makeCorpora(): Corpus[] {
  const real = [...markdownFiles(join(ROOT, 'node_modules'))].map((path) => readFileSync(path));
  const languages: Language[] = ['english', 'russian', 'japanese', 'mixed'];
  return [
    ...languages.map((name) => ({ name, documents: [encoder.encode(makeText(name, 4 * MEGABYTE, 1))] })),
    { name: 'mixture', documents: [encoder.encode(makeMixture(4 * MEGABYTE))] },
    { name: `${real.length} real files (Markdown)`, documents: real },
  ];
}

/** Measures fingerprint throughput and that of the plain transcription, and the cost of each step. */
export async function benchFingerprint(): Promise<void> {
  const corpora = makeCorpora();
  const [english, , , mixed] = corpora.map(({ documents }) => documents[0]!) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  benchThroughput(corpora, compileCeiling());
  benchKinds(english.subarray(0, 2 * MEGABYTE));
  benchHostileShapes(english.subarray(0, 2 * MEGABYTE));
  benchStreams();
  benchShortDocuments();
  await benchWorkers(english);
  benchSteps([english, mixed]);
}

function benchThroughput(corpora: readonly Corpus[], ceilingOf: Ceiling): void {
  const rows: (string | number)[][] = [
    [
      'text',
      'non-ASCII bytes',
      'native, 128 bits',
      'bytes',
      'of native',
      'strings, of bytes',
      'parts of 64 KiB, of bytes',
      'without WebAssembly',
      'of native',
      '"plain"',
      'bytes, times "plain"',
    ],
  ];
  for (const corpus of corpora) rows.push(throughputRow(corpus, ceilingOf));
  console.log('### Throughput, MB/s\n');
  printTable(rows);
}

function throughputRow({ name, documents }: Corpus, ceilingOf: Ceiling): (string | number)[] {
  const size = documents.reduce((sum, document) => sum + document.length, 0) / MEGABYTE;
  const nonAscii = documents.reduce((sum, document) => sum + document.filter((byte) => byte > 127).length, 0);
  const strings = documents.map((document) => new TextDecoder().decode(document));
  const all = (run: (document: Uint8Array) => unknown) => () => documents.forEach((document) => void run(document));
  const times = (): number[] =>
    bestTimes([
      all(scheme.fingerprint),
      () => strings.forEach((text) => void scheme.fingerprint(text)),
      all((document) => inParts(document, 1 << 16)),
      all(byStream),
    ]);
  // The native program runs in between, so that both have the machine to themselves.
  const first = times();
  const ceiling = ceilingOf?.(documents);
  const second = times();
  const [byteTime, stringTime, partTime, streamTime] = first.map((time, i) => Math.min(time, second[i]!)) as [
    number,
    number,
    number,
    number,
  ];
  const [plainTime] = bestTimes([all(plainFingerprint)], 1) as [number];
  for (const document of documents.slice(0, 50))
    for (const run of [scheme.fingerprint, byStream])
      if (run(document) !== plainFingerprint(document)) throw new Error(`${name}: results differ`);
  const ofCeiling = (time: number): string => (ceiling === undefined ? '' : (size / time / ceiling).toFixed(2));
  return [
    name,
    `${((nonAscii / size / MEGABYTE) * 100).toFixed(0)} %`,
    ceiling ?? '',
    (size / byteTime).toFixed(0),
    ofCeiling(byteTime),
    (byteTime / stringTime).toFixed(2),
    (byteTime / partTime).toFixed(2),
    (size / streamTime).toFixed(0),
    ofCeiling(streamTime),
    (size / plainTime).toFixed(1),
    (plainTime / byteTime).toFixed(0),
  ];
}

/** Rates in MB/s, and as shares of the rate of English in the same turns. */
interface RelativeRates {
  readonly kernel: number;
  readonly kernelShare: number;
  readonly stream: number;
  readonly streamShare: number;
}

function relativeRates(bytes: Uint8Array, english: Uint8Array, rounds: number): RelativeRates {
  const [kernel, stream, englishKernel, englishStream] = bestTimes(
    [
      () => scheme.fingerprint(bytes),
      () => byStream(bytes),
      () => scheme.fingerprint(english),
      () => byStream(english),
    ],
    rounds,
  ).map((time, i) => (i < 2 ? bytes.length : english.length) / time / MEGABYTE) as [number, number, number, number];
  return { kernel, kernelShare: kernel / englishKernel, stream, streamShare: stream / englishStream };
}

function benchKinds(english: Uint8Array): void {
  console.log('### Kinds of text, as shares of the English rate\n');
  const rows = makeKinds(2 * MEGABYTE).map(({ name, bytes }) => {
    const { kernel, kernelShare, stream, streamShare } = relativeRates(bytes, english, 4);
    return [name, kernel.toFixed(0), kernelShare.toFixed(2), stream.toFixed(0), streamShare.toFixed(2)];
  });
  printTable([['text', 'MB/s', 'of English', 'without WebAssembly', 'of English'], ...rows]);
}

function benchHostileShapes(english: Uint8Array): void {
  console.log('### What a hostile author would write, as shares of the English rate, the slowest first\n');
  const hostile = makeHostileShapes().map(({ name, head, unit }) => ({
    name,
    ...relativeRates(repeated(head, unit, 2 * MEGABYTE), english, 3),
  }));
  hostile.sort((a, b) => a.kernelShare - b.kernelShare);
  printTable([
    ['without end', 'MB/s', 'of English', 'without WebAssembly, of English'],
    ...hostile.map(({ name, kernel, kernelShare, streamShare }) => [
      name,
      kernel.toFixed(0),
      kernelShare.toFixed(2),
      streamShare.toFixed(2),
    ]),
  ]);
}

function benchStreams(): void {
  console.log('### Without end and in parts of 64 KiB\n');
  const rows: (string | number)[][] = [['text', 'MB', 'seconds', 'MB/s']];
  for (const [name, head, unit] of [
    ['one token', '', 'abcdefgh'],
    ['marks out of order', 'a', '\u0301\u0323'],
    ['a.', '', 'a.'],
  ] as const)
    for (const megabytes of [25, 100]) {
      const part = repeated(new Uint8Array(0), encoder.encode(unit), 65536);
      const fingerprinter = scheme.createFingerprinter().update(encoder.encode(head));
      const start = performance.now();
      for (let made = 0; made < megabytes * MEGABYTE; made += part.length) fingerprinter.update(part);
      fingerprinter.digest();
      const seconds = (performance.now() - start) / 1000;
      rows.push([name, megabytes, seconds.toFixed(2), (megabytes / seconds).toFixed(0)]);
    }
  printTable(rows);
}

function benchShortDocuments(): void {
  console.log('### Documents of 200 bytes, millions a second\n');
  const short = Array.from({ length: 20000 }, (_, i) => encoder.encode(makeText('english', 200, i)).subarray(0, 200));
  const strings = short.map((document) => new TextDecoder().decode(document));
  const times = bestTimes([
    () => short.forEach((document) => void scheme.fingerprint(document)),
    () => strings.forEach((document) => void scheme.fingerprint(document)),
    () => short.forEach((document) => void byStream(document)),
  ]);
  printTable([
    ['bytes', 'strings', 'without WebAssembly'],
    times.map((time) => (short.length / time / MEGABYTE).toFixed(2)),
  ]);
}

async function benchWorkers(document: Uint8Array): Promise<void> {
  console.log('### Workers\n');
  const rounds = 100;
  const seconds: [number, number] = [Infinity, Infinity];
  for (let turn = 0; turn < 5; turn++)
    for (const count of [1, 2])
      seconds[count - 1] = Math.min(seconds[count - 1]!, await inWorkers(count, document, rounds));
  const rate = (count: number): number => (count * rounds * document.length) / MEGABYTE / seconds[count - 1]!;
  printTable([
    ['workers', 'MB/s', 'ratio'],
    [1, rate(1).toFixed(0), '1.0'],
    [2, rate(2).toFixed(0), (rate(2) / rate(1)).toFixed(2)],
  ]);
}

function benchSteps(documents: readonly [english: Uint8Array, mixed: Uint8Array]): void {
  console.log('### Cost of each step by itself, called on the whole text\n');
  const stages: (string | number)[][] = [['step', 'english, ns per byte', 'mixed, ns per byte']];
  const texts = documents.map((document) => {
    const bytes = document.subarray(0, 2 * MEGABYTE);
    const text = scheme.normalise(scheme.decode(bytes));
    const tokens = scheme.tokenise(text).map((token) => encoder.encode(token.text));
    const hashes = tokens.map(scheme.hashToken);
    return { bytes, text, tokens, hashes };
  });
  const cost = (name: string, run: (input: (typeof texts)[number]) => unknown): void => {
    stages.push([name, ...texts.map((input) => ((median(() => run(input), 3) * 1e9) / input.bytes.length).toFixed(1))]);
  };
  cost('1 decode', ({ bytes }) => scheme.decode(bytes));
  cost('3 normalise', ({ text }) => scheme.normalise(text));
  cost('4 strip locators', ({ text }) => scheme.stripLocators(text));
  cost('5 tokenise', ({ text }) => scheme.tokenise(text));
  cost('7 token hash', ({ tokens }) => tokens.forEach((token) => void scheme.hashlittle2(token)));
  cost('8 simhash of bigints', ({ hashes }) => scheme.simhash(hashes));
  cost('all, composed', ({ bytes }) => scheme.fingerprint(bytes));
  printTable(stages);
}
