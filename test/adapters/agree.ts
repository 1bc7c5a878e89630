/**
 * Runs the implementations in vectors/adapters/, and the Python package, on random inputs until one disagrees with the reference, which then
 * disagrees with the others too: `npm run agree -- MINUTES [--seed N]`. Also measures the speed of all of them.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toHexDigits } from '../../src/common/bytes.ts';
import { createProcessAdapter } from '../../src/conformance/adapter/process.ts';
import type { Adapter } from '../../src/conformance/adapter/protocol.ts';
import type { Disagreement } from '../../src/conformance/diagnosis/failure.ts';
import { compareOperation, compareRandomly } from '../../src/conformance/random/compare.ts';
import { caseOf } from '../../src/conformance/suite/accumulate.ts';
import type { AccumulatedStep, SeededCases } from '../../src/conformance/types.ts';
import * as scheme from '../../src/index.ts';
import { randomOf } from '../tools/fuzz/random.ts';
import { fingerprint as fuzzed } from '../tools/fuzz/targets/text.ts';
import { implementations } from './implementations.ts';
import { canBuildWheel, installWheel, WHEEL } from './wheel.ts';

const USAGE = 'Usage: npm run agree -- MINUTES [--seed N]      MINUTES may be 0: measure the speed only';

/** An implementation that runs. */
export interface Contender {
  readonly name: string;
  readonly adapter: Adapter;
  /** Times it, where the time for making the texts would hide the one for their fingerprints. */
  readonly timer?: Timer;
}

/** Random cases of each operation, and documents of the fuzzer, in one round. */
const CASES = 20;

/** Runs all implementations once; gives the number of answers, and writes where they differ from the reference. */
export async function compareAll(
  contenders: readonly Contender[],
  seed: number,
  write: (line: string) => void,
): Promise<{ readonly compared: number; readonly disagreements: number }> {
  const rounds = await Promise.all(
    contenders.map(async ({ name, adapter }) => {
      const random = await compareRandomly(adapter, { cases: CASES, seed });
      let number = 0;
      const make = async (): Promise<unknown> => {
        const label = scheme.LABELS[number % scheme.LABELS.length]!;
        const { bytes } = await fuzzed.make(randomOf((Math.imul(seed, 0x9e3779b9) ^ number++) >>> 0));
        return { utf8: toHexDigits(bytes), label };
      };
      const documents = await compareOperation(adapter, 'fingerprint', make, CASES, seed);
      const disagreements = [...random.disagreements, ...documents.disagreements];
      for (const each of disagreements) write(describe(name, seed, each));
      return { compared: random.compared + documents.compared, disagreements: disagreements.length };
    }),
  );
  const sum = (key: 'compared' | 'disagreements'): number => rounds.reduce((total, each) => total + each[key], 0);
  return { compared: sum('compared'), disagreements: sum('disagreements') };
}

function describe(name: string, seed: number, { operation, input, expected, reply }: Disagreement): string {
  const show = (value: unknown): string => JSON.stringify(value).slice(0, 2000);
  return `${name} disagrees in ${operation}, seed ${seed}: ${show(input)}\n  expected ${show(expected)}\n  got ${show(reply)}`;
}

const VOCABULARY =
  'the a of and to in is that was for on are with as his they be at one have this from document fingerprint similarity words ' +
  'between different caf\u00e9 na\u00efve \u043f\u0440\u0438\u0432\u0435\u0442 \u6587\u66f8 2026 H2O example.org http://example.org/a';

/** Texts that each implementation makes by itself, so that no transport is measured. */
const textsOf = (count: number, words: number): Omit<SeededCases, 'step'> => ({
  ...{ seed: 1, count },
  rule: {
    rule: 'words',
    least: words,
    most: words,
    vocabulary: VOCABULARY.split(' '),
    separators: [' ', ' ', ', ', '.\n'],
  },
});
const ONE_TEXT = textsOf(1, 180_000);
const DOCUMENTS = textsOf(1000, 100);

/** The time for the fingerprints of texts, in seconds. */
type Timer = (rule: ReturnType<typeof textsOf>) => Promise<number>;

/** Times the library, as a caller of it would compute them. */
const timeLibrary: Timer = (rule) => {
  const texts = Array.from({ length: rule.count }, (_, i) => {
    const { input } = caseOf({ ...rule, step: 'fingerprint' }, i);
    return (input as { text: string }).text;
  });
  return time(() => {
    for (const text of texts) scheme.fingerprint(text);
  });
};

/** Times an adapter, without the time for making the texts, whose hashes take next to none. */
const timeAdapter =
  ({ name, adapter }: Contender): Timer =>
  async (rule) => {
    const run = async (step: AccumulatedStep): Promise<void> => {
      const reply = await adapter.request('accumulate', { ...rule, step });
      if (reply.kind !== 'ok') throw new Error(`${name}: expected a digest, got ${JSON.stringify(reply)}`);
    };
    return (await time(() => run('fingerprint'))) - (await time(() => run('token-hash')));
  };

/** Prints the shortest of some runs over the texts of a rule: python3 -c WHEEL_TIMER FOLDER RULE. */
const WHEEL_TIMER = `
import json, sys, time
sys.path.insert(0, sys.argv[1])
import adapter, simhash_doc
given = json.loads(sys.argv[2])
texts = [adapter.build(given["rule"], given["seed"] + i, given["rule"]["least"]) for i in range(given["count"])]
times = []
for _ in range(3):
    start = time.perf_counter()
    for text in texts:
        simhash_doc.fingerprint(text)
    times.append(time.perf_counter() - start)
print(min(times))
`;

/** Starts the Python package, which shares its code with the crate. */
function startWheel(): ReturnType<typeof startContenders> {
  if (!canBuildWheel()) {
    console.warn('wheel: not run, cargo or maturin in build/python is missing');
    return [];
  }
  const { python } = installWheel();
  const timer: Timer = async (rule) =>
    Number(execFileSync(python, ['-B', '-c', WHEEL_TIMER, WHEEL, JSON.stringify(rule)], { encoding: 'utf8' }));
  const command = [python, '-B', join(WHEEL, 'adapter.py')];
  return [{ name: 'wheel', adapter: createProcessAdapter(command, { deadline: 60_000 }), timer }];
}

/** The shortest of some runs, in seconds. */
async function time(run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    await run();
    best = Math.min(best, performance.now() - start);
  }
  return best / 1000;
}

/** Measures all implementations and the library, one after another. */
export async function measureSpeed(contenders: readonly Contender[]): Promise<string> {
  const { text } = caseOf({ ...ONE_TEXT, step: 'fingerprint' }, 0).input as { text: string };
  const size = Buffer.byteLength(text) / 1e6;
  const timers: [name: string, timer: Timer][] = [
    ['reference (TypeScript)', timeLibrary],
    ...contenders.map((each): [string, Timer] => [each.name, each.timer ?? timeAdapter(each)]),
  ];
  const measured: [name: string, speed: number, documents: number][] = [];
  for (const [name, timer] of timers)
    measured.push([name, size / (await timer(ONE_TEXT)), DOCUMENTS.count / (await timer(DOCUMENTS))]);
  const [, speed, documents] = measured[0]!;
  const rows = measured.map((row) => {
    const ratios = [row[1] / speed, row[2] / documents].map((ratio) => ratio.toPrecision(2));
    return `| ${row[0]} | ${Number(row[1].toPrecision(2))} | ${ratios[0]} | ${Math.round(row[2])} | ${ratios[1]} |`;
  });
  const head = `| Implementation | One text of ${size.toFixed(1)} MB, MB/s | Ratio | Documents of 100 words, per second | Ratio |`;
  return [head, '|---|---|---|---|---|', ...rows].join('\n');
}

/** Starts what can be run here. */
export function startContenders(): (Contender & { readonly adapter: { close(): Promise<void> } })[] {
  const started = implementations.flatMap(({ name, command }) => {
    const found = command();
    if (!('missing' in found)) return [{ name, adapter: createProcessAdapter(found, { deadline: 60_000 }) }];
    console.warn(`${name}: not run, ${found.missing} is missing`);
    return [];
  });
  return [...started, ...startWheel()];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
  const minutes = Number(positionals[0]);
  let seed = Number(values.seed ?? Date.now() % 2 ** 31);
  if (positionals.length !== 1 || !(minutes >= 0) || !Number.isInteger(seed)) {
    console.error(USAGE);
    return 2;
  }
  const contenders = startContenders();
  // Building them does not count.
  const end = Date.now() + minutes * 60_000;
  let compared = 0;
  let disagreements = 0;
  console.log(`seed ${seed}: ${contenders.map(({ name }) => name).join(', ')}`);
  for (; Date.now() < end && disagreements === 0; seed++) {
    const round = await compareAll(contenders, seed, console.log);
    compared += round.compared;
    disagreements += round.disagreements;
  }
  console.log(`${compared} answers compared, ${disagreements} disagreements\n`);
  console.log(await measureSpeed(contenders));
  for (const { adapter } of contenders) await adapter.close();
  return disagreements === 0 ? 0 : 1;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exitCode = await main();
