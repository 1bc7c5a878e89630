import { printable } from '../../../common/text.ts';
import { checkClaim, loadGroups, loadManifest, readClaim, suiteOf } from '../../../conformance/index.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { printJson, printStyled, styleFor } from '../../terminal/print.ts';
import { adapterOf, assertTerminator, readInput, runSettingsOf, runVectors } from './conformance-settings.ts';

export async function runVerify(args: Arguments): Promise<number> {
  const [path, ...command] = args.positionals;
  if (path === undefined || args.before === 0)
    throw usageError('expected a claim, written by conformance report --claim');
  assertTerminator(args, 1);
  const claim = readInput(path, readClaim);
  const settings = runSettingsOf(args);
  const isRun = command.length > 0;
  const checked = isRun
    ? await runVectors(args, adapterOf(args, command), { groups: loadGroups(), ...settings })
    : suiteOf(loadManifest());
  if (checked === undefined) return FAILED;
  const problems = checkClaim(claim, checked);
  const holds = problems.length === 0;
  if (args.flag('json'))
    await printJson({ holds, checked: isRun ? 'implementation' : 'file', claim: claim.claim, problems });
  else if (!args.flag('quiet')) {
    const style = styleFor(process.stdout, process.env);
    const good = isRun ? 'The claim holds:' : 'The file is consistent with these vectors:';
    const verdict = holds ? style.good(good) : style.bad('The claim does not hold:');
    const lines = [`${verdict} ${printable(claim.claim)}.`, ...problems.map((each) => `  ${printable(each)}`)];
    if (!isRun) lines.push('  Nothing was run: that the implementation passes needs its COMMAND, after --.');
    await printStyled(`${lines.join('\n')}\n`);
  }
  return holds ? DONE : NO;
}
