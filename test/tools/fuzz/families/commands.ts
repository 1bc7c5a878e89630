import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { createRandom } from '../../bench/corpus.ts';
import { type Family, numbered } from './family.ts';

type Dispatch = (argv: readonly string[]) => Promise<number>;
type Files = Readonly<Record<string, string>>;

let dispatch: Dispatch | undefined;

/** Runs the command in a folder of files, without its output. */
async function command(args: readonly string[], files: Files): Promise<void> {
  // A specifier that a bundle leaves as it is.
  dispatch ??= ((await import(resolve('dist/cli/dispatch.js'))) as { dispatch: Dispatch }).dispatch;
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-growth-'));
  const before = ['stdout', 'stderr'].map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
  const from = process.cwd();
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    for (const [name] of before)
      Object.defineProperty(process, name, {
        configurable: true,
        value: new Writable({ write: (_chunk, _encoding, done) => done() }),
      });
    process.chdir(folder);
    await dispatch(args);
  } finally {
    for (const [name, property] of before) Object.defineProperty(process, name, property);
    process.chdir(from);
    rmSync(folder, { recursive: true, force: true });
  }
}

const words = (from: number, count: number): string => numbered(count, (i) => `w${(from + i).toString(36)} `);

const record = (id: number | string): string => {
  const body = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${words(Number(id) * 50, 50)}`;
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/${id}\r\nContent-Type: application/http\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n\r\n`;
};

/** A WARC file of records, and a line of CDXJ for each. */
function indexed(count: number, lines = count): Files {
  const records = Array.from({ length: count }, (_, i) => record(i));
  const entries: string[] = [];
  let offset = 0;
  for (const each of records) {
    const json = { url: 'http://a/', filename: 'a.warc', offset: String(offset), length: String(each.length) };
    entries.push(`a)/ 20260101000000 ${JSON.stringify(json)}\n`);
    offset += each.length;
  }
  return { 'a.warc': records.join(''), 'a.cdxj': numbered(lines, (i) => entries[i % count]!) };
}

const row = (text: string, more = ''): string => `${JSON.stringify({ text })}${more}\n`;
const DEDUPE = ['dedupe', 'a.jsonl', '--text-field', 'text', '--out', 'b.jsonl', '-q'];
const enrich = ['enrich', 'a.cdxj', '-j', '1', '-q'];
const DUPES = ['dupes', 'a.jsonl', '--text-field', 'text', '-q', '-j', '1'];
const PAIRS = ['dupes', '-q', '-j', '1', 'a.warc'];

const differing =
  (textOf: (i: number) => string) =>
  (n: number): Files => ({ 'a.jsonl': numbered(n, (i) => row(textOf(i))) });

/** Changes the words of a text at the bits of a number. */
const changed = (text: string, bits: number, change: (word: string) => string): string =>
  text
    .split(' ')
    .map((word, at) => ((bits >> at) & 1 && at < 24 ? change(word) : word))
    .join(' ');
const signed = (text: string, i: number): string => changed(text, i, (word) => `${word} %`);
const capitalised = (text: string, i: number): string => changed(text, i, (word) => word.toUpperCase());
const lettersOf = (i: number): string => i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
/** Permutes the words of a text: the i-th step of a factorial number. */
const rotated = (text: string, i: number): string => {
  const list = text.split(' ');
  for (let at = 0, rest = i; rest > 0; at++, rest = Math.floor(rest / 30))
    list.splice(at, 0, ...list.splice(at + (rest % 30), 1));
  return list.join(' ');
};

/** Texts that have most words in common, by what they differ in. */
const DIFFERING: Readonly<Record<string, (i: number) => string>> = {
  numbers: (i) => `${words(0, 40)} ${i}`,
  locators: (i) => `${words(0, 40)} http://a.b/${lettersOf(i)}`,
  characters: (i) => signed(words(0, 40), i),
  order: (i) => rotated(words(0, 40), i),
};
/** Rows with 100 words in common and 25 of their own: an overlap of 0.67. */
const templated = differing((i) =>
  Array.from({ length: 125 }, (_, word) => `w${lettersOf(word < 100 ? word : 1000 + 125 * i + word)}`).join(' '),
);
/** Rows of most of the same 100 words, so that none is rare, and with other numbers. */
const ofFewWords = differing((i) =>
  [
    i,
    ...Array.from({ length: 100 }, (_, word) => word).filter(
      (word) => (Math.imul(131 * i + word, 0x9e3779b1) >>> 8) % 20 > 2,
    ),
  ]
    .map((word, at) => (at === 0 ? `${i}${i}` : `w${lettersOf(word)}`))
    .join(' '),
);
const differingFamilies = (command: string, args: readonly string[]) =>
  Object.fromEntries(
    Object.entries(DIFFERING).map(([name, textOf]) => [
      `${command}: rows that differ in ${name}`,
      [4000, args, differing(textOf)] as const,
    ]),
  );

const COMMANDS: Readonly<
  Record<string, readonly [start: number, args: readonly string[], make: (n: number) => Files]>
> = {
  'enrich: lines': [2000, enrich, (n) => indexed(n)],
  'enrich: one record': [4000, enrich, (n) => indexed(1, n)],
  'dedupe: distinct rows': [4000, DEDUPE, (n) => ({ 'a.jsonl': numbered(n, (i) => row(words(100 * i, 100))) })],
  'dedupe: equal rows': [10_000, DEDUPE, (n) => ({ 'a.jsonl': row(words(0, 100)).repeat(n) })],
  'dedupe: rows like each other': [
    2000,
    DEDUPE,
    (n) => ({ 'a.jsonl': numbered(n, (i) => row(`${words(0, 100)} ${words(1000 + 5 * i, 5)}`)) }),
  ],
  'dedupe: rows of one template': [4000, DEDUPE, templated],
  'dedupe: rows of few words': [4000, DEDUPE, ofFewWords],
  'dupes: rows of one template': [4000, DUPES, templated],
  'dedupe: a chain of rows': [2000, DEDUPE, (n) => ({ 'a.jsonl': numbered(n, (i) => row(words(8 * i, 100))) })],
  ...differingFamilies('dedupe', DEDUPE),
  'dedupe: rows that differ in ten numbers of three digits': [
    5000,
    DEDUPE,
    (n) => {
      const [random, text] = [createRandom(1), Array.from({ length: 80 }, (_, i) => `w${lettersOf(i)}`).join(' ')];
      return {
        'a.jsonl': numbered(n, () => row([text, ...Array.from({ length: 10 }, () => random() % 1000)].join(' '))),
      };
    },
  ],
  ...differingFamilies('dupes', DUPES),
  'dupes: rows that differ in first lines, to remove': [
    2000,
    [...DUPES, '--print0'],
    differing((i) => `about x${lettersOf(i)}\n${words(0, 40)}\nend\n`),
  ],
  'dupes: rows with a name and a number each': [4000, DUPES, differing((i) => `${words(0, 40)} x${lettersOf(i)} ${i}`)],
  'dedupe: rows that differ in case': [
    4000,
    [...DEDUPE, '--match-case'],
    differing((i) => capitalised(words(0, 40), i)),
  ],
  'dupes: distinct documents': [2000, PAIRS, (n) => ({ 'a.warc': numbered(n, (i) => record(i)) })],
  'dupes: equal documents': [2000, PAIRS, (n) => ({ 'a.warc': record(0).repeat(n) })],
  'dupes: one long document': [
    400_000,
    ['dupes', '-q', 'a.txt', 'b.txt'],
    (n) => ({ 'a.txt': words(0, n), 'b.txt': words(9, n) }),
  ],
  'hash: lines to check': [
    20_000,
    ['hash', '--check', 'list'],
    (n) => ({ 'a.txt': 'x', list: numbered(n, (i) => `simhash-doc:AAAAAAAAAAAAA  missing${i}\n`) }),
  ],
  'hash: names from a file': [
    10_000,
    ['hash', '-j', '1', '--files0-from', 'list'],
    (n) => ({ 'a.txt': 'x', list: 'a.txt\0'.repeat(n) }),
  ],
  'hash: CDXJ': [4000, ['hash', '--cdxj', '-j', '1', 'a.warc'], (n) => indexed(n)],
};

export const COMMAND_FAMILIES: readonly Family[] = Object.entries(COMMANDS).map(([name, [start, args, make]]) => ({
  name,
  start,
  run: (size: number) => command(args, make(size)),
}));
