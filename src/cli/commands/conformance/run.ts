import { type Arguments, usageError } from '../../command.ts';
import { assertTerminator } from './arguments.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { init } from './init.ts';
import { OPTIONS } from './options.ts';
import { report } from './report.ts';
import { smoke } from './smoke.ts';
import { verify } from './verify.ts';

interface Subcommand {
  /** The options that it takes. */
  readonly options: readonly string[];
  run(args: Arguments): Promise<number>;
}

const ADAPTER_OPTIONS = ['deadline', 'restarts', 'one-shot', 'json', 'quiet'];

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  init: { options: ['lang', 'out', 'json', 'quiet'], run: init },
  smoke: { options: ADAPTER_OPTIONS, run: smoke },
  explain: { options: ADAPTER_OPTIONS, run: explain },
  report: { options: ['html', 'badge', 'claim', 'quiet'], run: report },
  verify: { options: [...ADAPTER_OPTIONS, 'random', 'seed', 'large'], run: verify },
};

/** Runs `simhash-doc conformance`, or one of its subcommands. */
export async function runConformanceCommand(args: Arguments): Promise<number> {
  const [name = '', ...rest] = args.positionals;
  // Behind --, a name is that of a program.
  if (args.before === 0 || !Object.hasOwn(SUBCOMMANDS, name)) {
    assertTerminator(args, 0, name === '' ? [] : Object.keys(SUBCOMMANDS));
    refuseOptions(args, 'conformance', (option) => !['lang', 'out', 'claim'].includes(option));
    return check(args);
  }
  const { options, run } = SUBCOMMANDS[name]!;
  refuseOptions(args, `conformance ${name}`, (option) => options.includes(option));
  return run({ ...args, positionals: rest, before: args.before - 1 });
}

/** Throws a usage error for an option that the subcommand does not take. */
function refuseOptions(args: Arguments, name: string, isTaken: (option: string) => boolean): void {
  for (const option of OPTIONS) {
    const isGiven = option.value === undefined ? args.flag(option.name) : args.value(option.name) !== undefined;
    if (isGiven && !isTaken(option.name)) throw usageError(`--${option.name} has no meaning for "${name}"`);
  }
}
