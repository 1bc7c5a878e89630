import type { Input } from './corpus.ts';
import { randomOf } from './random.ts';
import type { Runner } from './runner.ts';
import { TARGETS } from './targets.ts';

/** An input that fails. */
export interface Finding {
  readonly target: string;
  /** The number of the case: it and the seed make the input. */
  readonly number: number;
  readonly input: Input;
  /** The failure. */
  readonly report: string;
}

/** The maximum number of changes that are tried to make an input smaller. */
const MAX_TRIES = 200;

/** The input of a case. */
export async function makeInput(target: string, seed: number, number: number): Promise<Input> {
  return TARGETS[target]!.make(randomOf((Math.imul(seed, 0x9e3779b9) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0));
}

/** Checks one case; if it fails, makes its input smaller. */
export async function runCase(runner: Runner, target: string, seed: number, number: number): Promise<Finding | null> {
  const input = await makeInput(target, seed, number);
  const report = await runner.check(target, input);
  if (report === null) return null;
  return { target, number, ...(await minimize(runner, target, input, report)) };
}

/** The first line without numbers: smaller inputs must fail in the same way. */
function kindOf(report: string): string {
  return report.split('\n', 1)[0]!.replaceAll(/\d+/g, '#').slice(0, 80);
}

async function minimize(runner: Runner, target: string, first: Input, firstReport: string) {
  let [input, report] = [first, firstReport];
  const kind = kindOf(firstReport);
  // Failures that take long or much memory are not tried hundreds of times.
  let left = /^(?:timeout|memory|the thread)/.test(kind) ? 0 : MAX_TRIES;
  for (let size = input.bytes.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < input.bytes.length && left > 0; left--) {
      const bytes = Buffer.concat([input.bytes.subarray(0, at), input.bytes.subarray(at + size)]);
      const smaller = { ...input, bytes: new Uint8Array(bytes) };
      const found = await runner.check(target, smaller);
      if (found !== null && kindOf(found) === kind) [input, report] = [smaller, found];
      else at += size;
    }
  return { input, report };
}
