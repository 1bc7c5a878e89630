import { printable } from '../../../common/text.ts';
import { checkClaim, loadGroups, readClaim } from '../../../conformance/index.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { printJson, printStyled, styleFor } from '../../terminal/output.ts';
import { adapterOf, assertTerminator, casesOf, readInput, runLimitsOf } from './arguments.ts';
import { runVectors } from './run.ts';

export async function verify(args: Arguments): Promise<number> {
  const [path, ...command] = args.positionals;
  if (path === undefined || args.before === 0)
    throw usageError('expected a claim, written by conformance report --claim');
  assertTerminator(args, 1);
  const claim = readInput(path, readClaim);
  const options = { groups: loadGroups(), ...casesOf(args), ...runLimitsOf(args) };
  const report = await runVectors(args, adapterOf(args, command), options);
  if (report === undefined) return FAILED;
  const problems = checkClaim(claim, report);
  const holds = problems.length === 0;
  if (args.flag('json')) await printJson({ holds, claim: claim.claim, problems });
  else if (!args.flag('quiet')) await printStyled(linesOf(claim.claim, problems));
  return holds ? DONE : NO;
}

function linesOf(claim: string, problems: readonly string[]): string {
  const style = styleFor(process.stdout, process.env);
  const verdict = problems.length === 0 ? style.good('The claim holds:') : style.bad('The claim does not hold:');
  return [`${verdict} ${printable(claim)}.`, ...problems.map((each) => `  ${printable(each)}`), ''].join('\n');
}
