import { pluralize, printable } from '../../../common/text.ts';
import { referenceCommand, runSmoke, type SmokeCheck } from '../../../conformance/index.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { programName } from '../../program.ts';
import { print, printJson, printStyled, type Style, styleFor, warn } from '../../terminal/output.ts';
import { assertTerminator, limitsOf, quoteAdapter } from './arguments.ts';

export async function smoke(args: Arguments): Promise<number> {
  const command = args.positionals;
  assertTerminator(args, 0);
  const oneShot = args.flag('one-shot');
  if (command.length === 0 && oneShot) throw usageError('--one-shot: expected a command after --');
  const style = styleFor(process.stdout, process.env);
  const json = args.flag('json');
  const isQuiet = json || args.flag('quiet');
  const { ok, hello, checks } = await runSmoke(command.length === 0 ? referenceCommand() : command, {
    ...limitsOf(args),
    oneShot,
    onCheck(each) {
      if (!isQuiet) void printStyled(checkLines(each, style));
    },
  });
  if (json) await printJson({ ok, hello: hello ?? null, checks });
  const failed = checks.filter((each) => !each.ok);
  if (hello === undefined) {
    warn(`the adapter could not be run${isQuiet ? `: ${failed[0]!.detail}` : ''}`);
    return FAILED;
  }
  if (!isQuiet)
    await print(
      ok
        ? `All checks passed. Now check the answers:\n\n  ${programName()} conformance ${quoteAdapter(command, oneShot)}\n`
        : `${pluralize(failed.length, 'check')} failed.\n`,
    );
  return ok ? DONE : NO;
}

/** Lines of standard error to show with a failed check. */
const MAX_STDERR_LINES = 5;

function checkLines({ name, ok, detail, stderr = '' }: SmokeCheck, style: Style): string {
  if (ok) return `${style.good('✓')} ${name}${style.faint(`: ${printable(detail)}`)}\n`;
  const lines = [...detail.split('\n'), ...(stderr === '' ? [] : stderr.split('\n').slice(-MAX_STDERR_LINES))];
  return `${style.bad('✗')} ${name}\n${lines.map((line) => `    ${printable(line)}\n`).join('')}`;
}
