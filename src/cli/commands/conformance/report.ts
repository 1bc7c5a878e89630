import { printable } from '../../../common/text.ts';
import { claimOf, type Results, readResults, writeBadge, writeClaim, writeHtml } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { warn } from '../../terminal/output.ts';
import { outputsOf, readInput, writeReport } from './arguments.ts';

/** The files that are written from results, by option. */
const OUTPUTS = ['html', 'badge', 'claim'] as const;

/** Writes a page that compares the results of several implementations, or the badge or the claim of one. */
export async function report(args: Arguments): Promise<number> {
  const outputs = outputsOf(args, OUTPUTS, args.positionals);
  if (outputs.length === 0) throw usageError('expected --html FILE, --badge FILE or --claim FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, written by --results');
  const single = outputs.find(({ option }) => option !== 'html');
  if (single !== undefined && args.positionals.length > 1)
    throw usageError(`--${single.option}: expected one results file, got ${args.positionals.length}`);
  const results = args.positionals.map((each) => readInput(each, readResults));
  const claim = args.value('claim') === undefined ? undefined : claimTextOf(args.positionals[0]!, results[0]!);
  if (claim === null) {
    warn('nothing can be claimed: no class but extraction conforms, or only a part of the vectors was run');
    return NO;
  }
  const write = { html: () => writeHtml(results), badge: () => writeBadge(results[0]!), claim: () => claim! };
  for (const output of outputs) await writeReport(output, write[output.option]());
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
