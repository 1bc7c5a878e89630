import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens, overlap, type TokenCounts } from '../../../src/index.ts';
import { inFolder, MAIN, optionOf, printTable } from './measure.ts';

const THRESHOLD = 0.8;
/** All documents are compared with all, so these sets are small. */
const DOCUMENTS = 3000;
const LIBRARIES = ['datasketch', 'rensa', 'simhash'];

const script = join(process.cwd(), 'test/tools/bench/duplicates.py');

/** The results of a program: pairs as `a b`, its CPU time in seconds and its peak of memory in MB. */
interface Found {
  readonly pairs: ReadonlySet<string>;
  readonly seconds: number;
  readonly peak: number;
}

/** Tests whether a library can be loaded. */
const isInstalled = (python: string, library: string): boolean =>
  existsSync(python) && spawnSync(python, ['-c', `import ${library}`]).status === 0;

const keyOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** Runs a program with GNU time, which reports its CPU time and memory. */
function measured(command: string, args: readonly string[]) {
  const { stdout, stderr } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const [user, system, peak] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { stdout, seconds: user! + system!, peak: peak! / 1024 };
}

function withDupes(file: string, ...options: string[]): Found {
  const args = [MAIN, 'dupes', '--pairs', '--json', '--quiet', '--text-field', 'text', ...options, file];
  const { stdout, seconds, peak } = measured(process.execPath, args);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"a"'));
  const rowOf = (name: string): number => Number(name.slice(name.lastIndexOf('!') + 1)) - 1;
  const pairs = lines.map((line) => JSON.parse(line) as { a: string; b: string });
  return { pairs: new Set(pairs.map(({ a, b }) => keyOf(rowOf(a), rowOf(b)))), seconds, peak };
}

function withLibrary(python: string, library: string, file: string): Found | null {
  const { status, stdout } = spawnSync(python, [script, library, file], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status !== 0) return null;
  const { pairs, seconds, peak } = JSON.parse(stdout) as { pairs: [number, number][]; seconds: number; peak: number };
  return { pairs: new Set(pairs.map(([a, b]) => keyOf(a, b))), seconds, peak: peak / 1024 };
}

/** All pairs whose overlap is at least the threshold. */
function bruteForce(counts: readonly TokenCounts[]): Set<string> {
  const sizes = counts.map((each) => each.counts.reduce((sum, count) => sum + count, 0));
  const pairs = new Set<string>();
  for (const [i, a] of counts.entries())
    for (let j = i + 1; j < counts.length; j++) {
      if (Math.min(sizes[i]!, sizes[j]!) < THRESHOLD * Math.max(sizes[i]!, sizes[j]!)) continue;
      if (overlap(a, counts[j]!) >= THRESHOLD) pairs.add(keyOf(i, j));
    }
  return pairs;
}

/** Documents of Zipf-distributed words, a third of which are others with up to a quarter of their words replaced. */
function generated(): string[] {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (): string => `w${Math.floor(20_000 ** random())}`;
  const texts: string[][] = [];
  for (let i = 0; i < DOCUMENTS; i++) {
    const share = random() / 4;
    const other = texts[Math.floor(random() * i)];
    const isCopy = i > 100 && random() < 1 / 3;
    const length = 50 + Math.floor(random() * 400);
    texts.push(isCopy ? other!.map((each) => (random() < share ? word() : each)) : Array.from({ length }, word));
  }
  return texts.map((words) => words.join(' '));
}

/** The texts of a folder. */
function real(folder: string): string[] {
  const args = [MAIN, 'extract', '--json', '--quiet', '--max-size', '50K', folder];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const texts = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text?: string }).text ?? '');
  return texts.filter((text) => text.length < 50_000);
}

/** Leaves out documents without a token, and those with the tokens of another one: every program finds them. */
function distinct(texts: readonly string[]): { readonly texts: string[]; readonly counts: TokenCounts[] } {
  const found = new Map<string, { text: string; counts: TokenCounts }>();
  for (const text of texts) {
    const counts = countTokens(text);
    if (counts.counts.length > 0 && found.size < DOCUMENTS)
      found.set(`${counts.hashes} ${counts.counts}`, { text, counts });
  }
  const all = [...found.values()];
  return { texts: all.map(({ text }) => text), counts: all.map(({ counts }) => counts) };
}

/** Compares `dupes` with other programs: `--venv=FOLDER` with the libraries of PyPI, `--folder=FOLDER` with documents. */
export async function benchDuplicates(): Promise<void> {
  const python = join(optionOf('venv') ?? 'build/python', 'bin/python');
  await inFolder(async (folder) => {
    for (const [name, all] of [
      ['generated', generated()],
      ['real', real(optionOf('folder') ?? '/usr/share/doc')],
    ] as const) {
      const { texts, counts } = distinct(all);
      const file = join(folder, `${name}.jsonl`);
      writeFileSync(file, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''));
      const expected = bruteForce(counts);
      console.log(
        `${name}: ${texts.length} documents, ${readFileSync(file).length} bytes, ${expected.size} pairs of overlap ${THRESHOLD} or more`,
      );
      const programs: [string, Found | null | undefined][] = [
        ['dupes', withDupes(file)],
        ['dupes --no-verify', withDupes(file, '--no-verify')],
        ...LIBRARIES.map((library): [string, Found | null | undefined] => [
          library,
          isInstalled(python, library) ? withLibrary(python, library, file) : undefined,
        ]),
      ];
      const rows = programs.map(([program, found]) => {
        if (found === undefined) return [program, 'not installed', '', '', '', ''];
        if (found === null) return [program, 'failed', '', '', '', ''];
        const right = [...found.pairs].filter((pair) => expected.has(pair)).length;
        return [
          program,
          found.seconds.toFixed(1),
          Math.round(found.peak),
          found.pairs.size,
          `${((100 * right) / Math.max(1, found.pairs.size)).toFixed(1)} %`,
          `${((100 * right) / Math.max(1, expected.size)).toFixed(1)} %`,
        ];
      });
      printTable([['program', 'CPU, s', 'peak, MB', 'pairs', 'precision', 'recall'], ...rows]);
    }
  });
}
