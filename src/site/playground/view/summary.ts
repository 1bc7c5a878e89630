import { type Answer, answerOf } from '../../../duplicates/answer.ts';
import { distance } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { formatLabelled, toHex, toOctets } from '../../../scheme/serialise.ts';
import { h } from '../dom.ts';
import { bitsUnder, type State, shownDocs } from '../store.ts';
import { createView, type View } from './view.ts';

/** The fingerprints that are shown; null for a document without tokens, undefined for one that is not read yet. */
export function fingerprintsOf(state: State): (Fingerprint | null | undefined)[] {
  return shownDocs(state).map((doc) => doc?.analysis?.fingerprints[state.label]);
}

/** Makes the result: the answer, its measures, and the fingerprints themselves. */
export function createSummary(): View {
  return createView(
    h('section', { class: 'summary', 'aria-label': 'Result' }),
    (state) => [...fingerprintsOf(state), state.pair, state.label],
    (state) => {
      const [a, b] = fingerprintsOf(state);
      return [
        ...(a != null && b != null ? result(a, b, state) : []),
        a != null || b != null ? fingerprints([a ?? null, b ?? null], state.label) : null,
      ];
    },
  );
}

function result(a: Fingerprint, b: Fingerprint, { pair, label }: State): HTMLElement[] {
  const d = distance(a, b);
  const overlap = pair?.overlap;
  const figure = (name: string, value: string, note: string): HTMLElement =>
    h(
      'div',
      { class: 'figure' },
      h('dt', {}, name),
      h('dd', {}, h('strong', {}, value), h('span', { class: 'soft' }, note)),
    );
  return [
    answer(overlap == null ? null : answerOf({ label, distance: d, overlap })),
    h(
      'dl',
      { class: 'figures' },
      // Rounded down, as the command does.
      figure(
        'Word overlap',
        overlap == null ? '…' : String(Math.floor(overlap * 10_000) / 10_000),
        'share of common words',
      ),
      figure('Distance', String(d), `of ${bitsUnder(label)} bits`),
    ),
  ];
}

/** The sentence that the command prints, once the words are compared. */
function answer(found: Answer | null): HTMLElement {
  const kind = found === null ? '' : found.isNear ? 'answer-near' : 'answer-far';
  return h('p', { class: `answer ${kind}`, 'aria-live': 'polite' }, found?.sentence ?? '…');
}

function fingerprints(values: readonly (Fingerprint | null)[], label: string): HTMLElement {
  const [a, b] = values.map((value) => (typeof value === 'bigint' ? toOctets(value) : value));
  return h(
    'div',
    { class: 'fingerprints' },
    values.map((value, index) => fingerprintRow('AB'[index]!, value, label)),
    h(
      'div',
      { class: 'octets', role: 'img', 'aria-label': describeBits(a, b, bitsUnder(label)) },
      Array.from({ length: bitsUnder(label) / 8 }, (_, index) => octet(a?.[index], b?.[index], index)),
    ),
  );
}

function fingerprintRow(name: string, value: Fingerprint | null, label: string): HTMLElement {
  return h(
    'p',
    { class: `fingerprint side-${name.toLowerCase()}` },
    h('span', { class: 'letter' }, name),
    value === null ? 'no fingerprint' : h('code', { id: `fingerprint-${name}` }, formatLabelled(label, value)),
    value === null ? null : h('code', { class: 'soft' }, toHex(value)),
  );
}

/** Eight bits of both fingerprints, below each other; those that differ are marked in bold and underlined. */
function octet(a: number | undefined, b: number | undefined, index: number): HTMLElement {
  const row = (value: number | undefined, name: string): HTMLElement =>
    h(
      'span',
      { class: `bits side-${name}` },
      Array.from({ length: 8 }, (_, bit) => {
        const mask = 0x80 >> bit;
        const differs = a !== undefined && b !== undefined && ((a ^ b) & mask) !== 0;
        const digit = value === undefined ? '·' : value & mask ? '1' : '0';
        return h('span', differs ? { class: 'differs' } : {}, digit);
      }),
    );
  return h('div', { class: 'octet' }, h('span', { class: 'octet-index' }, 8 * index), row(a, 'a'), row(b, 'b'));
}

function describeBits(a: Uint8Array | null | undefined, b: Uint8Array | null | undefined, bits: number): string {
  if (a == null || b == null) return `The ${bits} bits of the fingerprint`;
  const differing = Array.from({ length: bits }, (_, bit) => bit).filter(
    (bit) => (a[bit >> 3]! ^ b[bit >> 3]!) & (0x80 >> (bit & 7)),
  );
  return differing.length === 0 ? `The ${bits} bits are equal` : `The bits that differ: ${differing.join(', ')}`;
}
