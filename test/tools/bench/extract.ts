import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { MANUAL_MEDIA, MANUALS } from '../evaluate/media/manuals.ts';
import { fetchPackages, manualFiles } from '../evaluate/sources/packages.ts';
import { printTable } from './measure.ts';

/** The number of times that each document is read; the first, which loads the parsers, is reported separately. */
const ROUNDS = 5;

/**
 * Reads the files that it is given and prints the time and memory. A process of its own, so that its memory is its
 * own.
 */
const READER = `
  import { readFileSync } from 'node:fs';
  import { extract } from 'simhash-doc/extract';
  const documents = process.argv.slice(1).map((path) => [path, readFileSync(path)]);
  const before = process.memoryUsage.rss();
  const seconds = [];
  let octets = 0;
  for (let round = 0; round < ${ROUNDS}; round++) {
    octets = 0;
    const start = performance.now();
    for (const [path, document] of documents) octets += Buffer.byteLength((await extract(document, { path })).text);
    seconds.push((performance.now() - start) / 1000);
  }
  const [first, ...others] = seconds;
  const median = others.sort((a, b) => a - b)[others.length >> 1];
  const memory = process.resourceUsage().maxRSS * 1024 - before;
  console.log(JSON.stringify({ first, median, octets, memory }));
`;

/** Measures extraction by medium, and pdftotext, on one manual that a Debian package ships in all media. */
export async function benchExtract(): Promise<void> {
  const manual = MANUALS.find(({ name }) => name === 'debian-policy')!;
  try {
    fetchPackages([manual.package]);
  } catch (error) {
    console.log(`not measured: ${(error as Error).message}\n`);
    return;
  }
  const rows: (string | number)[][] = [
    ['medium', 'file, kB', 'text, kB', 'first, s', 'then, s', 'text, MB/s', 'memory, MB'],
  ];
  for (const medium of MANUAL_MEDIA) {
    const place = manual.media[medium];
    if (place === undefined) continue;
    const files = manualFiles(manual.package, place);
    const size = kilo(files.reduce((sum, file) => sum + statSync(file).size, 0));
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', READER, ...files], {
      encoding: 'utf8',
    });
    const { first, median, octets, memory } = JSON.parse(printed);
    const rate = (octets / median / 1e6).toFixed(1);
    rows.push([medium, size, kilo(octets), first.toFixed(2), median.toFixed(2), rate, Math.round(memory / 1e6)]);
    if (medium === 'pdf') rows.push(['pdftotext', size, ...runPdftotext(files[0]!)]);
  }
  printTable(rows);
}

function kilo(octets: number): number {
  return Math.round(octets / 1000);
}

/** The same for pdftotext, whose every run is a first one: text, seconds (twice), rate and memory. */
function runPdftotext(path: string): (string | number)[] {
  const command = path.endsWith('.gz') ? 'zcat "$0" | pdftotext - -' : 'pdftotext "$0" -';
  const times: number[] = [];
  let octets = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { stdout, status } = spawnSync('sh', ['-c', command, path], { maxBuffer: 2 ** 30 });
    if (status !== 0) return ['not installed', '', '', '', ''];
    times.push((performance.now() - start) / 1000);
    octets = stdout.length;
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1]!;
  const watched = spawnSync('sh', ['-c', `zcat -f "$0" | command time -f %M pdftotext - - 2>&1 >/dev/null`, path]);
  const kibibytes = Number(String(watched.stdout).trim());
  const memory = Number.isInteger(kibibytes) && kibibytes > 0 ? Math.round((kibibytes * 1024) / 1e6) : 'not measured';
  return [kilo(octets), median.toFixed(2), median.toFixed(2), (octets / median / 1e6).toFixed(1), memory];
}
