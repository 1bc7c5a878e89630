import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canBuildWheel, installWheel, PYTHON } from '../../adapters/wheel.ts';
import { type Language, makeText } from './corpus.ts';
import { inFolder, printTable } from './measure.ts';

const TEXTS = 10_000;
const BYTES = 2000;
const script = join(process.cwd(), 'test/tools/bench/wheel.py');

/** Measures the Python package on texts of 2 kB. */
export async function benchWheel(): Promise<void> {
  if (!canBuildWheel()) {
    console.log('not measured: cargo, or maturin in build/python, is missing\n');
    return;
  }
  await inFolder(async (folder) => {
    const { env, seconds } = installWheel();
    console.log(`pip install and the first fingerprint: ${seconds.toFixed(1)} s\n`);
    const rates = new Map<string, number[]>();
    const languages: readonly Language[] = ['english', 'mixed'];
    for (const language of languages) {
      const file = join(folder, `${language}.json`);
      // Passages of one text: to make a vocabulary for each would take longer than the measurement.
      const text = makeText(language, TEXTS * BYTES, 1);
      const size = Math.ceil(text.length / TEXTS);
      writeFileSync(
        file,
        JSON.stringify(Array.from({ length: TEXTS }, (_, i) => text.slice(i * size, (i + 1) * size))),
      );
      const { status, stdout, stderr } = spawnSync(PYTHON, [script, file], { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      for (const [program, ...measured] of JSON.parse(stdout) as [string, number, number][])
        rates.set(program, [...(rates.get(program) ?? []), ...measured]);
    }
    const head = ['MB/s', ...languages.flatMap((language) => [`${language}, by CPU`, 'by the clock'])];
    const rows = [...rates].map(([program, measured]) => [
      program,
      ...measured.map((rate) => Number(rate.toPrecision(3))),
    ]);
    printTable([head, ...rows]);
  });
}
