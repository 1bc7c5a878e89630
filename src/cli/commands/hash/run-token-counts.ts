import { formatNumber } from '../../../common/text.ts';
import { type DocumentOutcome, failed, placeAsJson, warningsAsJson } from '../../../documents/document-outcome.ts';
import { type Counted, MAX_DISTINCT } from '../../../documents/document-tasks.ts';
import type { DocumentHints } from '../../../documents/hints.ts';
import { planWalk, unopened } from '../../../documents/walk-plan.ts';
import { serialise, toHex } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { selectionOf } from '../../files/file-selection.ts';
import { jobsOf } from '../../options.ts';
import { withSession } from '../../session.ts';
import { printJson } from '../../terminal/print.ts';

/** Runs `hash --json --token-counts`: prints the input of the overlap (spec/verification.md), for systems that compare elsewhere. */
export async function runTokenCounts(args: Arguments, hints: DocumentHints): Promise<number> {
  const selection = await selectionOf(args);
  const { finds } = selection;
  const { entries, isHandful } = planWalk(selection);
  const options = { hints, jobs: jobsOf(args), isHandful, json: true, quiet: args.flag('quiet') };
  return withSession({ ...options, measured: selection, finds }, async ({ report, progress, run }) => {
    for await (const outcome of run('tokens', unopened(entries))) {
      // Only a part of the tokens was counted if too many are distinct.
      const isPart = outcome.kind === 'done' && outcome.result.counted.bits > 0;
      const failure = {
        code: 'too-large',
        message: `has more than ${formatNumber(MAX_DISTINCT)} distinct tokens`,
      } as const;
      const result = await report.add(isPart ? failed(outcome, failure, outcome.warnings) : outcome);
      if (result === null) continue;
      if (process.stdout.isTTY) progress.hide();
      await printJson(asJson(outcome, result, hints.label));
    }
    report.summarise(selection.names);
    return report.documents === 0 || report.failures > 0 ? FAILED : DONE;
  });
}

function asJson(outcome: DocumentOutcome<Counted>, { fingerprint, counted, residue }: Counted, label: string) {
  const { hashes, counts } = counted;
  return {
    ...placeAsJson(outcome),
    label,
    fingerprint: serialise(fingerprint),
    hex: toHex(fingerprint),
    tokens: counts.reduce((sum, count) => sum + count, 0),
    tokenHashes: Array.from(hashes, toHex),
    tokenCounts: [...counts],
    residue,
    ...warningsAsJson(outcome),
  };
}
