import { serialise } from '../../../scheme/serialise.ts';
import { h } from '../dom.ts';
import { fingerprintsOf } from '../store.ts';
import { createView, type View } from './view.ts';

export function createVectorView(): View {
  return createView(
    h('section.vector', { 'aria-labelledby': 'vector-title' }),
    (state) => [state.vector, fingerprintsOf(state)[0]],
    (state) => {
      const { vector } = state;
      if (vector === undefined) return [];
      const [computed] = fingerprintsOf(state);
      const shown = computed === undefined ? undefined : computed === null ? null : serialise(computed);
      const isChecked = vector.fingerprint !== undefined && shown !== undefined;
      return [
        h('h2', { id: 'vector-title' }, 'Test vector ', h('code', vector.id)),
        h('p', `${vector.title}. Rules: ${vector.rules.join(', ')}.`),
        vector.hasDocument ? '' : h('p', 'Its input is not a document, so the panes stay empty.'),
        isChecked && vector.fingerprint === shown
          ? h('p.good', '✓ This page computes the fingerprint that the vector expects.')
          : '',
        isChecked && vector.fingerprint !== shown
          ? h('p.failure', `✗ The vector expects ${vector.fingerprint}, this page computes ${shown}.`)
          : '',
        h('details', { open: !vector.hasDocument }, h('summary', 'The vector'), h('pre', { tabindex: 0 }, vector.json)),
      ];
    },
  );
}
