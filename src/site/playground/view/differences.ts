import { formatNumber, pluralize } from '../../../common/text.ts';
import type { Part, Passages } from '../../../duplicates/passages.ts';
import { h } from '../dom.ts';
import type { PairAnalysis } from '../worker/tasks.ts';
import { createView, type View } from './view.ts';

export function createDifferences(): View {
  return createView(
    h('section.differences', { 'aria-labelledby': 'differences-title' }),
    (state) => [state.pair, state.passages],
    ({ pair, passages }) => {
      if (pair == null || pair.overlap === null) return [];
      return [
        h('h2', { id: 'differences-title' }, 'Differences'),
        passages === undefined ? null : h('p.soft', summaryOf(passages)),
        passages?.shown.length
          ? h(
              'div.passages',
              passages.shown.map(({ a, b }) => [side(a, 'a'), side(b, 'b')]),
            )
          : null,
        pair.differenceCount > 0 && tokenList(pair),
      ];
    },
  );
}

function summaryOf(passages: Passages | null): string {
  if (passages === null)
    return 'These documents share too little, or are too long, for their differences to be shown side by side.';
  const { shown, total, isComplete } = passages;
  if (total === 0) return 'No word differs.';
  const first =
    shown.length < total
      ? `The first ${shown.length} of ${total} passages that differ.`
      : `${pluralize(total, 'passage')} that differ${total === 1 ? 's' : ''}.`;
  return isComplete ? first : `${first} Long ones are marked as a whole.`;
}

function side(parts: readonly Part[], name: 'a' | 'b'): HTMLElement {
  return h(
    'p',
    { class: `passage box side-${name}` },
    h('span.letter', name.toUpperCase()),
    ' ',
    parts.map((part) => {
      if (part.kind === 'gap') return part.words === 0 ? ' … ' : ` … ${formatNumber(part.words)} more words … `;
      return part.kind === 'same' ? part.text : h('mark', part.text);
    }),
  );
}

function tokenList({ differences: listed, differenceCount }: PairAnalysis): HTMLElement {
  return h(
    'details',
    h('summary', `Tokens that do not occur equally often: ${formatNumber(differenceCount)}`),
    h(
      'ul.tokens.row',
      listed.map(({ token, a, b }) => h('li', h('q', { class: b > a ? 'side-b' : 'side-a' }, token), ` ${a} → ${b}`)),
      differenceCount > listed.length ? h('li', `and ${formatNumber(differenceCount - listed.length)} more`) : null,
    ),
  );
}
