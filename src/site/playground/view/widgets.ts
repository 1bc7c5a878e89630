import type { Actions } from '../actions.ts';
import { h, type Props } from '../dom.ts';

/** Makes a slider over `count` items; `steps` moves forward by key, `onChoose` shows the chosen item and describes it. */
export function createSlider(
  name: string,
  label: string,
  count: number,
  steps: Readonly<Record<string, number>>,
  drawing: Node,
  onChoose: (item: number) => string,
) {
  let chosen = 0;
  const element = h(
    'div',
    {
      ...{ class: name, tabindex: 0, role: 'slider', 'aria-label': label, 'data-key': name },
      ...{ 'aria-valuemin': 0, 'aria-valuemax': count - 1 },
    },
    drawing,
  );
  const choose = (item: number): void => {
    chosen = Math.max(0, Math.min(count - 1, item));
    element.setAttribute('aria-valuenow', String(chosen));
    element.setAttribute('aria-valuetext', onChoose(chosen));
  };
  element.addEventListener('keydown', (event) => {
    const step = { ...steps, Home: -count, End: count }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(chosen + step);
  });
  return { element, choose };
}

export function scrollTable(
  props: Props & { readonly 'aria-label': string },
  columns: readonly string[],
  rows: readonly HTMLElement[],
  numeric?: string,
): HTMLElement {
  const heads = columns.map((name) => h('th', { scope: 'col', class: name === numeric ? 'number' : null }, name));
  return h(
    'div.scroll',
    { tabindex: 0, role: 'region', ...props },
    h('table', h('thead', h('tr', heads)), h('tbody', rows)),
  );
}

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
