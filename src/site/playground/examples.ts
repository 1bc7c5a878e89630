import type { FileSource } from './worker/tasks.ts';

/** The first page of a visitor is loaded at once, the other documents when they are chosen. */
const FERRY = `The ferry leaves at dawn, and nobody on the quay remembers who bought the twelve tickets. Twelve boxes of old letters stood in the attic until the roof began to leak; then the mice moved into the cellar, and the letters went to the library of the town. The librarian read them all in one winter. She found that the writer had left the island twice and had come back three times, which puzzled her until she saw that the first crossing was not on paper. Her notes fill two folders, and both are open to every reader.`;

const EDITED = FERRY.replace('at dawn', 'at noon')
  .replace('twelve tickets', 'last tickets')
  .replace('read them all in one winter', 'has read them all in one long winter');

export type Sample = string | FileSource;

export const EXAMPLES: readonly {
  readonly title: string;
  readonly load: () => Promise<readonly [a: Sample, b: Sample]>;
}[] = [
  { title: 'Two revisions of a text', load: async () => [FERRY, EDITED] },
  {
    title: 'A web page in two designs',
    load: async () => [
      page('tides-old.html', (await import('./examples/tides-old.html?raw')).default),
      page('tides-new.html', (await import('./examples/tides-new.html?raw')).default),
    ],
  },
  {
    title: 'A PDF beside a later version of its page',
    load: async () => [
      { name: 'tides.pdf', bytes: bytesOf((await import('./examples/tides.pdf?inline')).default) },
      page('tides.html', (await import('./examples/tides-old.html?raw')).default.replace('six minutes', 'ten minutes')),
    ],
  },
  {
    title: 'Japanese, which has no spaces',
    async load() {
      const { LIBRARY } = await import('./examples/texts.ts');
      return [LIBRARY, LIBRARY.replace('毎朝九時', '毎朝十時').replace('島の手紙', '島の古い手紙')];
    },
  },
  { title: 'Two strangers', load: async () => [FERRY, (await import('./examples/texts.ts')).BREAD] },
];

const page = (name: string, html: string): Sample => ({ name, bytes: new TextEncoder().encode(html) });

/** Decodes a data URL: the policy of the page forbids to fetch one. */
function bytesOf(url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
}
