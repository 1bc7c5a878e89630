import type { Outcome } from '../../../documents/outcome.ts';
import { documentsIn, planWalk } from '../../../documents/plan.ts';
import type { Hashed } from '../../../documents/workers/work.ts';
import type { Arguments } from '../../command.ts';
import { countHidden, createFinds } from '../../files/selection.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';
import { type Session, withSession } from '../../session.ts';

/** Computes the fingerprints of documents; returns the number of failures, which are reported. */
export async function hashEach(
  args: Arguments,
  label: string,
  paths: readonly string[],
  take: (outcome: Outcome<Hashed>, hashed: Hashed, session: Session) => Promise<void>,
  finish: (session: Session) => Promise<void> = async () => {},
): Promise<number> {
  const [hints, jobs, quiet] = [{ ...(await documentHintsOf(args)), label }, jobsOf(args), args.flag('quiet')];
  const finds = createFinds(paths);
  const { entries, isHandful } = planWalk({
    roots: paths,
    isSelected: () => true,
    hidden: args.flag('hidden'),
    onHidden: (_, isFolder) => countHidden(finds, isFolder),
  });
  return withSession({ hints, jobs, isHandful, json: false, quiet, finds }, async (session) => {
    const { report, progress, run } = session;
    for await (const outcome of run('hash', documentsIn(entries))) {
      const result = await report.add(outcome);
      if (result === null) continue;
      progress.hide();
      await take(outcome, result, session);
    }
    await finish(session);
    report.summarise(paths);
    return report.failures;
  });
}
