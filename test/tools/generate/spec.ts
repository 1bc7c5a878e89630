/**
 * Writes the generated parts of spec/: the tables of word classes and of NFC, and the parts of pages between markers: `npm run generate -- spec`. test/spec/specification.test.ts fails if the files are stale.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import * as scheme from '../../../src/index.ts';
import { namesIn } from '../../../src/lookup/stores/postgres/postgres-schema.ts';
import { combiningClass } from '../../../src/scheme/unicode.ts';
import { listRanges, makeBigrams } from './bigrams.ts';

const folder = new URL('../../../spec/', import.meta.url);

const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');

/** The text of spec/normalisation.txt (NRM-5): the data of NFC for the code points that reach it. */
function makeNormalisation(): string {
  const lines = [
    '# Data of Normalization Form C for the code points that reach NRM-3, from Unicode 12.0.',
    '# Normative data of spec/simhash-doc.md, rule NRM-5. It never changes.',
    '# class;START..END;CLASS    combining class of the range, both ends included; 0 elsewhere',
    '# pair;C;X Y                C decomposes to X and Y, which compose to C',
    '# split;C;X ...             C decomposes to X ..., which do not compose to C',
    '# All but CLASS in hexadecimal. Hangul syllables follow from arithmetic.',
  ];
  const reaching = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter((codePoint) => {
    const wordClass = scheme.classify(codePoint);
    return (codePoint < 0xd800 || codePoint > 0xdfff) && wordClass !== 'unassigned' && wordClass !== 'ignorable';
  });
  for (let i = 0; i < reaching.length; ) {
    const start = reaching[i]!;
    const order = combiningClass(start);
    let end = start;
    while (reaching[++i] === end + 1 && combiningClass(end + 1) === order) end++;
    if (order > 0) lines.push(`class;${hex(start)}..${hex(end)};${order}`);
  }
  for (const codePoint of reaching) {
    const text = String.fromCodePoint(codePoint);
    const parts = Array.from(text.normalize('NFD'));
    const isHangul = codePoint >= 0xac00 && codePoint <= 0xd7a3;
    if (isHangul || parts.join('') === text) continue;
    // A composite is composed of the composition of all its parts but the last, and the last.
    const isComposite = text.normalize('NFC') === text;
    const pair = [parts.slice(0, -1).join('').normalize('NFC'), parts.at(-1)!];
    const list = (each: readonly string[]): string => each.map((part) => hex(part.codePointAt(0)!)).join(' ');
    lines.push(isComposite ? `pair;${hex(codePoint)};${list(pair)}` : `split;${hex(codePoint)};${list(parts)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The text of spec/word-classes.txt (CLS-1). */
function makeWordClasses(): string {
  const lines = [
    '# Word classes of simhash-doc: the class of every code point, pinned to Unicode 12.0.',
    '# Normative data of spec/simhash-doc.md, rule CLS-1. It never changes.',
    '# START..END;CLASS, hexadecimal, both ends included.',
  ];
  for (let start = 0; start <= 0x10ffff; ) {
    const wordClass = scheme.classify(start);
    let end = start;
    while (end < 0x10ffff && scheme.classify(end + 1) === wordClass) end++;
    lines.push(`${hex(start)}..${hex(end)};${wordClass}`);
    start = end + 1;
  }
  return `${lines.join('\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function digestOfFile(name: string, content: string): string {
  const digest = createHash('sha256').update(content).digest('hex');
  return `SHA-256 of the ${Buffer.byteLength(content)} octets of [${name}](${name}):\n\n    ${digest}`;
}

function bigramExamples(): string {
  const texts = ['東京タワーへ行く。', '平成30年度', 'Tシャツ', 'ภาษาไทย', 'น้ำใจ', '한국어 문서'];
  return table(
    ['Text', 'Tokens with `bg1`', 'Fingerprint'],
    texts.map((text) => {
      const { tokens, base32 } = scheme.explain(text, { label: 'simhash-doc+bg1' });
      return [`\`${text}\``, tokens.map((token) => `\`${token.text}\``).join(' '), `\`${base32}\``];
    }),
  );
}

const EXAMPLE: Uint8Array = Buffer.concat([
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from('Cafe\u0301 No.\u00a05 (see https://example.org/menu) serves soft\u00addrinks '),
  Buffer.from([0xe2, 0x82]),
  Buffer.from(' and H2O; caf\u00e9 or Caf\u00e9?\n'),
]);

/** JSON in ASCII. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A member of a JSON object whose list is written with so many items to a line. */
function listMember(name: string, items: readonly unknown[], perLine: number): string {
  const lines: string[] = [];
  for (let i = 0; i < items.length; i += perLine)
    lines.push(
      `    ${items
        .slice(i, i + perLine)
        .map(ascii)
        .join(',')}`,
    );
  return `  "${name}": [\n${lines.join(',\n')}]`;
}

function workedExample(): string {
  const { decoded, normalised, stripped, tokens, hashes, counters, fingerprint, base32, hex, keys } =
    scheme.explain(EXAMPLE);
  if (typeof fingerprint !== 'bigint' || keys === null || counters === null)
    throw new Error('the worked example has no fingerprint');
  const permuted = keys.map((_, table) => scheme.toHex(scheme.permute(fingerprint, table)));
  const members = [
    `  "utf8": ${ascii(Buffer.from(EXAMPLE).toString('hex'))}`,
    ...Object.entries({ decoded, normalised, stripped }).map(([name, text]) => `  "${name}": ${ascii(text)}`),
    `  "tokens": [${tokens.map(({ text }) => ascii(text)).join(',')}]`,
    listMember('hashes', hashes.map(scheme.toHex), 5),
    listMember('counters', counters, 22),
    `  "hex": ${ascii(hex)}`,
    `  "fingerprint": ${ascii(base32)}`,
    `  "labelled": ${ascii(scheme.formatLabelled(scheme.LABEL, fingerprint))}`,
    listMember('keys', keys, 8),
    listMember('permuted', permuted, 6),
  ];
  return ['```json', '{', members.join(',\n'), '}', '```'].join('\n');
}

function coreValues(): string {
  const texts = [
    'a',
    'Füße',
    'Съешь ещё этих мягких французских булок',
    'नमस्ते दुनिया',
    'The quick brown fox jumps over the lazy dog.',
  ];
  return table(
    ['Text', 'Tokens', 'Hexadecimal', 'Base32'],
    texts.map((text) => {
      const { tokens, hex, base32 } = scheme.explain(text);
      return [`\`${text}\``, tokens.length, `\`${hex}\``, `\`${base32}\``];
    }),
  );
}

const MINHASH_EXAMPLE = 'the fox and the dog';

/** The winners of word 0 with their tokens, and both fingerprints. */
function minhashExample(): string {
  const { tokens, hashes, winners, hex, fingerprint } = scheme.explain(MINHASH_EXAMPLE, { label: 'minhash-doc' });
  const wide = scheme.explain(MINHASH_EXAMPLE, { label: 'minhash-doc-256' });
  if (winners === null || fingerprint === null || wide.fingerprint === null)
    throw new Error('the example of minhash-doc has no fingerprint');
  const rows = winners.map(({ hash, round, draw }, bin) => [
    ...[bin, tokens[hashes.indexOf(hash)]!.text, round, scheme.toHex(draw), Number(draw & 1n)],
  ]);
  const members = [
    `  "text": ${ascii(MINHASH_EXAMPLE)}`,
    `  "tokens": [${tokens.map(({ text }) => ascii(text)).join(',')}]`,
    listMember('hashes', hashes.map(scheme.toHex), 5),
    listMember('winners', rows, 4),
    `  "hex": ${ascii(hex)}`,
    `  "labelled": ${ascii(scheme.formatLabelled('minhash-doc', fingerprint))}`,
    `  "hex256": ${ascii(wide.hex)}`,
    `  "labelled256": ${ascii(scheme.formatLabelled('minhash-doc-256', wide.fingerprint))}`,
  ];
  return ['```json', '{', members.join(',\n'), '}', '```'].join('\n');
}

function minhashValues(): string {
  const texts = ['a', 'hello world', 'The quick brown fox jumps over the lazy dog.', '東京タワーへ行く。', '123'];
  const shown = (base32: string | null): string => (base32 === null ? 'none' : `\`${base32}\``);
  return table(
    ['Text', 'Elements', '`minhash-doc`', '`minhash-doc-256`'],
    texts.map((text) => {
      const { hashes, base32 } = scheme.explain(text, { label: 'minhash-doc' });
      const wide = scheme.explain(text, { label: 'minhash-doc-256' });
      return [`\`${text}\``, new Set(hashes).size, shown(base32), shown(wide.base32)];
    }),
  );
}

/** The keys of layout 3 in SQL (spec/sharing.md). */
function layoutKeys(): string {
  return ['```sql', ...namesIn('public', 1).keys.map((key, table) => `${key}  -- ${table}`), '```'].join('\n');
}

/** A text with its parts between markers made anew. */
export function fillParts(name: string, text: string, parts: Readonly<Record<string, () => string>>): string {
  for (const [part, make] of Object.entries(parts)) {
    const open = `<!-- generated: ${part} -->`;
    const close = `<!-- /generated: ${part} -->`;
    const start = text.indexOf(open);
    const end = text.indexOf(close);
    if (start < 0 || end < start) throw new Error(`${name}: expected the markers of ${part}`);
    text = `${text.slice(0, start + open.length)}\n\n${make()}\n\n${text.slice(end)}`;
  }
  return text;
}

/** The generated parts of the pages of spec/, by the names of their markers. */
const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'simhash-doc.md': {
    'word-classes-digest': () => digestOfFile('word-classes.txt', makeWordClasses()),
    'worked-example': workedExample,
    'core-values': coreValues,
    'normalisation-digest': () => digestOfFile('normalisation.txt', makeNormalisation()),
  },
  'minhash-doc.md': {
    'bigrams-digest': () => digestOfFile('bigrams/bg1.txt', makeBigrams(listRanges())),
    'bigrams-examples': bigramExamples,
    'minhash-example': minhashExample,
    'minhash-values': minhashValues,
  },
  'sharing.md': { 'layout-3-keys': layoutKeys },
};

/**
 * Makes the generated files of spec/.
 * @returns contents by their names
 */
export function makeSpecification(): Map<string, string> {
  const files = new Map([
    ['word-classes.txt', makeWordClasses()],
    ['normalisation.txt', makeNormalisation()],
  ]);
  for (const [name, parts] of Object.entries(PAGES))
    files.set(name, fillParts(`spec/${name}`, readFileSync(new URL(name, folder), 'utf8'), parts));
  return files;
}

/** Writes the files. */
export function generateSpecification(): void {
  for (const [name, content] of makeSpecification()) writeFileSync(new URL(name, folder), content);
}
