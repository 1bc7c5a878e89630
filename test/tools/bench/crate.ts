import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as scheme from 'simhash-doc';
import { CARGO_TARGET } from '../../adapters/implementations.ts';
import { makeText } from './corpus.ts';
import { markdownFiles } from './fingerprint.ts';
import { bestTimes, printTable } from './measure.ts';

const BYTES = 8_000_000;
const PIECE = 2000;

/** Measures the Rust crate and the library on the same pieces of the same texts. */
export async function benchCrate(): Promise<void> {
  if (spawnSync('cargo', ['--version']).status !== 0) {
    console.log('not measured: cargo is missing\n');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-bench-'));
  try {
    const real = Array.from(markdownFiles('node_modules'), (path) => readFileSync(path, 'utf8')).join('\n');
    const texts = { real, english: makeText('english', BYTES, 1), mixed: makeText('mixed', BYTES, 1) };
    const files = Object.entries(texts).map(([name, text]) => {
      writeFileSync(
        join(folder, name),
        Buffer.from(text)
          .subarray(0, BYTES)
          .toString()
          .replace(/\ufffd+$/, ''),
      );
      return join(folder, name);
    });
    const cargo = ['run', '--quiet', '--release', '--locked', '--target-dir', CARGO_TARGET, '--example', 'rate', '--'];
    const printed = execFileSync('cargo', [...cargo, ...files], { cwd: 'vectors/adapters/rust', encoding: 'utf8' });
    const lines = printed.matchAll(/^.*\/(\w+) (\S+): (\d+) in 2 kB, (\d+) as a whole$/gm);
    const rows = Array.from(lines, ([, name, label, pieces, whole]) => {
      const [ofPieces, ofWhole] = rates(readFileSync(join(folder, name!)), label!);
      const ratios = [+pieces! / ofPieces, +whole! / ofWhole].map((ratio) => ratio.toFixed(2)) as [string, string];
      return [name!, label!, +pieces!, ofPieces, ratios[0], +whole!, ofWhole, ratios[1]];
    });
    printTable([['text', 'label', 'crate, 2 kB', 'library', 'ratio', 'crate, whole', 'library', 'ratio'], ...rows]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rates of the library in MB/s for pieces, and for the whole. */
function rates(bytes: Uint8Array, label: string): [pieces: number, whole: number] {
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
