import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { didYouMean } from '../../../common/suggest.ts';
import { describeSystemError } from '../../../common/system-error.ts';
import { pluralize, printable } from '../../../common/text.ts';
import * as conformance from '../../../conformance/index.ts';
import { isFailure } from '../../../conformance/judge/conformance-classes.ts';
import { type Arguments, DONE, FAILED, NO, orUsageError, programName, quoteWords, usageError } from '../../command.ts';
import { assertOutputs, type Output, writeOutput } from '../../files/output-files.ts';
import { expectedOneOf, given, MAX_JOBS, millisecondsOf, wholeNumberOf } from '../../options.ts';
import { print, printJson, printStyled, styleFor, type TerminalStyle, warn } from '../../terminal/print.ts';
import { canDraw, createLine } from '../../terminal/progress.ts';
import { MARKS, REPORTS, RUN_REPORTS } from './report-files.ts';

const MAX_COUNT = 1_000_000;

export function listOf(args: Arguments, name: string): readonly string[] | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const names = value.split(',').map((each) => each.trim());
  if (names.includes(''))
    throw usageError(`--${name}: expected names separated by commas, got ${JSON.stringify(value)}`);
  return names;
}

export function limitsOf(args: Arguments): conformance.AdapterLimits {
  return given({ restarts: wholeNumberOf(args, 'restarts', 0, MAX_COUNT), deadline: millisecondsOf(args, 'deadline') });
}

function casesOf(args: Arguments): Pick<conformance.RunOptions, 'randomCases' | 'seed'> {
  return given({
    randomCases: wholeNumberOf(args, 'random', 0, MAX_COUNT),
    seed: wholeNumberOf(args, 'seed', 0, 2 ** 32 - 1),
  });
}

function runLimitsOf(args: Arguments): Pick<conformance.RunOptions, 'crashes' | 'time' | 'jobs'> {
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

function quoteAdapter(command: readonly string[], isOneShot: boolean): string {
  return command.length === 0 ? '' : `${isOneShot ? '--one-shot ' : ''}-- ${quoteWords(command)}`;
}

export function adapterOf(args: Arguments, command: readonly string[]): conformance.Adapter {
  if (command.length === 0 && args.flag('one-shot')) throw usageError('--one-shot: expected a command after --');
  const limits = limitsOf(args);
  if (args.flag('one-shot')) return conformance.createOneShotAdapter(command, limits);
  return conformance.createProcessAdapter(command.length === 0 ? conformance.referenceCommand() : command, limits);
}

export type ReportOption = keyof typeof MARKS;

/** Reads the options that write files. Each must be writable before a long run, so that none ends without its report. */
function outputsOf<T extends ReportOption>(
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

async function writeReport(output: Output, text: string): Promise<void> {
  await (output.path === '-' ? print(text) : writeOutput(output, text));
}

function readInput<T>(path: string, parse: (text: string, name: string) => T): T {
  try {
    return parse(readFileSync(path, 'utf8'), printable(path));
  } catch (error) {
    if (!('syscall' in (error as object))) throw usageError((error as Error).message);
    throw usageError(`${printable(path)}: ${describeSystemError(error, { ENOENT: 'no such file' })}`);
  }
}

async function reportNotRun(error: unknown, json: boolean): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  if (json) await printJson({ type: 'summary', verdict: 'not-run', error: message });
  warn(`the adapter could not be run: ${message}`);
  return FAILED;
}

export async function check(args: Arguments): Promise<number> {
  const groups = selectGroups(args);
  const all = conformance.loadGroups().flatMap(({ vectors }) => vectors);
  const idsOf = (vectors: readonly conformance.Vector[]): string[] => vectors.map(({ id }) => id);
  const list = args.value('skip');
  const skip = list && readInput(list, (text, name) => conformance.readSkipList(text, name, idsOf(all)));
  const options = { groups, command: args.positionals, ...casesOf(args), ...runLimitsOf(args) };
  const failures = wholeNumberOf(args, 'failures', 0, MAX_COUNT);
  const adapter = adapterOf(args, args.positionals);
  const outputs = outputsOf(args, RUN_REPORTS, list === undefined ? [] : [list]);
  // Links, devices and the skip list stay.
  for (const { option, path } of outputs)
    if (option !== 'write-skip' && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) rmSync(path);
  const selection = describeSelection(args);
  const report = await runVectors(args, adapter, {
    ...options,
    ...given({ skip: skip || undefined, selection: selection || undefined }),
    mutants: conformance.loadMutants(new Set(groups.flatMap(({ vectors }) => idsOf(vectors)))),
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
        again: quoteAdapter(args.positionals, args.flag('one-shot')),
        program: programName(),
        histogram: args.flag('grade'),
      }),
    );
  return report.verdict === 'conforms' ? DONE : NO;
}

/** Documents to search for the step at fault with a one-shot command. */
const MAX_LOCATED_ONE_SHOT = 8;

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

export async function runVectors(
  args: Arguments,
  adapter: conformance.Adapter,
  options: Pick<conformance.RunOptions, 'groups'> & Partial<conformance.RunOptions>,
): Promise<conformance.Report | undefined> {
  const line = args.flag('quiet') || !canDraw(process.stderr) ? undefined : createLine(process.stderr);
  try {
    return await conformance.runConformance(adapter, {
      suite: conformance.suiteOf(conformance.loadManifest()),
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

export async function verify(args: Arguments): Promise<number> {
  const [path, ...command] = args.positionals;
  if (path === undefined || args.before === 0)
    throw usageError('expected a claim, written by conformance report --claim');
  assertTerminator(args, 1);
  const claim = readInput(path, conformance.readClaim);
  const checked = command.length === 0 ? 'file' : 'implementation';
  const options = { ...casesOf(args), ...runLimitsOf(args) };
  let problems: string[];
  if (checked === 'file') problems = conformance.checkClaim(claim, conformance.suiteOf(conformance.loadManifest()));
  else {
    const given = { groups: conformance.loadGroups(), ...options };
    const report = await runVectors(args, adapterOf(args, command), given);
    if (report === undefined) return FAILED;
    problems = conformance.checkClaim(claim, report);
  }
  const holds = problems.length === 0;
  if (args.flag('json')) await printJson({ holds, checked, claim: claim.claim, problems });
  else if (!args.flag('quiet')) {
    const style = styleFor(process.stdout, process.env);
    const good = checked === 'file' ? 'The file is consistent with these vectors:' : 'The claim holds:';
    const verdict = holds ? style.good(good) : style.bad('The claim does not hold:');
    const lines = [`${verdict} ${printable(claim.claim)}.`, ...problems.map((each) => `  ${printable(each)}`)];
    if (checked === 'file')
      lines.push('  Nothing was run: that the implementation passes needs its COMMAND, after --.');
    await printStyled(`${lines.join('\n')}\n`);
  }
  return holds ? DONE : NO;
}

export async function report(args: Arguments): Promise<number> {
  const outputs = outputsOf(args, ['html', 'claim'], args.positionals);
  if (outputs.length === 0) throw usageError('expected --html FILE or --claim FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, written by --results');
  if (args.value('claim') !== undefined && args.positionals.length > 1)
    throw usageError(`--claim: expected one results file, got ${args.positionals.length}`);
  const results = args.positionals.map((each) => readInput(each, conformance.readResults));
  const isClaim = args.value('claim') !== undefined;
  const start = `${printable(args.positionals[0]!)}: `;
  const claim = isClaim ? orUsageError(() => conformance.claimOf(results[0]!), start) : undefined;
  if (claim === null) {
    warn(
      'nothing can be claimed: no class but extraction conforms, only a part of the vectors was run, or fewer than 100 random cases',
    );
    return NO;
  }
  for (const output of outputs)
    await writeReport(
      output,
      output.option === 'html' ? conformance.writeHtml(results) : conformance.writeClaim(claim!),
    );
  return DONE;
}

const MAX_SUGGESTIONS = 5;

export async function explain(args: Arguments): Promise<number> {
  const [id, ...command] = args.positionals;
  assertTerminator(args, 1);
  const vector = findVector(id);
  const json = args.flag('json');
  const paint = styleFor(process.stdout, process.env);
  const lines = conformance.explainVector(vector, { paint });
  if (command.length === 0) {
    await (json ? printJson({ vector }) : printStyled(`${lines.join('\n')}\n`));
    return DONE;
  }
  const adapter = adapterOf(args, command);
  try {
    const { reply = { kind: 'unsupported' as const }, outcome } = await conformance.checkVector(adapter, vector);
    const { location, scalars } = outcome;
    const explained = conformance.explainReply(vector, reply, { location, scalars, paint });
    const found = { ...(location && { location }), ...(scalars && { scalars }) };
    if (json) await printJson({ vector, reply, right: explained.right, ...found });
    else await printStyled(`${[...lines, ...explained.lines].join('\n')}\n`);
    return explained.right === false ? NO : DONE;
  } catch (error) {
    return await reportNotRun(error, json);
  } finally {
    await adapter.close();
  }
}

function findVector(id: string | undefined): conformance.Vector {
  if (id === undefined) throw usageError('expected the id of a vector');
  const vectors = conformance.loadGroups().flatMap((group) => group.vectors);
  const vector = vectors.find((each) => each.id === id);
  if (vector !== undefined) return vector;
  const close = vectors.filter((each) => each.id.includes(id)).map((each) => each.id);
  const hint =
    close.length === 0
      ? `${programName()} vectors lists them`
      : `did you mean ${close.slice(0, MAX_SUGGESTIONS).join(', ')}?`;
  throw usageError(`no such vector: ${JSON.stringify(id)}; ${hint}`);
}

export async function smoke(args: Arguments): Promise<number> {
  const command = args.positionals;
  assertTerminator(args, 0);
  const oneShot = args.flag('one-shot');
  if (command.length === 0 && oneShot) throw usageError('--one-shot: expected a command after --');
  const style = styleFor(process.stdout, process.env);
  const json = args.flag('json');
  const isQuiet = json || args.flag('quiet');
  const { ok, hello, checks } = await conformance.runSmoke(
    command.length === 0 ? conformance.referenceCommand() : command,
    {
      ...limitsOf(args),
      oneShot,
      onCheck(each) {
        if (!isQuiet) void printStyled(checkLines(each, style));
      },
    },
  );
  if (json) await printJson({ ok, hello: hello ?? null, checks });
  const failed = checks.filter((each) => !each.ok);
  if (hello === undefined) {
    warn(`the adapter could not be run${isQuiet ? `: ${failed[0]!.detail}` : ''}`);
    return FAILED;
  }
  if (!isQuiet)
    await print(
      ok
        ? `All checks passed. Now check the answers:\n\n  ${programName()} conformance ${quoteAdapter(command, oneShot)}\n`
        : `${pluralize(failed.length, 'check')} failed.\n`,
    );
  return ok ? DONE : NO;
}

const MAX_STDERR_LINES = 5;

function checkLines({ name, ok, detail, stderr = '' }: conformance.SmokeCheck, style: TerminalStyle): string {
  if (ok) return `${style.good('✓')} ${name}${style.faint(`: ${printable(detail)}`)}\n`;
  const lines = [...detail.split('\n'), ...(stderr === '' ? [] : stderr.split('\n').slice(-MAX_STDERR_LINES))];
  return `${style.bad('✗')} ${name}\n${lines.map((line) => `    ${printable(line)}\n`).join('')}`;
}

export async function init(args: Arguments): Promise<number> {
  const language = args.value('lang');
  if (args.positionals.length > 0)
    throw usageError(
      `expected options only, as in --lang python --out mine, got ${JSON.stringify(args.positionals[0])}`,
    );
  if (language === undefined || !conformance.isLanguage(language)) {
    const expected = expectedOneOf(Object.keys(conformance.SKELETONS), language);
    const others = expected.endsWith('?')
      ? ''
      : '; for any other language, write an adapter from "conformance.Adapter protocol" in vectors/README.md; vectors/README.md, "Pitfalls by language", is about Ruby, Perl, C# and Swift';
    throw usageError(`--lang: ${expected}${others}`);
  }
  const folder = args.value('out') ?? '.';
  const { build, run } = conformance.SKELETONS[language];
  let path: string;
  try {
    path = conformance.writeSkeleton(language, folder);
  } catch (error) {
    const { code, path: place = folder } = error as NodeJS.ErrnoException;
    throw usageError(
      code === 'EEXIST'
        ? `${printable(place)} already exists and is not overwritten`
        : `${printable(place)}: ${describeSystemError(error)}`,
    );
  }
  if (args.flag('json')) await printJson({ path, language, build, run });
  else if (!args.flag('quiet')) {
    const program = programName();
    const steps = [
      ...(folder === '.' ? [] : [`cd ${quoteWords([folder])}`]),
      ...(build === null ? [] : [build]),
      `${program} conformance smoke -- ${run}`,
      `${program} conformance -- ${run}`,
    ];
    const lines = steps.map((step) => `  ${printable(step)}\n`).join('');
    await print(`Wrote ${printable(path)}. Its comments say what to do. Then:\n\n${lines}`);
  }
  return DONE;
}
