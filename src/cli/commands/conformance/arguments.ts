import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { didYouMean } from '../../../common/suggest.ts';
import { describeSystemError } from '../../../common/system-error.ts';
import { printable } from '../../../common/text.ts';
import {
  type Adapter,
  type AdapterLimits,
  createOneShotAdapter,
  createProcessAdapter,
  type RunOptions,
  referenceCommand,
} from '../../../conformance/index.ts';
import { type Arguments, FAILED, usageError } from '../../command.ts';
import { assertOutputs, type Output, writeOutput } from '../../files/outputs.ts';
import { given, MAX_JOBS, millisecondsOf, wholeNumberOf } from '../../options.ts';
import { quoteWords } from '../../program.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { MARKS } from './reports.ts';

/** The largest value of options that are numbers of cases, failures and the like. */
export const MAX_COUNT = 1_000_000;

/** The value of an option that takes a list of names. */
export function listOf(args: Arguments, name: string): readonly string[] | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const names = value.split(',').map((each) => each.trim());
  if (names.includes(''))
    throw usageError(`--${name}: expected names separated by commas, got ${JSON.stringify(value)}`);
  return names;
}

export function limitsOf(args: Arguments): AdapterLimits {
  return given({ restarts: wholeNumberOf(args, 'restarts', 0, MAX_COUNT), deadline: millisecondsOf(args, 'deadline') });
}

/** Reads the options about the random cases of a run. */
export function casesOf(args: Arguments): Pick<RunOptions, 'randomCases' | 'seed'> {
  return given({
    randomCases: wholeNumberOf(args, 'random', 0, MAX_COUNT),
    seed: wholeNumberOf(args, 'seed', 0, 2 ** 32 - 1),
  });
}

export function runLimitsOf(args: Arguments): Pick<RunOptions, 'crashes' | 'time' | 'jobs'> {
  return given({
    crashes: wholeNumberOf(args, 'crashes', 0, MAX_COUNT),
    time: millisecondsOf(args, 'time'),
    jobs: wholeNumberOf(args, 'jobs', 1, MAX_JOBS),
  });
}

/** Throws a usage error for a command that is not after `--`; before it, the word may be a misspelt subcommand. */
export function assertTerminator({ positionals, before }: Arguments, max: number, names: readonly string[] = []): void {
  const word = positionals[max];
  if (before <= max || word === undefined) return;
  if (names.includes(word)) throw usageError(`expected ${JSON.stringify(word)} before the options`);
  const hint = didYouMean(word, names);
  if (hint !== '') throw usageError(`unknown subcommand ${JSON.stringify(word)}${hint}`);
  const unknown = names.length === 0 ? '' : `unknown subcommand ${JSON.stringify(word)}; `;
  throw usageError(`${unknown}expected -- before the command of the adapter: -- ${quoteWords(positionals.slice(max))}`);
}

/** The command of an adapter as it would be typed: `-- python3 'my adapter.py'`. */
export function quoteAdapter(command: readonly string[], isOneShot: boolean): string {
  return command.length === 0 ? '' : `${isOneShot ? '--one-shot ' : ''}-- ${quoteWords(command)}`;
}

/** Makes the adapter of a command; of the reference implementation if there is no command. */
export function adapterOf(args: Arguments, command: readonly string[]): Adapter {
  if (command.length === 0 && args.flag('one-shot')) throw usageError('--one-shot: expected a command after --');
  const limits = limitsOf(args);
  if (args.flag('one-shot')) return createOneShotAdapter(command, limits);
  return createProcessAdapter(command.length === 0 ? referenceCommand() : command, limits);
}

export type ReportOption = keyof typeof MARKS;

/** Reads the options that write files. Each must be writable before a long run, so that none ends without its report. */
export function outputsOf<T extends ReportOption>(
  args: Arguments,
  names: readonly T[],
  inputs: readonly string[],
): (Output & { readonly option: T })[] {
  const outputs = names.flatMap((option) => {
    const path = args.value(option);
    return path === undefined ? [] : [{ option, path, isOurs: (head: string) => MARKS[option].test(head) }];
  });
  const toStdout = outputs.filter(({ path }) => path === '-').map(({ option }) => `--${option}`);
  if (args.flag('json')) toStdout.push('--json');
  if (toStdout.length > 1) throw usageError(`${toStdout.join(' and ')} cannot both go to standard output`);
  assertOutputs(
    outputs.filter(({ path }) => path !== '-'),
    inputs,
  );
  return outputs;
}

/** Removes the reports of an earlier run, so that they are not mistaken for those of a run that fails. */
export function removeReports(outputs: readonly (Output & { readonly option: ReportOption })[]): void {
  // Links, devices, the baseline and the skip list stay.
  for (const { option, path } of outputs)
    if (!['baseline', 'write-skip'].includes(option) && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
      rmSync(path);
}

export async function writeReport(output: Output, text: string): Promise<void> {
  await (output.path === '-' ? print(text) : writeOutput(output, text));
}

export function readInput<T>(path: string, parse: (text: string, name: string) => T): T {
  try {
    return parse(readFileSync(path, 'utf8'), printable(path));
  } catch (error) {
    if (!('syscall' in (error as object))) throw usageError((error as Error).message);
    throw usageError(`${printable(path)}: ${describeSystemError(error, { ENOENT: 'no such file' })}`);
  }
}

/** Reports that the adapter could not be run; returns the exit code. */
export async function reportNotRun(error: unknown, json: boolean): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  if (json) await printJson({ type: 'summary', verdict: 'not-run', error: message });
  warn(`the adapter could not be run: ${message}`);
  return FAILED;
}
