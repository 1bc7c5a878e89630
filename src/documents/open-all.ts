import type { DocumentOutcome } from './document-outcome.ts';
import type { Hashed } from './document-tasks.ts';
import type { Passed, Source } from './documents-at.ts';
import { nextTurn } from './in-order.ts';
import type { Reading } from './open.ts';
import { mayBeTexts, type TextResults, textOutcome } from './small-texts.ts';
import type { FileEntry } from './walk.ts';
import type { Unopened } from './walk-plan.ts';
import type { Pool } from './workers/document-pool.ts';

export type Sources<P extends Passed> = Iterable<Source | Unopened | P> | AsyncIterable<Source | Unopened | P>;

export interface HashedTexts {
  readonly kind: 'texts';
  readonly texts: readonly DocumentOutcome<Hashed>[];
}

/** Files whose fingerprints are being computed in case they are small texts. */
interface Batch {
  readonly kind: 'batch';
  readonly entries: readonly FileEntry[];
  readonly results: Promise<TextResults>;
  isDone: boolean;
}

const MAX_WAITING = 64;

/** Opens the documents of all sources, in their order. A pool computes the fingerprints of small texts at once, in batches. */
export async function* openAll<P extends Passed>(
  sources: Sources<P>,
  reading: Reading,
  pool: Pool | null,
): AsyncGenerator<Source | HashedTexts | P, undefined> {
  const isTried = pool !== null && mayBeTexts(reading.hints);
  const iterator = Symbol.asyncIterator in sources ? sources[Symbol.asyncIterator]() : sources[Symbol.iterator]();
  const waiting: (Source | Unopened | Batch | P)[] = [];
  let entries: FileEntry[] = [];

  function endBatch(): void {
    if (entries.length === 0) return;
    const batch: Batch = { kind: 'batch', entries, results: pool!.hashTexts(entries), isDone: false };
    const done = (): void => {
      batch.isDone = true;
    };
    batch.results.then(done, done);
    waiting.push(batch);
    entries = [];
  }

  /** True if the first one need not wait, or has waited long enough for others to begin. */
  function isFirstReady(first: Source | Unopened | Batch | P): boolean {
    return first.kind !== 'batch' || first.isDone || waiting.length >= MAX_WAITING;
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

function isFile(source: Source | Unopened | Passed): source is Unopened {
  return source.kind === 'file' && source.entry.isFile === true;
}

async function* open<P extends Passed>(
  source: Source | Unopened | Batch | P,
  reading: Reading,
): AsyncGenerator<Source | HashedTexts | P, undefined> {
  if (source.kind === 'batch') yield* openOthers(source, reading);
  else if (source.kind === 'file') yield* openEntry(source.entry, reading);
  else yield source;
}

/** Small texts do not need the module that opens other documents; loading it takes longer than reading one of them. */
async function* openEntry(entry: FileEntry, reading: Reading): AsyncGenerator<Source, undefined> {
  const { documentsAt } = await import('./documents-at.ts');
  return yield* documentsAt(entry, reading);
}

async function* openOthers({ entries, results }: Batch, reading: Reading): AsyncGenerator<Source | HashedTexts> {
  const all = await results.catch(() => null);
  let texts: DocumentOutcome<Hashed>[] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = all === null ? null : textOutcome(all, index, entry);
    if (outcome !== null) {
      texts.push(outcome);
      continue;
    }
    if (texts.length > 0) yield { kind: 'texts', texts };
    texts = [];
    yield* openEntry(entry, reading);
  }
  if (texts.length > 0) yield { kind: 'texts', texts };
}
