import { formatBytes } from '../../common/text.ts';
import { documentError } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import { tookTooLong } from '../time-budget.ts';
import type { WorkerSlot } from './worker-slot.ts';

/** The maximum number of milliseconds between two checks of the workers. */
const MAX_INTERVAL = 100;

/** Makes a watch that aborts documents that take too long, and, when memory runs out, the one whose extraction began first. */
export function createWatch(
  slots: Iterable<Pick<WorkerSlot, 'isBusy' | 'extraction' | 'abort'>>,
  { timeout, memory }: Pick<DocumentHints, 'timeout' | 'memory'>,
) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = (): void => {
    if (![...slots].some((slot) => slot.isBusy())) stop();
    const running = [...slots].flatMap((slot) => {
      const extraction = slot.extraction();
      return extraction === null ? [] : { ...extraction, slot };
    });
    if (running.length === 0) return;
    const now = process.hrtime.bigint();
    const late = running.filter(({ since, limit = timeout }) => now - since > BigInt(Math.ceil(limit * 1e6)));
    for (const { slot, job, limit = timeout } of late) slot.abort(tookTooLong(limit, timeout), job);
    if (late.length > 0 || process.memoryUsage.rss() <= memory) return;
    const { slot, job } = running.reduce((first, each) => (each.since < first.since ? each : first));
    slot.abort(documentError('out-of-memory', `the process exceeded ${formatBytes(memory)} (--max-memory)`), job);
  };
  return {
    /** Starts the watch, unless it is running. It stops when no worker has a job. */
    start(): void {
      timer ??= setInterval(check, Math.min(MAX_INTERVAL, timeout));
    },
    stop,
  };
}
