import { printable } from '../../../common/text.ts';
import { nameOf, type Outcome, placeAsJson } from '../../../documents/outcome.ts';
import { documentsIn, planWalk } from '../../../documents/plan.ts';
import type { Extraction } from '../../../extract/index.ts';
import { lossesOf } from '../../../extract/result.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { selectionOf } from '../../files/selection.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';
import { withSession } from '../../session.ts';
import { print, printJson } from '../../terminal/output.ts';

export async function runExtract(args: Arguments): Promise<number> {
  const hints = await documentHintsOf(args);
  const [json, quiet] = [args.flag('json'), args.flag('quiet')];
  const selection = await selectionOf(args);
  const { entries, isHandful } = planWalk(selection);
  return withSession(
    { hints, jobs: jobsOf(args), isHandful, json, quiet, measured: selection, finds: selection.finds },
    async ({ report, progress, run }) => {
      let printed = 0;
      for await (const outcome of run('extract', documentsIn(entries))) {
        const result = await report.add(outcome);
        if (result === null) continue;
        progress.hide();
        const isAlone =
          selection.roots.length === 1 && outcome.path === selection.roots[0] && outcome.member === undefined;
        if (json) await printJson(asJson(outcome, result));
        else await print(`${isAlone ? '' : headerOf(outcome, printed)}${asText(result)}`);
        printed++;
      }
      report.summarise(selection.names);
      return report.failures > 0 ? FAILED : DONE;
    },
  );
}

function asJson(outcome: Outcome<Extraction>, { mediaType, extractor, charset, text }: Extraction) {
  const losses = lossesOf(outcome.warnings);
  return {
    ...placeAsJson(outcome),
    mediaType,
    extractor,
    charset: charset ?? null,
    losses,
    warnings: outcome.warnings,
    text,
  };
}

function headerOf(outcome: Outcome<Extraction>, printed: number): string {
  return `${printed === 0 ? '' : '\n'}==> ${printable(nameOf(outcome))} <==\n`;
}

function asText({ text }: Extraction): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
