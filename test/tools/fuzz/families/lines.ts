import { splitLines } from '../../../../src/common/lines.ts';
import { encode } from '../../../../src/common/utf8.ts';
import { looksLikePaths } from '../../../../src/documents/documents-at.ts';
import { readJsonLines } from '../../../../src/extract/rows/json-lines.ts';
import { createMemoryIndex } from '../../../../src/lookup/index.ts';
import { type Family, familiesOf } from './family.ts';

const row = (fields: string): string => `{"id":"a","text":"x"${fields}}\n`;
const ROWS: Readonly<Record<string, (n: number) => string>> = {
  many: (n) => row('').repeat(n),
  empty: (n) => '\n'.repeat(n),
  blank: (n) => `${' '.repeat(900)}\n`.repeat(n / 100),
  fields: (n) => row(Array.from({ length: n }, (_, i) => `,"f${i}":1`).join('')),
  nested: (n) => row(`,"a":${'['.repeat(n)}${']'.repeat(n)}`),
  escapes: (n) => row(`,"a":"${'\\\\'.repeat(n)}"`),
  digits: (n) => `{"text":"x","id":${'9'.repeat(n)}}`,
  // An id beyond 2^53 is read again in the text of its row.
  numbers: (n) => `{"text":"x","id":99999999999999999999,"a":[${Array(n).fill('-1e1').join()}]}`,
  quotes: (n) => `{"text":"x","id":99999999999999999999,"a":"${'\\"'.repeat(n)}"}`,
};

const rowFamilies = familiesOf('rows-', 400_000, ROWS, async (text) => {
  for await (const _ of readJsonLines([encode(text)], { textField: 'text', idField: 'id' }));
});

/** Lists of fingerprints, as an index imports them. */
const entry = (id: string): string => `{"id":"${id}","label":"simhash-doc","fingerprint":"aaaaaaaaaaaaa"}\n`;
const LISTS: Readonly<Record<string, (n: number) => string>> = {
  entries: (n) => Array.from({ length: n }, (_, i) => entry(String(i))).join(''),
  'equal ids': (n) => entry('a').repeat(n),
  garbage: (n) => 'x\n'.repeat(n),
  'long ids': (n) => Array.from({ length: n / 100 }, (_, i) => entry(`${'x'.repeat(1000)}${i}`)).join(''),
};

const listFamilies = familiesOf('fingerprints: ', 40_000, LISTS, (lines) =>
  createMemoryIndex({ label: 'simhash-doc' }).importLines(lines, { bad: 'skip' }),
);

export const LINE_FAMILIES: readonly Family[] = [
  ...rowFamilies,
  ...listFamilies,
  {
    name: 'lines in single bytes',
    start: 400_000,
    async run(size) {
      for await (const _ of splitLines(Array<string>(size).fill('x')));
    },
  },
  { name: 'a list of paths', start: 400_000, run: async (size) => looksLikePaths(encode('.\n'.repeat(size))) },
];
