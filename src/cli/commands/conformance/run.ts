import { pluralize } from '../../../common/text.ts';
import {
  type Adapter,
  loadManifest,
  type Report,
  type RunOptions,
  runConformance,
  suiteOf,
} from '../../../conformance/index.ts';
import type { Arguments } from '../../command.ts';
import { canDraw, createLine } from '../../terminal/progress.ts';
import { reportNotRun } from './arguments.ts';

/** Runs vectors with a progress line, and closes the adapter; undefined if the adapter cannot be run, which is reported. */
export async function runVectors(
  args: Arguments,
  adapter: Adapter,
  options: Pick<RunOptions, 'groups'> & Partial<RunOptions>,
): Promise<Report | undefined> {
  const line = args.flag('quiet') || !canDraw(process.stderr) ? undefined : createLine(process.stderr);
  try {
    return await runConformance(adapter, {
      suite: suiteOf(loadManifest()),
      large: args.flag('large'),
      ...options,
      onOutcome(outcome, done, all) {
        options.onOutcome?.(outcome, done, all);
        const text = () => (done < all ? `${done} of ${pluralize(all, 'vector')}  ${outcome.group}` : 'random cases');
        line?.draw((width) => text().slice(0, width));
      },
    });
  } catch (error) {
    line?.hide();
    await reportNotRun(error, args.flag('json'));
    return undefined;
  } finally {
    line?.hide();
    await adapter.close();
  }
}
