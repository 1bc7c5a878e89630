import { printable } from '../../../common/text.ts';
import { checkClaim, loadGroups, loadManifest, readClaim, suiteOf } from '../../../conformance/index.ts';
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
  const options = { ...casesOf(args), ...runLimitsOf(args) };
  let problems: string[];
  if (command.length === 0) problems = checkClaim(claim, suiteOf(loadManifest()));
  else {
    const report = await runVectors(args, adapterOf(args, command), { groups: loadGroups(), ...options });
    if (report === undefined) return FAILED;
    problems = checkClaim(claim, report);
  }
  const holds = problems.length === 0;
  const checked = command.length === 0 ? 'file' : 'implementation';
  if (args.flag('json')) await printJson({ holds, checked, claim: claim.claim, problems });
  else if (!args.flag('quiet')) await printStyled(linesOf(claim.claim, problems, checked));
  return holds ? DONE : NO;
}

function linesOf(claim: string, problems: readonly string[], checked: 'file' | 'implementation'): string {
  const style = styleFor(process.stdout, process.env);
  const good = checked === 'file' ? 'The file is consistent with these vectors:' : 'The claim holds:';
  const verdict = problems.length === 0 ? style.good(good) : style.bad('The claim does not hold:');
  const note =
    checked === 'file' ? ['  Nothing was run: that the implementation passes needs its COMMAND, after --.'] : [];
  return [`${verdict} ${printable(claim)}.`, ...problems.map((each) => `  ${printable(each)}`), ...note, ''].join('\n');
}
