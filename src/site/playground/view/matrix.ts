import { joinWithAnd, pluralize } from '../../../common/text.ts';
import { distance } from '../../../scheme/compare.ts';
import type { Actions } from '../actions.ts';
import { h } from '../dom.ts';
import type { Doc, State } from '../store.ts';
import { createView, type View } from './view.ts';

/** The matrix of more documents would be larger than any screen. */
const MAX_ROWS = 40;

/** Makes what is shown of more than two documents: groups, and a matrix of distances. */
export function createMatrix(actions: Actions): View {
  return createView(
    h('section', { class: 'matrix', 'aria-labelledby': 'matrix-title' }),
    (state) => [state.docs, state.label, state.shown, state.groups, state.k],
    (state) => {
      if (state.docs.length < 3) return [];
      return [
        h('h2', { id: 'matrix-title' }, pluralize(state.docs.length, 'document')),
        groupList(state, actions),
        h(
          'div',
          {
            class: 'scroll',
            tabindex: 0,
            role: 'region',
            'aria-label': 'Distances of all documents',
            'data-key': 'matrix',
          },
          matrixTable(state, actions),
        ),
        state.docs.length > MAX_ROWS
          ? h('p', { class: 'soft' }, `The first ${MAX_ROWS} documents are shown; the groups are those of all.`)
          : '',
      ];
    },
  );
}

function groupList(state: State, actions: Actions): HTMLElement {
  const { docs, groups, k } = state;
  const select = h(
    'select',
    { 'data-key': 'k', onchange: () => actions.setK(Number(select.value)) },
    Array.from({ length: 8 }, (_, each) => h('option', { value: each, selected: each === k }, each)),
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

function nameOf(doc: Doc | undefined, index: number): string {
  return doc === undefined ? '' : doc.isFile ? doc.name : `typed text ${index + 1}`;
}

function matrixTable(state: State, actions: Actions): HTMLElement {
  const docs = state.docs.slice(0, MAX_ROWS);
  const inGroup = new Map(state.groups.flatMap((members, group) => members.map((index) => [index, group])));
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Document'),
        docs.map((doc, index) => h('th', { scope: 'col', title: nameOf(doc, index) }, index + 1)),
      ),
    ),
    h(
      'tbody',
      {},
      docs.map((doc, row) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, rowHead(doc, row, state, actions, inGroup.get(row))),
          docs.map((other, column) => h('td', {}, cell(doc, other, row, column, state, actions))),
        ),
      ),
    ),
  );
}

function rowHead(doc: Doc, index: number, state: State, actions: Actions, group: number | undefined): HTMLElement {
  const panes = ['A', 'B'].filter((_, pane) => state.shown[pane] === doc.id);
  const note =
    doc.status === 'running'
      ? 'reading…'
      : doc.failure !== undefined
        ? doc.failure.message
        : group === undefined
          ? ''
          : `group ${group + 1}`;
  return h(
    'span',
    { class: 'doc-name' },
    `${index + 1}. ${nameOf(doc, index)} `,
    panes.map((pane) => h('span', { class: `letter letter-${pane.toLowerCase()}` }, pane)),
    note === '' ? null : h('span', { class: 'soft' }, ` ${note}`),
    doc.status === 'running' &&
      h('button', { type: 'button', class: 'plain', onclick: () => actions.cancel(doc.id) }, 'Cancel'),
  );
}

/** The distance of two documents; choosing it shows them. */
function cell(a: Doc, b: Doc, row: number, column: number, { label }: State, actions: Actions): HTMLElement | string {
  if (a === b) return '–';
  const [left, right] = [a, b].map((doc) => doc.analysis?.fingerprints[label] ?? null);
  if (left == null || right == null) return '';
  const d = distance(left, right);
  const near = d <= 1 ? 'near-1' : d <= 3 ? 'near-3' : d <= 6 ? 'near-6' : '';
  return h(
    'button',
    {
      type: 'button',
      class: `plain ${near}`,
      'data-key': `${a.id} ${b.id}`,
      'aria-label': `Documents ${row + 1} and ${column + 1}: distance ${d}. Show them.`,
      onclick: () => actions.showPair(a.id, b.id),
    },
    d,
  );
}
