/**
 * Writes what is generated in spec/: the table of word classes, the parts of simhash-doc.md between markers, and the index
 * of rules. Run by `npm run generate`; test/spec/specification.test.ts fails if the files are stale.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadRules } from '../../src/conformance/suite/rules.ts';
import * as scheme from '../../src/index.ts';

const folder = new URL('../../spec/', import.meta.url);

/** The text of spec/word-classes.txt (CLS-1). */
export function makeWordClasses(): string {
  const lines = [
    '# Word classes of simhash-doc: the class of every code point, pinned to Unicode 12.0.',
    '# Normative data of spec/simhash-doc.md, rule CLS-1. It never changes.',
    '# START..END;CLASS, hexadecimal, both ends included.',
  ];
  const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');
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

function wordClassesDigest(classes: string): string {
  const counts = new Map<string, { ranges: number; points: number }>();
  for (const line of classes.split('\n')) {
    const [, start, end, wordClass] = /^([0-9A-F]+)\.\.([0-9A-F]+);([a-z]+)$/.exec(line) ?? [];
    if (start === undefined || end === undefined || wordClass === undefined) continue;
    const count = counts.get(wordClass) ?? { ranges: 0, points: 0 };
    count.ranges++;
    count.points += Number.parseInt(end, 16) - Number.parseInt(start, 16) + 1;
    counts.set(wordClass, count);
  }
  const digest = createHash('sha256').update(classes).digest('hex');
  return [
    `SHA-256 of the ${Buffer.byteLength(classes)} octets of [word-classes.txt](word-classes.txt):`,
    '',
    `    ${digest}`,
    '',
    table(
      ['Class', 'Ranges', 'Code points'],
      [...counts].sort().map(([wordClass, { ranges, points }]) => [wordClass, ranges, points]),
    ),
  ].join('\n');
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
        .join(', ')}`,
    );
  return `  "${name}": [\n${lines.join(',\n')}\n  ]`;
}

function workedExample(): string {
  const { decoded, normalised, stripped, tokens, hashes, counters, fingerprint, base32, hex, keys } =
    scheme.explain(EXAMPLE);
  if (fingerprint === null || keys === null) throw new Error('the worked example has no tokens');
  const permuted = keys.map((_, table) => scheme.toHex(scheme.permute(fingerprint, table)));
  const members = [
    `  "utf8": ${ascii(Buffer.from(EXAMPLE).toString('hex'))}`,
    ...Object.entries({ decoded, normalised, stripped }).map(([name, text]) => `  "${name}": ${ascii(text)}`),
    `  "tokens": [${tokens.map(({ text }) => ascii(text)).join(', ')}]`,
    listMember('hashes', hashes.map(scheme.toHex), 5),
    listMember('counters', counters, 16),
    `  "hex": ${ascii(hex)}`,
    `  "fingerprint": ${ascii(base32)}`,
    `  "labelled": ${ascii(scheme.formatLabelled(scheme.LABEL, fingerprint))}`,
    listMember('keys', keys, 8),
    listMember('permuted', permuted, 4),
  ];
  return ['```json', '{', members.join(',\n'), '}', '```'].join('\n');
}

function coreValues(): string {
  const texts = [
    'a',
    'The',
    'naïve',
    'Füße',
    'Съешь ещё этих мягких французских булок',
    'いろはにほへと ちりぬるを',
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

/** The text of spec/rules.md. */
export function makeRuleIndex(): string {
  const rows = [...loadRules().values()].map(({ id, origin, section, link }) => [
    `[${id}](${link.replace('spec/', '')})`,
    origin,
    section,
  ]);
  return `# Rules of simhash-doc

Generated by \`npm run generate\` from [simhash-doc.md](simhash-doc.md) and [extraction.md](extraction.md). Rules that the proposal
states are listed in [rationale.md](rationale.md#origins), with its words.

${table(['Rule', 'Origin', 'Section'], rows)}
`;
}

/** The text of spec/simhash-doc.md with its generated parts made anew. */
export function fillSpecification(text: string, wordClasses: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    'word-classes-digest': () => wordClassesDigest(wordClasses),
    'worked-example': workedExample,
    'core-values': coreValues,
  };
  for (const [name, make] of Object.entries(parts)) {
    const open = `<!-- generated: ${name} -->`;
    const close = `<!-- /generated: ${name} -->`;
    const start = text.indexOf(open);
    const end = text.indexOf(close);
    if (start < 0 || end < start) throw new Error(`spec/simhash-doc.md: expected the markers of ${name}`);
    text = `${text.slice(0, start + open.length)}\n\n${make()}\n\n${text.slice(end)}`;
  }
  return text;
}

/** Writes the files. */
export function generateSpecification(): void {
  const wordClasses = makeWordClasses();
  writeFileSync(new URL('word-classes.txt', folder), wordClasses);
  const file = new URL('simhash-doc.md', folder);
  writeFileSync(file, fillSpecification(readFileSync(file, 'utf8'), wordClasses));
  writeFileSync(new URL('rules.md', folder), makeRuleIndex());
}

if (process.argv[1] === new URL(import.meta.url).pathname) generateSpecification();
