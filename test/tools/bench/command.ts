import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from '../../../src/index.ts';
import { makeText } from './corpus.ts';
import { inFolder, optionOf, printTable } from './measure.ts';

/** The command as it is built. */
export const MAIN = join(process.cwd(), 'dist/cli/main.js');

/** The number of files in the folder, and the approximate bytes of each. */
const FILES = 20_000;
const FILE = 5000;

/** The cost of a whole process. */
interface Cost {
  readonly seconds: number;
  /** CPU time of all threads, to 20 ms; null where the system does not report it. It depends less on the load of the machine. */
  readonly cpu: number | null;
  /** Its peak of resident memory in bytes; null where the system does not report it. */
  readonly peak: number | null;
}

/**
 * Measures the command as whole processes, compared with `cat` and `sha256sum`, on the same files: a folder of 20,000
 * texts, and one text of some gigabytes (`--gigabytes=10`, default 1).
 */
export async function benchCommand(): Promise<void> {
  const gigabytes = Number(optionOf('gigabytes') ?? 1);
  await inFolder(async (folder) => {
    const text = Buffer.from(makeText('english', 64 << 20, 1));
    const rate = (bytes: Uint8Array): number => {
      fingerprint(bytes.subarray(0, 1 << 20));
      const start = performance.now();
      fingerprint(bytes);
      return bytes.length / (performance.now() - start) / 1000;
    };
    console.log(`Fingerprints in this process: ${Math.round(rate(text))} MB/s on one core.\n`);

    const files = join(folder, 'files');
    let total = 0;
    for (let i = 0; i < FILES; i++) {
      const name = join(files, String(i % 100).padStart(2, '0'));
      if (i < 100) mkdirSync(name, { recursive: true });
      const start = (i * 3331) % (text.length - 3 * FILE);
      const bytes = text.subarray(start, start + (FILE >> 1) + ((i * 7919) % FILE));
      writeFileSync(join(name, `${i}.txt`), bytes);
      total += bytes.length;
    }
    await table(`${FILES} files`, total, [
      ['cat', 'sh', ['-c', `find ${files} -type f -print0 | xargs -0 cat >/dev/null`]],
      ['sha256sum', 'sh', ['-c', `find ${files} -type f -print0 | xargs -0 sha256sum >/dev/null`]],
      ['simhash-doc hash -j 1', process.execPath, [MAIN, 'hash', '-j', '1', files]],
      ['simhash-doc hash -j 2', process.execPath, [MAIN, 'hash', '-j', '2', files]],
    ]);
    rmSync(files, { recursive: true });

    const large = join(folder, 'large.txt');
    const fd = openSync(large, 'w');
    const pieces = Math.max(1, Math.round((gigabytes * 1e9) / text.length));
    for (let i = 0; i < pieces; i++) writeSync(fd, text);
    closeSync(fd);
    await table(`one file of ${gigabytes} GB`, pieces * text.length, [
      ['cat', 'sh', ['-c', `cat ${large} >/dev/null`]],
      ['sha256sum', 'sha256sum', [large]],
      ['simhash-doc hash', process.execPath, [MAIN, 'hash', large]],
    ]);
  });
}

async function table(
  title: string,
  bytes: number,
  commands: readonly (readonly [string, string, readonly string[]])[],
): Promise<void> {
  const rows: (string | number)[][] = [[title, 's', 'CPU s', 'MB/s', 'of sha256sum', 'peak, MB']];
  const costs: Cost[] = [];
  for (const [, program, args] of commands) {
    // The first run warms the system's cache of files; the better of two others counts.
    await cost(program, args);
    const [a, b] = [await cost(program, args), await cost(program, args)];
    costs.push(a.seconds < b.seconds ? a : b);
  }
  const reference = costs[commands.findIndex(([name]) => name === 'sha256sum')]!.seconds;
  for (const [index, { seconds, cpu, peak }] of costs.entries())
    rows.push([
      commands[index]![0],
      seconds.toFixed(2),
      cpu?.toFixed(2) ?? 'unknown',
      Math.round(bytes / seconds / 1e6),
      (reference / seconds).toFixed(2),
      peak === null ? 'unknown' : Math.round(peak / 1e6),
    ]);
  printTable(rows);
}

/** Runs a process to its end, and throws its output away. It must succeed unless `mayFail` is set. */
export function cost(program: string, args: readonly string[], mayFail = false): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    let peak: number | null = null;
    let cpu: number | null = null;
    const look = (): void => {
      try {
        const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
        if (kilobytes !== undefined) peak = Math.max(peak ?? 0, Number(kilobytes) * 1024);
        // Behind the name: state, then numbers, of which the 12th and 13th are ticks of a hundredth of a second.
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        cpu = (Number(fields[11]) + Number(fields[12])) / 100;
      } catch {
        // The process has ended, or this system has no such file.
      }
    };
    const timer = setInterval(look, 20);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - start) / 1000;
      if (code === 0 || mayFail) resolve({ seconds, cpu, peak });
      else reject(new Error(`${program} ${args.join(' ')}: exit code ${code}`));
    });
  });
}
