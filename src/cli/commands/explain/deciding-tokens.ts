import { hexDigits } from '../../../common/bytes.ts';
import { formatNumber, pluralize, printable } from '../../../common/text.ts';
import type { Winner } from '../../../index.ts';
import { BINS } from '../../../scheme/minhash.ts';
import { columns, shorten, type TerminalStyle } from '../../terminal/print.ts';

export function countEach(words: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function mostFrequent(counts: ReadonlyMap<string, number>, max: number): [word: string, count: number][] {
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, max);
}

export function differencesOf(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>) {
  const differences: { readonly token: string; readonly a: number; readonly b: number }[] = [];
  for (const token of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(token) ?? 0, right.get(token) ?? 0];
    if (a !== b) differences.push({ token, a, b });
  }
  return differences.sort(
    (one, two) => Math.abs(two.a - two.b) - Math.abs(one.a - one.b) || (one.token < two.token ? -1 : 1),
  );
}

export function table(names: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return [];
  const isText = names.map((_, column) => typeof rows[0]![column] === 'string');
  const cells = [
    names,
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) => {
    const padded = row.map((cell, column) =>
      isText[column] ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    return `  ${padded.join('  ')}`.trimEnd();
  });
}

export interface NamedWinner extends Omit<Winner, 'hash'> {
  readonly word: number;
  readonly bin: number;
  readonly token: string;
  readonly bit: 0 | 1;
}

const SHOWN = 10;

export function nameWinners(
  winners: readonly Winner[],
  hashes: readonly bigint[],
  tokens: readonly string[],
): NamedWinner[] {
  const tokenOf = new Map(hashes.map((hash, index) => [hash, tokens[index]!]));
  return winners.map(({ hash, round, draw }, index) => ({
    word: Math.floor(index / BINS),
    bin: index % BINS,
    token: tokenOf.get(hash)!,
    round,
    draw,
    bit: (draw & 1n) === 1n ? 1 : 0,
  }));
}

export function winnersAsText(winners: readonly NamedWinner[], style: TerminalStyle): string[] {
  const counts = countEach(winners.map(({ token }) => token));
  const cell = (token: string): string => shorten(printable(token), columns() - 48);
  const isWide = winners.length > BINS;
  return [
    `${style.strong('Bins')} ${style.faint(`${winners.length}, won by ${pluralize(counts.size, 'token')}`)}`,
    ...table(
      ['bins', 'token'],
      mostFrequent(counts, SHOWN).map(([token, count]) => [count, cell(token)]),
    ),
    ...(counts.size > SHOWN ? [`  … and ${formatNumber(counts.size - SHOWN)} more`] : []),
    '',
    ...table(
      [...(isWide ? ['word'] : []), 'bin', 'round', 'draw', 'bit', 'token'],
      winners.map(({ word, bin, token, round, draw, bit }) => [
        ...(isWide ? [word] : []),
        bin,
        round,
        hexDigits(draw, 16),
        bit,
        cell(token),
      ]),
    ),
    '',
  ];
}

export function tippedBits(
  a: readonly NamedWinner[],
  b: readonly NamedWinner[],
  has: Readonly<Record<'a' | 'b', (token: string) => boolean>>,
) {
  return a.flatMap((left, bit) => {
    const right = b[bit]!;
    if (left.bit === right.bit) return [];
    // At least one of the documents lacks the token of the other, which tips the bit.
    const tipping = { token: left.token, shared: has.b(left.token) };
    return [{ bit, a: tipping, b: { token: right.token, shared: has.a(right.token) } }];
  });
}

type TippedBit = ReturnType<typeof tippedBits>[number];

export function tippedRows(bits: readonly TippedBit[]): (readonly [number, string, string])[] {
  const width = (columns() - 36) / 2;
  const cell = ({ token, shared }: TippedBit['a'], other: string): string =>
    `${shorten(printable(token), width)}${shared ? '' : ` (not in ${other})`}`;
  return bits.map(({ bit, a, b }) => [bit, cell(a, 'b'), cell(b, 'a')]);
}
