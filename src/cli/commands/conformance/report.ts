import { writeFileSync } from 'node:fs';
import { printable } from '../../../common/text.ts';
import { claimOf, type Results, readResults, writeBadge, writeClaim, writeHtml } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { print, warn } from '../../terminal/output.ts';
import { checkWritable, readInput } from './arguments.ts';

/** The files that are written from results, by option. */
const OUTPUTS = ['html', 'badge', 'claim'] as const;

/** Writes a page that compares the results of several implementations, or the badge or the claim of one. */
export async function report(args: Arguments): Promise<number> {
  const outputs = OUTPUTS.flatMap((name) => {
    const path = args.value(name);
    return path === undefined ? [] : [{ name, path }];
  });
  if (outputs.length === 0) throw usageError('expected --html FILE, --badge FILE or --claim FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, written by --results');
  const single = outputs.find(({ name }) => name !== 'html');
  if (single !== undefined && args.positionals.length > 1)
    throw usageError(`--${single.name}: expected one results file, got ${args.positionals.length}`);
  const toStdout = outputs.filter(({ path }) => path === '-').map(({ name }) => `--${name}`);
  if (toStdout.length > 1) throw usageError(`${toStdout.join(' and ')} cannot both go to standard output`);
  const results = args.positionals.map((each) => readInput(each, readResults));
  const claim = args.value('claim') === undefined ? undefined : claimTextOf(args.positionals[0]!, results[0]!);
  if (claim === null) {
    warn('nothing can be claimed: no class but extraction conforms, or only a part of the vectors was run');
    return NO;
  }
  const write = { html: () => writeHtml(results), badge: () => writeBadge(results[0]!), claim: () => claim! };
  for (const { path } of outputs) if (path !== '-') checkWritable(path);
  for (const { name, path } of outputs) {
    if (path === '-') await print(write[name]());
    else writeFileSync(path, write[name]());
  }
  return DONE;
}

function claimTextOf(path: string, results: Results): string | null {
  try {
    const claim = claimOf(results);
    return claim === null ? null : writeClaim(claim);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`${printable(path)}: ${error.message}`);
  }
}
