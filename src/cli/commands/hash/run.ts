import { formatLabelled, LABEL, serialise, toHex } from '../../../index.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { documentsIn } from '../../documents/archive.ts';
import { nameOf, type Outcome, placeAsJson } from '../../documents/outcome.ts';
import { planWalk } from '../../documents/plan.ts';
import { withSession } from '../../documents/session.ts';
import type { Hashed } from '../../documents/workers/work.ts';
import { documentHintsOf, jobsOf, rootsOf } from '../../options.ts';
import { lineWithPath, print, printJson } from '../../terminal/output.ts';

/** Runs `simhash-doc hash`. */
export async function runHash(args: Arguments): Promise<number> {
  const hints = await documentHintsOf(args);
  const jobs = jobsOf(args);
  const [json, quiet, label] = ['json', 'quiet', 'label'].map((name) => args.flag(name)) as [boolean, boolean, boolean];
  const roots = rootsOf(args);
  const { entries, isHandful } = planWalk(roots);
  return withSession({ hints, jobs, isHandful, json, quiet, roots }, async ({ reading, report, progress, run }) => {
    for await (const outcome of run('hash', documentsIn(entries, reading))) {
      const result = await report.add(outcome);
      if (result === null) continue;
      if (process.stdout.isTTY) progress.hide();
      await (json ? printJson(asJson(outcome, result)) : print(asLine(outcome, result, label)));
    }
    report.summarise(roots);
    return report.documents === 0 || report.failures > 0 ? FAILED : DONE;
  });
}

function asJson(outcome: Outcome<Hashed>, { fingerprint, tokens, mediaType, extractor }: Hashed) {
  const { warnings } = outcome;
  return {
    ...placeAsJson(outcome),
    label: LABEL,
    fingerprint: serialise(fingerprint),
    hex: toHex(fingerprint),
    tokens,
    mediaType,
    extractor,
    ...(warnings.length > 0 && { warnings }),
  };
}

function asLine(outcome: Outcome<Hashed>, { fingerprint }: Hashed, isLabelled: boolean): string {
  const form = isLabelled ? formatLabelled(LABEL, fingerprint) : serialise(fingerprint);
  return lineWithPath(`${form}  `, nameOf(outcome));
}
