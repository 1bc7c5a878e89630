import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command as it is built. */
export const MAIN = join(process.cwd(), 'dist/cli/main.js');

/** The best time of each of some functions, in seconds. They take turns, so that other work of the machine affects all. */
export function bestTimes(runs: readonly (() => unknown)[], rounds = 7): number[] {
  const best = runs.map(() => Infinity);
  for (let round = 0; round <= rounds; round++)
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      run();
      // The first round only warms up.
      if (round > 0) best[i] = Math.min(best[i]!, (performance.now() - start) / 1000);
    }
  return best;
}

/** Prints rows as a Markdown table, the first row being its head. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const line = (row: readonly (string | number)[]): string => `| ${row.join(' | ')} |`;
  const [head, ...body] = rows as [string[], ...string[][]];
  console.log([line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body.map(line)].join('\n'));
  console.log();
}

/** Runs a function with a temporary folder, and deletes the folder even if it fails. */
export async function inFolder<T>(run: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the value of an option `--NAME=VALUE` of the command line, or undefined without it. */
export function optionOf(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(start))?.slice(start.length);
}

/** The cost of a whole process; numbers are NaN where the system does not report them. */
export interface Cost {
  readonly seconds: number;
  /** CPU seconds of all threads, to 20 ms. They depend less on the load of the machine. */
  readonly cpu: number;
  /** Its peak of resident memory in MB. */
  readonly peak: number;
}

/** Runs a process to its end, which must succeed, and throws its output away. */
export function cost(program: string, args: readonly string[]): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    let [cpu, peak] = [Number.NaN, Number.NaN];
    const look = (): void => {
      try {
        const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
        if (kilobytes !== undefined) peak = (Number(kilobytes) * 1024) / 1e6;
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
      if (code === 0) resolve({ seconds: (performance.now() - start) / 1000, cpu, peak });
      else reject(new Error(`${program} ${args.join(' ')}: exit code ${code}`));
    });
  });
}
