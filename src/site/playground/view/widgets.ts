import { h, type Props } from '../dom.ts';

/** A row of items of which one is chosen with the pointer or with keys. */
export interface Slider {
  readonly element: HTMLElement;
  /** Chooses an item by its number: the first or the last one for a number beyond them. */
  choose(item: number): void;
}

/**
 * Makes a slider.
 * @param name - the class and the key of the slider
 * @param label - the noun for an item
 * @param count - the number of items
 * @param steps - the number of items to move forward, by key
 * @param drawing - a drawing of the items
 * @param onChoose - shows the chosen item, and describes it
 */
export function createSlider(
  name: string,
  label: string,
  count: number,
  steps: Readonly<Record<string, number>>,
  drawing: Node,
  onChoose: (item: number) => string,
): Slider {
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

/**
 * Makes a table in a box that scrolls, also by keyboard.
 * @param props - the attributes of the box, with a name for screen readers
 * @param columns - the heads of the columns, of which `numeric` is aligned to the end
 * @param rows - the rows
 */
export function scrollTable(
  props: Props & { readonly 'aria-label': string },
  columns: readonly string[],
  rows: readonly HTMLElement[],
  numeric?: string,
): HTMLElement {
  const heads = columns.map((name) => h('th', { scope: 'col', class: name === numeric ? 'number' : null }, name));
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', ...props },
    h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)),
  );
}
