import { addressOf, createActions } from './actions.ts';
import { button, h } from './dom.ts';
import { acceptDrops } from './files.ts';
import { createStore, type State } from './store.ts';
import { createAnswer } from './view/answer.ts';
import { copy } from './view/copy.ts';
import { createFingerprints } from './view/fingerprints.ts';
import { createPane } from './view/pane.ts';
import { createToolbar } from './view/toolbar.ts';
import { createLazyView } from './view/view.ts';

const store = createStore();
const actions = createActions(store);
const panes = [createPane(0, actions), createPane(1, actions)];
const toolbar = createToolbar(store, actions);
const answer = createAnswer();
const vector = createLazyView(
  h('div'),
  (state) => state.vector !== undefined,
  async () => [(await import('./view/vector.ts')).createVectorView()],
);
const list = createLazyView(
  h('div'),
  (state) => state.docs.length > 2,
  async () => [(await import('./view/groups.ts')).createGroups(actions)],
);
const differences = createLazyView(
  h('div'),
  (state) => state.pair !== undefined,
  async () => {
    const [{ createDifferences }, { createWinners }] = await Promise.all([
      import('./view/differences.ts'),
      import('./view/winners.ts'),
    ]);
    return [createDifferences(), createWinners()];
  },
);
const views = [answer, toolbar, list, ...panes, vector, differences, createFingerprints()];

store.subscribe((state) => {
  for (const view of views) view.render(state);
});
const root = document.getElementById('playground')!;
root.append(
  answer.element,
  toolbar.element,
  list.element,
  h('div.panes', ...panes.map(({ element }) => element)),
  ...views.slice(5).map(({ element }) => element),
);
for (const element of document.querySelectorAll<HTMLElement>('[data-copied]')) {
  const copyButton = button('Copy', () => copy(element.textContent!, 'Copied', { notify }));
  const notify = (done: string): void => copyButton.replaceChildren(done);
  element.after(copyButton);
}
// A file that is dropped beside a pane must not replace the page.
acceptDrops(document.body, (files) => actions.open(null, files));

/** Returns the fragment that holds the state; empty for the link that skips to the content. */
function fragmentOfAddress(): string {
  const fragment = location.hash.slice(1);
  return fragment === 'main' ? '' : fragment;
}

/** Keeps the state in the address, so that the page can be reloaded and bookmarked; files and long texts are not in it. */
let isScheduled = false;
let written = fragmentOfAddress();
store.subscribe(() => {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    void write(store.state);
  }, 300);
});

async function write(state: State): Promise<void> {
  const fragment = await addressOf(state);
  if (store.state !== state) return;
  if (fragment !== written) {
    written = fragment;
    history.replaceState(null, '', written === '' ? location.pathname + location.search : `#${written}`);
  }
}

addEventListener('hashchange', () => {
  if (location.hash === '#main') return;
  written = fragmentOfAddress();
  void actions.restore(written);
});

if (written === '') void actions.openExample(0);
else void actions.restore(written);
