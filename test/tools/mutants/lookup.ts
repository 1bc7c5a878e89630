/** Wrong implementations of step 11: lookup tables. */
import type { InputOf, LookupEntry, ResultOf } from '../../../src/conformance/vector.ts';
import { type Pieces, type Print, type Steps, steps, TwinError } from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import { type Mutation, mistakesOfOperations, mistakesOfStep } from './mutation.ts';

const tables = mistakesOfStep(11);
const operations = mistakesOfOperations(11);

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

type Lookup = (input: InputOf<'lookup'>, right: (input: InputOf<'lookup'>) => ResultOf<'lookup'>) => ResultOf<'lookup'>;

/** A lookup that changes the input or the answer of the correct one. */
const lookup = (name: string, title: string, run: Lookup, source: string): Mutation =>
  operations(name, title, () => ({ lookup: (input) => run(input, lookupOf) }), source);

/** A lookup that changes the entries and is otherwise correct. */
const otherEntries = (
  name: string,
  title: string,
  change: (entries: readonly LookupEntry[], query: string | null) => readonly LookupEntry[],
  source: string,
): Mutation =>
  lookup(name, title, (input, right) => right({ ...input, entries: change(input.entries, input.query) }), source);

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

export const lookupMutations: readonly Mutation[] = [
  tables(
    'key-32-bits',
    'uses keys of 32 bits: a block, a sub-block and 4 bits more',
    arranged(({ block, sub, rest }) => block + sub + rest[0]!.slice(0, 4)),
    'keys that fill a machine word',
  ),
  tables(
    'permuted-rotated',
    'rotates the fingerprint so that the block comes first',
    {
      permute: (fingerprint, table, s) => {
        const bits = s.toBits(fingerprint);
        s.cut(bits, table);
        return s.fromBits(bits.slice(16 * (table >> 2)) + bits.slice(0, 16 * (table >> 2)));
      },
    },
    'tables of Manku et al. with one level of blocks',
  ),
  tables(
    'lookup-strict',
    'finds entries nearer than k, but not at k',
    { isNear: (fingerprint, query, k, s) => k > 0 && steps.isNear(fingerprint, query, k - 1, s) },
    'gaoya (Rust)',
  ),
  tables(
    'default-k-1',
    'uses distance 1 where none is given',
    { defaultDistance: 1 },
    'the threshold of close matches',
  ),
  tables(
    'default-k-6',
    'uses distance 6 where none is given',
    { defaultDistance: 6 },
    'the threshold of loose matches',
  ),
  tables(
    'lookup-equal-merged',
    'lists one of several entries with one fingerprint',
    {
      matches: (entries, query, k, s) => {
        const seen = new Set<bigint>();
        return steps
          .matches(entries, query, k, s)
          .filter(({ fingerprint }) => !seen.has(numberOf(fingerprint)) && seen.add(numberOf(fingerprint)));
      },
    },
    'tables kept in a map by fingerprint',
  ),
  tables(
    'lookup-last-of-equal',
    'lists only the last of several entries with one fingerprint',
    {
      matches: (entries, query, k, s) =>
        steps.matches(new Map([...entries].map((entry) => [numberOf(entry.fingerprint), entry])).values(), query, k, s),
    },
    'tables kept in a map by fingerprint',
  ),
  tables(
    'lookup-without-equal',
    'leaves out entries at distance 0',
    { matches: (entries, query, k, s) => steps.matches(entries, query, k, s).filter(({ distance }) => distance > 0) },
    'lookups that leave out the document itself',
  ),
  tables(
    'lookup-first-equal-left-out',
    'leaves out one entry at distance 0',
    {
      matches: (entries, query, k, s) => {
        const found = steps.matches(entries, query, k, s);
        return found[0]?.distance === 0 ? found.slice(1) : found;
      },
    },
    'lookups that leave out the document itself',
  ),
  tables(
    'lookup-first-10',
    'finds no more than 10 entries',
    { matches: (entries, query, k, s) => steps.matches(entries, query, k, s).slice(0, 10) },
    'limits of search engines',
  ),
  tables(
    'order-by-utf-16',
    'orders identifiers by their UTF-16 units',
    { compareIds: (x, y) => (x < y ? -1 : x > y ? 1 : 0) },
    'strings of Java, C#, JavaScript',
  ),
  tables(
    'order-to-nul',
    'orders identifiers by what stands before U+0000',
    { compareIds: (x, y) => bytewise(x.replace(/\0.*/su, ''), y.replace(/\0.*/su, '')) },
    'strcmp of C',
  ),
  tables(
    'order-by-signed-octets',
    'orders identifiers by signed octets',
    {
      compareIds: (x, y) => {
        const [left, right] = [x, y].map((id) => Int8Array.from(steps.encode(id)));
        for (let i = 0; i < Math.min(left!.length, right!.length); i++)
          if (left![i] !== right![i]) return left![i]! - right![i]!;
        return left!.length - right!.length;
      },
    },
    'byte of Java, char of C',
  ),
  tables(
    'order-without-case',
    'orders identifiers without regard to case',
    { compareIds: (x, y) => bytewise(x.toLowerCase(), y.toLowerCase()) || bytewise(x, y) },
    'collations of SQL',
  ),
  tables(
    'order-without-accents',
    'orders identifiers as dictionaries do: accents and case last',
    {
      compareIds: (x, y) => {
        const plain = (id: string): string =>
          id
            .normalize('NFD')
            .replace(/\p{Mn}/gu, '')
            .toLowerCase();
        return bytewise(plain(x), plain(y)) || bytewise(x, y);
      },
    },
    'localeCompare of JavaScript, collations of SQL',
  ),
  tables(
    'order-of-numbers',
    'orders numbers in identifiers by their value',
    {
      compareIds: (x, y) => {
        const padded = (id: string): string => id.replace(/[0-9]+/g, (number) => number.padStart(20, '0'));
        return bytewise(padded(x), padded(y)) || bytewise(x, y);
      },
    },
    'natural sort orders',
  ),
  otherEntries(
    'ids-folded',
    'treats identifiers that differ in case as the same',
    (entries) => [...new Map(entries.map((entry) => [entry.id.toLowerCase(), entry])).values()],
    'collations of SQL',
  ),
  otherEntries(
    'zero-skipped',
    'enters no document whose fingerprint is 64 zeros',
    (entries) => entries.filter(({ fingerprint }) => fingerprint !== zeros(fingerprint)),
    '0 taken for nothing',
  ),
];
