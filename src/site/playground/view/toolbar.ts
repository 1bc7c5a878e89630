import { LABELS } from '../../../scheme/labels/label.ts';
import { type Actions, fragmentOf } from '../actions.ts';
import { button, h } from '../dom.ts';
import { EXAMPLES } from '../examples.ts';
import { fileButton } from '../files.ts';
import { MAX_FRAGMENT } from '../state.ts';
import { isList, type PlaygroundStore, shownDocs, shownExample } from '../store.ts';
import { runJob } from '../worker/jobs.ts';
import { copy } from './copy.ts';
import type { View } from './view.ts';

export function createToolbar(store: PlaygroundStore, actions: Actions): View {
  const labels = LABELS.map((label) =>
    h('input', { type: 'radio', name: 'label', value: label, onchange: () => actions.setLabel(label) }),
  );
  const notice = h('p.notice', { role: 'status', hidden: true });
  const swap = button('Swap', actions.swap);
  const examples = h(
    'select',
    { onchange: () => void actions.openExample(Number(examples.value)) },
    h('option', { value: '', hidden: true }, 'Choose…'),
    EXAMPLES.map(({ title }, index) => h('option', { value: index }, title)),
  );
  const element = h(
    'div.toolbar.row',
    h('label.examples', 'Example ', examples),
    h(
      'div.row',
      fileButton('Open files', false, (files) => actions.open(null, files)),
      fileButton('Open folder', true, (files) => actions.open(null, files)),
      swap,
      button('Clear', actions.clear),
      button('Copy link', () => copyLink(store, actions)),
    ),
    h(
      'details.advanced',
      h('summary', 'Advanced'),
      h(
        'div.row',
        h(
          'fieldset.row',
          h('legend', 'Label'),
          labels.map((input) => h('label.button', input, ` ${input.value}`)),
        ),
        button('Copy as vector', () => copyVectors(store, actions)),
      ),
    ),
    notice,
  );
  return {
    element,
    render(state) {
      for (const input of labels) input.checked = input.value === state.label;
      examples.value = String(shownExample(state) ?? '');
      swap.disabled = isList(state);
      notice.textContent = state.notice;
      notice.hidden = state.notice === '';
    },
  };
}

async function copyLink(store: PlaygroundStore, actions: Actions): Promise<void> {
  if (isList(store.state)) return actions.notify('A link holds two documents: choose a pair first.');
  const fragment = await fragmentOf(store.state);
  const tooLong = `These documents are too long for a link: it holds ${MAX_FRAGMENT / 1000} kB of compressed text.`;
  if (fragment === null) return actions.notify(tooLong);
  const link = `${location.href.replace(/#.*$/, '')}#${fragment}`;
  await copy(link, 'The link is copied. It holds the texts themselves.', actions);
}

async function copyVectors(store: PlaygroundStore, actions: Actions): Promise<void> {
  const texts = shownDocs(store.state)
    .map((doc) => (doc?.isFile ? doc.analysis?.text : doc?.text))
    .filter((text): text is string => typeof text === 'string' && text !== '');
  if (texts.length === 0) return actions.notify('There is no document to copy.');
  const json = await runJob({ kind: 'vectors', label: store.state.label, texts });
  await copy(json, texts.length === 1 ? 'The vector is copied.' : 'Two vectors are copied, as an array.', actions);
}
