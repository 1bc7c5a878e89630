import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as scheme from 'simhash-doc';
import { CARGO_TARGET } from '../../adapters/implementations.ts';
import { makeText } from './corpus.ts';
import { markdownFiles } from './fingerprint.ts';
import { bestTimes, inFolder, printTable } from './measure.ts';

const BYTES = 8_000_000;
const PIECE = 2000;
const TURNS = 3;

/** Rates in MB/s for pieces of 2 kB, and for the whole. */
type Rates = readonly [pieces: number, whole: number];

/** Measures the Rust crate and the library on the same pieces of the same texts. */
export async function benchCrate(): Promise<void> {
  if (spawnSync('cargo', ['--version']).status !== 0) {
    console.log('not measured: cargo is missing\n');
    return;
  }
  await inFolder((folder) => {
    const real = Array.from(markdownFiles('node_modules'), (path) => readFileSync(path, 'utf8')).join('\n');
    const texts = { real, english: makeText('english', BYTES, 1), mixed: makeText('mixed', BYTES, 1) };
    const rows = Object.entries(texts).flatMap(([name, text]) => {
      const file = join(folder, name);
      const cut = Buffer.from(text).subarray(0, BYTES).toString();
      writeFileSync(file, cut.replace(/\ufffd+$/, ''));
      return rowsOf(name, file);
    });
    printTable([['text', 'label', 'crate, 2 kB', 'library', 'ratio', 'crate, whole', 'library', 'ratio'], ...rows]);
  });
}

/** Makes a row of the best rates for each label. Crate and library take turns, so that other load affects both. */
function rowsOf(name: string, file: string): (string | number)[][] {
  const bytes = readFileSync(file);
  const crate = new Map<string, Rates>();
  const library = new Map<string, Rates>();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [label, rates] of ratesOfCrate(file)) keepBest(crate, label, rates);
    for (const label of crate.keys()) keepBest(library, label, ratesOfLibrary(bytes, label));
  }
  return [...crate].map(([label, [pieces, whole]]) => {
    const [ofPieces, ofWhole] = library.get(label)!;
    return [
      ...[name, label, pieces, ofPieces, (pieces / ofPieces).toFixed(2)],
      ...[whole, ofWhole, (whole / ofWhole).toFixed(2)],
    ];
  });
}

function keepBest(best: Map<string, Rates>, label: string, [pieces, whole]: Rates): void {
  const [bestPieces, bestWhole] = best.get(label) ?? [0, 0];
  best.set(label, [Math.max(pieces, bestPieces), Math.max(whole, bestWhole)]);
}

function ratesOfCrate(file: string): [label: string, rates: Rates][] {
  const cargo = ['run', '--quiet', '--release', '--locked', '--target-dir', CARGO_TARGET, '--example', 'rate', '--'];
  const printed = execFileSync('cargo', [...cargo, file], { cwd: 'vectors/adapters/rust', encoding: 'utf8' });
  const lines = printed.matchAll(/^.* (\S+): (\d+) in 2 kB, (\d+) as a whole$/gm);
  return Array.from(lines, ([, label, pieces, whole]) => [label!, [Number(pieces), Number(whole)]]);
}

function ratesOfLibrary(bytes: Uint8Array, label: string): Rates {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = Math.min(at + PIECE, bytes.length);
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++;
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  const runs = [
    () => {
      for (const piece of pieces) scheme.fingerprint(piece, { label });
    },
    () => scheme.fingerprint(bytes, { label }),
  ];
  const [ofPieces, ofWhole] = bestTimes(runs, 5).map((time) => Math.round(bytes.length / 1e6 / time));
  return [ofPieces!, ofWhole!];
}
