import type { Extraction } from '../extract/index.ts';
import { classify, type Explanation, explain as explainText, formatLabelled, LABEL } from '../index.ts';
import { type Command, DOCUMENT_OPTIONS, DONE, FAILED, JSON_OPTION, usageError } from './arguments.ts';
import { documentHints, NO_TOKENS, readDocument } from './document.ts';
import { type Failure, failureOf } from './failure.ts';
import { columns, complain, counted, grouped, print, printable, printJson, type Style, styleFor } from './output.ts';
import { plotCounters } from './plot.ts';
import { createPool } from './pool.ts';
import { STDIN } from './walk.ts';

/** The most octets of a document that is explained: every token of it is held (measured: 8 MiB of one-letter words, 1.4 GB). */
const LIMIT = 4 << 20;

const FREQUENT = 10;
const EXAMPLES = 5;

/** `simhash-doc explain`: every step from a document to its fingerprint, for a person. */
export const explain: Command = {
  name: 'explain',
  summary: 'Show how the fingerprint of a document comes about',
  usage: '[OPTION…] PATH|-',
  details: [
    `Shows what each step of the scheme does with one document of up to ${LIMIT >> 20} MiB: how it was read, what was replaced,
deleted and stripped, the most frequent tokens, the 64 counters and the bits that follow from them, the fingerprint in
all its forms, and its keys in the 16 tables.`,
    `With --json, one object with the keys path, label, mediaType, extractor, steps: { decoded, normalised, stripped },
tokens, hashes, counters, fingerprint, hex, keys; the last three are null where there is no token. Or, for a document
that cannot be read, path, error: { code, message }.`,
    'Exit code: 0 done, 1 the document cannot be read or has no fingerprint, 2 wrong usage.',
  ],
  options: [...DOCUMENT_OPTIONS, JSON_OPTION],

  async run(args) {
    const [path] = args.positionals;
    if (path === undefined || args.positionals.length > 1)
      throw usageError(`expected one document, got ${args.positionals.length}`);
    const json = args.flag('json');
    const pool = createPool(1, await documentHints(args));
    let size: number;
    let extraction: Extraction;
    try {
      const octets = await readDocument({ path, found: false }, LIMIT);
      size = octets.length;
      extraction = await pool.extract(octets, path);
    } catch (error) {
      await reportFailure(path, failureOf(error), json);
      return FAILED;
    } finally {
      await pool.close();
    }
    for (const warning of extraction.warnings) complain(`${printable(path)}: warning: ${warning}`);
    const explanation = explainText(extraction.text);
    if (json) await printJson(asJson(path, extraction, explanation));
    else await print(`${asText(path, size, extraction, explanation).join('\n')}\n`);
    if (explanation.fingerprint !== null) return DONE;
    complain(`${printable(path)}: ${NO_TOKENS.message}`);
    return FAILED;
  },
};

async function reportFailure(path: string, { code, message }: Failure, json: boolean): Promise<void> {
  if (json) await printJson({ path, error: { code, message } });
  else complain(`${printable(path)}: ${message}`);
}

function asJson(path: string, { mediaType, extractor }: Extraction, explanation: Explanation) {
  const { decoded, normalised, stripped, tokens, hashes, counters, base32, hex, keys } = explanation;
  return {
    path,
    label: LABEL,
    mediaType,
    extractor,
    steps: { decoded, normalised, stripped },
    tokens: tokens.map(({ text }) => text),
    hashes: hashes.map((hash) => hash.toString(16).padStart(16, '0')),
    counters,
    fingerprint: base32,
    hex,
    keys,
  };
}

function asText(path: string, size: number, extraction: Extraction, explanation: Explanation): string[] {
  const style = styleFor(process.stdout, process.env);
  const { tokens, counters } = explanation;
  const { mediaType, extractor, charset } = extraction;
  return [
    ...section(style, 'Document', [
      ['path', path === STDIN ? 'standard input' : printable(path)],
      ['size', counted(size, 'octet')],
      ['medium', `${mediaType}, read by ${extractor}`],
      ['charset', charset ?? 'none'],
    ]),
    ...section(style, 'Text', textRows(explanation)),
    ...section(style, 'Tokens', [
      ['all', grouped(tokens.length)],
      ...mostFrequent(
        tokens.map(({ text }) => text),
        style,
      ),
    ]),
    ...(tokens.length === 0 ? [] : counterRows(counters, style)),
    ...section(style, 'Fingerprint', fingerprintRows(explanation)).slice(0, -1),
  ];
}

function counterRows(counters: readonly number[], style: Style): string[] {
  const most = grouped(Math.max(...counters.map(Math.abs)));
  return [
    `${style.strong('Counters')} ${style.faint(`from −${most} to +${most}`)}`,
    ...plotCounters(counters, columns(), style),
    '',
  ];
}

/** A title, rows of a name and a value under each other, and an empty line. */
function section(style: Style, title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [style.strong(title), ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ''];
}

function textRows({ decoded, normalised, locators }: Explanation): [string, string][] {
  let codePoints = 0;
  let unassigned = 0;
  let ignorable = 0;
  let kept = '';
  for (const character of decoded) {
    codePoints++;
    const kind = classify(character.codePointAt(0)!);
    if (kind === 'unassigned') unassigned++;
    if (kind === 'ignorable') ignorable++;
    else kept += kind === 'unassigned' ? '\uFFFD' : character;
  }
  const keptLength = codePoints - ignorable;
  const composed =
    kept === normalised ? 'nothing' : `${grouped(keptLength)} → ${counted(lengthOf(normalised), 'code point')}`;
  return [
    ['decoded', counted(codePoints, 'code point')],
    ['unassigned, replaced', grouped(unassigned)],
    ['ignorable, deleted', grouped(ignorable)],
    ['changed by NFC', composed],
    ['locators, stripped', grouped(locators.length)],
    ...locators
      .slice(0, EXAMPLES)
      .map(({ start, end }): [string, string] => [
        '',
        printable(shorten(normalised.slice(start, end), columns() - 26)),
      ]),
    ...(locators.length > EXAMPLES ? [['', '…'] as [string, string]] : []),
  ];
}

/** Number of code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The most frequent tokens with their counts; among equals, those that come first in the document. */
function mostFrequent(tokens: readonly string[], style: Style): [string, string][] {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, FREQUENT);
  return [
    ['different', grouped(counts.size)],
    ...frequent.map(([token, count], index): [string, string] => {
      const share = style.faint(`${((100 * count) / tokens.length).toFixed(1).padStart(5)} %`);
      const row = `${grouped(count).padStart(grouped(frequent[0]![1]).length)}  ${share}  ${shorten(token, columns() - 40)}`;
      return [index === 0 ? 'most frequent' : '', row];
    }),
  ];
}

/** Cuts a text that is longer than a number of code points. */
function shorten(text: string, length: number): string {
  const most = Math.max(8, length);
  // A code point is two units at most.
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

function fingerprintRows({ fingerprint, octets, hex, base32, keys }: Explanation): [string, string][] {
  if (fingerprint === null || octets === null || hex === null || base32 === null || keys === null)
    return [['none', NO_TOKENS.message]];
  return [
    ['bits', Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join(' ')],
    ['octets', Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join(' ')],
    ['hex', hex],
    ['base32', base32],
    ['labelled', formatLabelled(LABEL, fingerprint)],
    ...[0, 4, 8, 12].map((table): [string, string] => [
      `keys ${table}–${table + 3}`,
      keys
        .slice(table, table + 4)
        .map((key) => key.toString(16).padStart(7, '0'))
        .join(' '),
    ]),
  ];
}
