import { splitLines } from '../../../../src/common/lines.ts';
import { encode } from '../../../../src/common/utf8.ts';
import { createLineReader, parseLine } from '../../../../src/conformance/adapter/line.ts';
import { looksLikePaths } from '../../../../src/documents/select/path-list.ts';
import { readJsonLines } from '../../../../src/extract/table/json-lines.ts';
import { createMemoryIndex } from '../../../../src/lookup/index.ts';
import { type Family, familiesOf } from './family.ts';

/** Replies of an adapter. */
const REPLIES: Readonly<Record<string, (n: number) => string>> = {
  spaces: (n) => `{${' '.repeat(n)}`,
  commas: (n) => `{${' ,'.repeat(n)}`,
  members: (n) => `{${Array.from({ length: n / 10 }, (_, i) => `"${i}":1`).join()}}`,
  nested: (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
  open: (n) => '{"a":'.repeat(n),
  escapes: (n) => `{"id":"${'\\\\'.repeat(n)}"}`,
  quotes: (n) => `{"id":"${'\\"'.repeat(n)}"}`,
  surrogates: (n) => `{"id":"${'\\ud800'.repeat(n)}"}`,
  numbers: (n) => `{"id":[${Array(n).fill('1e1').join()}]}`,
  digits: (n) => `{"id":${'1'.repeat(n)}}`,
  controls: (n) => `{"id":"${'\t\0'.repeat(n)}"}`,
};

const replyFamilies = familiesOf('reply-', 800_000, REPLIES, (text) => parseLine(Buffer.from(text)));

/** Output of an adapter, as it comes. */
const OUTPUTS: Readonly<Record<string, (n: number) => Iterable<Buffer>>> = {
  'one line in single bytes': (n) => Array(n).fill(Buffer.from('x')),
  'empty lines': (n) => [Buffer.alloc(n, '\n')],
  'a long line': (n) => [Buffer.alloc(n * 50, 'x')],
};

const outputFamilies = familiesOf('output: ', 400_000, OUTPUTS, (chunks) => {
  const reader = createLineReader(
    () => 2 ** 30,
    () => undefined,
    () => undefined,
  );
  for (const chunk of chunks) reader.push(chunk);
  reader.rest();
});

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
  ...replyFamilies,
  ...outputFamilies,
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
