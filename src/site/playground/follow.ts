import { DOCUMENT_LABEL } from '../../duplicates/answer.ts';
import { type Store, shownDocs, sideUnder } from './store.ts';
import { runJob } from './work/jobs.ts';
import type { Group } from './work/types.ts';

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
      () => store.set({ notice: 'The documents could not be compared: they are too large for this browser.' }),
    );
  });
}

/** The minimum overlap of documents that are compared passage by passage; below it nearly everything differs. */
const MIN_OVERLAP = 0.3;

/** Finds the passages in which the two documents differ whenever their comparison changes. */
export function followPassages(store: Store): void {
  let last: readonly unknown[] = [];
  store.subscribe((state) => {
    const [a, b] = shownDocs(state).map((doc) => doc?.analysis);
    const { pair } = state;
    // While the pair is compared, `pair` is that of the documents before: the new overlap decides again.
    const inputs = [a, b, pair?.overlap];
    if (inputs.every((input, index) => input === last[index])) return;
    last = inputs;
    store.set({ passages: undefined });
    if (pair === undefined || a === undefined || b === undefined) return;
    if (a.text === null || b.text === null || (pair.overlap ?? 0) < MIN_OVERLAP) {
      store.set({ passages: null });
      return;
    }
    runJob({ kind: 'passages', a: a.text, b: b.text }).then(
      (passages) => last === inputs && store.set({ passages }),
      () => last === inputs && store.set({ passages: null }),
    );
  });
}

/** Groups the documents, if there are more than two and all of them are read. */
export function followGroups(store: Store): void {
  let last: readonly unknown[] = [];
  let compared: readonly unknown[] | undefined;
  store.subscribe(({ docs }) => {
    const inputs = docs.map(({ analysis }) => analysis);
    if (inputs.length === last.length && inputs.every((input, index) => input === last[index])) return;
    last = inputs;
    store.set({ groups: undefined });
  });
  store.subscribe(({ docs, groups }) => {
    if (groups !== undefined || docs.length < 3 || docs.some(({ status }) => status === 'running')) return;
    const inputs = last;
    const ids: number[] = [];
    const sides = docs.flatMap(({ id, analysis }) => {
      const side = analysis && sideUnder(DOCUMENT_LABEL, analysis);
      if (side === undefined || side.fingerprint === null) return [];
      ids.push(id);
      // The names of the tokens are not needed.
      return [{ ...side, names: { hashes: new BigUint64Array(), texts: '' } }];
    });
    if (inputs === compared) return;
    compared = inputs;
    runJob({ kind: 'groups', sides }).then(
      (found) => {
        if (inputs === last) store.set({ groups: found.map((group) => withIds(group, ids)) });
      },
      () => store.set({ notice: 'The documents could not be grouped. Remove large ones and try again.' }),
    );
  });
}

function withIds({ kept, members }: Group, ids: readonly number[]): Group {
  return {
    kept: ids[kept]!,
    members: members.map((member) => ({ ...member, document: ids[member.document]! })),
  };
}
