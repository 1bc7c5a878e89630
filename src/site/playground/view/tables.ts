import { hexDigits } from '../../../common/octets.ts';
import { joinWithAnd } from '../../../common/text.ts';
import { DEFAULT_DISTANCE, distance } from '../../../scheme/compare.ts';
import { TABLES, tableKeys } from '../../../scheme/tables.ts';
import { h } from '../dom.ts';
import { probedFrom } from '../lookup.ts';
import { fingerprintsOf } from './summary.ts';
import { createView, type View } from './view.ts';

/** Above this distance a lookup probes so many keys that the library offers none. */
const MAX_K = 7;

/** Makes the 16 keys of both fingerprints and the tables that find the pair. */
export function createTables(): View {
  return createView(h('section', { class: 'tables', 'aria-labelledby': 'tables-title' }), fingerprintsOf, (state) => {
    const [a, b] = fingerprintsOf(state);
    const [keysA, keysB] = [a, b].map((value) => (value == null ? null : tableKeys(value)));
    if (keysA == null && keysB == null) return [];
    const d = a == null || b == null ? null : distance(a, b);
    return [h('h2', { id: 'tables-title' }, 'Lookup tables'), explanation(keysA, keysB, d), table(keysA, keysB, d)];
  });
}

type Keys = readonly number[] | null | undefined;

function explanation(a: Keys, b: Keys, d: number | null): HTMLElement {
  const about = 'An index keeps each fingerprint under one key of 28 bits in each of 16 tables. ';
  const finding = a == null || b == null || d === null ? '' : findingOf(a, b, d);
  return h('p', {}, h('span', { class: 'soft' }, about), finding);
}

/** Which tables find the pair. Up to k = 7, a lookup finds everything within k. */
function findingOf(a: readonly number[], b: readonly number[], d: number): string {
  const tablesUpTo = (k: number): string => {
    const tables = a.flatMap((key, index) => (probedFrom(key, b[index]!) <= k ? [String(index)] : []));
    return `table${tables.length > 1 ? 's' : ''} ${joinWithAnd(tables)}`;
  };
  if (d <= DEFAULT_DISTANCE) return `A lookup of A finds B in ${tablesUpTo(0)}, where their keys are equal.`;
  if (d <= MAX_K)
    return `A lookup of A with k = ${d} or more also probes neighbouring keys, and finds B in ${tablesUpTo(d)}.`;
  return `Their distance of ${d} is above ${MAX_K}, the largest k of a lookup, so none finds the pair.`;
}

function table(a: Keys, b: Keys, d: number | null): HTMLElement {
  return h(
    'div',
    { class: 'keys' },
    Array.from({ length: TABLES }, (_, index) => {
      const [left, right] = [a?.[index], b?.[index]];
      const from = left === undefined || right === undefined ? undefined : probedFrom(left, right);
      const isFound = from !== undefined && d !== null && d <= MAX_K && from <= d;
      return h(
        'div',
        { class: isFound ? 'key found' : 'key' },
        h('span', { class: 'key-table' }, `table ${index}`),
        h('code', { class: 'side-a' }, left === undefined ? '–' : hexDigits(left, 7)),
        h('code', { class: 'side-b' }, right === undefined ? '–' : hexDigits(right, 7)),
        h('span', { class: 'key-found' }, from === undefined ? '' : describeKey(from, isFound)),
      );
    }),
  );
}

function describeKey(from: number, isFound: boolean): string {
  const key = from === 0 ? 'equal key' : from <= MAX_K ? `probed from k = ${from}` : 'never probed';
  return isFound ? `✓ ${key}` : key;
}
