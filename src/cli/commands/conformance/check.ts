import { statSync } from 'node:fs';
import * as conformance from '../../../conformance/index.ts';
import {
  type Adapter,
  applyBaseline,
  type Baseline,
  type BaselineVerdict,
  baselineOf,
  loadGroups,
  loadManifest,
  loadMutants,
  type Report,
  readBaseline,
  readSkipList,
  runConformance,
  selectVectors,
  suiteOf,
  type VectorGroup,
  writeBaseline,
  writeTerminal,
} from '../../../conformance/index.ts';
import { isFailure } from '../../../conformance/report/terminal/failures.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { type Output, writeOutput } from '../../files/outputs.ts';
import { wholeNumberOf } from '../../options.ts';
import { programName } from '../../program.ts';
import { printJson, printStyled, styleFor } from '../../terminal/output.ts';
import {
  adapterOf,
  listOf,
  outputsOf,
  quoteAdapter,
  readInput,
  removeReports,
  reportNotRun,
  runLimitsOf,
  writeReport,
} from './arguments.ts';
import { createVectorProgress } from './progress.ts';
import { REPORTS, RUN_REPORTS } from './reports.ts';

export async function check(args: Arguments): Promise<number> {
  const groups = selectGroups(args);
  const settings = {
    groups,
    selection: describeSelection(args),
    randomCases: wholeNumberOf(args, 'random', 0, 1_000_000),
    seed: wholeNumberOf(args, 'seed', 0, 2 ** 32 - 1),
    skip: readSkipped(args),
    limits: runLimitsOf(args),
    failures: wholeNumberOf(args, 'failures', 0, 1_000_000),
  };
  const adapter = adapterOf(args, args.positionals);
  const outputs = reportsOf(args);
  const before = readKnownFailures(args);
  removeReports(outputs);
  let report: Report;
  try {
    report = await run(args, adapter, { ...settings, before });
  } catch (error) {
    return await reportNotRun(error, args.flag('json'));
  } finally {
    await adapter.close();
  }
  const update = outputs.find(({ option }) => option === 'baseline');
  const baseline = await judgeByBaseline(update, report, before);
  for (const output of outputs)
    if (output.option !== 'baseline')
      await writeReport(output, REPORTS[output.option].write(conformance, report, { baseline }));
  if (args.flag('json')) await printJson({ type: 'summary', ...report, outcomes: undefined, baseline });
  else if (!args.flag('quiet') && !outputs.some(({ path }) => path === '-'))
    await printStyled(
      writeTerminal(report, {
        ...(settings.failures !== undefined && { failures: settings.failures }),
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
  const selection = { ...(groups && { groups }), ...(ids && { ids }), ...(operations && { operations }) };
  try {
    const selected = selectVectors(loadGroups(), selection);
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

interface Settings {
  readonly groups: readonly VectorGroup[];
  readonly selection: string;
  readonly randomCases: number | undefined;
  readonly seed: number | undefined;
  readonly skip: ReadonlySet<string>;
  readonly limits: ReturnType<typeof runLimitsOf>;
  /** The known failures. */
  readonly before: Baseline | undefined;
}

/** Documents to search for the step at fault. Each question to a one-shot command is a process. */
const MAX_LOCATED_ONE_SHOT = 8;

async function run(args: Arguments, adapter: Adapter, settings: Settings): Promise<Report> {
  const { groups, selection, randomCases, seed, skip, limits, before } = settings;
  const json = args.flag('json');
  const progress = createVectorProgress(args.flag('quiet'));
  try {
    return await runConformance(adapter, {
      groups,
      suite: suiteOf(loadManifest()),
      mutants: loadMutants(new Set(groups.flatMap(({ vectors }) => vectors.map(({ id }) => id)))),
      command: args.positionals,
      large: args.flag('large'),
      ...limits,
      skip,
      ...(args.flag('bail') && {
        stopAt: (outcome) => isFailure(outcome) && !Object.hasOwn(before?.failures ?? {}, outcome.id),
      }),
      ...(selection !== '' && { selection }),
      ...(args.flag('one-shot') && { located: MAX_LOCATED_ONE_SHOT, scalars: args.flag('large') }),
      ...(randomCases !== undefined && { randomCases }),
      ...(seed !== undefined && { seed }),
      onOutcome(outcome, done, all) {
        if (json) void printJson({ type: 'vector', ...outcome });
        progress.update(done, all, outcome.group);
      },
    });
  } finally {
    progress.end();
  }
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
    if (isUpdate) throw usageError('--update-baseline: expected --baseline FILE too');
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
