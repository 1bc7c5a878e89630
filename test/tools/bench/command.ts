import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeText } from './corpus.ts';
import { type Cost, cost, inFolder, MAIN, optionOf, printTable } from './measure.ts';

/** The number of files in the folder, and the approximate bytes of each. */
const FILES = 20_000;
const FILE = 5000;

/**
 * Measures the command as whole processes beside `sha256sum`: its start, a folder of 20,000 texts, and one text of some
 * gigabytes (`--gigabytes=10`, default 1).
 */
export async function benchCommand(): Promise<void> {
  const gigabytes = Number(optionOf('gigabytes') ?? 1);
  await inFolder(async (folder) => {
    const text = Buffer.from(makeText('english', 64 << 20, 1));
    const line = join(folder, 'line.txt');
    writeFileSync(line, text.subarray(0, 80));
    await table('start', 80, [
      ['node -e 0', process.execPath, ['-e', '0']],
      ['simhash-doc --version', process.execPath, [MAIN, '--version']],
      ['simhash-doc hash', process.execPath, [MAIN, 'hash', line]],
    ]);

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
  const rows: (string | number)[][] = [[title, 's', 'CPU s', 'MB/s', 'rate of the first', 'peak, MB']];
  let first: Cost | undefined;
  for (const [name, program, args] of commands) {
    // The first run warms the system's cache of files; the better of two others counts.
    await cost(program, args);
    const [a, b] = [await cost(program, args), await cost(program, args)];
    const best = a.seconds < b.seconds ? a : b;
    first ??= best;
    const { seconds, cpu, peak } = best;
    const rates = [Math.round(bytes / seconds / 1e6), (first.seconds / seconds).toFixed(2)];
    rows.push([name, seconds.toFixed(2), cpu.toFixed(2), ...rates, peak.toFixed()]);
  }
  printTable(rows);
}
