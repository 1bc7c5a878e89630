import { h } from '../../playground/dom.ts';
import { find, MAX_FOUND, type SearchEntry } from './find.ts';

/** The search of the site. Its index is loaded at the first key, the index of the vectors if little else is found. */

const input = document.querySelector<HTMLInputElement>('#query')!;
const output = document.querySelector<HTMLElement>('#count')!;
const list = document.querySelector<HTMLElement>('#found')!;
/** With fewer sections than these, vectors are searched too. */
const FEW = 10;
const indexes = new Map<string, Promise<readonly SearchEntry[]>>();

/** Loads an index once; if that fails, again at the next key. A script sets it, which also works from a file. */
function load(name: string): Promise<readonly SearchEntry[]> {
  const index =
    indexes.get(name) ??
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${name}.js`;
      script.onload = () => resolve((globalThis as unknown as Record<string, SearchEntry[]>)[name]!);
      script.onerror = reject;
      document.head.append(script);
    });
  indexes.set(name, index);
  index.catch(() => indexes.delete(name));
  return index;
}

async function search(): Promise<void> {
  const query = input.value;
  try {
    const sections = await load('search-index');
    let { found, total } = find(sections, query);
    if (total < FEW && query.trim().length > 1)
      ({ found, total } = find([...sections, ...(await load('search-vectors'))], query));
    if (query !== input.value) return;
    output.textContent = query.trim() === '' ? '' : countOf(total);
    list.replaceChildren(...found.map(item));
  } catch {
    output.textContent = 'The index could not be loaded. Check the connection and try again.';
  }
}

function countOf(total: number): string {
  if (total === 0) return 'Nothing found. Try fewer words, or a part of one.';
  if (total > MAX_FOUND) return `The first ${MAX_FOUND} of ${total} sections`;
  return total === 1 ? '1 section' : `${total} sections`;
}

function item({ path, page, title, excerpt }: ReturnType<typeof find>['found'][number]): HTMLElement {
  const place = page === title ? '' : ` ${page}`;
  return h('li', h('a', { href: path }, title), h('span.place', place), h('p', excerpt));
}

input.addEventListener('input', () => {
  const address = input.value === '' ? location.pathname : `#${new URLSearchParams({ q: input.value })}`;
  history.replaceState(null, '', address);
  void search();
});
input.value = new URLSearchParams(location.hash.slice(1)).get('q') ?? '';
if (input.value !== '') void search();
input.focus();
