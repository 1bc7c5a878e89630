import { readFileSync } from 'node:fs';
import { didYouMean } from '../../../common/suggest.ts';
import { describeSystemError } from '../../../common/system-error.ts';
import { pluralize, printable } from '../../../common/text.ts';
import {
  type Adapter,
  createOneShotAdapter,
  createProcessAdapter,
  loadManifest,
  type Report,
  type RunOptions,
  referenceCommand,
  runConformance,
  suiteOf,
} from '../../../conformance/index.ts';
import { type Arguments, FAILED, quoteWords, usageError } from '../../command.ts';
import { assertOutputs, type Output, writeOutput } from '../../files/output-files.ts';
import { given, MAX_JOBS, millisecondsOf, wholeNumberOf } from '../../options.ts';
import { print, printJson, warn } from '../../terminal/print.ts';
import { canDraw, createLine } from '../../terminal/progress.ts';
import { MARKS } from './report-options.ts';

export const MAX_COUNT = 1_000_000;

/** Reads the options of a run that `conformance` and `conformance verify` have. */
export function runSettingsOf(args: Arguments): Partial<RunOptions> {
  return given({
    randomCases: wholeNumberOf(args, 'random', 0, MAX_COUNT),
    seed: wholeNumberOf(args, 'seed', 0, 2 ** 32 - 1),
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

/** Makes the adapter of a command, which is the reference implementation by default. */
export function adapterOf(args: Arguments, command: readonly string[]): Adapter {
  const isOneShot = args.flag('one-shot');
  if (isOneShot && command.length === 0) throw usageError('--one-shot: expected a command after --');
  const restarts = wholeNumberOf(args, 'restarts', 0, MAX_COUNT);
  const limits = given({ restarts, deadline: millisecondsOf(args, 'deadline') });
  if (isOneShot) return createOneShotAdapter(command, limits);
  return createProcessAdapter(command.length === 0 ? referenceCommand() : command, limits);
}

export function quoteAdapter(args: Arguments): string {
  const command = args.positionals;
  return command.length === 0 ? '' : `${args.flag('one-shot') ? '--one-shot ' : ''}-- ${quoteWords(command)}`;
}

/** Reads the options that write files. Each must be writable before a long run, so that none ends without its report. */
export function outputsOf<T extends keyof typeof MARKS>(
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

/** Runs an adapter through vectors, with progress, and closes it. Returns undefined, after a message, if it cannot be run. */
export async function runVectors(
  args: Arguments,
  adapter: Adapter,
  options: Pick<RunOptions, 'groups'> & Partial<RunOptions>,
): Promise<Report | undefined> {
  const line = args.flag('quiet') || !canDraw(process.stderr) ? undefined : createLine(process.stderr);
  try {
    return await runConformance(adapter, {
      suite: suiteOf(loadManifest()),
      large: args.flag('large'),
      ...options,
      onOutcome(outcome, done, all) {
        options.onOutcome?.(outcome, done, all);
        const text = () => (done < all ? `${done} of ${pluralize(all, 'vector')}  ${outcome.group}` : 'random cases');
        line?.draw((width) => text().slice(0, width));
      },
    });
  } catch (error) {
    line?.hide();
    await reportNotRun(error, args.flag('json'));
    return undefined;
  } finally {
    line?.hide();
    await adapter.close();
  }
}

export async function reportNotRun(error: unknown, json: boolean): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  if (json) await printJson({ type: 'summary', verdict: 'not-run', error: message });
  warn(`the adapter could not be run: ${message}`);
  return FAILED;
}
