import { createActions, fragmentOf } from './actions.ts';
import { byId, h } from './dom.ts';
import { EXAMPLES } from './examples.ts';
import { acceptDrops } from './files.ts';
import { createStore, type State } from './store.ts';
import { createCounters } from './view/counters.ts';
import { createLabels } from './view/labels.ts';
import { createMatrix } from './view/matrix.ts';
import { createPane } from './view/pane.ts';
import { createSummary } from './view/summary.ts';
import { createTables } from './view/tables.ts';
import { createTexts } from './view/text.ts';
import { createToolbar } from './view/toolbar.ts';
import { createVectorView } from './view/vector.ts';
import { createWinners } from './view/winners.ts';

const store = createStore();
const actions = createActions(store);
const panes = [createPane(0, actions), createPane(1, actions)];
const toolbar = createToolbar(store, actions);
const vector = createVectorView();
const results = [
  createSummary(),
  createMatrix(actions),
  createTexts(),
  createCounters(),
  createWinners(),
  createTables(),
  createLabels(actions),
];

store.subscribe((state) => {
  for (const view of [toolbar, vector, ...panes, ...results]) view.render(state);
});
byId('playground').append(
  toolbar.element,
  h('div', { class: 'panes' }, ...panes.map(({ element }) => element)),
  vector.element,
  ...results.map(({ element }) => element),
);
// A file that misses a pane must not replace the page.
acceptDrops(document.body, (files) => actions.open(0, files));

/** Keeps the state in the address, so that the page can be reloaded and bookmarked. */
let timer: ReturnType<typeof setTimeout> | undefined;
let written = location.hash.slice(1);
store.subscribe((state) => {
  clearTimeout(timer);
  timer = setTimeout(() => void writeFragment(state), 300);
});

async function writeFragment(state: State): Promise<void> {
  const fragment = await fragmentOf(state);
  if (store.state !== state || fragment === written) return;
  written = fragment ?? '';
  history.replaceState(null, '', written === '' ? location.pathname + location.search : `#${written}`);
}

addEventListener('hashchange', () => {
  written = location.hash.slice(1);
  // The link that skips to the content is not a state.
  if (written !== 'main') void actions.restore(written);
});

if (written === '' || written === 'main') actions.openTexts(EXAMPLES[0]!.state, true);
else void actions.restore(written);
