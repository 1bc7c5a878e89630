import type { ExtractionHints } from '../../extract/index.ts';
import type { WorkResult } from '../document-outcome.ts';
import type { TaskKind, TaskResults, WorkListener } from '../document-tasks.ts';
import { failureOf } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import type { Opened } from '../open.ts';
import { readWhole } from '../read.ts';
import type { TextResults } from '../small-texts.ts';
import type { RunBudget } from '../time-budget.ts';
import type { FileEntry } from '../walk.ts';
import type { Queue } from './task-queue.ts';
import { countersOf, type DocumentAnswer, type QueuedTask } from './worker-messages.ts';

export interface PoolOptions {
  readonly size: number;
  readonly hints: DocumentHints;
  /** True if small and harmless work is done in this thread. */
  readonly here: boolean;
  readonly budget: RunBudget;
  readonly counters: BigInt64Array;
  readonly onPages: (path: string, done: number, total: number) => void;
}

export type Pool = ReturnType<typeof createPool>;

/** The number of small texts in a batch, and in this thread between two checks of the workers. */
const TEXTS_AT_ONCE = 512;
const TEXTS_BETWEEN = 32;

/** One batch to read, and one in the queue, since finding the files of a batch takes this thread a while. */
const BATCHES_PER_WORKER = 2;

/** The bytes of markup that are parsed in this thread at most: running out of memory or time here would end the whole batch. */
const MAX_HERE = 1 << 14;
const TYPES_HERE: ReadonlySet<ExtractionHints['type']> = new Set(['text', 'html', 'xml']);

/** Tests whether all threads share file descriptors. In Deno they belong to the thread that opened them. */
const SHARES_DESCRIPTORS = !('Deno' in globalThis);

export function createPool({ size, hints, here, counters, budget, onPages }: PoolOptions) {
  let loading: Promise<Queue> | undefined;
  // A handful of small texts needs no worker, and loading the module takes longer than they do.
  const queue = (): Promise<Queue> =>
    (loading ??= import('./task-queue.ts').then(({ createQueue }) => createQueue(size, hints, counters, budget)));
  const { limits, label, more } = hints;
  // This thread works as well, since it has little else to do.
  const maxOffloaded = here ? 0 : BATCHES_PER_WORKER * (size - 1);
  let offloaded = 0;
  const { onRead, onText } = countersOf(counters);

  async function offload(kind: TaskKind, path: string, opened: Opened): Promise<DocumentAnswer> {
    const { type, isUtf8Text, codings } = opened;
    const isInFile = SHARES_DESCRIPTORS && opened.rest !== null && opened.file?.isRegular === true;
    // The worker reads and counts the file from its start.
    if (isInFile) onRead(-opened.head.length);
    const source = isInFile ? { file: opened.file!, codings } : await readWhole(opened, limits.bytes);
    const { hints, part } = opened;
    const task: QueuedTask = { kind, label, more, type, hints, isUtf8Text, part, limits, source };
    return (await queue()).run(
      task,
      (done, total) => onPages(path, done, total),
      opened.size?.() ?? opened.fileSize ?? (source instanceof Uint8Array ? source.length : source.file.size),
      opened.time,
    ) as Promise<DocumentAnswer>;
  }

  async function workHere<K extends TaskKind>(
    kind: K,
    opened: Opened,
    listener: WorkListener,
  ): Promise<WorkResult<TaskResults[K]>> {
    const { WORK } = await import('../document-tasks.ts');
    const start = performance.now();
    const done = await WORK[kind]({ ...opened, label, more, limits }, listener);
    // A member of an archive, or a row, is in memory: nothing was waited for.
    opened.time?.spend(performance.now() - start);
    return done;
  }

  return {
    /** Works on a document; never rejects. A worker that crashes, or takes too much time or memory, fails only its document. */
    async run<K extends TaskKind>(kind: K, path: string, opened: Opened): Promise<WorkResult<TaskResults[K]>> {
      try {
        const listener = { onExtracting() {}, onPages: (done: number, total: number) => onPages(path, done, total) };
        const answer = isForHere(kind, opened, here)
          ? await workHere(kind, opened, listener)
          : await offload(kind, path, opened);
        return answer as WorkResult<TaskResults[K]>;
      } catch (error) {
        return { kind: 'failed', failure: failureOf(error), warnings: [] };
      }
    },
    /** Computes the fingerprints of the small plain texts among some files, if possible in a worker. Rejects if that crashes. */
    async hashTexts(entries: readonly FileEntry[]): Promise<TextResults> {
      const { hashTexts } = await import('../small-texts.ts');
      if (offloaded === maxOffloaded) return hashTexts(entries, hints, onText);
      offloaded++;
      const results = queue().then(
        ({ run }) => run({ kind: 'texts', entries, hints }, () => undefined, 0) as Promise<TextResults>,
      );
      return results.finally(() => offloaded--);
    },
    /** Returns the number of files to give to `hashTexts` now. */
    textsPerBatch: (): number => (offloaded > 0 && offloaded === maxOffloaded ? TEXTS_BETWEEN : TEXTS_AT_ONCE),
    close: async (): Promise<void> => (await loading)?.close(),
  };
}

function isForHere(kind: TaskKind, { type, isUtf8Text, head, rest, file }: Opened, here: boolean): boolean {
  const canMove = rest === null || (SHARES_DESCRIPTORS && file?.isRegular === true);
  // A text that is streamed takes little memory and no more time than its length.
  if (kind !== 'extract' && isUtf8Text) return here || !canMove;
  return here && rest === null && head.length <= MAX_HERE && TYPES_HERE.has(type);
}
