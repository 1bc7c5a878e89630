import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Finding, runCase } from './fuzz.ts';
import { FAMILIES, growthOf } from './growth.ts';
import { createRunner } from './runner.ts';
import { TARGETS } from './targets.ts';

const USAGE = `Usage: npm run fuzz -- MINUTES [--seed N] [TARGET...]
       npm run fuzz -- --growth [START OF A NAME...]
       npm run fuzz -- --input FILE [--hints JSON] TARGET
Targets: ${Object.keys(TARGETS).join(', ')} (default: all)`;

/** The folder of inputs that fail. */
const FOLDER = 'build/fuzz/findings';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      input: { type: 'string' },
      growth: { type: 'boolean' },
      hints: { type: 'string' },
    },
  });
  if (values.growth === true) return measureGrowth(positionals);
  const minutes = values.input === undefined ? Number(positionals.shift()) : 0;
  const targets = positionals.length === 0 ? Object.keys(TARGETS) : positionals;
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  if (Number.isNaN(minutes) || !Number.isInteger(seed) || targets.some((each) => !(each in TARGETS))) {
    console.error(USAGE);
    return 2;
  }
  if (values.input !== undefined) return checkFile(targets[0]!, values.input, values.hints);
  console.log(`seed ${seed}, targets ${targets.join(' ')}`);
  return fuzz(targets, seed, Date.now() + minutes * 60_000);
}

async function checkFile(target: string, path: string, hints = '{}'): Promise<number> {
  const runner = createRunner();
  const input = { bytes: new Uint8Array(readFileSync(path)), hints: JSON.parse(hints) };
  const report = await runner.check(target, input);
  await runner.close();
  console.log(report ?? 'nothing is wrong');
  return report === null ? 0 : 1;
}

/** Measures inputs of n, 2n and 4n; cost that grows faster than the input is a finding. */
async function measureGrowth(starts: readonly string[]): Promise<number> {
  let faults = 0;
  for (const family of FAMILIES) {
    if (starts.length > 0 && !starts.some((start) => family.name.startsWith(start))) continue;
    const first = await growthOf(family);
    // Compiling or collecting garbage may fall into one measurement.
    const { figures, fault } = first.fault === null ? first : await growthOf(family);
    if (fault !== null) faults++;
    console.log(`${family.name}: ${figures}${fault === null ? '' : `: superlinear ${fault}`}`);
  }
  return faults === 0 ? 0 : 1;
}

async function fuzz(targets: readonly string[], seed: number, end: number): Promise<number> {
  const runner = createRunner();
  const kinds = new Map<string, number>();
  let number = 0;
  for (; Date.now() < end; number++) {
    const finding = await runCase(runner, targets[number % targets.length]!, seed, number);
    if (finding === null) continue;
    const kind = `${finding.target}: ${finding.report.split('\n', 1)[0]!.slice(0, 60)}`;
    const times = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, times);
    if (times <= 3) save(finding);
  }
  await runner.close();
  console.log(`${number} cases, ${kinds.size} kinds of findings; seed ${seed}`);
  for (const [kind, times] of kinds) console.log(`${times} times ${kind}`);
  return kinds.size === 0 ? 0 : 1;
}

function save({ target, number, input, report }: Finding): void {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}/${target}-${number}`;
  writeFileSync(path, input.bytes);
  const hints = input.hints === undefined ? '' : ` --hints '${JSON.stringify(input.hints)}'`;
  console.log(`${report}\n  case ${number}; repeat: npm run fuzz -- --input ${path}${hints} ${target}\n`);
}

process.exitCode = await main();
