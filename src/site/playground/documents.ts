import { formatBytes, pluralize } from '../../common/text.ts';
import { DEFAULT_LIMITS } from '../../extract/limits.ts';
import { type Doc, type State, type Store, shownDocs } from './store.ts';
import { JobError, runJob } from './work/jobs.ts';
import type { Source } from './work/types.ts';

/** The maximum number of documents held. */
const MAX_DOCS = 200;

/** The analyses that run, at most one for each document. */
export interface Analyses {
  /** Analyses a document, instead of what it was before; `read` may take its time. */
  start(id: number, read: () => Promise<Source>): Promise<void>;
  stop(id: number): void;
  stopAll(): void;
}

/** Makes the {@link Analyses} of a store, which gets their progress and results. */
export function createAnalyses(store: Store): Analyses {
  const running = new Map<number, AbortController>();

  function stop(id: number): void {
    running.get(id)?.abort();
    running.delete(id);
  }

  return {
    stop,
    stopAll() {
      for (const id of [...running.keys()]) stop(id);
    },
    async start(id, read) {
      stop(id);
      const controller = new AbortController();
      running.set(id, controller);
      const { signal } = controller;
      store.setDoc(id, { status: 'running', progress: undefined, failure: undefined });
      const onProgress = (done: number, total: number): void => {
        if (!signal.aborted) store.setDoc(id, { progress: { done, total } });
      };
      try {
        const analysis = await runJob({ kind: 'analyse', source: await read() }, { onProgress, signal });
        if (!signal.aborted) store.setDoc(id, { status: 'done', analysis, progress: undefined });
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
  const failure = { code, message: error instanceof Error ? error.message : String(error) };
  return { status: 'failed', failure, analysis: undefined, progress: undefined };
}

/** Opens documents. Pane 0 is A, pane 1 is B. */
export interface Documents {
  openText(pane: number, text: string, isSample?: boolean): void;
  openSource(pane: number, source: Source, isSample?: boolean): void;
  /** Opens files: the first ones in the panes, the others in the list. */
  openFiles(pane: number, files: readonly File[]): void;
}

/** Makes what puts {@link Documents} into a store and starts their analyses. */
export function createDocuments(store: Store, analyses: Analyses): Documents {
  let nextId = 1;

  const newDoc = (part: Partial<Doc> & Pick<Doc, 'name'>): Doc => ({
    id: nextId++,
    isFile: false,
    isSample: false,
    text: '',
    status: 'running',
    ...part,
  });

  /** Puts a document into a pane, in place of the one that is there. */
  function place(pane: number, doc: Doc): void {
    analyses.stop(store.state.shown[pane]!);
    store.set(placed(store.state, pane, doc));
  }

  function openText(pane: number, text: string, isSample = false): void {
    const doc = newDoc({ name: 'AB'[pane]!, text, isSample });
    place(pane, doc);
    void analyses.start(doc.id, async () => ({ text, name: doc.name }));
  }

  return {
    openText,
    openSource(pane, source, isSample = false) {
      const doc = newDoc({ name: source.name, isFile: true, isSample });
      place(pane, doc);
      void analyses.start(doc.id, async () => source);
    },
    openFiles(pane, files) {
      const other = shownDocs(store.state)[1 - pane];
      if (other?.isSample) openText(1 - pane, '');
      const panes = panesFor(store.state, pane);
      const taken = files.slice(0, MAX_DOCS - store.state.docs.length + panes.length);
      for (const file of taken) {
        const doc = newDoc({ name: file.webkitRelativePath || file.name, isFile: true });
        const target = panes.shift();
        if (target === undefined) store.set({ docs: [...store.state.docs, doc] });
        else place(target, doc);
        void analyses.start(doc.id, () => readFile(file));
      }
      const left = files.length - taken.length;
      if (left > 0) store.set({ notice: `${pluralize(left, 'file')} left out: the page holds ${MAX_DOCS} documents.` });
    },
  };
}

/** The documents when one takes the place of that in a pane. */
function placed({ docs, shown }: State, pane: number, doc: Doc): Pick<State, 'docs' | 'shown'> {
  const old = shown[pane]!;
  return {
    docs: docs.some(({ id }) => id === old) ? docs.map((each) => (each.id === old ? doc : each)) : [...docs, doc],
    shown: shownWith(shown, pane, doc.id),
  };
}

/** The ids of the documents that are shown when another one is, in a pane. */
export function shownWith(shown: State['shown'], pane: number, id: number): State['shown'] {
  return pane === 0 ? [id, shown[1]] : [shown[0], id];
}

/** Returns the panes for files: the pane that was meant, and the other one if nothing is in it. */
function panesFor(state: State, pane: number): number[] {
  const other = shownDocs(state)[1 - pane];
  return other === undefined || (!other.isFile && other.text === '') ? [pane, 1 - pane] : [pane];
}

async function readFile(file: File): Promise<Source> {
  if (file.size > DEFAULT_LIMITS.octets)
    throw new JobError('too-large', `is larger than the ${formatBytes(DEFAULT_LIMITS.octets)} limit`);
  return { octets: new Uint8Array(await file.arrayBuffer()), name: file.name };
}
