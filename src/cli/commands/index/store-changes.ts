import { resolve, sep } from 'node:path';
import { formatNumber, pluralize } from '../../../common/text.ts';
import type { FileChanges, FileState } from '../../../lookup/stores/stored-index.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import type { OpenIndex } from '../../stores/open-store.ts';
import { idsMeant } from '../../stores/stored-documents.ts';
import { print, printJson, warn } from '../../terminal/print.ts';
import { assertOperands, type Prepared } from './run-index.ts';

export type ChangeCounts = ReturnType<typeof noCounts>;

/** The numbers of documents by outcome; of files that were not read, in `unchanged`. */
export function noCounts() {
  return { added: 0, replaced: 0, same: 0, removed: 0, unchanged: 0, failed: 0 };
}

export async function printCounts(counts: ChangeCounts, args: Arguments): Promise<number> {
  await (args.flag('json') ? printJson(counts) : print(`${summary(counts)}\n`));
  return counts.failed > 0 ? FAILED : DONE;
}

function summary({ added, replaced, same, removed, unchanged, failed }: ChangeCounts): string {
  const parts = [
    `added ${pluralize(added, 'document')}`,
    `replaced ${formatNumber(replaced)}`,
    ...(same > 0 ? [`${formatNumber(same)} the same`] : []),
    ...(removed > 0 ? [`removed ${formatNumber(removed)}`] : []),
    ...(unchanged > 0 ? [`skipped ${pluralize(unchanged, 'unchanged file')}`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
  ];
  return parts.join(', ');
}

/** A commit is due after this number of documents or milliseconds: an interrupted run loses no more than that. */
const MAX_PENDING = 10_000;
const MAX_DELAY = 2000;

export async function removeFiles(
  store: OpenIndex,
  files: Iterable<string> | AsyncIterable<string>,
  counts: ChangeCounts,
): Promise<void> {
  const pending = createPending(store, counts);
  for await (const file of files) {
    pending.remove(file);
    await pending.commitIfDue();
  }
  await pending.commit();
}

export function createPending(store: OpenIndex, counts: ChangeCounts) {
  let changes = noChanges();
  let since = performance.now();

  async function commit(): Promise<void> {
    since = performance.now();
    const { documents, finished, gone } = changes;
    if (documents.length + finished.length + gone.length === 0) return;
    changes = noChanges();
    const done = await store.files.commit({ documents, finished, gone });
    for (const name of ['added', 'replaced', 'same', 'removed'] as const) counts[name] += done[name];
  }

  return {
    add: (document: FileChanges['documents'][number]): void => void changes.documents.push(document),
    finish: (path: string, state: FileState): void => void changes.finished.push({ path, state }),
    remove: (path: string): void => void changes.gone.push(path),
    commit,
    async commitIfDue(): Promise<void> {
      const { documents, gone } = changes;
      if (documents.length + gone.length >= MAX_PENDING || performance.now() - since > MAX_DELAY) await commit();
    },
  };
}

function noChanges(): { [name in keyof FileChanges]-?: Required<FileChanges>[name][number][] } {
  return { documents: [], finished: [], gone: [] };
}

/** Removes documents by id, and all of files and folders. Names that are not in the index are counted and reported. */
export async function prepareRemove(args: Arguments, names: readonly string[]): Promise<Prepared> {
  assertOperands(args, 'ID or PATH');
  return {
    async action(store) {
      let [removed, missing] = [0, 0];
      for (const name of names) {
        const counts = noCounts();
        let ids = 0;
        for (const id of idsMeant(name))
          if (ids === 0) ids = ((await store.files.remove(id)) ?? 0) + ((await store.remove(id)) ? 1 : 0);
        await removeFiles(store, filesUnder(store, name), counts);
        removed += ids + counts.removed;
        if (ids + counts.removed > 0) continue;
        missing++;
        warn(`${name}: not in the index`);
      }
      await (args.flag('json') ? printJson({ removed }) : print(`removed ${pluralize(removed, 'document')}\n`));
      return missing > 0 ? FAILED : DONE;
    },
  };
}

export async function* filesUnder(store: OpenIndex, path: string): AsyncGenerator<string, void> {
  const absolute = resolve(path);
  const folder = absolute.endsWith(sep) ? absolute : absolute + sep;
  if ((await stateOf(store, absolute)) !== undefined) yield absolute;
  yield* store.files.paths(folder);
}

/** Returns the state of a file; undefined also if its path is too long to be in an index. */
export async function stateOf(store: OpenIndex, path: string): Promise<FileState | undefined> {
  return store.files.get(resolve(path)).catch(() => undefined);
}
