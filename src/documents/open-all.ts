import type { Source } from './archive.ts';
import { nextTurn } from './in-order.ts';
import type { Reading } from './open.ts';
import type { Outcome } from './outcome.ts';
import type { Unopened } from './plan.ts';
import type { FileEntry } from './walk.ts';
import type { Pool } from './workers/pool.ts';
import { mayBeTexts, type TextResults, textOutcome } from './workers/texts.ts';
import type { Hashed } from './workers/work.ts';

/** Consecutive small plain texts, which are done already. */
export interface HashedTexts {
  readonly texts: readonly Outcome<Hashed>[];
}

/** Files whose fingerprints are being computed in case they are small texts. */
interface Batch {
  readonly entries: readonly FileEntry[];
  readonly results: Promise<TextResults>;
  isDone: boolean;
}

/** The number of batches and other sources that may wait for an earlier batch. */
const MAX_WAITING = 64;

/**
 * Opens the documents of all sources, in their order; other objects are passed on. A pool computes the fingerprints of
 * small texts at once, in batches; without one, all documents are opened.
 */
export async function* openAll<S extends object>(
  sources: Iterable<S | Unopened> | AsyncIterable<S | Unopened>,
  reading: Reading,
  pool: Pool | null,
): AsyncGenerator<S | Source | HashedTexts, undefined> {
  const isTried = pool !== null && mayBeTexts(reading.hints);
  const iterator = Symbol.asyncIterator in sources ? sources[Symbol.asyncIterator]() : sources[Symbol.iterator]();
  const waiting: (S | Unopened | Batch)[] = [];
  let entries: FileEntry[] = [];

  function endBatch(): void {
    if (entries.length === 0) return;
    const batch: Batch = { entries, results: pool!.hashTexts(entries), isDone: false };
    const done = (): void => {
      batch.isDone = true;
    };
    batch.results.then(done, done);
    waiting.push(batch);
    entries = [];
  }

  /** True if the first one need not wait, or has waited long enough for others to begin. */
  function isFirstReady(first: S | Unopened | Batch): boolean {
    return !('results' in first) || (first as Batch).isDone || waiting.length >= MAX_WAITING;
  }

  try {
    for (;;) {
      const step = iterator.next();
      // A promise for each of many small files would take as long as reading them.
      const { done, value } = step instanceof Promise ? await step : step;
      if (done === true) break;
      if (isTried && isFile(value)) {
        entries.push(value.entry);
        if (entries.length < pool.textsPerBatch()) continue;
        endBatch();
        await nextTurn();
      } else {
        endBatch();
        waiting.push(value);
      }
      while (waiting.length > 0 && isFirstReady(waiting[0]!)) yield* open(waiting.shift()!, reading);
    }
    endBatch();
    for (const each of waiting) yield* open(each, reading);
  } finally {
    await iterator.return?.();
  }
}

function isFile(source: object): source is Unopened {
  return 'entry' in source && (source as Unopened).entry.isFile === true;
}

async function* open<S extends object>(
  source: S | Unopened | Batch,
  reading: Reading,
): AsyncGenerator<S | Source | HashedTexts, undefined> {
  if ('results' in source) yield* openOthers(source as Batch, reading);
  else if ('entry' in source) yield* openEntry((source as Unopened).entry, reading);
  else yield source;
}

/** Small texts do not need the module that opens other documents; loading it takes longer than reading one of them. */
async function* openEntry(entry: FileEntry, reading: Reading): AsyncGenerator<Source, undefined> {
  const { documentsAt } = await import('./archive.ts');
  return yield* documentsAt(entry, reading);
}

/** Opens those of the files that are not small texts. */
async function* openOthers({ entries, results }: Batch, reading: Reading): AsyncGenerator<Source | HashedTexts> {
  const all = await results.catch(() => null);
  let texts: Outcome<Hashed>[] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = all === null ? null : textOutcome(all, index, entry);
    if (outcome !== null) {
      texts.push(outcome);
      continue;
    }
    if (texts.length > 0) yield { texts };
    texts = [];
    yield* openEntry(entry, reading);
  }
  if (texts.length > 0) yield { texts };
}
