import { formatBytes, pluralize } from '../../common/text.ts';
import { DEFAULT_LIMITS } from '../../extract/limits.ts';
import { type Doc, type PlaygroundStore, type State, shownDocs } from './store.ts';
import { JobError, runJob } from './worker/jobs.ts';
import type { FileSource, JobSource, Listed, Listing } from './worker/tasks.ts';

const MAX_DOCS = 200;

export type Analyses = ReturnType<typeof createAnalyses>;

export function createAnalyses(store: PlaygroundStore, onListing: (id: number, listing: Listing) => void) {
  const running = new Map<number, AbortController>();

  function stop(id: number): void {
    running.get(id)?.abort();
    running.delete(id);
  }

  return {
    stop,
    stopAll(): void {
      for (const id of [...running.keys()]) stop(id);
    },
    async start(id: number, read: () => Promise<JobSource>): Promise<void> {
      stop(id);
      const controller = new AbortController();
      running.set(id, controller);
      const { signal } = controller;
      store.setDoc(id, { status: 'running', progress: undefined, failure: undefined });
      const onProgress = (done: number, total: number): void => {
        if (!signal.aborted) store.setDoc(id, { progress: { done, total } });
      };
      try {
        const limit = MAX_DOCS - store.state.docs.length;
        const result = await runJob({ kind: 'analyse', source: await read(), limit }, { onProgress, signal });
        if (signal.aborted) return;
        if ('listed' in result) onListing(id, result);
        else store.setDoc(id, { status: 'done', analysis: result, progress: undefined });
      } catch (error) {
        // A document that was replaced meanwhile has another controller.
        if (running.get(id) === controller || !running.has(id)) store.setDoc(id, failed(error));
      } finally {
        if (running.get(id) === controller) running.delete(id);
      }
    },
  };
}

function failed(error: unknown): Partial<Doc> {
  const code = error instanceof JobError ? error.code : 'failed';
  // A browser's own message about an unreadable file would not help the reader.
  const message = error instanceof JobError ? error.message : 'it was moved, changed or deleted since it was chosen';
  const failure = { code, message };
  return { status: 'failed', failure, analysis: undefined, progress: undefined };
}

/** Opens documents. Pane 0 is A, pane 1 is B. */
export type DocumentOpener = ReturnType<typeof createDocuments>;

let nextId = 1;

function newDoc(part: Partial<Doc> & Pick<Doc, 'name'>): Doc {
  return { id: nextId++, isFile: false, isSample: false, text: '', status: 'running', ...part };
}

function docOfFile(file: File): Doc {
  return newDoc({ name: file.webkitRelativePath || file.name, isFile: true, content: { blob: file } });
}

function docOfSource({ bytes, name, ...about }: FileSource): Doc {
  return newDoc({ name, isFile: true, content: { blob: new Blob([bytes]), ...about } });
}

async function read({ name, text, content }: Doc): Promise<JobSource> {
  if (content === undefined) return { text, name };
  const { blob, ...about } = content;
  if (blob.size > DEFAULT_LIMITS.bytes)
    throw new JobError('too-large', `is larger than the ${formatBytes(DEFAULT_LIMITS.bytes)} limit`);
  return { ...about, bytes: new Uint8Array(await blob.arrayBuffer()), name };
}

export function createDocuments(store: PlaygroundStore, analyses: Analyses) {
  function start(doc: Doc): void {
    if (doc.status === 'running') void analyses.start(doc.id, () => read(doc));
  }

  function place(pane: number, doc: Doc): void {
    analyses.stop(store.state.shown[pane]!);
    const { docs, shown } = store.state;
    const old = shown[pane]!;
    const isThere = docs.some(({ id }) => id === old);
    store.set({
      docs: isThere ? docs.map((each) => (each.id === old ? doc : each)) : [...docs, doc],
      shown: shownWith(shown, pane, doc.id),
    });
    start(doc);
  }

  function openText(pane: number, text: string, isSample = false): void {
    place(pane, newDoc({ name: 'AB'[pane]!, text, isSample }));
  }

  function openAll(pane: number | null, opened: readonly Doc[]): void {
    const { docs, shown } = store.state;
    const used = docs.filter(({ isFile, isSample, text }) => !isSample && (isFile || text !== ''));
    const replaced = pane !== null && opened.length === 1 && docs.length <= 2 ? shown[pane] : undefined;
    const others = used.filter(({ id }) => id !== replaced);
    if (others.length + opened.length > 2) {
      const taken = opened.slice(0, MAX_DOCS - others.length);
      store.set({ docs: [...others, ...taken], shown: [0, 0], groups: undefined });
      taken.forEach(start);
      noteLeftOut(opened.length - taken.length);
      return;
    }
    for (const at of [0, 1]) if (!others.some(({ id }) => id === shown[at])) openText(at, '');
    const first = replaced === undefined ? [0, 1].find((at) => isEmpty(shownDocs(store.state)[at])) : pane!;
    opened.forEach((each, index) => {
      place(index === 0 ? (first ?? 0) : 1 - (first ?? 0), each);
    });
  }

  function noteLeftOut(left: number): void {
    if (left > 0) store.set({ notice: `${pluralize(left, 'document')} left out: the page holds ${MAX_DOCS}.` });
  }

  return {
    openText,
    openSource(pane: number, source: FileSource, isSample = false): void {
      place(pane, { ...docOfSource(source), isSample });
    },
    /** Opens files: one or two documents in the panes, the first one in that pane or in an empty one; more in a list. */
    openFiles: (pane: number | null, files: readonly File[]): void => openAll(pane, files.map(docOfFile)),
    openListing(id: number, { listed, left }: Listing): void {
      const { docs, shown } = store.state;
      const archive = docs.find((doc) => doc.id === id);
      const [a, b] = shown.map((each) => (each === id ? 0 : each)) as [number, number];
      store.set({ docs: docs.filter((doc) => doc !== archive), shown: [a, b] });
      if (listed.length === 0) store.set({ notice: `There are no documents in ${archive?.name}.` });
      const docOf = (each: Listed): Doc =>
        'failure' in each ? newDoc({ ...each, isFile: true, status: 'failed' }) : docOfSource(each.source);
      openAll(null, listed.map(docOf));
      noteLeftOut(left);
    },
  };
}

const isEmpty = (doc: Doc | undefined): boolean => doc === undefined || (!doc.isFile && doc.text === '');

export function shownWith(shown: State['shown'], pane: number, id: number): State['shown'] {
  return pane === 0 ? [id, shown[1]] : [shown[0], id];
}
