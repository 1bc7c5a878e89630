import { lossesOf, reportsAttachments } from '../extract/result.ts';
import type { HashPart } from '../fingerprint/token-counts.ts';
import type { RowDocuments } from './dataset/row-documents.ts';
import { type DocumentOutcome, failed, type OutcomeReport } from './document-outcome.ts';
import type { TaskKind, TaskResults } from './document-tasks.ts';
import type { Passed, Skipped, Source } from './documents-at.ts';
import { documentError, failureOf } from './failure.ts';
import type { DocumentHints } from './hints.ts';
import { inOrder, nextTurn } from './in-order.ts';
import type { Found, Opened, Reading } from './open.ts';
import { type HashedTexts, openAll, type Sources } from './open-all.ts';
import { createRunBudget } from './time-budget.ts';
import type { Unopened } from './walk-plan.ts';
import { createPool, type Pool } from './workers/document-pool.ts';
import { BYTES, TEXTS } from './workers/worker-messages.ts';

export interface DocumentOptions {
  readonly hints: DocumentHints;
  readonly jobs: number;
  readonly isHandful: boolean;
}

export interface DocumentListener {
  onRead?(): void;
  onPages?(path: string, done: number, total: number): void;
  onSkipped?(skipped: Skipped): void;
}

export type DocumentRunner = ReturnType<typeof openDocuments>;

/** The number of documents that may wait for an earlier one: for each of several workers; for one worker or none. */
const WINDOW = 128;
const SMALL_WINDOW = 8;

/** The memory that an open file counts for, in bytes: it bounds the number of open files. */
const OPEN_FILE = 1 << 18;

export interface ReportedDocuments extends Pick<DocumentRunner, 'reading' | 'run'> {
  readonly report: OutcomeReport;
}

export function openDocuments(options: DocumentOptions, listener: DocumentListener = {}) {
  const { hints, jobs, isHandful } = options;
  const counters = new BigInt64Array(new SharedArrayBuffer(16));
  const waiting = { bytes: 0, ahead: 0 };
  const onRead = (bytes: number): void => {
    Atomics.add(counters, BYTES, BigInt(bytes));
    listener.onRead?.();
  };
  const here = jobs === 1 || isHandful;
  const window = here ? SMALL_WINDOW : jobs * WINDOW;
  const budget = createRunBudget(hints.timeout, () => Number(Atomics.load(counters, BYTES)));
  const pool = createPool({
    hints,
    budget,
    counters,
    here,
    size: isHandful ? 1 : jobs,
    onPages: (path, done, total) => listener.onPages?.(path, done, total),
  });
  const reading: Reading = { hints, onRead, run: budget };
  return {
    reading,
    /** Returns the bytes read and the documents done, without those that wait for their turn. */
    done: () => ({
      bytes: Number(Atomics.load(counters, BYTES)) - waiting.bytes,
      ahead: waiting.ahead + Number(Atomics.load(counters, TEXTS)),
    }),
    run: <K extends TaskKind, S extends Source | Unopened | Passed>(kind: K, sources: Iterable<S> | AsyncIterable<S>) =>
      workOn(kind, sources as Sources<Extract<S, Passed>>, { reading, pool, window, listener, waiting }),
    close: () => pool.close(),
  };
}

/** Works on the only document of a file or of standard input; an archive is a failure. */
export async function runOne<K extends TaskKind>(
  { reading, run }: Pick<DocumentRunner, 'reading' | 'run'>,
  kind: K,
  path: string,
  part?: HashPart,
): Promise<DocumentOutcome<TaskResults[K]>> {
  const [{ formatNameOf, inputWarnings, isArchive }, { open }] = await Promise.all([
    import('./documents-at.ts'),
    import('./open.ts'),
  ]);
  const place = { path };
  async function* sources(): AsyncGenerator<Source, undefined> {
    try {
      const opened = await open({ path, found: false }, reading);
      if (!isArchive(opened))
        yield { kind: 'document', place, opened: { ...opened, part }, warnings: inputWarnings(path, opened) };
      else {
        await opened.close();
        const message = `is an archive (${formatNameOf(opened)}) of several documents: expected one document; hash and extract read them all`;
        throw documentError('archive', message);
      }
    } catch (error) {
      yield failed(place, failureOf(error));
    }
  }
  const { value } = await run(kind, sources()).next();
  return value as DocumentOutcome<TaskResults[K]>;
}

function sizeInMemory({ head, rest, file }: Opened, kind: TaskKind): number {
  const size = rest === null ? head.length : OPEN_FILE;
  // Its text, which waits for the documents before it, is often as long as the document; a character takes two bytes.
  return kind === 'extract' ? 2 * Math.max(size, file?.size ?? 0) : size;
}

interface WorkContext {
  readonly reading: Reading;
  readonly pool: Pool;
  readonly window: number;
  readonly listener: DocumentListener;
  readonly waiting: { bytes: number; ahead: number };
}

async function* workOn<K extends TaskKind, P extends Passed>(
  kind: K,
  sources: Sources<P>,
  { reading, pool, window, listener, waiting }: WorkContext,
): AsyncGenerator<DocumentOutcome<TaskResults[K]> | P, undefined> {
  // Documents are read for their tokens after they were counted.
  const isFirst = kind === 'tokens' ? 0 : 1;
  type Item = Exclude<Source, RowDocuments> | HashedTexts | P;
  type Result = DocumentOutcome<TaskResults[K]> | Skipped | HashedTexts | P;
  const work = async ({ place, opened, warnings }: Found): Promise<DocumentOutcome<TaskResults[K]>> => {
    // The worker counts the bytes of the others.
    const bytes = opened.rest === null ? (opened.fileSize ?? 0) : 0;
    waiting.bytes += bytes;
    const done = await pool.run(kind, place.path, opened);
    waiting.bytes -= bytes;
    waiting.ahead += isFirst;
    await opened.close();
    // Timers and streams run between documents that are worked on in this thread.
    await nextTurn();
    const { fileSize } = opened;
    const hasMembers = place.hasAttachments !== undefined;
    const all = [
      ...warnings,
      ...(hasMembers ? done.warnings.filter((each) => !reportsAttachments(each)) : done.warnings),
    ];
    const losses = lossesOf(all).filter((loss) => reading.hints.refused?.includes(loss));
    const reason = all.find((each) => lossesOf([each]).includes(losses[0]!));
    const message = `is refused (--refuse ${losses.join(', ')}): ${reason}`;
    const about = { ...place, warnings: all, ...(fileSize !== undefined && { fileSize }) };
    const { size } = done;
    if (losses.length === 0) return { ...done, ...about };
    return { ...about, ...(size !== undefined && { size }), kind: 'failed', failure: { code: 'refused', message } };
  };
  const begin = (item: Item): Result | Promise<Result> => {
    if (item.kind === 'document') return work(item);
    if (item.kind === 'failed') waiting.ahead += isFirst;
    return item;
  };
  const heldBy = (item: Item): number => {
    if (item.kind === 'document') return sizeInMemory(item.opened, kind);
    return item.kind === 'passed' ? (item.bytes ?? 0) : 0;
  };
  async function* items(): AsyncGenerator<Item, undefined> {
    for await (const item of openAll(sources, reading, kind === 'hash' ? pool : null))
      if (item.kind !== 'rows') yield item;
      else {
        const { documentsOfRows, hashRows } = await import('./dataset/row-documents.ts');
        if (kind !== 'hash' || item.type !== 'text' || reading.hints.more !== undefined)
          yield* documentsOfRows(item, reading.hints);
        else {
          const texts = hashRows(item, reading.hints.label);
          waiting.ahead += texts.length;
          yield { kind: 'texts', texts };
          await nextTurn();
        }
      }
    return undefined;
  }
  for await (const item of inOrder(items(), begin, window, heldBy))
    if (item.kind === 'skipped') listener.onSkipped?.(item);
    else if (item.kind === 'texts')
      for (const outcome of item.texts) {
        waiting.ahead--;
        yield outcome as DocumentOutcome<TaskResults[K]>;
      }
    else {
      if (item.kind === 'done' || item.kind === 'failed') waiting.ahead -= isFirst;
      yield item;
    }
}
