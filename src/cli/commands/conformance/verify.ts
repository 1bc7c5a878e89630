import { printable } from '../../../common/text.ts';
import {
  checkClaim,
  loadGroups,
  loadManifest,
  type Report,
  readClaim,
  runConformance,
  suiteOf,
} from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { wholeNumberOf } from '../../options.ts';
import { printJson, printStyled, styleFor } from '../../terminal/output.ts';
import { adapterOf, assertTerminator, readInput, reportNotRun, runLimitsOf } from './arguments.ts';
import { createVectorProgress } from './progress.ts';

export async function verify(args: Arguments): Promise<number> {
  const [path, ...command] = args.positionals;
  if (path === undefined || args.before === 0)
    throw usageError('expected a claim, written by conformance report --claim');
  assertTerminator(args, 1);
  const claim = readInput(path, readClaim);
  const randomCases = wholeNumberOf(args, 'random', 0, 1_000_000);
  const seed = wholeNumberOf(args, 'seed', 0, 2 ** 32 - 1);
  const json = args.flag('json');
  const limits = runLimitsOf(args);
  const adapter = adapterOf(args, command);
  const progress = createVectorProgress(args.flag('quiet'));
  let report: Report;
  try {
    report = await runConformance(adapter, {
      groups: loadGroups(),
      suite: suiteOf(loadManifest()),
      large: args.flag('large'),
      ...limits,
      ...(randomCases !== undefined && { randomCases }),
      ...(seed !== undefined && { seed }),
      onOutcome: (outcome, done, all) => progress.update(done, all, outcome.group),
    });
  } catch (error) {
    return await reportNotRun(error, json);
  } finally {
    progress.end();
    await adapter.close();
  }
  const problems = checkClaim(claim, report);
  const holds = problems.length === 0;
  if (json) await printJson({ holds, claim: claim.claim, problems });
  else if (!args.flag('quiet')) await printStyled(linesOf(claim.claim, problems));
  return holds ? DONE : NO;
}

function linesOf(claim: string, problems: readonly string[]): string {
  const style = styleFor(process.stdout, process.env);
  const verdict = problems.length === 0 ? style.good('The claim holds:') : style.bad('The claim does not hold:');
  return [`${verdict} ${printable(claim)}.`, ...problems.map((each) => `  ${printable(each)}`), ''].join('\n');
}
