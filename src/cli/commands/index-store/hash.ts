import { LABEL } from '../../../scheme/label.ts';
import { formatLabelled } from '../../../scheme/serialise.ts';
import type { Arguments } from '../../command.ts';
import { documentsIn } from '../../documents/archive.ts';
import { nameOf } from '../../documents/outcome.ts';
import { planWalk } from '../../documents/plan.ts';
import { withSession } from '../../documents/session.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';

/**
 * Computes the fingerprints of documents.
 * @param take - called for each, in their order
 * @returns how many failed, which is told on stderr; none at all count as one
 */
export async function hashEach(
  args: Arguments,
  paths: readonly string[],
  take: (name: string, labelled: string) => Promise<void>,
): Promise<number> {
  const [hints, jobs, quiet] = [await documentHintsOf(args), jobsOf(args), args.flag('quiet')];
  const { entries, isHandful } = planWalk({ roots: paths, isSelected: () => true });
  return withSession({ hints, jobs, isHandful, json: false, quiet }, async ({ reading, report, progress, run }) => {
    for await (const outcome of run('hash', documentsIn(entries, reading))) {
      const result = await report.add(outcome);
      if (result === null) continue;
      progress.hide();
      await take(nameOf(outcome), formatLabelled(LABEL, result.fingerprint));
    }
    report.summarise(paths);
    return report.documents === 0 ? 1 : report.failures;
  });
}
