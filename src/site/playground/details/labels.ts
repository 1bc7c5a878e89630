import { formatNumber } from '../../../common/text.ts';
import { distance } from '../../../scheme/compare.ts';
import { LABELS, schemeOf } from '../../../scheme/labels/label.ts';
import { serialise } from '../../../scheme/serialise.ts';
import type { Actions } from '../actions.ts';
import { button, h } from '../dom.ts';
import { type State, shownAnalyses, tokensUnder } from '../store.ts';
import { createFold, createView, type View } from '../view/view.ts';
import { scrollTable } from '../view/widgets.ts';

export function createLabels(actions: Actions): View {
  const fold = createFold();
  return createView(
    h('section.labels', { 'aria-labelledby': 'labels-title' }),
    (state) => [...shownAnalyses(state), state.label],
    (state) => {
      if (shownAnalyses(state).every((analysis) => (analysis?.bare.total ?? 0) === 0)) return [];
      const names = ['Label', 'Fingerprint of A', 'Fingerprint of B', 'Tokens', 'Distance'];
      const rows = LABELS.map((label) => row(label, state, actions));
      return [
        h('h2', { id: 'labels-title' }, 'Labels'),
        h(
          'p.soft',
          'minhash-doc compares the sets of different tokens, with 64 or 256 bits; unrelated documents differ in about half of them. simhash-doc counts each token as often as it occurs. bg1 cuts scripts that are written without spaces into pairs of characters; minhash-doc includes it. Only fingerprints with the same label can be compared.',
        ),
        fold(
          'The fingerprints of both documents with each label',
          scrollTable({ 'aria-label': 'Fingerprints by label' }, names, rows, 'Distance'),
        ),
      ];
    },
  );
}

function row(label: string, state: State, actions: Actions): HTMLElement {
  const analyses = shownAnalyses(state);
  const [a, b] = analyses.map((analysis) => analysis?.fingerprints[label] ?? null);
  const d = a == null || b == null ? null : distance(a, b);
  const tokens = analyses.map((analysis) => (analysis ? formatNumber(tokensUnder(label, analysis).total) : '–'));
  const { bits } = schemeOf(label);
  const isChosen = label === state.label;
  const props = { class: 'plain', 'aria-pressed': String(isChosen), 'data-key': label };
  return h(
    'tr',
    isChosen ? { class: 'chosen' } : {},
    h(
      'th',
      { scope: 'row' },
      button(label, () => actions.setLabel(label), props),
    ),
    [a, b].map((value) => h('td', value == null ? '–' : h('code', serialise(value)))),
    h('td', tokens.join(' / ')),
    h('td.number', d === null ? '–' : `${d} of ${bits}`),
  );
}
