import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as scheme from 'simhash-doc';
import { createFastPipeline } from '../../src/fingerprint/engine.ts';
import { createPlainEngine } from '../../src/fingerprint/plain.ts';
import { type Language, makeHostileShapes, makeKinds, makeMixture, makeText } from './corpus.ts';
import { bestTimes, median, printTable } from './measure.ts';
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

/** Something, and behind it a unit as often as it takes to make a size. */
function repeated(head: Uint8Array, unit: Uint8Array, size: number): Uint8Array {
  const octets = new Uint8Array(head.length + Math.ceil(size / unit.length) * unit.length);
  octets.set(head);
  for (let at = head.length; at < octets.length; at += unit.length) octets.set(unit, at);
  return octets;
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

const plainEngine = createPlainEngine();

function byPlainEngine(octets: Uint8Array): bigint | null {
  const pipeline = createFastPipeline(plainEngine);
  pipeline.updateOctets(octets);
  pipeline.end();
  return pipeline.result();
}

/**
 * Compiles the native program that the ratios are measured against.
 * @param root - folder of the project
 * @returns the rate of that program on some documents, in MB/s; undefined where its source or a compiler is not there
 */
function compileCeiling(root: string): ((documents: readonly Uint8Array[]) => number) | undefined {
  const source = join(root, '..', 'shared', 'bench');
  if (!existsSync(join(source, 'fingerprint-ceiling.cpp'))) return undefined;
  const build = join(root, 'build', 'bench');
  mkdirSync(build, { recursive: true });
  const program = join(build, 'fingerprint-ceiling-128');
  const classes = join(build, 'classes.bin');
  try {
    const options = ['-O3', '-DVB=16', '-march=x86-64-v2', join(source, 'fingerprint-ceiling.cpp'), '-o', program];
    execFileSync('clang++', options, { stdio: 'ignore' });
  } catch {
    console.log('No clang++ that compiles the native ceiling: no ratios to it.\n');
    return undefined;
  }
  const unicode = join(root, 'node_modules', 'unicode-properties', 'dist', 'main.cjs');
  execFileSync(process.execPath, [join(source, 'make-classes.mjs'), unicode, classes]);
  return (documents) => {
    const folder = mkdtempSync(join(tmpdir(), 'ceiling-'));
    const paths = documents.map((document, i) => {
      const path = join(folder, String(i));
      writeFileSync(path, document);
      return path;
    });
    const answer = execFileSync(program, [classes, ...paths], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    return (JSON.parse(answer) as { MBperSecond: number }).MBperSecond;
  };
}

/** Measures fingerprint throughput beside the plain transcription, and the cost of each step. */
export async function benchFingerprint(): Promise<void> {
  const root = fileURLToPath(new URL('.', import.meta.resolve('simhash-doc/package.json')));
  const ceilingOf = compileCeiling(root);
  const encoder = new TextEncoder();
  const real = [...markdownFiles(join(root, 'node_modules'))].map((path) => readFileSync(path));
  const languages: Language[] = ['english', 'russian', 'japanese', 'mixed'];
  const corpora: { name: string; documents: Uint8Array[] }[] = [
    ...languages.map((name) => ({ name, documents: [encoder.encode(makeText(name, 4 * MEGABYTE, 1))] })),
    { name: 'mixture', documents: [encoder.encode(makeMixture(4 * MEGABYTE))] },
    { name: `${real.length} real files (Markdown)`, documents: real },
  ];

  const rows: (string | number)[][] = [
    [
      'text',
      'non-ASCII octets',
      'native, 128 bits',
      'octets',
      'of native',
      'strings, of octets',
      'parts of 64 KiB, of octets',
      'without WebAssembly',
      'of native',
      '"plain"',
      'octets, times "plain"',
    ],
  ];
  for (const { name, documents } of corpora) {
    const size = documents.reduce((sum, document) => sum + document.length, 0) / MEGABYTE;
    const nonAscii = documents.reduce((sum, document) => sum + document.filter((octet) => octet > 127).length, 0);
    const strings = documents.map((document) => new TextDecoder().decode(document));
    const all = (run: (document: Uint8Array) => unknown) => () => documents.forEach((document) => void run(document));
    const times = (): number[] =>
      bestTimes([
        all(scheme.fingerprint),
        () => strings.forEach((text) => void scheme.fingerprint(text)),
        all((document) => inParts(document, 1 << 16)),
        all(byPlainEngine),
      ]);
    // The native program in between, so that both have the same machine to themselves.
    const first = times();
    const ceiling = ceilingOf?.(documents);
    const second = times();
    const [octetTime, stringTime, partTime, engineTime] = first.map((time, i) => Math.min(time, second[i]!)) as [
      number,
      number,
      number,
      number,
    ];
    const [plainTime] = bestTimes([all(plainFingerprint)], 1) as [number];
    for (const document of documents.slice(0, 50))
      for (const run of [scheme.fingerprint, byPlainEngine])
        if (run(document) !== plainFingerprint(document)) throw new Error(`${name}: results differ`);
    const ofCeiling = (time: number): string => (ceiling === undefined ? '' : (size / time / ceiling).toFixed(2));
    rows.push([
      name,
      `${((nonAscii / size / MEGABYTE) * 100).toFixed(0)} %`,
      ceiling ?? '',
      (size / octetTime).toFixed(0),
      ofCeiling(octetTime),
      (octetTime / stringTime).toFixed(2),
      (octetTime / partTime).toFixed(2),
      (size / engineTime).toFixed(0),
      ofCeiling(engineTime),
      (size / plainTime).toFixed(1),
      (plainTime / octetTime).toFixed(0),
    ]);
  }
  console.log('### Throughput, MB/s\n');
  printTable(rows);

  console.log('### Kinds of text, as shares of the English rate\n');
  const english = corpora[0]!.documents[0]!.subarray(0, 2 * MEGABYTE);
  const kinds: (string | number)[][] = [['text', 'MB/s', 'of English', 'without WebAssembly', 'of English']];
  for (const { name, octets } of makeKinds(2 * MEGABYTE)) {
    const [kernel, engine, englishKernel, englishEngine] = bestTimes(
      [
        () => scheme.fingerprint(octets),
        () => byPlainEngine(octets),
        () => scheme.fingerprint(english),
        () => byPlainEngine(english),
      ],
      4,
    ).map((time, i) => (i < 2 ? octets.length : english.length) / time / MEGABYTE) as [number, number, number, number];
    kinds.push([
      name,
      kernel.toFixed(0),
      (kernel / englishKernel).toFixed(2),
      engine.toFixed(0),
      (engine / englishEngine).toFixed(2),
    ]);
  }
  printTable(kinds);

  console.log('### What a hostile author would write, as shares of the English rate, the slowest first\n');
  const hostile = makeHostileShapes().map(({ name, head, unit }) => {
    const octets = repeated(head, unit, 2 * MEGABYTE);
    const [kernel, engine, englishKernel, englishEngine] = bestTimes(
      [
        () => scheme.fingerprint(octets),
        () => byPlainEngine(octets),
        () => scheme.fingerprint(english),
        () => byPlainEngine(english),
      ],
      3,
    ).map((time, i) => (i < 2 ? octets.length : english.length) / time / MEGABYTE) as [number, number, number, number];
    return { name, kernel, share: kernel / englishKernel, plainShare: engine / englishEngine };
  });
  hostile.sort((a, b) => a.share - b.share);
  printTable([
    ['without end', 'MB/s', 'of English', 'without WebAssembly, of English'],
    ...hostile.map(({ name, kernel, share, plainShare }) => [
      name,
      kernel.toFixed(0),
      share.toFixed(2),
      plainShare.toFixed(2),
    ]),
  ]);

  console.log('### Without end and in parts of 64 KiB\n');
  const streamed: (string | number)[][] = [['text', 'MB', 'seconds', 'MB/s']];
  for (const { name, head, unit, megabytes } of [
    { name: 'one token', head: '', unit: 'abcdefgh', megabytes: 25 },
    { name: 'one token', head: '', unit: 'abcdefgh', megabytes: 100 },
    { name: 'marks out of order', head: 'a', unit: '\u0301\u0323', megabytes: 25 },
    { name: 'marks out of order', head: 'a', unit: '\u0301\u0323', megabytes: 100 },
    { name: 'a.', head: '', unit: 'a.', megabytes: 25 },
    { name: 'a.', head: '', unit: 'a.', megabytes: 100 },
  ]) {
    const part = repeated(new Uint8Array(0), encoder.encode(unit), 65536);
    const fingerprinter = scheme.createFingerprinter().update(encoder.encode(head));
    const start = performance.now();
    for (let made = 0; made < megabytes * MEGABYTE; made += part.length) fingerprinter.update(part);
    fingerprinter.digest();
    const seconds = (performance.now() - start) / 1000;
    streamed.push([name, megabytes, seconds.toFixed(2), (megabytes / seconds).toFixed(0)]);
  }
  printTable(streamed);

  console.log('### Documents of 200 octets, millions a second\n');
  const short = Array.from({ length: 20000 }, (_, i) => encoder.encode(makeText('english', 200, i)).subarray(0, 200));
  const shortStrings = short.map((document) => new TextDecoder().decode(document));
  const shortTimes = bestTimes([
    () => short.forEach((document) => void scheme.fingerprint(document)),
    () => shortStrings.forEach((document) => void scheme.fingerprint(document)),
    () => short.forEach((document) => void byPlainEngine(document)),
  ]);
  printTable([
    ['octets', 'strings', 'without WebAssembly'],
    shortTimes.map((time) => (short.length / time / MEGABYTE).toFixed(2)),
  ]);

  console.log('### Workers\n');
  const document = corpora[0]!.documents[0]!;
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
