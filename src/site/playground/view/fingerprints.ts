import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { formatLabelled, toHex } from '../../../scheme/serialise.ts';
import { h } from '../dom.ts';
import { fingerprintsOf } from '../store.ts';
import { createView, type View } from './view.ts';

export function createFingerprints(): View {
  return createView(
    h('section.fingerprints', { 'aria-labelledby': 'fingerprints-title' }),
    (state) => [...fingerprintsOf(state), state.label],
    (state) => {
      const [a, b] = fingerprintsOf(state);
      if (a == null && b == null) return [];
      return [
        h('h2', { id: 'fingerprints-title' }, 'Fingerprints'),
        ...[a, b].map((value, index) => fingerprintRow('AB'[index]!, value ?? null, state.label)),
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
