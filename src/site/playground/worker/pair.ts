import { differencesOf } from '../../../fingerprint/residue.ts';
import { overlap, type TokenCounts } from '../../../fingerprint/token-counts.ts';
import { distance } from '../../../scheme/compare.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { findWinners } from '../../../scheme/minhash.ts';
import { toHex } from '../../../scheme/serialise.ts';
import type {
  BinWinner,
  CountedTokens,
  CounterPair,
  DifferingBit,
  PairAnalysis,
  PairSide,
  Push,
  WinnerPair,
} from './tasks.ts';

const MAX_PUSHES = 8;
const MAX_DIFFERENCES = 60;

interface Difference {
  readonly hash: bigint;
  readonly a: number;
  readonly b: number;
}

export function analysePair(label: string, a: PairSide, b: PairSide): PairAnalysis {
  const { method, words } = schemeOf(label);
  const differences = countDifferencesOf(a.counts, b.counts);
  const nameOf = createNamer([a, b]);
  const origin =
    method === 'minhash'
      ? compareWinners(a.counts, b.counts, words, nameOf)
      : compareCounters(a.counts, b.counts, differences, nameOf);
  differences.sort((one, two) => Math.abs(two.b - two.a) - Math.abs(one.b - one.a));
  const isComparable = a.fingerprint !== null && b.fingerprint !== null;
  const shared = isComparable ? overlap(a.counts, b.counts) : null;
  return {
    label,
    distance: isComparable ? distance(a.fingerprint, b.fingerprint) : null,
    overlap: shared,
    differs: shared === null ? [] : differencesOf(a.residue, b.residue, shared),
    origin,
    differences: differences.slice(0, MAX_DIFFERENCES).map(({ hash, a, b }) => ({ token: nameOf(hash), a, b })),
    differenceCount: differences.length,
  };
}

function compareWinners(a: TokenCounts, b: TokenCounts, words: 1 | 4, nameOf: (hash: bigint) => string): WinnerPair {
  const winnersOf = ({ hashes }: TokenCounts, other: TokenCounts): BinWinner[] => {
    const others = new Set(other.hashes);
    return findWinners(hashes, words).map(({ hash, round, draw }) => ({
      token: nameOf(hash),
      round,
      bit: (draw & 1n) === 1n ? 1 : 0,
      isShared: others.has(hash),
    }));
  };
  return { method: 'minhash', winnersA: winnersOf(a, b), winnersB: winnersOf(b, a) };
}

function compareCounters(
  a: TokenCounts,
  b: TokenCounts,
  differences: readonly Difference[],
  nameOf: (hash: bigint) => string,
): CounterPair {
  const countersA = countersOf(a);
  const countersB = countersOf(b);
  const bits = countersA.flatMap((counter, bit): DifferingBit[] => {
    const other = countersB[bit]!;
    return counter > 0 === other > 0 ? [] : [tip(bit, counter, other, differences, nameOf)];
  });
  return { method: 'simhash', countersA, countersB, bits };
}

function countersOf({ hashes, counts }: TokenCounts): number[] {
  const counters = new Array<number>(64).fill(0);
  hashes.forEach((hash, index) => {
    const weight = counts[index]!;
    let high = Number(hash >> 32n);
    let low = Number(hash & 0xffffffffn);
    for (let bit = 31; bit >= 0; bit--) {
      counters[bit]! += high & 1 ? weight : -weight;
      counters[bit + 32]! += low & 1 ? weight : -weight;
      high >>>= 1;
      low >>>= 1;
    }
  });
  return counters;
}

function countDifferencesOf(a: TokenCounts, b: TokenCounts): Difference[] {
  const differences: Difference[] = [];
  const add = (hash: bigint, countA: number, countB: number): void => {
    if (countA !== countB) differences.push({ hash, a: countA, b: countB });
  };
  let [i, j] = [0, 0];
  while (i < a.hashes.length || j < b.hashes.length) {
    const left = a.hashes[i];
    const right = b.hashes[j];
    if (left !== undefined && (right === undefined || left < right)) add(left, a.counts[i++]!, 0);
    else if (right !== undefined && (left === undefined || right < left)) add(right, 0, b.counts[j++]!);
    else add(left!, a.counts[i++]!, b.counts[j++]!);
  }
  return differences;
}

function tip(
  bit: number,
  counterA: number,
  counterB: number,
  differences: readonly Difference[],
  nameOf: (hash: bigint) => string,
): DifferingBit {
  const direction = counterB > 0 ? 1 : -1;
  // Bit 0 is the most significant (SIM-2).
  const changeOf = ({ hash, a, b }: Difference): number => ((hash >> BigInt(63 - bit)) & 1n ? b - a : a - b);
  const pushing = differences
    .map((difference) => ({ ...difference, change: changeOf(difference) }))
    .filter(({ change }) => change * direction > 0)
    .sort((one, two) => Math.abs(two.change) - Math.abs(one.change));
  let counter = counterA;
  let enough = 0;
  // SIM-4: a tie is 0.
  while (counter > 0 !== counterB > 0) counter += pushing[enough++]!.change;
  const pushes = pushing
    .slice(0, MAX_PUSHES)
    .map(({ hash, a, b, change }): Push => ({ token: nameOf(hash), a, b, change }));
  return { bit, counterA, counterB, pushes, enough };
}

/** Names tokens by their hashes; a token beyond the part of a text that was read for this is named by its hash. */
function createNamer(sides: readonly CountedTokens[]): (hash: bigint) => string {
  const names = new Map<bigint, string>();
  for (const { names: known } of sides) {
    const texts = known.texts.split('\n');
    known.hashes.forEach((hash, index) => {
      names.set(hash, texts[index]!);
    });
  }
  return (hash) => names.get(hash) ?? `#${toHex(hash)}`;
}
