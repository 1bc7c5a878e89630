import { schemeOf } from '../../scheme/labels/label.ts';
import { toHex } from '../../scheme/serialise.ts';
import { type Store, shownDocs, sideUnder } from './store.ts';
import { runJob } from './work/jobs.ts';

/** Compares the two documents that are shown whenever they or the label change. */
export function followPair(store: Store): void {
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
    runJob({ kind: 'pair', label, a: sideUnder(label, a), b: sideUnder(label, b) }).then(
      (pair) => last === inputs && store.set({ pair }),
      (error: Error) => store.set({ notice: `The comparison failed: ${error.message}.` }),
    );
  });
}

/** Groups the documents if there are more than two. */
export function followGroups(store: Store): void {
  let last = '';
  store.subscribe((state) => {
    const known = state.docs.flatMap((doc, index) => {
      const fingerprint = doc.analysis?.fingerprints[state.label] ?? null;
      return fingerprint === null ? [] : [{ index, fingerprint }];
    });
    const key = `${state.k} ${known.map(({ index, fingerprint }) => `${index} ${toHex(fingerprint)}`).join()}`;
    if (key === last) return;
    last = key;
    if (state.docs.length < 3) return;
    const fingerprints = known.map(({ fingerprint }) => fingerprint);
    runJob({ kind: 'groups', fingerprints, k: state.k * schemeOf(state.label).words }).then(
      (groups) => {
        if (key === last) store.set({ groups: groups.map((members) => members.map((at) => known[at]!.index)) });
      },
      (error: Error) => store.set({ notice: `Grouping failed: ${error.message}.` }),
    );
  });
}
