import { formatNumber } from '../../../common/text.ts';
import { h } from '../dom.ts';
import { bitsUnder, type State } from '../store.ts';
import type { BinWinner, PairAnalysis, WinnerPair } from '../work/types.ts';
import { differences } from './differences.ts';
import { createView, type View } from './view.ts';

/** Makes the winners of all bins, and what tips the bits that differ. */
export function createWinners(): View {
  return createView(
    h('section', { class: 'winners', 'aria-labelledby': 'winners-title' }),
    (state) => [state.pair],
    (state) => (state.pair?.origin.method === 'minhash' ? draw(state, state.pair, state.pair.origin) : []),
  );
}

function draw({ label }: State, pair: PairAnalysis, { winnersA, winnersB }: WinnerPair): (Node | false)[] {
  const length = Math.max(winnersA.length, winnersB.length);
  if (length === 0) return [];
  const bins = Array.from({ length }, (_, bit) => bit);
  const tipped = bins.filter((bit) => winnersA[bit] && winnersB[bit] && winnersA[bit].bit !== winnersB[bit].bit);
  const hasBoth = winnersA.length === winnersB.length;
  const rows = (list: readonly number[]): HTMLElement => table(list, winnersA, winnersB);
  return [
    h('h2', { id: 'winners-title' }, 'Bins'),
    h(
      'p',
      { class: 'soft' },
      `Each different token draws numbers, which fall into ${bitsUnder(label)} bins. In each bin, the smallest draw of the earliest round wins, and its last bit is a bit of the fingerprint. `,
      'A bit can differ only where one document lacks the token that wins in the other; such a token is coloured.',
    ),
    tipped.length > 0 &&
      h(
        'details',
        { open: tipped.length <= 12 },
        h(
          'summary',
          {},
          `What tips the ${tipped.length === 1 ? 'bit that differs' : `${tipped.length} bits that differ`}`,
        ),
        rows(tipped),
      ),
    h('details', {}, h('summary', {}, `The winners of all ${formatNumber(length)} bins`), rows(bins)),
    hasBoth && pair.differenceCount > 0 && differences(pair),
  ];
}

function table(bins: readonly number[], a: readonly BinWinner[], b: readonly BinWinner[]): HTMLElement {
  const names = ['Bit', 'A', 'Token that wins in A', 'B', 'Token that wins in B'];
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Tokens that win bins' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          names.map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        bins.map((bin) => h('tr', {}, h('th', { scope: 'row' }, bin), cells(a[bin], 'a'), cells(b[bin], 'b'))),
      ),
    ),
  );
}

function cells(winner: BinWinner | undefined, side: 'a' | 'b'): HTMLElement[] {
  if (winner === undefined) return [h('td', { class: 'number' }, '–'), h('td', {}, '–')];
  const { token, bit, round, isShared } = winner;
  return [
    h('td', { class: 'number' }, bit),
    h('td', {}, h('q', isShared ? {} : { class: `side-${side}` }, token), ` (round ${round})`),
  ];
}
