import { formatNumber } from '../../../common/text.ts';
import { h } from '../dom.ts';
import type { PairAnalysis } from '../work/types.ts';

/** Lists the tokens whose counts differ. */
export function differences({ differences: listed, differenceCount }: PairAnalysis): HTMLElement {
  return h(
    'details',
    {},
    h('summary', {}, `Tokens that do not occur equally often: ${formatNumber(differenceCount)}`),
    h(
      'ul',
      { class: 'tokens' },
      listed.map(({ token, a, b }) =>
        h('li', {}, h('q', { class: b > a ? 'side-b' : 'side-a' }, token), ` ${a} → ${b}`),
      ),
      differenceCount > listed.length ? h('li', {}, `and ${formatNumber(differenceCount - listed.length)} more`) : null,
    ),
  );
}
