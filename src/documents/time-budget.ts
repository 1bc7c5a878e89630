import { documentError } from './failure.ts';

/** The milliseconds that workers may always spend for each MiB of a file, and for each file. */
export const TIME_PER_MEBIBYTE = 5000;
export const TIME_PER_FILE = 250;

function worthOf(bytes: number): number {
  return (TIME_PER_MEBIBYTE * bytes) / 2 ** 20;
}

/** Returns the milliseconds that a document of this size may always take, even if less is left for the run. */
export function minTimeFor(bytes: number): number {
  return TIME_PER_FILE + worthOf(bytes);
}

export type RunBudget = ReturnType<typeof createRunBudget>;

/** Creates the budget of a run: time beyond {@link minTimeFor} comes from the limit for one document and what others leave. */
export function createRunBudget(timeout: number, size: () => number, processorTime: () => number = timeOfProcess) {
  const start = processorTime();
  let files = 0;
  let total = 0;
  return {
    /** Counts a document that is not in an archive. */
    begin(): void {
      files++;
    },
    spend(time: number): void {
      total += time;
    },
    /** Returns the milliseconds that are left. Below 0, a document may take only {@link minTimeFor} of its size. */
    left(): number {
      const allowance = timeout + TIME_PER_FILE * files + worthOf(size());
      // Reading the time of the process takes longer than a small document.
      if (allowance - total >= timeout) return allowance - total;
      // Workers wait on a busy machine, so at most the time that all threads have computed counts.
      return allowance - Math.min(total, processorTime() - start);
    },
  };
}

function timeOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export type TimeBudget = ReturnType<typeof createTimeBudget>;

/** Creates the budget of one archive or dataset: half of the limit for one document, and more for each byte. */
export function createTimeBudget(
  timeout: number,
  size: () => number,
  run: Pick<RunBudget, 'left'>,
  what = 'the texts of the archive',
) {
  let total = 0;
  const assertLeft = (): void => {
    const max = timeout / 2 + worthOf(size());
    const limit = run.left() > 0 ? max : Math.min(max, minTimeFor(size()));
    if (total >= limit) throw tookTooLong(limit, max, what);
  };
  return {
    spend(time: number): void {
      total += time;
    },
    /** Returns the milliseconds that are left for the archive once none are left for the whole run. */
    minLeft: (): number => minTimeFor(size()) - total,
    assertLeft,
    /** Adds milliseconds that this thread spent. Throws `timeout` once the time is spent. */
    use(time: number): void {
      total += time;
      assertLeft();
    },
  };
}

const AFTER_OTHERS = ': other documents used up the time of the whole run';

export function tookTooLong(limit: number, timeout: number, what = 'its text'): Error {
  const message = `extracting ${what} took longer than ${Number((limit / 1000).toPrecision(3))} s (--timeout)`;
  return documentError('timeout', message + (limit < timeout ? AFTER_OTHERS : ''));
}
