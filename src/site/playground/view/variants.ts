import { formatNumber } from '../../../common/text.ts';
import { distance, verdictOfDistance } from '../../../scheme/compare.ts';
import { serialise } from '../../../scheme/serialise.ts';
import type { Actions } from '../actions.ts';
import { h } from '../dom.ts';
import { type State, shownDocs, tokensUnder } from '../store.ts';
import { shortName, VARIANTS } from './toolbar.ts';
import { createView, type View } from './view.ts';

/** Makes the table of the variants side by side. */
export function createVariants(actions: Actions): View {
  return createView(
    h('section', { class: 'variants', 'aria-labelledby': 'variants-title' }),
    (state) => [...shownDocs(state).map((doc) => doc?.analysis), state.label],
    (state) => {
      if (shownDocs(state).every((doc) => (doc?.analysis?.bare.total ?? 0) === 0)) return [];
      const names = ['Variant', 'Fingerprint of A', 'Fingerprint of B', 'Tokens', 'Distance', 'Verdict'];
      return [
        h('h2', { id: 'variants-title' }, 'Variants'),
        h(
          'p',
          { class: 'soft' },
          'bg1 cuts scripts that are written without spaces into pairs of characters. cap8 counts a token eight times at most. Only fingerprints of one variant can be compared.',
        ),
        h(
          'div',
          { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Fingerprints by variant' },
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
              VARIANTS.map((label) => row(label, state, actions)),
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
        shortName(label),
      ),
    ),
    [a, b].map((value) => h('td', {}, value == null ? '–' : h('code', {}, serialise(value)))),
    h('td', {}, tokens.join(' / ')),
    h('td', { class: 'number' }, d ?? '–'),
    h('td', {}, d === null ? '–' : verdictOfDistance(d)),
  );
}
