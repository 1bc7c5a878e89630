import { lstatSync, rmSync } from 'node:fs';
import * as conformance from '../../../conformance/index.ts';
import { isFailure } from '../../../conformance/judge/conformance-classes.ts';
import { type Arguments, DONE, FAILED, NO, orUsageError, programName, usageError } from '../../command.ts';
import { given, wholeNumberOf } from '../../options.ts';
import { printJson, printStyled, styleFor } from '../../terminal/print.ts';
import {
  adapterOf,
  assertTerminator,
  MAX_COUNT,
  outputsOf,
  quoteAdapter,
  readInput,
  runSettingsOf,
  runVectors,
  writeReport,
} from './conformance-settings.ts';
import { REPORTS, RUN_REPORTS } from './report-options.ts';

/** Documents to search for the step at fault with a one-shot command. */
const MAX_LOCATED_ONE_SHOT = 8;

/** Runs `conformance` without a subcommand; `subcommands` are their names. */
export async function checkAdapter(args: Arguments, subcommands: readonly string[]): Promise<number> {
  assertTerminator(args, 0, subcommands);
  const groups = selectGroups(args);
  const idsOf = (all: readonly conformance.VectorGroup[]): string[] =>
    all.flatMap(({ vectors }) => vectors.map(({ id }) => id));
  const list = args.value('skip');
  const skip =
    list && readInput(list, (text, name) => conformance.readSkipList(text, name, idsOf(conformance.loadGroups())));
  const settings = { groups, command: args.positionals, ...runSettingsOf(args) };
  const failures = wholeNumberOf(args, 'failures', 0, MAX_COUNT);
  const adapter = adapterOf(args, args.positionals);
  const outputs = outputsOf(args, RUN_REPORTS, list === undefined ? [] : [list]);
  // Links, devices and the skip list stay.
  for (const { option, path } of outputs)
    if (option !== 'write-skip' && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) rmSync(path);
  const selection = describeSelection(args);
  const report = await runVectors(args, adapter, {
    ...settings,
    ...given({ skip: skip || undefined, selection: selection || undefined }),
    mutants: conformance.loadMutants(new Set(idsOf(groups))),
    ...(args.flag('bail') && { stopAt: isFailure }),
    // Each question to a one-shot command is a process.
    ...(args.flag('one-shot') && { located: MAX_LOCATED_ONE_SHOT, scalars: args.flag('large') }),
    ...(args.flag('json') && { onOutcome: (outcome) => void printJson({ type: 'vector', ...outcome }) }),
  });
  if (report === undefined) return FAILED;
  for (const output of outputs) await writeReport(output, REPORTS[output.option].write(conformance, report));
  if (args.flag('json')) await printJson({ type: 'summary', ...report, outcomes: undefined });
  else if (!args.flag('quiet') && !outputs.some(({ path }) => path === '-'))
    await printStyled(
      conformance.writeTerminal(report, {
        ...given({ failures }),
        paint: styleFor(process.stdout, process.env),
        again: quoteAdapter(args),
        program: programName(),
      }),
    );
  return report.verdict === 'conforms' ? DONE : NO;
}

const SELECTORS = ['group', 'filter', 'operation'] as const;

function selectGroups(args: Arguments): conformance.VectorGroup[] {
  const [groups, ids, operations] = SELECTORS.map((name) => listOf(args, name));
  const selection = given({ groups, ids, operations });
  const selected = orUsageError(() => conformance.selectVectors(conformance.loadGroups(), selection));
  if (selected.length === 0)
    throw usageError(`no vector matches ${describeSelection(args)}: ${programName()} vectors lists them`);
  return selected;
}

function describeSelection(args: Arguments): string {
  return SELECTORS.flatMap((name) => {
    const names = listOf(args, name);
    return names === undefined ? [] : [`--${name} ${names.join(',')}`];
  }).join(' ');
}

function listOf(args: Arguments, name: string): readonly string[] | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const names = value.split(',').map((each) => each.trim());
  if (names.includes(''))
    throw usageError(`--${name}: expected names separated by commas, got ${JSON.stringify(value)}`);
  return names;
}
