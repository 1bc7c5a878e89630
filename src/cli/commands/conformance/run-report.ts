import { printable } from '../../../common/text.ts';
import { claimOf, readResults, writeClaim, writeHtml } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, orUsageError, usageError } from '../../command.ts';
import { warn } from '../../terminal/print.ts';
import { outputsOf, readInput, writeReport } from './conformance-settings.ts';

export async function runReport(args: Arguments): Promise<number> {
  const paths = args.positionals;
  const isClaim = args.value('claim') !== undefined;
  const outputs = outputsOf(args, ['html', 'claim'], paths);
  if (outputs.length === 0) throw usageError('expected --html FILE or --claim FILE');
  if (paths.length === 0) throw usageError('expected results files, written by --results');
  if (isClaim && paths.length > 1) throw usageError(`--claim: expected one results file, got ${paths.length}`);
  const results = paths.map((each) => readInput(each, readResults));
  const claim = isClaim ? orUsageError(() => claimOf(results[0]!), `${printable(paths[0]!)}: `) : undefined;
  if (claim === null) {
    warn(
      'nothing can be claimed: no class but extraction conforms, only a part of the vectors was run, or fewer than 100 random cases',
    );
    return NO;
  }
  for (const output of outputs)
    await writeReport(output, output.option === 'html' ? writeHtml(results) : writeClaim(claim!));
  return DONE;
}
