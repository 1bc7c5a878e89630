import { formatNumber } from '../../../../common/text.ts';
import { distance } from '../../../../scheme/compare.ts';
import { LABELS, schemeOf } from '../../../../scheme/labels/label.ts';
import { serialise } from '../../../../scheme/serialise.ts';
import type { Actions } from '../../actions.ts';
import { h } from '../../dom.ts';
import { type State, shownDocs, tokensUnder } from '../../store.ts';
import { createFold, createView, type View } from '../view.ts';

export function createLabels(actions: Actions): View {
  const fold = createFold();
  return createView(
    h('section', { class: 'labels', 'aria-labelledby': 'labels-title' }),
    (state) => [...shownDocs(state).map((doc) => doc?.analysis), state.label],
    (state) => {
      if (shownDocs(state).every((doc) => (doc?.analysis?.bare.total ?? 0) === 0)) return [];
      const names = ['Label', 'Fingerprint of A', 'Fingerprint of B', 'Tokens', 'Distance'];
      return [
        h('h2', { id: 'labels-title' }, 'Labels'),
        h(
          'p',
          { class: 'soft' },
          'minhash-doc compares the sets of different tokens, with 64 or 256 bits; unrelated documents differ in about half of them. simhash-doc counts each token as often as it occurs. bg1 cuts scripts that are written without spaces into pairs of characters; minhash-doc includes it. Only fingerprints with the same label can be compared.',
        ),
        fold(
          'The fingerprints of both documents with each label',
          h(
            'div',
            { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Fingerprints by label' },
            h(
              'table',
              {},
              h(
                'thead',
                {},
                h(
                  'tr',
                  {},
                  names.map((name) => h('th', { scope: 'col', class: name === 'Distance' ? 'number' : null }, name)),
                ),
              ),
              h(
                'tbody',
                {},
                LABELS.map((label) => row(label, state, actions)),
              ),
            ),
          ),
        ),
      ];
    },
  );
}

function row(label: string, state: State, actions: Actions): HTMLElement {
  const analyses = shownDocs(state).map((doc) => doc?.analysis);
  const [a, b] = analyses.map((analysis) => analysis?.fingerprints[label] ?? null);
  const d = a == null || b == null ? null : distance(a, b);
  const tokens = analyses.map((analysis) => (analysis ? formatNumber(tokensUnder(label, analysis).total) : '–'));
  const { bits } = schemeOf(label);
  const isChosen = label === state.label;
  return h(
    'tr',
    isChosen ? { class: 'chosen' } : {},
    h(
      'th',
      { scope: 'row' },
      h(
        'button',
        {
          type: 'button',
          class: 'plain',
          'aria-pressed': String(isChosen),
          'data-key': label,
          onclick: () => actions.setLabel(label),
        },
        label,
      ),
    ),
    [a, b].map((value) => h('td', {}, value == null ? '–' : h('code', {}, serialise(value)))),
    h('td', {}, tokens.join(' / ')),
    h('td', { class: 'number' }, d === null ? '–' : `${d} of ${bits}`),
  );
}
