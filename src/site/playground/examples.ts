import { DOCUMENT_LABEL } from '../../duplicates/answer.ts';
import { LABEL } from '../../scheme/labels/label.ts';
import type { PlaygroundState } from './state.ts';

const FERRY = `The ferry leaves at dawn, and nobody on the quay remembers who bought the twelve tickets. Twelve boxes of old letters stood in the attic until the roof began to leak; then the mice moved into the cellar, and the letters went to the library of the town. The librarian read them all in one winter. She found that the writer had left the island twice and had come back three times, which puzzled her until she saw that the first crossing was not on paper. Her notes fill two folders, and both are open to every reader.`;

const EDITED = FERRY.replace('at dawn', 'at noon')
  .replace('twelve tickets', 'last tickets')
  .replace('read them all in one winter', 'has read them all in one long winter');

/** The examples with which a visitor can start. */
export const EXAMPLES: readonly { readonly title: string; readonly state: PlaygroundState }[] = [
  { title: 'A page and its second edition', state: { a: FERRY, b: EDITED, label: DOCUMENT_LABEL } },
  {
    title: 'The same words in another order',
    state: { a: FERRY, b: FERRY.split(' ').reverse().join(' '), label: DOCUMENT_LABEL },
  },
  { title: 'The same page by simhash-doc', state: { a: FERRY, b: EDITED, label: LABEL } },
  {
    title: 'Japanese without spaces',
    state: {
      a: '図書館は毎朝九時に開き、夕方六時に閉まります。島の手紙は二階の棚にあり、だれでも読むことができます。',
      b: '図書館は毎朝十時に開き、夕方六時に閉まります。島の古い手紙は二階の棚にあり、だれでも読むことができます。',
      label: DOCUMENT_LABEL,
    },
  },
  {
    title: 'Two unrelated documents',
    state: {
      a: FERRY,
      b: 'A compiler reads a program and writes another one. The first pass cuts the characters into words, the second finds the structure of the sentences, and the third checks that each name means something. Only then does it choose instructions, count registers, and move what can be moved. Most of its errors are about the first three passes, since most of our errors are there.',
      label: DOCUMENT_LABEL,
    },
  },
];
