import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { pluralize } from '../../../common/text.ts';
import {
  type Adapter,
  type AdapterLimits,
  applyBaseline,
  type Baseline,
  baselineOf,
  createOneShotAdapter,
  createProcessAdapter,
  explainReply,
  explainVector,
  inputToSend,
  isLanguage,
  loadGroups,
  loadManifest,
  loadMutants,
  locateFailure,
  type Report,
  readBaseline,
  readResults,
  referenceCommand,
  resultsOf,
  runConformance,
  runOneShotSmoke,
  runSmoke,
  SKELETONS,
  type SmokeCheck,
  selectVectors,
  suiteOf,
  type Vector,
  writeBadge,
  writeBaseline,
  writeHtml,
  writeJunit,
  writeResults,
  writeSkeleton,
  writeTap,
  writeTerminal,
} from '../../../conformance/index.ts';
import { summaryLine, vectorLine } from '../../../conformance/report/json.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { print, printable, printJson, styleFor, warn } from '../../terminal/output.ts';
import { conformance, NOT_RUN } from './command.ts';

/** The reports that are written to files: option, and what it takes to write one. */
const REPORTS = ['tap', 'junit', 'html', 'badge', 'results'] as const;

const RUN_OPTIONS = ['deadline', 'restarts', 'one-shot', 'json', 'quiet'];

/** The subcommands with the options that each takes; the rest belongs to the run itself. */
const SUBCOMMANDS: Readonly<
  Record<string, { readonly options: readonly string[]; run(args: Arguments): Promise<number> }>
> = {
  init: { options: ['lang', 'out', 'json', 'quiet'], run: init },
  smoke: { options: RUN_OPTIONS, run: smoke },
  explain: { options: RUN_OPTIONS, run: explain },
  report: { options: ['html', 'quiet'], run: report },
};

/** Runs `simhash-doc conformance`, or one of its subcommands. */
export async function runConformanceCommand(args: Arguments): Promise<number> {
  const [name = '', ...rest] = args.positionals;
  if (!Object.hasOwn(SUBCOMMANDS, name)) {
    refuseOptions(args, 'conformance', (option) => option !== 'lang' && option !== 'out');
    return check(args);
  }
  const { options, run } = SUBCOMMANDS[name]!;
  refuseOptions(args, `conformance ${name}`, (option) => options.includes(option));
  return run({ ...args, positionals: rest });
}

function refuseOptions(args: Arguments, name: string, taken: (option: string) => boolean): void {
  for (const option of conformance.options) {
    const given = option.value === undefined ? args.flag(option.name) : args.value(option.name) !== undefined;
    if (given && !taken(option.name)) throw usageError(`--${option.name} has no meaning for "${name}"`);
  }
}

/** The names of an option that takes several. */
function listOf(args: Arguments, name: string): readonly string[] | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const names = value.split(',').map((each) => each.trim());
  if (names.includes(''))
    throw usageError(`--${name}: expected names with commas between, got ${JSON.stringify(value)}`);
  return names;
}

/** The whole number of an option. */
function numberOf(args: Arguments, name: string, most: number): number | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value) || Number(value) > most)
    throw usageError(`--${name}: expected a whole number from 0 to ${most}, got ${JSON.stringify(value)}`);
  return Number(value);
}

function limitsOf(args: Arguments): AdapterLimits {
  const restarts = numberOf(args, 'restarts', 1_000_000);
  const given = args.value('deadline');
  const seconds = given === undefined ? undefined : /^\d{1,5}(\.\d{1,3})?$/.test(given) ? Number(given) : 0;
  if (seconds === 0) throw usageError(`--deadline: expected seconds above 0, got ${JSON.stringify(given)}`);
  return {
    ...(restarts !== undefined && { restarts }),
    ...(seconds !== undefined && { deadline: Math.round(1000 * seconds) }),
  };
}

/** The adapter that the command line means, and how its command is reported. */
function adapterOf(args: Arguments, command: readonly string[]): Adapter {
  if (command.length === 0 && args.flag('one-shot')) throw usageError('--one-shot: expected a command behind --');
  const limits = limitsOf(args);
  if (args.flag('one-shot')) return createOneShotAdapter(command, limits);
  return createProcessAdapter(command.length === 0 ? referenceCommand() : command, limits);
}

/** A command as it would be typed: `-- python3 'my adapter.py'`. */
function typed(args: Arguments, command: readonly string[]): string {
  if (command.length === 0) return '';
  const words = command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return `${args.flag('one-shot') ? '--one-shot ' : ''}-- ${words.join(' ')}`;
}

/** Where reports go, by option; checks at once that each can be written, so that no long run ends in nothing. */
function outputsOf(args: Arguments): ReadonlyMap<string, string> {
  const outputs = new Map(
    REPORTS.flatMap((name) => {
      const path = args.value(name);
      return path === undefined ? [] : [[name, path] as const];
    }),
  );
  const toStdout = [...outputs].filter(([, path]) => path === '-').map(([name]) => `--${name}`);
  if (args.flag('json')) toStdout.push('--json');
  if (toStdout.length > 1) throw usageError(`${toStdout.join(' and ')} cannot both go to standard output`);
  for (const path of outputs.values()) if (path !== '-') checkWritable(path);
  return outputs;
}

function checkWritable(path: string): void {
  try {
    closeSync(openSync(path, 'a'));
  } catch (error) {
    throw usageError(`${printable(path)}: cannot be written: ${(error as Error).message}`);
  }
}

/** Reads a file that the command line names. */
function read<T>(path: string, parse: (text: string, name: string) => T): T {
  try {
    return parse(readFileSync(path, 'utf8'), printable(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(code === 'ENOENT' ? `${printable(path)}: no such file` : message);
  }
}

async function check(args: Arguments): Promise<number> {
  const command = args.positionals;
  const limits: [string, readonly string[] | undefined][] = (['group', 'filter', 'operation'] as const).map((name) => [
    name,
    listOf(args, name),
  ]);
  const [[, groups], [, ids], [, operations]] = limits as [(typeof limits)[0], (typeof limits)[0], (typeof limits)[0]];
  const all = loadGroups();
  let selected = all;
  try {
    selected = selectVectors(all, {
      ...(groups && { groups }),
      ...(ids && { ids }),
      ...(operations && { operations }),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message);
  }
  if (selected.length === 0) throw usageError('no vector is left to run');
  const selection = limits
    .flatMap(([name, names]) => (names === undefined ? [] : [`--${name} ${names.join(',')}`]))
    .join(' ');
  const randomCases = numberOf(args, 'random', 1_000_000);
  const seed = numberOf(args, 'seed', 2 ** 32 - 1);
  const failures = numberOf(args, 'failures', 1_000_000);
  const adapter = adapterOf(args, command);
  const outputs = outputsOf(args);
  const baselinePath = args.value('baseline');
  const update = args.flag('update-baseline');
  if (update && baselinePath === undefined) throw usageError('--update-baseline: expected --baseline FILE too');
  let baseline: Baseline | undefined;
  if (baselinePath !== undefined && (!update || existsSync(baselinePath))) baseline = read(baselinePath, readBaseline);
  if (update && baseline !== undefined) checkWritable(baselinePath!);

  const json = args.flag('json');
  const progress = createVectorProgress(args.flag('quiet'));
  let result: Report;
  try {
    result = await runConformance(adapter, {
      groups: selected,
      suite: suiteOf(loadManifest()),
      mutants: loadMutants(),
      command,
      ...(selection !== '' && { selection }),
      ...(args.flag('large') && { large: true }),
      // Each question to a one-shot command is a process.
      ...(args.flag('one-shot') && { located: 8 }),
      ...(randomCases !== undefined && { randomCases }),
      ...(seed !== undefined && { seed }),
      onOutcome(outcome, done, all) {
        if (json) process.stdout.write(vectorLine(outcome));
        progress.update(done, all, outcome.group);
      },
    });
  } catch (error) {
    progress.end();
    return await notRun(error, json);
  } finally {
    await adapter.close();
  }
  progress.end();

  if (update) {
    baseline = baselineOf(result, baseline);
    writeFileSync(baselinePath!, writeBaseline(baseline));
  }
  const known = new Set(
    all.flatMap(({ vectors }) => vectors.filter(({ status }) => status !== 'retired')).map(({ id }) => id),
  );
  const verdict = baseline && applyBaseline(result, baseline, known);
  const write = {
    tap: () => writeTap(result, verdict),
    junit: () => writeJunit(result, verdict),
    html: () => writeHtml([resultsOf(result)]),
    badge: () => writeBadge(result, verdict),
    results: () => writeResults(resultsOf(result)),
  };
  for (const name of REPORTS) {
    const path = outputs.get(name);
    if (path === '-') await print(write[name]());
    else if (path !== undefined) writeFileSync(path, write[name]());
  }
  if (json) await print(summaryLine(result, verdict));
  else if (!args.flag('quiet') && ![...outputs.values()].includes('-'))
    await print(
      writeTerminal(result, {
        paint: styleFor(process.stdout, process.env),
        ...(failures !== undefined && { failures }),
        ...(verdict !== undefined && { baseline: verdict }),
        again: typed(args, command),
      }),
    );
  const passes = verdict === undefined ? result.verdict === 'conforms' : verdict.passes;
  return passes ? DONE : FAILED;
}

async function notRun(error: unknown, json: boolean): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  if (json) await printJson({ type: 'summary', verdict: 'not-run', error: message });
  warn(`the adapter could not be run: ${message}`);
  return NOT_RUN;
}

async function init(args: Arguments): Promise<number> {
  const language = args.value('lang');
  if (args.positionals.length > 0)
    throw usageError(`expected options only, got ${JSON.stringify(args.positionals[0])}`);
  if (language === undefined || !isLanguage(language))
    throw usageError(
      `--lang: expected one of ${Object.keys(SKELETONS).join(', ')}, got ${language === undefined ? 'none' : JSON.stringify(language)}`,
    );
  const folder = args.value('out') ?? '.';
  const { build, run, file } = SKELETONS[language];
  let path: string;
  try {
    path = writeSkeleton(language, folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(
      code === 'EEXIST' ? `${printable(`${folder}/${file}`)} exists already, and is not overwritten` : message,
    );
  }
  if (args.flag('json')) await printJson({ path, language, build, run });
  else if (!args.flag('quiet')) {
    const steps = [
      ...(folder === '.' ? [] : [`cd ${folder}`]),
      ...(build === null ? [] : [build]),
      `simhash-doc conformance smoke -- ${run}`,
      `simhash-doc conformance -- ${run}`,
    ];
    await print(
      `Wrote ${printable(path)}. Its comments say what to do. Then:\n\n${steps.map((step) => `  ${printable(step)}\n`).join('')}`,
    );
  }
  return DONE;
}

async function smoke(args: Arguments): Promise<number> {
  const command = args.positionals;
  if (command.length === 0 && args.flag('one-shot')) throw usageError('--one-shot: expected a command behind --');
  const style = styleFor(process.stdout, process.env);
  const json = args.flag('json');
  const show = ({ name, ok, detail, stderr = '' }: SmokeCheck): void => {
    if (json || args.flag('quiet')) return;
    const lines = [...(ok ? [] : detail.split('\n')), ...(ok || stderr === '' ? [] : stderr.split('\n').slice(-5))];
    process.stdout.write(
      `${ok ? style.good('✓') : style.bad('✗')} ${name}${ok ? style.faint(`: ${detail}`) : ''}\n${lines.map((line) => `    ${printable(line)}\n`).join('')}`,
    );
  };
  const limits = limitsOf(args);
  const { ok, hello, checks } = args.flag('one-shot')
    ? await runOneShotSmoke(command, limits, show)
    : await runSmoke(command.length === 0 ? referenceCommand() : command, limits, show);
  if (json) await printJson({ ok, hello: hello ?? null, checks });
  if (hello === undefined) {
    warn('the adapter could not be run');
    return NOT_RUN;
  }
  const broken = checks.filter((each) => !each.ok).length;
  if (!json && !args.flag('quiet'))
    await print(
      ok
        ? 'The plumbing works. Whether answers are right, simhash-doc conformance tells.\n'
        : `${pluralize(broken, 'check')} failed.\n`,
    );
  return ok ? DONE : FAILED;
}

function findVector(id: string | undefined): Vector {
  if (id === undefined) throw usageError('expected the id of a vector');
  const vectors = loadGroups().flatMap((group) => group.vectors);
  const vector = vectors.find((each) => each.id === id);
  if (vector !== undefined) return vector;
  const close = vectors.filter((each) => each.id.includes(id)).map((each) => each.id);
  const hint = close.length === 0 ? 'simhash-doc vectors lists them' : `did you mean ${close.slice(0, 5).join(', ')}?`;
  throw usageError(`no such vector: ${JSON.stringify(id)}; ${hint}`);
}

async function explain(args: Arguments): Promise<number> {
  const [id, ...command] = args.positionals;
  const vector = findVector(id);
  const json = args.flag('json');
  const style = styleFor(process.stdout, process.env);
  if (command.length === 0) {
    if (json) await printJson({ vector });
    else await print(`${explainVector(vector, style).join('\n')}\n`);
    return DONE;
  }
  const adapter = adapterOf(args, command);
  try {
    const { operations } = await adapter.hello();
    const input = inputToSend(vector.input);
    const reply = operations.includes(vector.operation)
      ? await adapter.request(vector.operation, input)
      : ({ kind: 'unsupported' } as const);
    const explained = explainReply(vector, reply);
    const location = explained.right === false ? await locateFailure(adapter, vector, input, reply) : undefined;
    if (json) await printJson({ vector, reply, right: explained.right, ...(location && { location }) });
    else
      await print(
        `${[...explainVector(vector, style), ...explainReply(vector, reply, location, style).lines].join('\n')}\n`,
      );
    return explained.right === false ? FAILED : DONE;
  } catch (error) {
    return await notRun(error, json);
  } finally {
    await adapter.close();
  }
}

async function report(args: Arguments): Promise<number> {
  const path = args.value('html');
  if (path === undefined) throw usageError('expected --html FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, as --results writes them');
  const results = args.positionals.map((each) => read(each, readResults));
  const page = writeHtml(results);
  if (path === '-') {
    await print(page);
    return DONE;
  }
  checkWritable(path);
  writeFileSync(path, page);
  return DONE;
}

/** Milliseconds before the line appears first, and between two drawings. */
const PATIENCE = 500;
const INTERVAL = 100;

/** A line on stderr, if that is a terminal, that tells how far the run has come. */
function createVectorProgress(quiet: boolean): { update(done: number, all: number, group: string): void; end(): void } {
  const { stderr } = process;
  if (quiet || !stderr.isTTY) return { update() {}, end() {} };
  let due = performance.now() + PATIENCE;
  let visible = false;
  return {
    update(done, all, group) {
      const now = performance.now();
      if (now < due) return;
      due = now + INTERVAL;
      visible = true;
      const line = done < all ? `${done} of ${pluralize(all, 'vector')}  ${group}` : 'random cases';
      stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    },
    end() {
      if (visible) stderr.write('\r\x1b[K');
    },
  };
}
