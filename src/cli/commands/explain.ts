import { hexDigits } from '../../common/octets.ts';
import { formatNumber, pluralize } from '../../common/text.ts';
import { type Extraction, extract } from '../../extract/index.ts';
import { classify, type Explanation, explain as explainText, formatLabelled, LABEL } from '../../index.ts';
import { type Command, DOCUMENT_OPTIONS, DONE, FAILED, JSON_OPTION, MEDIA, usageError } from '../command.ts';
import { showDifference } from '../documents/difference.ts';
import { documentHints, NO_TOKENS, type Outcome } from '../documents/document.ts';
import type { Failure } from '../documents/failure.ts';
import { createPool, type Pool } from '../documents/pool.ts';
import { single } from '../documents/single.ts';
import { STDIN } from '../documents/walk.ts';
import { columns, print, printable, printJson, type Style, shorten, styleFor, warn } from '../terminal/output.ts';
import { plotCounters } from '../terminal/plot.ts';

/** The most 16-bit units of a text that is explained: every token of it is held (measured: 8 MiB of one-letter words, 1.4 GB). */
const LIMIT = 4 << 20;

const FREQUENT = 10;
const EXAMPLES = 5;

/** `simhash-doc explain`: every step from a document to its fingerprint, for a person. */
export const explain: Command = {
  name: 'explain',
  summary: 'Show how the fingerprint of a document comes about',
  usage: '[OPTION…] PATH|-  or  --diff A B',
  details: [
    `Shows what each step of the scheme does with one document, of up to ${LIMIT >> 20} Mi characters: how it was read, what
was replaced, deleted and stripped, the most frequent tokens, the 64 counters and the bits that follow from them, the
fingerprint in all its forms, and its keys in the 16 tables.`,
    `With --json, one object with the keys path, label, mediaType, extractor, steps: { decoded, normalised, stripped },
tokens, hashes, counters, fingerprint, hex, keys; the last three are null where there is no token. Or, for a document
that cannot be read, path, error: { code, message }.`,
    `With --diff, why two documents differ: the tokens whose numbers differ most, and the counters of the bits in which the
fingerprints differ. In JSON one object with the keys a, b (each path, fingerprint, tokens), label, distance, bits (each
bit, a, b: its counters), differences (each token, a, b: its numbers), those that differ most first.`,
    MEDIA,
    'Exit code: 0 done, 1 the document cannot be read or has no fingerprint, 2 wrong usage.',
  ],
  options: [{ name: 'diff', help: 'show what makes two documents differ' }, ...DOCUMENT_OPTIONS, JSON_OPTION],

  async run(args) {
    const json = args.flag('json');
    const paths = args.positionals;
    const isDiff = args.flag('diff');
    if (paths.length !== (isDiff ? 2 : 1))
      throw usageError(`expected ${isDiff ? 'two documents' : 'one document'}, got ${paths.length}`);
    if (paths.length > 1 && paths.every((path) => path === STDIN))
      throw usageError('- (standard input) can be read once only');
    const pool = createPool(1, await documentHints(args));
    const read: { readonly path: string; readonly size: number; readonly extraction: Extraction }[] = [];
    try {
      for (const path of paths) {
        const { result, size, warnings } = await textOf(path, pool, !isDiff);
        for (const warning of warnings) warn(`${printable(path)}: warning: ${warning}`);
        if ('failure' in result) await reportFailure(path, result.failure, json);
        else read.push({ path, size: size ?? 0, extraction: result });
      }
    } finally {
      await pool.close();
    }
    const [first, second] = read;
    if (first === undefined || read.length < paths.length) return FAILED;
    if (second !== undefined)
      return showDifference(
        { path: first.path, text: first.extraction.text },
        { path: second.path, text: second.extraction.text },
        json,
      );
    const { path, size, extraction } = first;
    const explanation = explainText(extraction.text);
    if (json) await printJson(asJson(path, extraction, explanation));
    else await print(`${asText(path, size, extraction, explanation).join('\n')}\n`);
    if (explanation.fingerprint !== null) return DONE;
    warn(`${printable(path)}: ${size === 0 ? 'the document is empty' : NO_TOKENS.message}`);
    return FAILED;
  },
};

/** The text of a document, if it is not too long to be explained. */
async function textOf(path: string, pool: Pool, allowEmpty: boolean): Promise<Outcome<Extraction>> {
  const outcome = single(path, await pool.extract({ path, found: false }));
  const { result } = outcome;
  if ('failure' in result) {
    if (result.failure.code !== 'empty' || !allowEmpty) return outcome;
    return { path, result: await extract(new Uint8Array(0), { type: 'text' }), warnings: [], size: 0 };
  }
  if (result.text.length <= LIMIT) return outcome;
  const message = `its text is longer than the ${LIMIT >> 20} Mi characters that can be explained`;
  return { path, result: { failure: { code: 'too-large', message } }, warnings: [] };
}

async function reportFailure(path: string, { code, message }: Failure, json: boolean): Promise<void> {
  if (json) await printJson({ path, error: { code, message } });
  else warn(`${printable(path)}: ${message}`);
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
    hashes: hashes.map((hash) => hexDigits(hash, 16)),
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
      ['size', pluralize(size, 'octet')],
      ['medium', `${mediaType}, read by ${extractor}`],
      ['charset', charset ?? 'none'],
    ]),
    ...section(style, 'Text', textRows(explanation)),
    ...section(style, 'Tokens', [
      ['all', formatNumber(tokens.length)],
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
  const most = formatNumber(Math.max(...counters.map(Math.abs)));
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
    kept === normalised ? 'nothing' : `${formatNumber(keptLength)} → ${pluralize(lengthOf(normalised), 'code point')}`;
  return [
    ['decoded', pluralize(codePoints, 'code point')],
    ['unassigned, replaced', formatNumber(unassigned)],
    ['ignorable, deleted', formatNumber(ignorable)],
    ['changed by NFC', composed],
    ['locators, stripped', formatNumber(locators.length)],
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
    ['different', formatNumber(counts.size)],
    ...frequent.map(([token, count], index): [string, string] => {
      const share = style.faint(`${((100 * count) / tokens.length).toFixed(1).padStart(5)} %`);
      const row = `${formatNumber(count).padStart(formatNumber(frequent[0]![1]).length)}  ${share}  ${shorten(token, columns() - 40)}`;
      return [index === 0 ? 'most frequent' : '', row];
    }),
  ];
}

function fingerprintRows({ fingerprint, octets, hex, base32, keys }: Explanation): [string, string][] {
  if (fingerprint === null || octets === null || hex === null || base32 === null || keys === null)
    return [['none', NO_TOKENS.message]];
  return [
    ['bits', Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join(' ')],
    ['octets', Array.from(octets, (octet) => hexDigits(octet, 2)).join(' ')],
    ['hex', hex],
    ['base32', base32],
    ['labelled', formatLabelled(LABEL, fingerprint)],
    ...[0, 4, 8, 12].map((table): [string, string] => [
      `keys ${table}–${table + 3}`,
      keys
        .slice(table, table + 4)
        .map((key) => hexDigits(key, 7))
        .join(' '),
    ]),
  ];
}
