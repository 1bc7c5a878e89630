import type { Actions } from '../actions.ts';
import { h } from '../dom.ts';

export async function copy(text: string, done: string, actions: Pick<Actions, 'notify'>): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    actions.notify(done);
  } catch {
    // Without https or permission, the reader copies it by hand.
    const area = h('textarea', {
      class: 'by-hand',
      rows: 6,
      readonly: true,
      'aria-label': 'Text to copy',
      value: text,
    });
    const dialog = h(
      'dialog.box',
      { 'aria-label': 'Copy by hand', onclose: () => dialog.remove() },
      h('p', 'The browser does not allow the page to copy. Copy the text by hand:'),
      area,
      h('form', { method: 'dialog' }, h('button', 'Close')),
    );
    document.body.append(dialog);
    dialog.showModal();
    area.select();
  }
}
