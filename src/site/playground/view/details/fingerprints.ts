import { similarity } from '../../../../scheme/compare.ts';
import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../../../scheme/labels/label.ts';
import { formatLabelled, toBytes, toHex } from '../../../../scheme/serialise.ts';
import { h } from '../../dom.ts';
import { fingerprintsOf } from '../../store.ts';
import { createView, type View } from '../view.ts';

export function createFingerprints(): View {
  return createView(
    h('section.fingerprints', { 'aria-labelledby': 'fingerprints-title' }),
    (state) => [...fingerprintsOf(state), state.label],
    (state) => {
      const [a, b] = fingerprintsOf(state);
      if (a == null && b == null) return [];
      return [
        h('h2', { id: 'fingerprints-title' }, 'Fingerprints'),
        ...fingerprints([a ?? null, b ?? null], state.label),
        a != null && b != null && h('p.soft', similarityOf(a, b, state.label)),
      ];
    },
  );
}

function similarityOf(a: Fingerprint, b: Fingerprint, label: string): string {
  const value = Math.floor(similarity(a, b) * 10_000) / 10_000;
  return `Similarity ${value}: the share of the ${schemeOf(label).bits} bits that are equal.`;
}

function fingerprints(values: readonly (Fingerprint | null)[], label: string): HTMLElement[] {
  const [a, b] = values.map((value) => (typeof value === 'bigint' ? toBytes(value) : value));
  return [
    ...values.map((value, index) => fingerprintRow('AB'[index]!, value, label)),
    h(
      'div.octets',
      { role: 'img', 'aria-label': describeBits(a, b, schemeOf(label).bits) },
      Array.from({ length: schemeOf(label).bits / 8 }, (_, index) => byte(a?.[index], b?.[index], index)),
    ),
  ];
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
