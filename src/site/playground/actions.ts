import { formatBytes, pluralize } from '../../common/text.ts';
import { DEFAULT_LIMITS } from '../../extract/limits.ts';
import { EMPTY_STATE, formatFragment, type PlaygroundState, parseFragment } from './state.ts';
import { type Doc, type State, type Store, shownDocs, tokensUnder } from './store.ts';
import { JobError, runJob } from './work/jobs.ts';
import type { Analysis, CountedTokens, Source } from './work/types.ts';

/** How many documents are held. */
export const MAX_DOCS = 200;

/** How many milliseconds after a key the text is analysed, unless another key follows. */
const TYPING_PAUSE = 60;

/** What a user can do. Pane 0 is A, pane 1 is B. */
export interface Actions {
  type(pane: number, text: string): void;
  open(pane: number, files: readonly File[]): void;
  openTexts(state: PlaygroundState, areSamples?: boolean): void;
  restore(fragment: string): Promise<void>;
  cancel(id: number): void;
  remove(id: number): void;
  /** Turns a file into typed text. */
  edit(pane: number): void;
  /** Reads typed text as the HTML or XML that it is. */
  readMarkup(pane: number): void;
  show(pane: number, id: number): void;
  showPair(a: number, b: number): void;
  swap(): void;
  setLabel(label: string): void;
  setK(k: number): void;
  clear(): void;
  notify(notice: string): void;
}

/** Makes the actions on a store. */
export function createActions(store: Store): Actions {
  const running = new Map<number, AbortController>();
  let nextId = 1;
  /** Of two links that are opened in a row, the second one counts, whichever is read first. */
  let restored = 0;

  const stop = (id: number): void => {
    running.get(id)?.abort();
    running.delete(id);
  };

  /** Analyses a document; `read` may take its time. */
  const analyse = async (id: number, read: () => Promise<Source>): Promise<void> => {
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
  };

  const newDoc = (part: Partial<Doc> & Pick<Doc, 'name'>): Doc => ({
    id: nextId++,
    isFile: false,
    isSample: false,
    text: '',
    status: 'running',
    ...part,
  });

  /** Puts a document into a pane, in place of the one that is there. */
  const place = (pane: number, doc: Doc): void => {
    const { docs, shown } = store.state;
    const old = shown[pane]!;
    stop(old);
    const kept = docs.some(({ id }) => id === old)
      ? docs.map((each) => (each.id === old ? doc : each))
      : [...docs, doc];
    store.set({ docs: kept, shown: pane === 0 ? [doc.id, shown[1]] : [shown[0], doc.id] });
  };

  const openText = (pane: number, text: string, isSample = false): void => {
    const doc = newDoc({ name: 'AB'[pane]!, text, isSample });
    place(pane, doc);
    void analyse(doc.id, async () => ({ text, name: doc.name }));
  };

  const openSource = (pane: number, source: Source): void => {
    const doc = newDoc({ name: source.name, isFile: true });
    place(pane, doc);
    void analyse(doc.id, async () => source);
  };

  const actions: Actions = {
    type(pane, text) {
      const id = store.state.shown[pane]!;
      store.set({ vector: undefined, notice: '' });
      store.setDoc(id, { text, name: 'AB'[pane]!, isSample: false });
      void analyse(id, async () => {
        await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE));
        return { text, name: 'AB'[pane]! };
      });
    },
    open(pane, files) {
      store.set({ vector: undefined, notice: '' });
      const other = shownDocs(store.state)[1 - pane];
      if (other?.isSample) openText(1 - pane, '');
      const panes = panesFor(store.state, pane);
      const room = MAX_DOCS - store.state.docs.length + panes.length;
      const taken = files.slice(0, room);
      for (const file of taken) {
        const doc = newDoc({ name: file.webkitRelativePath || file.name, isFile: true });
        const target = panes.shift();
        if (target === undefined) store.set({ docs: [...store.state.docs, doc] });
        else place(target, doc);
        void analyse(doc.id, () => readFile(file));
      }
      if (taken.length < files.length)
        store.set({
          notice: `${pluralize(files.length - taken.length, 'file')} left out: the page holds ${MAX_DOCS} documents.`,
        });
    },
    openTexts({ a, b, variant }, areSamples) {
      actions.clear();
      store.set({ label: variant });
      openText(0, a, areSamples);
      openText(1, b, areSamples);
    },
    async restore(fragment) {
      const number = ++restored;
      try {
        const state = await parseFragment(fragment);
        if (number !== restored) return;
        if (state.vector === undefined) {
          actions.openTexts(state);
          return;
        }
        const { loadVector } = await import('./vectors.ts');
        const { vector, state: texts, source } = await loadVector(state.vector);
        if (number !== restored) return;
        actions.openTexts(texts);
        if (source !== null) openSource(0, source);
        store.set({ vector });
      } catch (error) {
        if (number !== restored) return;
        actions.openTexts(EMPTY_STATE);
        store.set({ notice: `This link cannot be opened: ${(error as Error).message}.` });
      }
    },
    cancel: stop,
    remove(id) {
      const pane = store.state.shown.indexOf(id);
      if (pane >= 0) openText(pane, '');
      else {
        stop(id);
        store.set({ docs: store.state.docs.filter((doc) => doc.id !== id) });
      }
    },
    edit: (pane) => openText(pane, shownDocs(store.state)[pane]?.analysis?.text ?? ''),
    readMarkup(pane) {
      const { text = '', analysis } = shownDocs(store.state)[pane] ?? {};
      const type = analysis?.markup;
      if (type === undefined) return;
      store.set({ vector: undefined, notice: '' });
      openSource(pane, { octets: new TextEncoder().encode(text), name: `pasted ${type.toUpperCase()}`, type });
    },
    show(pane, id) {
      const { shown } = store.state;
      if (shown[1 - pane] === id) actions.swap();
      else store.set({ shown: pane === 0 ? [id, shown[1]] : [shown[0], id] });
    },
    showPair: (a, b) => store.set({ shown: [a, b] }),
    swap: () => store.set({ shown: [store.state.shown[1], store.state.shown[0]] }),
    setLabel: (label) => store.set({ label }),
    setK: (k) => store.set({ k }),
    clear() {
      for (const id of [...running.keys()]) stop(id);
      store.set({ docs: [], shown: [0, 0], vector: undefined, notice: '' });
    },
    notify: (notice) => store.set({ notice }),
  };
  followPair(store);
  followGroups(store);
  return actions;
}

function failed(error: unknown): Partial<Doc> {
  const code = error instanceof JobError ? error.code : 'failed';
  const failure = { code, message: error instanceof Error ? error.message : String(error) };
  return { status: 'failed', failure, analysis: undefined, progress: undefined };
}

/** Where files go: into the pane that was meant, and into the other one if nothing is in it. */
function panesFor(state: State, pane: number): number[] {
  const other = shownDocs(state)[1 - pane];
  return other === undefined || (!other.isFile && other.text === '') ? [pane, 1 - pane] : [pane];
}

async function readFile(file: File): Promise<Source> {
  if (file.size > DEFAULT_LIMITS.octets)
    throw new JobError('too-large', `is larger than the ${formatBytes(DEFAULT_LIMITS.octets)} limit`);
  return { octets: new Uint8Array(await file.arrayBuffer()), name: file.name };
}

/** Compares the two documents that are shown whenever they or the label change. */
function followPair(store: Store): void {
  let last: readonly unknown[] = [];
  store.subscribe((state) => {
    const [a, b] = shownDocs(state).map((doc) => doc?.analysis);
    const inputs = [a, b, state.label];
    if (inputs.every((input, index) => input === last[index])) return;
    last = inputs;
    if (a === undefined || b === undefined) {
      store.set({ pair: undefined });
      return;
    }
    const { label } = state;
    runJob({ kind: 'pair', label, a: countedUnder(label, a), b: countedUnder(label, b) }).then(
      (pair) => last === inputs && store.set({ pair }),
      (error: Error) => store.set({ notice: `The comparison failed: ${error.message}.` }),
    );
  });
}

/** What a worker needs to compare a document: sending it what is shown as well would take time. */
function countedUnder(label: string, analysis: Analysis): CountedTokens {
  const { total, counts, names } = tokensUnder(label, analysis);
  return { total, counts, names };
}

/** Groups the documents if there are more than two. */
function followGroups(store: Store): void {
  let last = '';
  store.subscribe((state) => {
    const known = state.docs.flatMap((doc, index) => {
      const fingerprint = doc.analysis?.fingerprints[state.label] ?? null;
      return fingerprint === null ? [] : [{ index, fingerprint }];
    });
    const key = `${state.k} ${known.map(({ index, fingerprint }) => `${index} ${fingerprint}`).join()}`;
    if (key === last) return;
    last = key;
    if (state.docs.length < 3) return;
    const fingerprints = BigUint64Array.from(known, ({ fingerprint }) => fingerprint);
    runJob({ kind: 'groups', fingerprints, k: state.k }).then(
      (groups) => {
        if (key === last) store.set({ groups: groups.map((members) => members.map((at) => known[at]!.index)) });
      },
      (error: Error) => store.set({ notice: `Grouping failed: ${error.message}.` }),
    );
  });
}

/** Formats what is shown as a fragment; null if it is too long, or if a document cannot be read. */
export async function fragmentOf(state: State): Promise<string | null> {
  const { label: variant, vector } = state;
  if (vector !== undefined) return formatFragment({ ...EMPTY_STATE, variant, vector: vector.id });
  const texts = shownDocs(state).map((doc) => (doc?.isFile ? doc.analysis?.text : doc?.text));
  const [a, b] = texts;
  return typeof a === 'string' && typeof b === 'string' ? formatFragment({ a, b, variant }) : null;
}
