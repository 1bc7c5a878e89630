import { hexDigits } from '../../../common/bytes.ts';
import { joinWithAnd, pluralize } from '../../../common/text.ts';
import { DEFAULT_DISTANCE, distance } from '../../../scheme/compare.ts';
import { wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { toHex } from '../../../scheme/serialise.ts';
import { TABLES, tableKeys } from '../../../scheme/tables.ts';
import { h } from '../dom.ts';
import { probedFrom } from '../lookup.ts';
import { fingerprintsOf } from '../store.ts';
import { createFold, createView, type View } from '../view/view.ts';

/** The maximum distance of a lookup in the library; beyond it a lookup probes too many keys. */
const MAX_K = 7;

export function createTables(): View {
  const fold = createFold();
  return createView(h('section.tables', { 'aria-labelledby': 'tables-title' }), fingerprintsOf, (state) => {
    const [a, b] = fingerprintsOf(state);
    const title = h('h2', { id: 'tables-title' }, 'Lookup tables');
    if (a instanceof Uint8Array && b instanceof Uint8Array) {
      const [about, keys] = words(a, b);
      return [title, about!, fold('The four words of both fingerprints', keys)];
    }
    const [keysA, keysB] = [a, b].map((value) => (typeof value === 'bigint' ? tableKeys(value) : null));
    if (keysA == null && keysB == null) return [];
    const d = a == null || b == null ? null : distance(a, b);
    return [title, explanation(keysA, keysB, d), fold('The 16 keys of both fingerprints', table(keysA, keysB, d))];
  });
}

function words(a: Uint8Array, b: Uint8Array): HTMLElement[] {
  const [left, right] = [a, b].map((value) => wordsOf('fingerprint', value));
  const distances = left!.map((word, index) => distance(word, right![index]!));
  const min = Math.min(...distances);
  const found =
    min <= MAX_K ? `A lookup of A with k = ${min} or more finds B.` : `No lookup with k up to ${MAX_K} finds B.`;
  return [
    h(
      'p',
      h(
        'span.soft',
        'An index keeps each of the four words in 16 tables of its own. A document is found if one word is within k bits of the same word of the query. ',
      ),
      found,
    ),
    h(
      'div.keys',
      distances.map((d, index) => {
        const hex = [left!, right!].map((word) => toHex(word[index]!));
        return keyBox(`word ${index}`, hex, pluralize(d, 'bit'), d === min && d <= MAX_K);
      }),
    ),
  ];
}

type Keys = readonly number[] | null | undefined;

function explanation(a: Keys, b: Keys, d: number | null): HTMLElement {
  const about = 'An index keeps each fingerprint under one key of 28 bits in each of 16 tables. ';
  const finding = a == null || b == null || d === null ? '' : findingOf(a, b, d);
  return h('p', h('span.soft', about), finding);
}

/** Returns which tables find the pair. Up to k = 7, a lookup finds everything within k. */
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
    'div.keys',
    Array.from({ length: TABLES }, (_, index) => {
      const [left, right] = [a?.[index], b?.[index]];
      const from = left === undefined || right === undefined ? undefined : probedFrom(left, right);
      const isFound = from !== undefined && d !== null && d <= MAX_K && from <= d;
      const hex = [left, right].map((key) => (key === undefined ? '–' : hexDigits(key, 7)));
      return keyBox(`table ${index}`, hex, from === undefined ? '' : describeKey(from, isFound), isFound);
    }),
  );
}

function describeKey(from: number, isFound: boolean): string {
  const key = from === 0 ? 'equal key' : from <= MAX_K ? `probed from k = ${from}` : 'never probed';
  return isFound ? `✓ ${key}` : key;
}

function keyBox(name: string, [a, b]: readonly string[], about: string, isFound: boolean): HTMLElement {
  return h(
    'div',
    { class: isFound ? 'key box found' : 'key box' },
    h('span.soft', name),
    h('code.side-a', a),
    h('code.side-b', b),
    h('span.key-found.soft', about),
  );
}
