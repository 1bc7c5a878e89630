import { joinWithAnd, pluralize } from '../../../common/text.ts';
import { DEFAULT_DISTANCE, distance, verdictOfDistance } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { Actions } from '../actions.ts';
import { h } from '../dom.ts';
import { bitsUnder, type Doc, type State } from '../store.ts';
import { documentList, lettersOf, nameOf } from './documents.ts';
import { createView, type View } from './view.ts';

/** The matrix of more documents would be larger than any screen. */
const MAX_ROWS = 40;

/** Makes what is shown of more than two documents: a list, groups, and a matrix of distances. */
export function createMatrix(actions: Actions): View {
  return createView(
    h('section', { class: 'matrix', 'aria-labelledby': 'matrix-title' }),
    (state) => [state.docs, state.label, state.shown, state.groups, state.k],
    (state) => {
      if (state.docs.length < 3) return [];
      const rows = rowsOf(state);
      const named = 'Distances of all documents';
      return [
        h('h2', { id: 'matrix-title' }, pluralize(state.docs.length, 'document')),
        documentList(state, actions),
        groupList(state, actions),
        h(
          'div',
          { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': named, 'data-key': 'matrix' },
          matrixTable(rows, state, actions),
        ),
        rows.length === MAX_ROWS &&
          h(
            'p',
            { class: 'soft' },
            `The matrix shows the first ${MAX_ROWS} documents; the list and the groups hold all.`,
          ),
      ];
    },
  );
}

/** A document with a fingerprint, and its number in the list. */
interface Row {
  readonly doc: Doc;
  readonly index: number;
  readonly fingerprint: Fingerprint;
}

function rowsOf({ docs, label }: State): Row[] {
  const rows = docs.flatMap((doc, index): Row[] => {
    const fingerprint = doc.analysis?.fingerprints[label] ?? null;
    return fingerprint === null ? [] : [{ doc, index, fingerprint }];
  });
  return rows.slice(0, MAX_ROWS);
}

function groupList(state: State, actions: Actions): HTMLElement {
  const { docs, groups, k, label } = state;
  const perBit = bitsUnder(label) / 64;
  const select = h(
    'select',
    { 'data-key': 'k', onchange: () => actions.setK(Number(select.value)) },
    Array.from({ length: 8 }, (_, each) => h('option', { value: each, selected: each === k }, perBit * each)),
  );
  return h(
    'div',
    { class: 'groups' },
    h('p', {}, h('label', {}, 'Groups: documents linked by distances of at most ', select, ' bits')),
    groups.length === 0
      ? h('p', { class: 'soft' }, 'No two documents are that near.')
      : h(
          'ol',
          {},
          groups.map((members) => h('li', {}, joinWithAnd(members.map((index) => nameOf(docs[index], index))))),
        ),
  );
}

function matrixTable(rows: readonly Row[], state: State, actions: Actions): HTMLElement {
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Distance'),
        rows.map(({ doc, index }) => h('th', { scope: 'col', title: nameOf(doc, index) }, index + 1)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((row) =>
        h(
          'tr',
          {},
          h(
            'th',
            { scope: 'row' },
            h(
              'span',
              { class: 'doc-name' },
              `${row.index + 1}. ${nameOf(row.doc, row.index)} `,
              lettersOf(row.doc, state),
            ),
          ),
          rows.map((other) => h('td', {}, cell(row, other, bitsUnder(state.label), actions))),
        ),
      ),
    ),
  );
}

/** The distance of two documents; choosing it shows them. */
function cell(a: Row, b: Row, bits: 64 | 256, actions: Actions): HTMLElement | string {
  if (a === b) return '–';
  const d = distance(a.fingerprint, b.fingerprint);
  const verdict = verdictOfDistance(d, bits);
  const loose = d <= (DEFAULT_DISTANCE * bits) / 64 ? 'near-3' : 'near-6';
  const near = { close: 'near-1', loose, none: '' }[verdict];
  return h(
    'button',
    {
      type: 'button',
      class: `plain ${near}`,
      'data-key': `${a.doc.id} ${b.doc.id}`,
      'aria-label': `Documents ${a.index + 1} and ${b.index + 1}: distance ${d}. Show them.`,
      onclick: () => actions.showPair(a.doc.id, b.doc.id),
    },
    d,
  );
}
