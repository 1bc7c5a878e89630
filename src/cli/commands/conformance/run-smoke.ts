import { pluralize, printable } from '../../../common/text.ts';
import { runSmoke, type SmokeCheck } from '../../../conformance/index.ts';
import { type Arguments, DONE, FAILED, NO, programName } from '../../command.ts';
import { print, printJson, printStyled, styleFor, type TerminalStyle, warn } from '../../terminal/print.ts';
import { assertTerminator, commandOf, limitsOf, quoteAdapter } from './conformance-settings.ts';

export async function smokeAdapter(args: Arguments): Promise<number> {
  assertTerminator(args, 0);
  const command = commandOf(args, args.positionals);
  const style = styleFor(process.stdout, process.env);
  const json = args.flag('json');
  const isQuiet = json || args.flag('quiet');
  const { ok, hello, checks } = await runSmoke(command, {
    ...limitsOf(args),
    oneShot: args.flag('one-shot'),
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
        ? `All checks passed. Now check the answers:\n\n  ${programName()} conformance ${quoteAdapter(args)}\n`
        : `${pluralize(failed.length, 'check')} failed.\n`,
    );
  return ok ? DONE : NO;
}

const MAX_STDERR_LINES = 5;

function checkLines({ name, ok, detail, stderr = '' }: SmokeCheck, style: TerminalStyle): string {
  if (ok) return `${style.good('✓')} ${name}${style.faint(`: ${printable(detail)}`)}\n`;
  const lines = [...detail.split('\n'), ...(stderr === '' ? [] : stderr.split('\n').slice(-MAX_STDERR_LINES))];
  return `${style.bad('✗')} ${name}\n${lines.map((line) => `    ${printable(line)}\n`).join('')}`;
}
