import { h, type Props } from '../dom.ts';

/**
 * Makes a table in a box that scrolls, also by keyboard.
 * @param props - of the box: at least a name for screen readers
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
