import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { extract } from 'simhash-doc/extract';
import { printTable } from './measure.ts';

const ROUNDS = 6;

/** The PDF files to read: `--pdf=FILE`, any number of times. */
const FILES = process.argv.filter((each) => each.startsWith('--pdf=')).map((each) => each.slice('--pdf='.length));

/**
 * Measures the user CPU time of PDF and of pdftotext in turns, each the minimum of several runs. The first round
 * loads the parser.
 */
export async function benchPdf(): Promise<void> {
  if (FILES.length === 0) {
    console.log('not measured: name files with --pdf=FILE\n');
    return;
  }
  const rows: (string | number)[][] = [['file', 'extract, ms', 'pdftotext, ms', 'times']];
  for (const file of FILES) {
    const bytes = readFileSync(file);
    let [own, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      await extract(bytes, { type: 'pdf' });
      own = Math.min(own, process.cpuUsage(before).user / 1000);
      other = Math.min(other, runPdftotext(file));
    }
    rows.push([basename(file), own.toFixed(0), other.toFixed(0), (own / other).toFixed(2)]);
  }
  printTable(rows);
}

/** Its user CPU time in milliseconds. */
function runPdftotext(file: string): number {
  const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time pdftotext "$0" - >/dev/null', file], {
    encoding: 'utf8',
  });
  return 1000 * Number(stderr.trim().split('\n').at(-1));
}
