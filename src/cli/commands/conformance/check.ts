import { statSync } from 'node:fs';
import * as conformance from '../../../conformance/index.ts';
import {
  applyBaseline,
  type Baseline,
  type BaselineVerdict,
  baselineOf,
  loadGroups,
  loadMutants,
  type Report,
  type RunOptions,
  readBaseline,
  readSkipList,
  selectVectors,
  type VectorGroup,
  writeBaseline,
  writeTerminal,
} from '../../../conformance/index.ts';
import { isFailure } from '../../../conformance/report/terminal/failures.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { type Output, writeOutput } from '../../files/outputs.ts';
import { given, wholeNumberOf } from '../../options.ts';
import { programName } from '../../program.ts';
import { printJson, printStyled, styleFor } from '../../terminal/output.ts';
import {
  adapterOf,
  casesOf,
  listOf,
  MAX_COUNT,
  outputsOf,
  quoteAdapter,
  readInput,
  removeReports,
  runLimitsOf,
  writeReport,
} from './arguments.ts';
import { REPORTS, RUN_REPORTS } from './reports.ts';
import { runVectors } from './run.ts';

export async function check(args: Arguments): Promise<number> {
  const groups = selectGroups(args);
  const options = { groups, ...casesOf(args), skip: readSkipped(args), ...runLimitsOf(args) };
  const failures = wholeNumberOf(args, 'failures', 0, MAX_COUNT);
  const adapter = adapterOf(args, args.positionals);
  const outputs = reportsOf(args);
  const before = readKnownFailures(args);
  removeReports(outputs);
  const report = await runVectors(args, adapter, { ...options, ...runOptionsOf(args, groups, before) });
  if (report === undefined) return FAILED;
  const update = outputs.find(({ option }) => option === 'baseline');
  const baseline = await judgeByBaseline(update, report, before);
  for (const output of outputs)
    if (output.option !== 'baseline')
      await writeReport(output, REPORTS[output.option].write(conformance, report, { baseline }));
  if (args.flag('json')) await printJson({ type: 'summary', ...report, outcomes: undefined, baseline });
  else if (!args.flag('quiet') && !outputs.some(({ path }) => path === '-'))
    await printStyled(
      writeTerminal(report, {
        ...given({ failures }),
        paint: styleFor(process.stdout, process.env),
        baseline,
        again: quoteAdapter(args.positionals, args.flag('one-shot')),
        program: programName(),
        histogram: args.flag('grade'),
      }),
    );
  const passes = baseline === undefined ? report.verdict === 'conforms' : baseline.passes;
  return passes ? DONE : NO;
}

const SELECTORS = ['group', 'filter', 'operation'] as const;

function selectGroups(args: Arguments): VectorGroup[] {
  const [groups, ids, operations] = SELECTORS.map((name) => listOf(args, name));
  try {
    const selected = selectVectors(loadGroups(), given({ groups, ids, operations }));
    if (selected.length === 0)
      throw usageError(`no vector matches ${describeSelection(args)}: ${programName()} vectors lists them`);
    return selected;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message);
  }
}

function readSkipped(args: Arguments): ReadonlySet<string> {
  const path = args.value('skip');
  if (path === undefined) return new Set();
  const ids = loadGroups().flatMap(({ vectors }) => vectors.map(({ id }) => id));
  return readInput(path, (text, name) => readSkipList(text, name, ids));
}

/** The selection as it was typed; empty for all vectors. */
function describeSelection(args: Arguments): string {
  return SELECTORS.flatMap((name) => {
    const names = listOf(args, name);
    return names === undefined ? [] : [`--${name} ${names.join(',')}`];
  }).join(' ');
}

/** Documents to search for the step at fault. Each question to a one-shot command is a process. */
const MAX_LOCATED_ONE_SHOT = 8;

/** The options of a run that only this command has; `before` are the known failures. */
function runOptionsOf(
  args: Arguments,
  groups: readonly VectorGroup[],
  before: Baseline | undefined,
): Partial<RunOptions> {
  const selection = describeSelection(args);
  return {
    mutants: loadMutants(new Set(groups.flatMap(({ vectors }) => vectors.map(({ id }) => id)))),
    command: args.positionals,
    ...(args.flag('bail') && {
      stopAt: (outcome) => isFailure(outcome) && !Object.hasOwn(before?.failures ?? {}, outcome.id),
    }),
    ...(selection !== '' && { selection }),
    ...(args.flag('one-shot') && { located: MAX_LOCATED_ONE_SHOT, scalars: args.flag('large') }),
    ...(args.flag('json') && { onOutcome: (outcome) => void printJson({ type: 'vector', ...outcome }) }),
  };
}

function reportsOf(args: Arguments) {
  const isUpdate = args.flag('update-baseline');
  const inputs = ['skip', ...(isUpdate ? [] : ['baseline'])].flatMap((name) => args.value(name) ?? []);
  return outputsOf(args, isUpdate ? [...RUN_REPORTS, 'baseline'] : RUN_REPORTS, inputs);
}

/** Reads the baseline, if there is one; with --update-baseline it need not exist yet. */
function readKnownFailures(args: Arguments): Baseline | undefined {
  const path = args.value('baseline');
  const isUpdate = args.flag('update-baseline');
  if (path === undefined) {
    if (isUpdate) throw usageError('--update-baseline needs --baseline FILE');
    return undefined;
  }
  if (isUpdate && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  return readInput(path, readBaseline);
}

/** Judges a run by its baseline, after updating that if asked to. */
async function judgeByBaseline(
  update: Output | undefined,
  report: Report,
  before: Baseline | undefined,
): Promise<BaselineVerdict | undefined> {
  let baseline = before;
  if (update !== undefined) {
    baseline = baselineOf(report, before);
    await writeOutput(update, writeBaseline(baseline));
  }
  if (baseline === undefined) return undefined;
  const vectors = loadGroups().flatMap((group) => group.vectors);
  const live = vectors.filter(({ status }) => status !== 'retired');
  return applyBaseline(report, baseline, new Set(live.map(({ id }) => id)));
}
