import { hexDigits } from '../../../common/bytes.ts';
import { formatNumber, pluralize, printable } from '../../../common/text.ts';
import type { Winner } from '../../../index.ts';
import { BINS } from '../../../scheme/labels/minhash.ts';
import { columns, type Style, shorten } from '../../terminal/output.ts';
import { table } from './table.ts';
import { countEach, mostFrequent } from './words.ts';

/** The draw that wins a bin, with the token that made it. */
export interface NamedWinner extends Omit<Winner, 'hash'> {
  readonly word: number;
  readonly bin: number;
  readonly token: string;
  /** The bit of the fingerprint. */
  readonly bit: 0 | 1;
}

type TippedBit = ReturnType<typeof tippedBits>[number];

interface TippingToken {
  readonly token: string;
  /** Set if the other document has it as well. At least one side does not, which tips the bit. */
  readonly shared: boolean;
}

const SHOWN = 10;

/** Names the winners of all bins: 64 for each word. */
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

/** Writes winners as JSON, with draws as hexadecimal digits. */
export function winnersAsJson(winners: readonly NamedWinner[]): object[] {
  return winners.map((winner) => ({ ...winner, draw: hexDigits(winner.draw, 16) }));
}

/** Writes winners for a person: the tokens that win most bins, then every bin. */
export function winnersAsText(winners: readonly NamedWinner[], style: Style): string[] {
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

/** Finds the tokens that tip each bit in which two documents differ. */
export function tippedBits(
  a: readonly NamedWinner[],
  b: readonly NamedWinner[],
  has: { readonly a: (token: string) => boolean; readonly b: (token: string) => boolean },
) {
  return a.flatMap((left, bit) => {
    const right = b[bit]!;
    if (left.bit === right.bit) return [];
    const tipping: TippingToken = { token: left.token, shared: has.b(left.token) };
    return [{ bit, a: tipping, b: { token: right.token, shared: has.a(right.token) } }];
  });
}

export function tippedRows(bits: readonly TippedBit[]): (readonly [number, string, string])[] {
  const width = (columns() - 36) / 2;
  const cell = ({ token, shared }: TippingToken, other: string): string =>
    `${shorten(printable(token), width)}${shared ? '' : ` (not in ${other})`}`;
  return bits.map(({ bit, a, b }) => [bit, cell(a, 'b'), cell(b, 'a')]);
}
