/** Wrong implementations of step 11: lookup tables. */
import type { InputOf, LookupEntry, ResultOf } from '../../../src/conformance/vector.ts';
import { type Pieces, type Print, type Steps, steps, TwinError } from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import type { Change, Changes } from './mutation.ts';

/** Keys and permuted fingerprints made of the pieces in another way. */
const arranged = (
  key: (pieces: Pieces, s: Steps) => string,
  permuted: (pieces: Pieces) => string = ({ block, sub, rest }) => block + sub + rest.join(''),
): Partial<Steps> => ({
  tableKey: (fingerprint, table, s) => Number.parseInt(key(s.cut(s.toBits(fingerprint), table), s), 2),
  permute: (fingerprint, table, s) => s.fromBits(permuted(s.cut(s.toBits(fingerprint), table))),
});

const bytewise = (x: string, y: string): number => steps.compareIds(x, y);

/** Zeros as many as the digits of a fingerprint. */
const zeros = (digits: string | null | undefined): string => '0'.repeat(digits?.length ?? 16);

/** A fingerprint as one number, of 64 bits or 256. */
const numberOf = (fingerprint: Print): bigint => BigInt(`0x${steps.toHex(fingerprint, steps)}`);

/** A lookup that changes the entries and is otherwise correct. */
const otherEntries = (
  change: (entries: readonly LookupEntry[], query: string | null) => readonly LookupEntry[],
): Change => ({
  operations: () => ({ lookup: (input) => lookupOf({ ...input, entries: change(input.entries, input.query) }) }),
});

/** The right lookup, by looking at every entry. */
function lookupOf({ entries, query, k = 3 }: InputOf<'lookup'>): ResultOf<'lookup'> {
  for (const { id, fingerprint } of entries) {
    if (id === '') throw new TwinError('out-of-range', 'an empty identifier');
    if (fingerprint === null) throw new TwinError('no-fingerprint', 'nothing to enter');
  }
  if (query === null) throw new TwinError('no-fingerprint', 'nothing to look up');
  if (k < 0 || k > 64) throw new TwinError('out-of-range', `distance ${k}`);
  const known = entries.map(({ id, fingerprint }) => ({ id, fingerprint: printOf(fingerprint) }));
  const found = steps.matches(known, printOf(query), k, steps);
  return {
    completeTo: k,
    matches: found.map((match) => ({ ...match, fingerprint: steps.toHex(match.fingerprint, steps) })),
  };
}

export const lookupChanges: Changes = {
  'key-32-bits': arranged(({ block, sub, rest }) => block + sub + rest[0]!.slice(0, 4)),
  'permuted-rotated': {
    permute: (fingerprint, table, s) => {
      const bits = s.toBits(fingerprint);
      s.cut(bits, table);
      return s.fromBits(bits.slice(16 * (table >> 2)) + bits.slice(0, 16 * (table >> 2)));
    },
  },
  'lookup-strict': { isNear: (fingerprint, query, k, s) => k > 0 && steps.isNear(fingerprint, query, k - 1, s) },
  'default-k-1': { defaultDistance: 1 },
  'default-k-6': { defaultDistance: 6 },
  'lookup-equal-merged': {
    matches: (entries, query, k, s) => {
      const seen = new Set<bigint>();
      return steps
        .matches(entries, query, k, s)
        .filter(({ fingerprint }) => !seen.has(numberOf(fingerprint)) && seen.add(numberOf(fingerprint)));
    },
  },
  'lookup-last-of-equal': {
    matches: (entries, query, k, s) =>
      steps.matches(new Map([...entries].map((entry) => [numberOf(entry.fingerprint), entry])).values(), query, k, s),
  },
  'lookup-without-equal': {
    matches: (entries, query, k, s) => steps.matches(entries, query, k, s).filter(({ distance }) => distance > 0),
  },
  'lookup-first-equal-left-out': {
    matches: (entries, query, k, s) => {
      const found = steps.matches(entries, query, k, s);
      return found[0]?.distance === 0 ? found.slice(1) : found;
    },
  },
  'lookup-first-10': { matches: (entries, query, k, s) => steps.matches(entries, query, k, s).slice(0, 10) },
  'order-by-utf-16': { compareIds: (x, y) => (x < y ? -1 : x > y ? 1 : 0) },
  'order-to-nul': { compareIds: (x, y) => bytewise(x.replace(/\0.*/su, ''), y.replace(/\0.*/su, '')) },
  'order-by-signed-octets': {
    compareIds: (x, y) => {
      const [left, right] = [x, y].map((id) => Int8Array.from(steps.encode(id)));
      for (let i = 0; i < Math.min(left!.length, right!.length); i++)
        if (left![i] !== right![i]) return left![i]! - right![i]!;
      return left!.length - right!.length;
    },
  },
  'order-without-case': { compareIds: (x, y) => bytewise(x.toLowerCase(), y.toLowerCase()) || bytewise(x, y) },
  'order-without-accents': {
    compareIds: (x, y) => {
      const plain = (id: string): string =>
        id
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
          .toLowerCase();
      return bytewise(plain(x), plain(y)) || bytewise(x, y);
    },
  },
  'order-of-numbers': {
    compareIds: (x, y) => {
      const padded = (id: string): string => id.replace(/[0-9]+/g, (number) => number.padStart(20, '0'));
      return bytewise(padded(x), padded(y)) || bytewise(x, y);
    },
  },
  'ids-folded': otherEntries((entries) => [
    ...new Map(entries.map((entry) => [entry.id.toLowerCase(), entry])).values(),
  ]),
  'zero-skipped': otherEntries((entries) => entries.filter(({ fingerprint }) => fingerprint !== zeros(fingerprint))),
};
