import { DOCUMENT_LABEL } from '../../duplicates/answer.ts';
import { type Analyses, createAnalyses, createDocuments, type DocumentOpener, shownWith } from './documents.ts';
import { EXAMPLES } from './examples.ts';
import { EMPTY_STATE, formatExample, formatFragment, type PlaygroundState, parseFragment } from './state.ts';
import { type PlaygroundStore, type State, shownAnalyses, shownDocs, shownExample, sideUnder } from './store.ts';
import { runJob } from './worker/jobs.ts';

/** The milliseconds after a key until the text is analysed, unless another key follows. */
const TYPING_PAUSE = 60;

/** The actions of a user. Pane 0 is A, pane 1 is B. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(store: PlaygroundStore) {
  const analyses = createAnalyses(store, (id, listing) => documents.openListing(id, listing));
  const documents: DocumentOpener = createDocuments(store, analyses);
  const swap = (): void => store.set({ shown: [store.state.shown[1], store.state.shown[0]] });

  const actions = {
    type(pane: number, text: string): void {
      const id = store.state.shown[pane]!;
      const name = 'AB'[pane]!;
      store.set({ vector: undefined, notice: '' });
      store.setDoc(id, { text, name, isSample: false });
      void analyses.start(id, async () => {
        await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE));
        return { text, name };
      });
    },
    open(pane: number | null, files: readonly File[]): void {
      store.set({ vector: undefined, notice: '' });
      documents.openFiles(pane, files);
    },
    ...createOpening(store, documents, analyses),
    cancel: analyses.stop,
    remove(id: number): void {
      const { docs, shown } = store.state;
      const pane = shown.indexOf(id);
      if (docs.length <= 2) {
        documents.openText(pane, '');
        return;
      }
      analyses.stop(id);
      const [a, b, ...others] = docs.filter((doc) => doc.id !== id);
      store.set({ docs: [a!, b!, ...others], shown: others.length === 0 ? [a!.id, b!.id] : [0, 0] });
    },
    /** Replaces a file by its text, to be edited. */
    edit: (pane: number): void => documents.openText(pane, shownDocs(store.state)[pane]?.analysis?.text ?? ''),
    readMarkup(pane: number): void {
      const { text = '', analysis } = shownDocs(store.state)[pane] ?? {};
      const type = analysis?.markup;
      if (type === undefined) return;
      store.set({ vector: undefined, notice: '' });
      const bytes = new TextEncoder().encode(text);
      documents.openSource(pane, { bytes, name: `pasted ${type.toUpperCase()}`, type });
    },
    show(pane: number, id: number): void {
      const { shown } = store.state;
      if (shown[1 - pane] === id) swap();
      else store.set({ shown: shownWith(shown, pane, id) });
    },
    showPair: (a: number, b: number): void => store.set({ shown: [a, b] }),
    showGroups: (): void => store.set({ shown: [0, 0] }),
    swap,
    setLabel: (label: string): void => store.set({ label }),
    notify: (notice: string): void => store.set({ notice }),
  };
  followPair(store);
  followPassages(store);
  followGroups(store);
  return actions;
}

function createOpening(store: PlaygroundStore, documents: DocumentOpener, analyses: Analyses) {
  /** The number of links and examples opened so far: of two in a row, the later one counts, whichever is read first. */
  let opened = 0;

  function reset(): void {
    analyses.stopAll();
    store.set({ docs: [], shown: [0, 0], vector: undefined, example: undefined, notice: '' });
  }

  function openTexts({ a, b, label }: PlaygroundState): void {
    opened++;
    reset();
    store.set({ label });
    documents.openText(0, a);
    documents.openText(1, b);
  }

  async function openVector(id: string, number: number): Promise<void> {
    const { loadVector } = await import('./vectors.ts');
    const { vector, state, source } = await loadVector(id);
    if (number !== opened) return;
    openTexts(state);
    if (source !== null) documents.openSource(0, source);
    store.set({ vector });
  }

  async function openExample(index: number): Promise<void> {
    const number = ++opened;
    const samples = await (EXAMPLES[index] ?? EXAMPLES[0]!).load();
    if (number !== opened) return;
    reset();
    store.set({ example: index });
    samples.forEach((sample, pane) => {
      if (typeof sample === 'string') documents.openText(pane, sample, true);
      else documents.openSource(pane, sample, true);
    });
  }

  return {
    openExample,
    async restore(fragment: string): Promise<void> {
      const number = ++opened;
      try {
        const state = await parseFragment(fragment);
        if (number !== opened) return;
        if (state.example !== undefined) {
          store.set({ label: state.label });
          await openExample(state.example);
        } else if (state.vector === undefined) openTexts(state);
        else await openVector(state.vector, number);
      } catch (error) {
        if (number !== opened) return;
        openTexts(EMPTY_STATE);
        store.set({ notice: `This link cannot be opened: ${(error as Error).message}.` });
      }
    },
    clear: (): void => openTexts({ ...EMPTY_STATE, label: store.state.label }),
  };
}

/** Formats the state as the fragment of the address, which names an example; empty if no fragment can hold it. */
export async function addressOf(state: State): Promise<string> {
  const example = shownExample(state);
  if (example === undefined) {
    const fragment = (await fragmentOf(state)) ?? '';
    // An empty one would open the example.
    return fragment === '' && isEmpty(state) ? 'a=' : fragment;
  }
  return example === 0 && state.label === EMPTY_STATE.label ? '' : formatExample(example, state.label);
}

const isEmpty = ({ docs }: State): boolean =>
  docs.length > 0 && docs.every(({ isFile, text }) => !isFile && text === '');

export async function fragmentOf(state: State): Promise<string | null> {
  const { label, vector } = state;
  if (vector !== undefined) return formatFragment({ ...EMPTY_STATE, label, vector: vector.id });
  const texts = shownDocs(state).map((doc) => (doc?.isFile ? doc.analysis?.text : doc?.text));
  const [a, b] = texts;
  return typeof a === 'string' && typeof b === 'string' ? formatFragment({ a, b, label }) : null;
}

/** Acts whenever one of the inputs changes; `isCurrent` of an action is true until the next change. */
function onChange(
  store: PlaygroundStore,
  inputsOf: (state: State) => readonly unknown[],
  act: (state: State, isCurrent: () => boolean) => void,
): void {
  let last: readonly unknown[] | undefined;
  store.subscribe((state) => {
    const inputs = inputsOf(state);
    if (inputs.length === last?.length && inputs.every((input, index) => input === last![index])) return;
    last = inputs;
    act(state, () => last === inputs);
  });
}

function followPair(store: PlaygroundStore): void {
  onChange(
    store,
    (state) => [...shownAnalyses(state), state.label],
    (state, isCurrent) => {
      const [a, b] = shownAnalyses(state);
      const { label } = state;
      if (a === undefined || b === undefined) return store.set({ pair: undefined });
      runJob({ kind: 'pair', label, a: sideUnder(label, a), b: sideUnder(label, b) }).then(
        (pair) => isCurrent() && store.set({ pair }),
        () => store.set({ notice: 'The documents could not be compared: they are too large for this browser.' }),
      );
    },
  );
}

/** The minimum overlap of documents that are compared passage by passage; below it nearly everything differs. */
const MIN_OVERLAP = 0.3;

function followPassages(store: PlaygroundStore): void {
  onChange(
    store,
    // While the pair is compared, `pair` is of the documents before: the new overlap decides again.
    (state) => [...shownAnalyses(state), state.pair?.overlap],
    (state, isCurrent) => {
      const [a, b] = shownAnalyses(state);
      const { pair } = state;
      store.set({ passages: undefined });
      if (pair === undefined || a === undefined || b === undefined) return;
      if (a.text === null || b.text === null || (pair.overlap ?? 0) < MIN_OVERLAP) return store.set({ passages: null });
      runJob({ kind: 'passages', a: a.text, b: b.text }).then(
        (passages) => isCurrent() && store.set({ passages }),
        () => isCurrent() && store.set({ passages: null }),
      );
    },
  );
}

function followGroups(store: PlaygroundStore): void {
  onChange(
    store,
    ({ docs }) => docs.flatMap(({ analysis, status }) => [analysis, status === 'running']),
    ({ docs }, isCurrent) => {
      store.set({ groups: undefined });
      if (docs.length < 3 || docs.some(({ status }) => status === 'running')) return;
      const ids: number[] = [];
      const sides = docs.flatMap(({ id, analysis }) => {
        const side = analysis && sideUnder(DOCUMENT_LABEL, analysis);
        if (side === undefined || side.fingerprint === null) return [];
        ids.push(id);
        // The names of the tokens are not needed.
        return [{ ...side, names: { hashes: new BigUint64Array(), texts: '' } }];
      });
      runJob({ kind: 'groups', sides }).then(
        (found) => {
          const groups = found.map(({ kept, members }) => ({
            kept: ids[kept]!,
            members: members.map((member) => ({ ...member, document: ids[member.document]! })),
          }));
          if (isCurrent()) store.set({ groups });
        },
        () => store.set({ notice: 'The documents could not be grouped. Remove large ones and try again.' }),
      );
    },
  );
}
