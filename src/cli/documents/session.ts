import type { HashPart } from '../../fingerprint/token-counts.ts';
import { printable } from '../terminal/output.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import type { Found, Source } from './archive.ts';
import { documentError } from './failure.ts';
import type { DocumentHints } from './hints.ts';
import { inOrder, nextTurn } from './in-order.ts';
import type { Opened, Reading } from './open.ts';
import { type HashedTexts, openAll } from './open-all.ts';
import type { Outcome } from './outcome.ts';
import { measure, type Unopened, type Walked } from './plan.ts';
import { createReport, type Report } from './report.ts';
import { createPool, type Pool } from './workers/pool.ts';
import type { Kind, Results } from './workers/work.ts';

/** How the documents of one command are worked on. */
export interface SessionOptions {
  readonly hints: DocumentHints;
  /** The most documents at a time. */
  readonly jobs: number;
  /** Whether there is little work; see `isHandful`. */
  readonly isHandful: boolean;
  /** Whether failures are printed as JSON; else they are reported on stderr. */
  readonly json: boolean;
  /** Whether there is no progress line. */
  readonly quiet: boolean;
  /** What is measured for the progress line, if anything. */
  readonly measured?: Walked;
  /** Whether documents that cannot be read by their type are skipped, not failed. */
  readonly skipUnsupported?: boolean;
}

/** Something that is not a document and keeps its place among them. */
export interface Passed {
  readonly passed: unknown;
}

/** The work of one command on its documents. */
export interface Session {
  readonly reading: Reading;
  readonly progress: Progress;
  readonly report: Report;
  /**
   * Works on documents, several at a time.
   * @param kind - what to do with each
   * @param sources - the documents
   * @returns what became of each, in their order
   */
  run<K extends Kind, S extends Source | Unopened | Passed>(
    kind: K,
    sources: Iterable<S> | AsyncIterable<S>,
  ): AsyncGenerator<Outcome<Results[K]> | Extract<S, Passed>, undefined>;
}

/** How many documents may wait for an earlier one, for each worker; and where there are no workers, or one. */
const WINDOW = 128;
const SMALL_WINDOW = 8;

/** What an open file counts for in memory, in octets: it bounds how many are open. */
const OPEN_FILE = 1 << 18;

/** Milliseconds between two updates of the progress line while workers are busy. */
const PROGRESS_INTERVAL = 100;

/**
 * Runs an action with workers and a progress line, and ends both, whatever happens.
 * @param options - see {@link SessionOptions}
 * @param action - the action
 */
export async function withSession<T>(options: SessionOptions, action: (session: Session) => Promise<T>): Promise<T> {
  const { hints, jobs, isHandful, json, quiet, measured, skipUnsupported = false } = options;
  const octetsRead = new BigInt64Array(new SharedArrayBuffer(8));
  const progress = createProgress(process.stderr, quiet);
  const report = createReport(progress, { json, skipUnsupported });
  const show = (): void => progress.update(report.documents, Number(Atomics.load(octetsRead, 0)));
  const onRead = (octets: number): void => {
    Atomics.add(octetsRead, 0, BigInt(octets));
    show();
  };
  const here = jobs === 1 || isHandful;
  const window = here ? SMALL_WINDOW : jobs * WINDOW;
  const pool = createPool({
    hints,
    octetsRead,
    here,
    size: isHandful ? 1 : jobs,
    onPages: (path, done, total) => progress.detail(`page ${done} of ${total} of ${printable(path)}`),
  });
  const timer = setInterval(show, PROGRESS_INTERVAL);
  let isOver = false;
  if (measured !== undefined && !quiet && process.stderr.isTTY)
    void measure(measured, () => isOver).then((total) => total && progress.expect(total.documents, total.octets));
  try {
    return await action({
      reading: { hints, onRead },
      progress,
      report,
      run: (kind, sources) => workOn(kind, sources, { reading: { hints, onRead }, pool, window, report }),
    });
  } finally {
    isOver = true;
    clearInterval(timer);
    progress.end();
    await pool.close();
  }
}

/**
 * Works on the only document that a path leads to; an archive is a failure.
 * @param kind - what to do with it
 * @param path - a file, or standard input
 * @param part - which of its tokens `tokens` counts
 */
export async function runOne<K extends Kind>(
  session: Session,
  kind: K,
  path: string,
  part?: HashPart,
): Promise<Outcome<Results[K]>> {
  const [{ documentsAt, formatNameOf, isArchive }, { open }] = await Promise.all([
    import('./archive.ts'),
    import('./open.ts'),
  ]);
  const entry = { path, found: false };
  const { reading } = session;
  const sources = documentsAt(entry, reading, async () => {
    const opened = await open(entry, reading);
    if (!isArchive(opened)) return part === undefined ? opened : { ...opened, part };
    await opened.close();
    const message = `is an archive (${formatNameOf(opened)}) of several documents: expected one document; hash and extract read them all`;
    throw documentError('archive', message);
  });
  const { value } = await session.run(kind, sources).next();
  return value as Outcome<Results[K]>;
}

/** What a document that is being worked on counts for in memory. */
function sizeInMemory({ head, rest, file }: Opened, kind: Kind): number {
  const size = rest === null ? head.length : OPEN_FILE;
  // Its text, which waits for the documents before it, is often as long as the document; a character takes two octets.
  return kind === 'extract' ? 2 * Math.max(size, file?.size ?? 0) : size;
}

/** What {@link workOn} works with. */
interface Means {
  readonly reading: Reading;
  readonly pool: Pool;
  readonly window: number;
  readonly report: Report;
}

async function* workOn<K extends Kind, S extends Source | Unopened | Passed>(
  kind: K,
  sources: Iterable<S> | AsyncIterable<S>,
  { reading, pool, window, report }: Means,
): AsyncGenerator<Outcome<Results[K]> | Extract<S, Passed>, undefined> {
  type Item = Found | Exclude<Source, Found> | Extract<S, Passed> | HashedTexts;
  type Result = Outcome<Results[K]> | Exclude<Item, Found>;
  const work = async ({ place, opened, warnings }: Found): Promise<Outcome<Results[K]>> => {
    const done = await pool.run(kind, place.path, opened);
    await opened.close();
    // Timers and streams run between documents that are worked on in this thread.
    await nextTurn();
    const { fileSize } = opened;
    return {
      ...place,
      ...done,
      warnings: [...warnings, ...done.warnings],
      ...(fileSize !== undefined && { fileSize }),
    };
  };
  const begin = (item: Item): Result | Promise<Result> => ('opened' in item ? work(item as Found) : (item as Result));
  const heldBy = (item: Item): number => ('opened' in item ? sizeInMemory(item.opened, kind) : 0);
  const items = openAll(sources, reading, kind === 'hash' ? pool : null) as AsyncGenerator<Item>;
  for await (const item of inOrder(items, begin, window, heldBy))
    if ('skipped' in item) report.tellSkipped(item);
    else if ('texts' in item) for (const outcome of item.texts) yield outcome as Outcome<Results[K]>;
    else yield item as Outcome<Results[K]> | Extract<S, Passed>;
  return undefined;
}
