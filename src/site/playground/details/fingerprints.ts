import { similarity } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { formatLabelled, toBytes, toHex } from '../../../scheme/serialise.ts';
import { h } from '../dom.ts';
import { fingerprintsOf } from '../store.ts';
import { createView, type View } from '../view/view.ts';

export function createFingerprints(): View {
  return createView(
    h('section.fingerprints', { 'aria-labelledby': 'fingerprints-title' }),
    (state) => [...fingerprintsOf(state), state.label],
    (state) => {
      const [a, b] = fingerprintsOf(state);
      if (a == null && b == null) return [];
      const { bits } = schemeOf(state.label);
      const [left, right] = [a, b].map((value) => (typeof value === 'bigint' ? toBytes(value) : value));
      const share = a != null && b != null ? Math.floor(similarity(a, b) * 10_000) / 10_000 : null;
      return [
        h('h2', { id: 'fingerprints-title' }, 'Fingerprints'),
        ...[a, b].map((value, index) => fingerprintRow('AB'[index]!, value ?? null, state.label)),
        h(
          'div.octets',
          { role: 'img', 'aria-label': describeBits(left, right, bits) },
          Array.from({ length: bits / 8 }, (_, index) => byte(left?.[index], right?.[index], index)),
        ),
        share !== null && h('p.soft', `Similarity ${share}: the share of the ${bits} bits that are equal.`),
      ];
    },
  );
}

function fingerprintRow(name: string, value: Fingerprint | null, label: string): HTMLElement {
  return h(
    'p',
    { class: `fingerprint row side-${name.toLowerCase()}` },
    h('span.letter', name),
    value === null ? 'no fingerprint' : h('code', { id: `fingerprint-${name}` }, formatLabelled(label, value)),
    value === null ? null : h('code.soft', toHex(value)),
  );
}

function byte(a: number | undefined, b: number | undefined, index: number): HTMLElement {
  const row = (value: number | undefined, name: string): HTMLElement =>
    h(
      'span',
      { class: `bits soft side-${name}` },
      Array.from({ length: 8 }, (_, bit) => {
        const mask = 0x80 >> bit;
        const differs = a !== undefined && b !== undefined && ((a ^ b) & mask) !== 0;
        const digit = value === undefined ? '·' : value & mask ? '1' : '0';
        return h('span', differs ? { class: 'differs' } : {}, digit);
      }),
    );
  return h('div.octet', h('span.octet-index.soft', 8 * index), row(a, 'a'), row(b, 'b'));
}

function describeBits(a: Uint8Array | null | undefined, b: Uint8Array | null | undefined, bits: number): string {
  if (a == null || b == null) return `The ${bits} bits of the fingerprint`;
  const differing = Array.from({ length: bits }, (_, bit) => bit).filter(
    (bit) => (a[bit >> 3]! ^ b[bit >> 3]!) & (0x80 >> (bit & 7)),
  );
  return differing.length === 0 ? `The ${bits} bits are equal` : `The bits that differ: ${differing.join(', ')}`;
}
