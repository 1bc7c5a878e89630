import type { FileState } from '../../../../lookup/indexes/stores/stored-index.ts';
import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import type { Store } from '../store.ts';
import type { Counts } from './counts.ts';

/** A commit is due after this number of documents or milliseconds: an interrupted run loses no more than that. */
const MAX_PENDING = 10_000;
const MAX_DELAY = 2000;

export async function removeFiles(
  store: Store,
  files: Iterable<string> | AsyncIterable<string>,
  counts: Counts,
): Promise<void> {
  const pending = createPending(store, counts);
  for await (const file of files) {
    pending.remove(file);
    await pending.commitIfDue();
  }
  await pending.commit();
}

/** Documents and files that are not committed yet. */
export function createPending(store: Store, counts: Counts) {
  let documents: { path: string; id: string; fingerprint: Fingerprint }[] = [];
  let finished: { path: string; state: FileState }[] = [];
  let gone: string[] = [];
  let since = performance.now();

  async function commit(): Promise<void> {
    since = performance.now();
    if (documents.length + finished.length + gone.length === 0) return;
    const changes = { documents, finished, gone };
    documents = [];
    finished = [];
    gone = [];
    const { added, replaced, same, removed } = await store.files.commit(changes);
    counts.added += added;
    counts.replaced += replaced;
    counts.same += same;
    counts.removed += removed;
  }

  return {
    add: (path: string, id: string, fingerprint: Fingerprint): void => void documents.push({ path, id, fingerprint }),
    finish: (path: string, state: FileState): void => void finished.push({ path, state }),
    remove: (path: string): void => void gone.push(path),
    commit,
    async commitIfDue(): Promise<void> {
      if (documents.length + gone.length >= MAX_PENDING || performance.now() - since > MAX_DELAY) await commit();
    },
  };
}
