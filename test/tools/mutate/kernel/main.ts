/**
 * Changes the source of the fingerprint kernel at random, one place at a time, and compares its results for the
 * documents of `answers.ts` with those of the kernel: `npx tsx test/tools/mutate/kernel/main.ts`, with `100 7`
 * for a hundred mutants by the seed 7. Prints the fate of each.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { randomOf } from '../../../fingerprint/engines.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = `${root}build/mutate/kernel/`;
const MAIN = 'fingerprint/kernel/kernel.as.ts';
/** Beside the source, as the vectors are found from there. */
const BUNDLE = `${root}test/tools/mutate/kernel/answers.bundle.mjs`;
/** Many times what the kernel takes on a busy machine, in milliseconds: longer is endless. */
const TIMEOUT = 300_000;

const { compileKernel, kernelModules } = (await import(
  new URL('../../../../src/wasm/build.mjs', import.meta.url).href
)) as {
  compileKernel(source: string, texts?: Record<string, string>): Promise<{ wasm?: Uint8Array; messages: string }>;
  kernelModules(folder: string): string[];
};

/** Bundles `answers.ts` with a kernel that is read from the file of its first argument. */
async function bundle(): Promise<void> {
  const kernel = `import { readFileSync } from 'node:fs';
    export const FINGERPRINT_WASM = readFileSync(process.argv[2]).toString('base64');`;
  await build({
    entryPoints: [`${root}test/tools/mutate/kernel/answers.ts`],
    outfile: BUNDLE,
    ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
    plugins: [
      {
        name: 'kernel',
        setup({ onLoad }) {
          onLoad({ filter: /fingerprint\/kernel\/kernel\.generated\.ts$/ }, () => ({ contents: kernel }));
        },
      },
    ],
  });
}

const expected = `${folder}expected.txt`;

/** Runs the bundle with a kernel: what it prints, or undefined if it crashed or did not end. */
function run(
  wasm: Uint8Array,
  ...args: readonly string[]
): { readonly stdout: string; readonly end: number | 'crashed' | 'endless' } {
  writeFileSync(`${folder}kernel.wasm`, wasm);
  const { status, signal, stdout } = spawnSync(process.execPath, [BUNDLE, `${folder}kernel.wasm`, ...args], {
    ...{ encoding: 'utf8', timeout: TIMEOUT, maxBuffer: 2 ** 28 },
  });
  return { stdout, end: status === 0 || status === 3 ? status : signal === null ? 'crashed' : 'endless' };
}

/** The fates of a mutant: `vectors` and `random` are the documents that find it. */
const FATES = ['refused', 'same', 'crashed', 'endless', 'vectors', 'random', 'survived'] as const;
type Fate = (typeof FATES)[number];

async function fateOf({ file, source }: Mutant, original: Uint8Array): Promise<Fate> {
  const { wasm } = await compileKernel(MAIN, { [file]: source });
  if (wasm === undefined) return 'refused';
  if (Buffer.from(wasm).equals(original)) return 'same';
  const { end, stdout } = run(wasm, expected);
  if (typeof end === 'string') return end;
  if (end === 0) return 'survived';
  return /^(?:random|hostile)\//.test(stdout) ? 'random' : 'vectors';
}

/** Picks some of a list at random, without repetition. */
function pick<T>(list: readonly T[], count: number, random: () => number): T[] {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0]!,
  );
}

mkdirSync(folder, { recursive: true });
await bundle();
const { wasm: original } = await compileKernel(MAIN);
const { end, stdout } = run(original!);
if (end !== 0) throw new Error(`the kernel itself: ${end}`);
writeFileSync(expected, stdout);
const [count = '50', seed = '1'] = process.argv.slice(2);
const files = kernelModules('fingerprint/kernel').filter((file) => !/\.generated\.|\/layout\./.test(file));
const all = files.flatMap((file) => mutantsOf(file, readFileSync(`${root}src/${file}`, 'utf8')));
const tally = new Map<Fate, number>(FATES.map((fate) => [fate, 0]));
for (const mutant of pick(all, Number(count), randomOf(seed))) {
  const fate = await fateOf(mutant, original!);
  tally.set(fate, tally.get(fate)! + 1);
  console.log(`${fate}: ${mutant.file}:${mutant.line}: ${mutant.before} -> ${mutant.after}`);
}
console.log(`${count} of ${all.length} mutants: ${FATES.map((fate) => `${tally.get(fate)} ${fate}`).join(', ')}`);
