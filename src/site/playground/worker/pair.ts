import { differencesOf } from '../../../fingerprint/residue.ts';
import { overlap, type TokenCounts } from '../../../fingerprint/token-counts.ts';
import { distance } from '../../../scheme/compare.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { findWinners } from '../../../scheme/minhash.ts';
import { toHex } from '../../../scheme/serialise.ts';
import type { BinWinner, CountedTokens, PairAnalysis, PairSide } from './tasks.ts';

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
  const winnersOf = ({ hashes }: TokenCounts, other: TokenCounts): BinWinner[] => {
    const others = new Set(other.hashes);
    return findWinners(hashes, words).map(({ hash, round, draw }) => ({
      token: nameOf(hash),
      round,
      bit: (draw & 1n) === 1n ? 1 : 0,
      isShared: others.has(hash),
    }));
  };
  differences.sort((one, two) => Math.abs(two.b - two.a) - Math.abs(one.b - one.a));
  const isComparable = a.fingerprint !== null && b.fingerprint !== null;
  const shared = isComparable ? overlap(a.counts, b.counts) : null;
  return {
    label,
    distance: isComparable ? distance(a.fingerprint, b.fingerprint) : null,
    overlap: shared,
    differs: shared === null ? [] : differencesOf(a.residue, b.residue, shared),
    winners: method === 'minhash' ? [winnersOf(a.counts, b.counts), winnersOf(b.counts, a.counts)] : null,
    differences: differences.slice(0, MAX_DIFFERENCES).map(({ hash, a, b }) => ({ token: nameOf(hash), a, b })),
    differenceCount: differences.length,
  };
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
