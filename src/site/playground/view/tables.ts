import { hexDigits } from '../../../common/octets.ts';
import { joinWithAnd } from '../../../common/text.ts';
import { TABLES, tableKeys } from '../../../scheme/tables.ts';
import { h } from '../dom.ts';
import { foundFrom } from '../lookup.ts';
import { fingerprintsOf } from './summary.ts';
import { createView, type View } from './view.ts';

/** Above this distance a lookup probes so many keys that nobody does. */
const MAX_K = 7;

/** Makes the 16 keys of both fingerprints and the tables that find the pair. */
export function createTables(): View {
  return createView(h('section', { class: 'tables', 'aria-labelledby': 'tables-title' }), fingerprintsOf, (state) => {
    const [a, b] = fingerprintsOf(state).map((value) => (value == null ? null : tableKeys(value)));
    if (a == null && b == null) return [];
    return [h('h2', { id: 'tables-title' }, 'Lookup tables'), explanation(a, b), table(a, b)];
  });
}

type Keys = readonly number[] | null | undefined;

function explanation(a: Keys, b: Keys): HTMLElement {
  const about = 'An index keeps each fingerprint under one key of 28 bits in each of 16 tables. ';
  if (a == null || b == null) return h('p', { class: 'soft' }, about);
  const found = a.map((key, index) => foundFrom(key, b[index]!));
  const equal = found.flatMap((k, index) => (k === 0 ? [String(index)] : []));
  const best = Math.min(...found);
  const finding =
    equal.length > 0
      ? `A lookup of A finds B in table${equal.length > 1 ? 's' : ''} ${joinWithAnd(equal)}, where their keys are equal.`
      : best <= MAX_K
        ? `No key is equal. A lookup that also probes neighbouring keys finds the pair from k = ${best}.`
        : 'No table finds the pair: the keys are too far apart.';
  return h('p', {}, h('span', { class: 'soft' }, about), finding);
}

function table(a: Keys, b: Keys): HTMLElement {
  return h(
    'div',
    { class: 'keys' },
    Array.from({ length: TABLES }, (_, index) => {
      const [left, right] = [a?.[index], b?.[index]];
      const k = left === undefined || right === undefined ? undefined : foundFrom(left, right);
      return h(
        'div',
        { class: k === 0 ? 'key equal' : 'key' },
        h('span', { class: 'key-table' }, `table ${index}`),
        h('code', { class: 'side-a' }, left === undefined ? '–' : hexDigits(left, 7)),
        h('code', { class: 'side-b' }, right === undefined ? '–' : hexDigits(right, 7)),
        h(
          'span',
          { class: 'key-found' },
          k === undefined ? '' : k === 0 ? '✓ found' : k <= MAX_K ? `from k = ${k}` : `beyond k = ${MAX_K}`,
        ),
      );
    }),
  );
}
