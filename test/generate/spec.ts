/**
 * Writes what is generated in spec/: the table of word classes, and the parts of simhash-doc.md between markers. Run by
 * `npm run generate`; test/spec/freshness.test.ts fails when the files are stale.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** Octets as upper-case pairs. */
function octetPairs(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

/** Code points of a text, so that nothing invisible hides. */
function codePoints(text: string): string {
  return Array.from(text, (character) => {
    const codePoint = character.codePointAt(0)!;
    if (codePoint > 0x20 && codePoint < 0x7f) return character;
    return codePoint === 0x20 ? '␣' : `‹U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}›`;
  }).join('');
}

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
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

function workedExample(): string {
  const { decoded, normalised, locators, stripped, tokens, hashes, counters, fingerprint, octets, hex, base32, keys } =
    scheme.explain(EXAMPLE);
  if (fingerprint === null || octets === null || base32 === null || hex === null || keys === null)
    throw new Error('the worked example has no tokens');
  const bits = fingerprint.toString(2).padStart(64, '0');
  const block = (text: string): string => ['```text', wrapped(text, 110), '```'].join('\n');
  const found = locators.map(({ form, start, end }) => `\`${normalised.slice(start, end)}\` (form ${form})`).join(', ');
  return [
    `**Input**: ${EXAMPLE.length} octets.`,
    '',
    block(octetPairs(EXAMPLE)),
    '',
    '**Step 1**: the byte order mark is dropped; `E2 82`, followed by a space, is one ill-formed subsequence.',
    '',
    block(codePoints(decoded)),
    '',
    '**Step 3**: `U+00AD` is deleted, `e` and `U+0301` are composed. (`U+00A0` and `U+FFFD` are breaks.)',
    '',
    block(codePoints(normalised)),
    '',
    `**Step 4**: one locator, ${found}; \`)\` is a *uric*. One space replaces it.`,
    '',
    block(codePoints(stripped)),
    '',
    `**Step 5** gives ${tokens.length} tokens; \`5\` has no letter. **Step 7** hashes their octets:`,
    '',
    table(
      ['Token', 'Octets', 'Token hash'],
      tokens.map(({ text }, i) => [
        `\`${text}\``,
        `\`${octetPairs(new TextEncoder().encode(text))}\``,
        `\`${scheme.toHex(hashes[i]!)}\``,
      ]),
    ),
    '',
    '**Step 8**: the counters 0 to 63, eight to a line, and the bits that they give (0 where a counter is 0):',
    '',
    '```text',
    ...Array.from({ length: 8 }, (_, row) => {
      const line = counters.slice(8 * row, 8 * row + 8);
      return `${line.map((counter) => String(counter).padStart(4)).join('')}    ${bits.slice(8 * row, 8 * row + 8)}`;
    }),
    '```',
    '',
    `The octets are \`${octetPairs(octets)}\`, the hexadecimal form is \`${hex}\`.`,
    '',
    `**Step 9**: \`${base32}\`, with its label \`${scheme.formatLabelled(scheme.LABEL, fingerprint)}\`.`,
    '',
    '**Step 11**:',
    '',
    table(
      ['Table', 'Key', 'Key, decimal', 'Permuted fingerprint'],
      keys.map((key, t) => [
        t,
        `\`${key.toString(16).padStart(7, '0')}\``,
        key,
        `\`${scheme.toHex(scheme.permute(fingerprint, t))}\``,
      ]),
    ),
  ].join('\n');
}

function coreValues(): string {
  const texts = [
    'a',
    'the',
    'The',
    'naïve',
    'simhash',
    'Füße',
    'Съешь ещё этих мягких французских булок',
    'いろはにほへと ちりぬるを',
    'नमस्ते दुनिया',
    'The quick brown fox jumps over the lazy dog.',
  ];
  return [
    'Sizes and thresholds:',
    '',
    table(
      ['Value', 'Number', 'Rule'],
      [
        ['Bits of a fingerprint', 64, '[SIM-1](#SIM-1)'],
        ['Characters of the bare form', scheme.serialise(0n).length, '[SER-1](#SER-1)'],
        ['Largest distance of a close match', scheme.CLOSE_DISTANCE, '[CMP-4](#CMP-4)'],
        ['Largest distance of a loose match', scheme.LOOSE_DISTANCE, '[CMP-3](#CMP-3)'],
        ['Distance of a filter, by default', scheme.DEFAULT_DISTANCE, '[CMP-7](#CMP-7)'],
        ['Tables', scheme.TABLES, '[TAB-2](#TAB-2)'],
        ['Bits of a key', scheme.KEY_BITS, '[TAB-3](#TAB-3)'],
        ...Array.from({ length: 9 }, (_, k) => [
          `Probes per table, *k* = ${k}`,
          scheme.probesPerTable(k),
          '[LKP-2](#LKP-2)',
        ]),
      ],
    ),
    '',
    'Fingerprints of short texts:',
    '',
    table(
      ['Text', 'Tokens', 'Hexadecimal', 'Base32'],
      texts.map((text) => {
        const { tokens, hex, base32 } = scheme.explain(text);
        return [`\`${text}\``, tokens.length, `\`${hex}\``, `\`${base32}\``];
      }),
    ),
    '',
    `Similarities: ${Array.from({ length: 8 }, (_, d) => `*d* = ${d}: ${scheme.similarityOfDistance(d)}`).join('; ')}.`,
  ].join('\n');
}

/** The rules of the specification: identifier, origin, and the heading under which each stands. */
export function findRules(text: string): { id: string; origin: string; section: string; anchor: string }[] {
  const rules: { id: string; origin: string; section: string; anchor: string }[] = [];
  let section = '';
  let anchor = '';
  let lastAnchor = '';
  for (const line of text.split('\n')) {
    const anchorOnly = /^<a id="([^"]+)"><\/a>$/.exec(line);
    if (anchorOnly) lastAnchor = anchorOnly[1]!;
    const heading = /^##+ (.+)$/.exec(line);
    if (heading?.[0].startsWith('## ')) {
      section = heading[1]!;
      anchor = lastAnchor;
    }
    const rule = /^<a id="([A-Z]{3}-\d+)"><\/a>\*\*\1\*\* \((stated|decided)\)/.exec(line);
    if (rule) rules.push({ id: rule[1]!, origin: rule[2]!, section, anchor });
  }
  return rules;
}

function ruleIndex(text: string): string {
  return table(
    ['Rule', 'Origin', 'Section'],
    findRules(text).map(({ id, origin, section, anchor }) => [`[${id}](#${id})`, origin, `[${section}](#${anchor})`]),
  );
}

/** The text of spec/simhash-doc.md with its generated parts made anew. */
export function fillSpecification(text: string, wordClasses: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    'word-classes-digest': () => wordClassesDigest(wordClasses),
    'worked-example': workedExample,
    'core-values': coreValues,
    'rule-index': () => ruleIndex(text),
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
}

if (process.argv[1] === new URL(import.meta.url).pathname) generateSpecification();
