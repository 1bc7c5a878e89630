import { DOCUMENT_LABEL } from '../../duplicates/answer.ts';
import type { Passages } from '../../duplicates/passages.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import type { Analysis, FileSource, JobFailure, PairAnalysis, PairSide, ShownGroup } from './worker/tasks.ts';

export interface Doc {
  readonly id: number;
  readonly name: string;
  readonly isFile: boolean;
  readonly text: string;
  readonly content?: { readonly blob: Blob } & Pick<FileSource, 'type' | 'hints'>;
  /** True if it is a text of an example, which files replace. */
  readonly isSample: boolean;
  readonly status: 'running' | 'done' | 'failed';
  readonly progress?: { readonly done: number; readonly total: number } | undefined;
  readonly analysis?: Analysis | undefined;
  readonly failure?: JobFailure | undefined;
}

export interface OpenVector {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly json: string;
  readonly fingerprint?: string | null | undefined;
  readonly hasDocument: boolean;
}

export interface State {
  readonly docs: readonly Doc[];
  /** The ids of the documents in panes A and B; 0 for none, if groups are shown first. */
  readonly shown: readonly [a: number, b: number];
  readonly label: string;
  readonly pair?: PairAnalysis | undefined;
  /** The passages that differ; null if they are not compared, undefined until they are. */
  readonly passages?: Passages | null | undefined;
  /** Groups of three documents and more, by their ids; undefined while documents are read or compared. */
  readonly groups?: readonly ShownGroup[] | undefined;
  readonly vector?: OpenVector | undefined;
  readonly example?: number | undefined;
  readonly notice: string;
}

export const EMPTY: State = { docs: [], shown: [0, 0], label: DOCUMENT_LABEL, notice: '' };

/** Holds the state and calls its listeners, once for all changes that are made together. */
export type PlaygroundStore = ReturnType<typeof createStore>;

export function createStore() {
  let state = EMPTY;
  let scheduled = false;
  const listeners: ((state: State) => void)[] = [];
  const notify = (): void => {
    scheduled = false;
    for (const listener of listeners) listener(state);
  };
  const set = (change: Partial<State>): void => {
    state = { ...state, ...change };
    if (!scheduled) queueMicrotask(notify);
    scheduled = true;
  };
  return {
    get state(): State {
      return state;
    },
    set,
    setDoc(id: number, change: Partial<Doc>): void {
      set({ docs: state.docs.map((doc) => (doc.id === id ? { ...doc, ...change } : doc)) });
    },
    subscribe(listener: (state: State) => void): void {
      listeners.push(listener);
    },
  };
}

export function shownDocs({ docs, shown }: State): [a: Doc | undefined, b: Doc | undefined] {
  const [a, b] = shown.map((id) => docs.find((doc) => doc.id === id));
  return [a, b];
}

export function shownAnalyses(state: State): [a: Analysis | undefined, b: Analysis | undefined] {
  const [a, b] = shownDocs(state).map((doc) => doc?.analysis);
  return [a, b];
}

/** The fingerprints that are shown; null for a document without tokens, undefined for one that is not read yet. */
export function fingerprintsOf(state: State): (Fingerprint | null | undefined)[] {
  return shownAnalyses(state).map((analysis) => analysis?.fingerprints[state.label]);
}

export function isList({ docs, shown }: State): boolean {
  return docs.length > 2 && shown.every((id) => id === 0);
}

export function shownExample({ docs, shown, example }: State): number | undefined {
  return docs.every(({ isSample }) => isSample) && shown[0] === docs[0]?.id ? example : undefined;
}

export function tokensUnder(label: string, analysis: Analysis): Analysis['bare'] {
  return schemeOf(label).bg1 ? analysis.bg1 : analysis.bare;
}

/** Returns only what a worker needs for a comparison, since sending all of a document would take time. */
export function sideUnder(label: string, analysis: Analysis): PairSide {
  const { total, counts, names } = tokensUnder(label, analysis);
  return { total, counts, names, fingerprint: analysis.fingerprints[label] ?? null, residue: analysis.residue };
}
