import { hexDigits } from '../../../common/bytes.ts';
import { formatBytes, formatNumber, pluralize, printable } from '../../../common/text.ts';
import { type DocumentOutcome, failed } from '../../../documents/document-outcome.ts';
import { NO_TOKENS } from '../../../documents/failure.ts';
import { runOne } from '../../../documents/run-documents.ts';
import { STDIN } from '../../../documents/walk.ts';
import { type Extraction, extract } from '../../../extract/index.ts';
import { classify, type Explanation, explain, formatLabelled } from '../../../index.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import {
  assertExist,
  assertNoFolder,
  assertStdinOnce,
  DOCUMENT_LABEL,
  documentHintsOf,
  isLabelled,
  labelsOfLength,
} from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { columns, printJson, printStyled, shorten, styleFor, type TerminalStyle, warn } from '../../terminal/print.ts';
import { countEach, mostFrequent, type NamedWinner, nameWinners, winnersAsText } from './deciding-tokens.ts';
import { showDifference } from './document-difference.ts';

/** The maximum length in UTF-16 units: all tokens are held, and 8 MiB of one-letter words take 1.4 GB. */
const MAX_LENGTH = 4 << 20;
const FREQUENT = 10;
const EXAMPLES = 5;

interface Extracted {
  readonly path: string;
  readonly size: number;
  readonly extraction: Extraction;
  readonly label: string;
}

export async function runExplain(args: Arguments): Promise<number> {
  const paths = args.positionals;
  const isDiff = args.flag('diff');
  if (paths.length !== (isDiff ? 2 : 1))
    throw usageError(
      `expected ${isDiff ? 'two documents' : 'one document'}, got ${paths.length}${paths.length === 2 ? ': did you mean explain --diff?' : ''}`,
    );
  assertStdinOnce(paths);
  assertExist(paths, (path) =>
    isLabelled(path) || labelsOfLength(path).length > 0
      ? ' (a fingerprint does not reveal words: expected a document)'
      : '',
  );
  assertNoFolder(paths, 'name one file of it');
  const json = args.flag('json');
  const hints = await documentHintsOf(args, isDiff ? DOCUMENT_LABEL : undefined);
  const { label } = hints;
  const read: Extracted[] = [];
  await withSession({ hints, jobs: 1, isHandful: true, json, quiet: true }, async (session) => {
    for (const path of paths) {
      const outcome = await extractOne(path, session, paths.length === 1);
      const extraction = await session.report.add(outcome);
      if (extraction !== null) read.push({ path, size: outcome.size ?? 0, extraction, label });
    }
  });
  const [first] = read;
  if (first === undefined || read.length < paths.length) return FAILED;
  if (isDiff) {
    const [a, b] = read.map(({ path, extraction }) => ({ path, text: extraction.text }));
    return showDifference(a!, b!, label, json);
  }
  const explanation = explain(first.extraction.text, { label });
  if (json) await printJson(asJson(first, explanation));
  else await printStyled(`${asText(first, explanation).join('\n')}\n`);
  if (explanation.fingerprint !== null) return DONE;
  warn(`${printable(first.path)}: ${first.size === 0 ? 'the document is empty' : NO_TOKENS.message}`);
  return FAILED;
}

async function extractOne(path: string, session: Session, allowEmpty: boolean): Promise<DocumentOutcome<Extraction>> {
  const outcome = await runOne(session, 'extract', path);
  if (outcome.kind === 'failed') {
    if (outcome.failure.code !== 'empty' || !allowEmpty) return outcome;
    const result = await extract(new Uint8Array(0), { type: 'text' });
    return { kind: 'done', path, result, warnings: [], size: 0 };
  }
  if (outcome.result.text.length <= MAX_LENGTH) return outcome;
  const message = `its text is longer than ${MAX_LENGTH >> 20} Mi characters, the most that can be explained`;
  return failed({ path }, { code: 'too-large', message });
}

function asJson({ path, label, extraction: { mediaType, extractor } }: Extracted, explanation: Explanation) {
  const { decoded, normalised, stripped, tokens, hashes, counters, base32, hex, keys } = explanation;
  const winners = winnersOf(explanation);
  return {
    path,
    label,
    mediaType,
    extractor,
    steps: { decoded, normalised, stripped },
    tokens: tokens.map(({ text }) => text),
    hashes: hashes.map((hash) => hexDigits(hash, 16)),
    counters,
    winners: winners?.map((winner) => ({ ...winner, draw: hexDigits(winner.draw, 16) })) ?? null,
    fingerprint: base32,
    hex,
    keys,
  };
}

function asText({ path, size, extraction, label }: Extracted, explanation: Explanation): string[] {
  const style = styleFor(process.stdout, process.env);
  const { tokens, counters } = explanation;
  const winners = winnersOf(explanation);
  const { mediaType, extractor, charset } = extraction;
  return [
    ...section(style, 'Document', [
      ['path', path === STDIN ? 'standard input' : printable(path)],
      ['size', formatBytes(size)],
      ['medium', `${mediaType}, read by ${extractor}`],
      ['charset', charset ?? 'none'],
    ]),
    ...section(style, 'Text', textRows(explanation)),
    ...section(style, 'Tokens', [['all', formatNumber(tokens.length)], ...tokenRows(explanation, style)]),
    ...(counters === null || tokens.length === 0 ? [] : section(style, 'Counters', counterRows(counters))),
    ...(winners === null || tokens.length === 0 ? [] : winnersAsText(winners, style)),
    ...section(style, 'Fingerprint', fingerprintRows(explanation, label)).slice(0, -1),
  ];
}

function counterRows(counters: readonly number[]): [string, string][] {
  const cells = counters.map((counter) => `${counter > 0 ? '+' : ''}${counter}`);
  const width = 1 + Math.max(...cells.map((cell) => cell.length));
  const row = (from: number): string =>
    cells.slice(from, from + 8).reduce((line, cell) => line + cell.padStart(width), '');
  return [0, 8, 16, 24, 32, 40, 48, 56].map((from) => [`bits ${from}–${from + 7}`, row(from)]);
}

function winnersOf({ winners, tokens, hashes }: Explanation): NamedWinner[] | null {
  const texts = tokens.map(({ text }) => text);
  return winners === null ? null : nameWinners(winners, hashes, texts);
}

function section(style: TerminalStyle, title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [style.strong(title), ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ''];
}

function textRows({ decoded, normalised, locators }: Explanation): [string, string][] {
  let [codePoints, unassigned, ignorable, kept] = [0, 0, 0, ''];
  for (const character of decoded) {
    codePoints++;
    const kind = classify(character.codePointAt(0)!);
    if (kind === 'unassigned') unassigned++;
    if (kind === 'ignorable') ignorable++;
    else kept += kind === 'unassigned' ? '\uFFFD' : character;
  }
  const keptLength = codePoints - ignorable;
  const composed =
    kept === normalised
      ? 'nothing'
      : `${formatNumber(keptLength)} → ${pluralize([...normalised].length, 'code point')}`;
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

function tokenRows({ tokens }: Explanation, style: TerminalStyle): [string, string][] {
  const counts = countEach(tokens.map(({ text }) => text));
  const frequent = mostFrequent(counts, FREQUENT);
  return [
    ['different', formatNumber(counts.size)],
    ...frequent.map(([token, count], index): [string, string] => {
      const share = style.faint(`${((100 * count) / tokens.length).toFixed(1).padStart(5)} %`);
      const row = `${formatNumber(count).padStart(formatNumber(frequent[0]![1]).length)}  ${share}  ${shorten(token, columns() - 40)}`;
      return [index === 0 ? 'most frequent' : '', row];
    }),
  ];
}

function fingerprintRows(
  { fingerprint, octets: bytes, hex, base32, keys }: Explanation,
  label: string,
): [string, string][] {
  if (fingerprint === null || bytes === null || hex === null || base32 === null || keys === null)
    return [['none', NO_TOKENS.message]];
  const perWord = (name: string, digitsOf: (byte: number) => string): [string, string][] =>
    Array.from({ length: bytes.length / 8 }, (_, word) => [
      word === 0 ? name : '',
      Array.from(bytes.subarray(8 * word, 8 * word + 8), digitsOf).join(' '),
    ]);
  return [
    ...perWord('bits', (byte) => byte.toString(2).padStart(8, '0')),
    ...perWord('octets', (byte) => hexDigits(byte, 2)),
    ['hex', hex],
    ['base32', base32],
    ['labelled', formatLabelled(label, fingerprint)],
    // With 256 bits, each word has its own keys, which --json prints.
    ...(bytes.length === 8 ? [0, 4, 8, 12] : []).map((table): [string, string] => [
      `keys ${table}–${table + 3}`,
      keys
        .slice(table, table + 4)
        .map((key) => hexDigits(key, 7))
        .join(' '),
    ]),
  ];
}
