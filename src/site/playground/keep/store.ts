import type { Doc, State } from '../store.ts';

/** Keeps documents in this browser, so that a reload does not lose them. Each tab has documents of its own. */

export interface Kept extends Pick<State, 'docs' | 'shown' | 'label'> {
  readonly fragment: string;
}

/** A page as it is stored: its documents are stored once each, by its tab and their ids. */
interface Stored extends Omit<Kept, 'docs'> {
  readonly ids: readonly number[];
  readonly time: number;
}

/** The milliseconds without a change after which a page is deleted. */
const MAX_AGE = 24 * 60 * 60 * 1000;

let database: Promise<IDBDatabase> | undefined;

const stored = new Map<number, Blob | string>();

/** Stores the documents of a tab, those that are not stored yet, and deletes those that are gone. */
export async function keep(tab: string, { docs, shown, label, fragment }: Kept): Promise<void> {
  await change((pages, documents) => {
    for (const doc of docs) {
      if (stored.get(doc.id) === contentOf(doc)) continue;
      documents.put(withoutResults(doc), [tab, doc.id]);
      stored.set(doc.id, contentOf(doc));
    }
    for (const id of [...stored.keys()]) {
      if (docs.some((doc) => doc.id === id)) continue;
      documents.delete([tab, id]);
      stored.delete(id);
    }
    pages.put({ shown, label, fragment, ids: docs.map(({ id }) => id), time: Date.now() } satisfies Stored, tab);
  });
}

export async function forget(tab: string): Promise<void> {
  await change((pages, documents) => remove(tab, pages, documents));
  stored.clear();
}

/** Reads the kept page of a tab, which has no name at first; undefined if there is nothing. */
export async function recall(tab: string | null): Promise<Kept | undefined> {
  const { pages, documents } = storesOf(await open());
  if (tab === null) return undefined;
  const page = await resultOf<Stored | undefined>(pages.get(tab));
  if (page === undefined) return undefined;
  const docs = await Promise.all(page.ids.map((id) => resultOf<Doc | undefined>(documents.get([tab, id]))));
  if (!docs.every((doc) => doc !== undefined)) return undefined;
  for (const doc of docs) stored.set(doc.id, contentOf(doc));
  return { ...page, docs };
}

const contentOf = ({ content, text }: Doc): Blob | string => content?.blob ?? text;

/** Returns a document in its state before it is read. A document that an archive does not yield stays failed. */
function withoutResults({ id, name, isFile, isSample, text, content, failure }: Doc): Doc {
  const doc = { id, name, isFile, isSample, text, content };
  const isLost = isFile && content === undefined;
  return isLost ? { ...doc, failure, status: 'failed' } : { ...doc, status: 'running' };
}

async function change(action: (pages: IDBObjectStore, documents: IDBObjectStore) => void): Promise<void> {
  const { transaction, pages, documents } = storesOf(await open());
  action(pages, documents);
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => {
      stored.clear();
      reject(transaction.error);
    };
  });
}

function storesOf(base: IDBDatabase) {
  const transaction = base.transaction(['pages', 'documents'], 'readwrite');
  return { transaction, pages: transaction.objectStore('pages'), documents: transaction.objectStore('documents') };
}

function remove(tab: string, pages: IDBObjectStore, documents: IDBObjectStore): void {
  pages.delete(tab);
  documents.delete(IDBKeyRange.bound([tab], [tab, []]));
}

/** Opens the database, and deletes old pages of tabs that are closed. */
function open(): Promise<IDBDatabase> {
  database ??= (async () => {
    const request = indexedDB.open('simhash-doc', 1);
    request.onupgradeneeded = () => {
      for (const name of ['pages', 'documents']) request.result.createObjectStore(name);
    };
    const base = await resultOf(request);
    const { pages, documents } = storesOf(base);
    const [tabs, all] = await Promise.all([resultOf(pages.getAllKeys()), resultOf<Stored[]>(pages.getAll())]);
    all.forEach(({ time }, index) => {
      if (time < Date.now() - MAX_AGE) remove(tabs[index] as string, pages, documents);
    });
    return base;
  })();
  return database;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
