import { find, MAX_FOUND, type SearchEntry } from './find.ts';

/** The search of the site. Its index is loaded at the first key; queries are not sent to a server. */

const input = document.querySelector<HTMLInputElement>('#query')!;
const output = document.querySelector<HTMLElement>('#count')!;
const list = document.querySelector<HTMLElement>('#found')!;
let index: Promise<readonly SearchEntry[]> | undefined;

async function search(): Promise<void> {
  const query = input.value;
  const url = new URL(/* @vite-ignore */ '../search-index.js', import.meta.url).href;
  index ??= import(/* @vite-ignore */ url).then((module: { default: readonly SearchEntry[] }) => module.default);
  try {
    const { found, total } = find(await index, query);
    if (query !== input.value) return;
    output.textContent = query.trim() === '' ? '' : countOf(total);
    list.replaceChildren(...found.map(item));
  } catch {
    index = undefined;
    output.textContent = 'The index could not be loaded. Check the connection and try again.';
  }
}

function countOf(total: number): string {
  if (total === 0) return 'Nothing found. Try fewer words, or a part of one.';
  if (total > MAX_FOUND) return `The first ${MAX_FOUND} of ${total} sections`;
  return total === 1 ? '1 section' : `${total} sections`;
}

function item({ path, page, title, excerpt }: ReturnType<typeof find>['found'][number]): HTMLElement {
  const element = document.createElement('li');
  const link = document.createElement('a');
  const place = document.createElement('span');
  const text = document.createElement('p');
  link.href = path;
  link.textContent = title;
  place.className = 'place';
  place.textContent = page === title ? '' : ` ${page}`;
  text.textContent = excerpt;
  element.append(link, place, text);
  return element;
}

input.addEventListener('input', () => {
  const address = input.value === '' ? location.pathname : `#${new URLSearchParams({ q: input.value })}`;
  history.replaceState(null, '', address);
  void search();
});
input.value = new URLSearchParams(location.hash.slice(1)).get('q') ?? '';
if (input.value !== '') void search();
input.focus();
