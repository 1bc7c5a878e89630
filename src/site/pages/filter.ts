import { h } from '../playground/dom.ts';

/** The filter of long lists. Without scripts, everything is shown. */

function addFilter(list: HTMLElement): void {
  const { filter, filterLabel } = list.dataset;
  const input = h('input', { type: 'search' });
  const count = h('output');
  list.before(h('label.filter.row', `${filterLabel} `, input, count));
  let items: { element: HTMLElement; text: string }[] | undefined;
  input.addEventListener('input', () => {
    items ??= Array.from(list.querySelectorAll<HTMLElement>(filter!), (element) => ({
      element,
      text: element.textContent.toLowerCase(),
    }));
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { element, text } of items) {
      const matches = words.every((word) => text.includes(word));
      element.hidden = !matches;
      if (matches) shown++;
    }
    count.value = input.value.trim() === '' ? '' : `${shown} of ${items.length}`;
  });
}

for (const list of document.querySelectorAll<HTMLElement>('[data-filter]')) addFilter(list);
