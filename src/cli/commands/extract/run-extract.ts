import { printable } from '../../../common/text.ts';
import { nameOf, placeAsJson } from '../../../documents/document-outcome.ts';
import { planWalk, unopened } from '../../../documents/walk-plan.ts';
import { lossesOf } from '../../../extract/result.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { selectionOf } from '../../files/file-selection.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';
import { withSession } from '../../session.ts';
import { print, printJson } from '../../terminal/print.ts';

export async function runExtract(args: Arguments): Promise<number> {
  const hints = await documentHintsOf(args);
  const [json, quiet] = [args.flag('json'), args.flag('quiet')];
  const selection = await selectionOf(args);
  const { entries, isHandful } = planWalk(selection);
  return withSession(
    { hints, jobs: jobsOf(args), isHandful, json, quiet, measured: selection, finds: selection.finds },
    async ({ report, progress, run }) => {
      let printed = 0;
      for await (const outcome of run('extract', unopened(entries))) {
        const result = await report.add(outcome);
        if (result === null) continue;
        progress.hide();
        const isAlone =
          selection.roots.length === 1 && outcome.path === selection.roots[0] && outcome.member === undefined;
        const { mediaType, extractor, charset = null, text } = result;
        const { warnings } = outcome;
        const losses = lossesOf(warnings);
        const header = `${printed++ === 0 ? '' : '\n'}==> ${printable(nameOf(outcome))} <==\n`;
        if (json) await printJson({ ...placeAsJson(outcome), mediaType, extractor, charset, losses, warnings, text });
        else await print(`${isAlone ? '' : header}${text}${text === '' || text.endsWith('\n') ? '' : '\n'}`);
      }
      report.summarise(selection.names);
      return report.failures > 0 ? FAILED : DONE;
    },
  );
}
