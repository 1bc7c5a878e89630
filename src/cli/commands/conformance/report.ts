import { printable } from '../../../common/text.ts';
import { claimOf, type Results, readResults, writeClaim, writeHtml } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { warn } from '../../terminal/output.ts';
import { outputsOf, readInput, writeReport } from './arguments.ts';

/** Writes a page that compares the results of several implementations, or the claim of one. */
export async function report(args: Arguments): Promise<number> {
  const outputs = outputsOf(args, ['html', 'claim'], args.positionals);
  if (outputs.length === 0) throw usageError('expected --html FILE or --claim FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, written by --results');
  if (args.value('claim') !== undefined && args.positionals.length > 1)
    throw usageError(`--claim: expected one results file, got ${args.positionals.length}`);
  const results = args.positionals.map((each) => readInput(each, readResults));
  const claim = args.value('claim') === undefined ? undefined : claimTextOf(args.positionals[0]!, results[0]!);
  if (claim === null) {
    warn(
      'nothing can be claimed: no class but extraction conforms, only a part of the vectors was run, or fewer than 100 random cases',
    );
    return NO;
  }
  for (const output of outputs) await writeReport(output, output.option === 'html' ? writeHtml(results) : claim!);
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
