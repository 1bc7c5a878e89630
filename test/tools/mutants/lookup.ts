/** Wrong implementations of step 11: lookup tables. */
import type { InputOf, LookupEntry, ResultOf } from '../../../src/conformance/types.ts';
import {
  type Entry,
  type Match,
  masks,
  type Pieces,
  type Pipeline,
  type Print,
  type Steps,
  steps,
  TwinError,
} from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import { type Mutation, mistakesBy, mistakesOfOperations, mistakesOfStep } from './mutation.ts';

const tables = mistakesOfStep(11);
const operations = mistakesOfOperations(11);

/** Blocks and sub-blocks found in another way; `others` gives the 48 bits in which sub-blocks are cut. */
const cutBy = (
  places: (table: number) => readonly [i: number, j: number],
  others: (blocks: readonly string[], i: number) => string = (blocks, i) =>
    blocks.filter((_, index) => index !== i).join(''),
  rest: (subs: readonly string[], j: number) => readonly string[] = (subs, j) => subs.filter((_, index) => index !== j),
): Partial<Steps> => ({
  cut: (bits, table): Pieces => {
    steps.cut(bits, table);
    const [i, j] = places(table);
    const blocks = bits.match(/.{16}/gsu)!;
    const subs = others(blocks, i).match(/.{12}/gsu)!;
    return { block: blocks[i]!, sub: subs[j]!, rest: rest(subs, j) };
  },
});

const usual = (table: number): readonly [i: number, j: number] => [table >> 2, table % 4];

/** Keys and permuted fingerprints made of the pieces in another way. */
const arranged = (
  key: (pieces: Pieces, s: Steps) => string,
  permuted: (pieces: Pieces) => string = ({ block, sub, rest }) => block + sub + rest.join(''),
): Partial<Steps> => ({
  tableKey: (fingerprint, table, s) => Number.parseInt(key(s.cut(s.toBits(fingerprint), table), s), 2),
  permute: (fingerprint, table, s) => s.fromBits(permuted(s.cut(s.toBits(fingerprint), table))),
});

/** Probes with exactly e1 and e2 bits flipped, for other pairs than those of LKP-5. */
const probesOf = mistakesBy(11, (pairs: (k: number) => readonly (readonly [e1: number, e2: number])[]) => ({
  probeKeys: (fingerprint, table, k, s) => {
    steps.probeKeys(fingerprint, table, Math.min(k, 8), { ...s, blockFlips: () => 0, subFlips: () => 0 });
    if (k < 0 || k > 64) return steps.probeKeys(fingerprint, table, k, s);
    const key = s.tableKey(fingerprint, table, s);
    const keys = pairs(k).flatMap(([e1, e2]) =>
      masks(16, e1).flatMap((block) => masks(12, e2).map((sub) => key ^ (block * 2 ** 12 + sub))),
    );
    return keys.sort((x, y) => x - y);
  },
}));

/** All pairs up to two bounds that fit a test. */
const pairsWith = (k: number, test: (e1: number, e2: number) => boolean): [number, number][] => {
  const quarter = Math.floor(k / 4);
  return Array.from({ length: (quarter + 1) ** 2 }, (_, i): [number, number] => [
    Math.floor(i / (quarter + 1)),
    i % (quarter + 1),
  ]).filter(([e1, e2]) => e2 <= Math.floor((k - e1) / 4) && test(e1, e2));
};

const sorted = mistakesBy(11, (compare: (x: Match, y: Match, s: Steps) => number) => ({ compareMatches: compare }));

const bytewise = (x: string, y: string): number => steps.compareIds(x, y);

const hex = (x: bigint): string => x.toString(16).padStart(16, '0');

/** Zeros as many as the digits of a fingerprint. */
const zeros = (digits: string | null | undefined): string => '0'.repeat(digits?.length ?? 16);

/** A fingerprint as one number, of 64 bits or 256. */
const numberOf = (fingerprint: Print): bigint => BigInt(`0x${steps.toHex(fingerprint, steps)}`);

const allTables = Array.from({ length: 16 }, (_, table) => table);

/** The entries that some of the tables give, those of all words after each other. */
function inTables(tables: readonly number[], entries: Iterable<Entry>, query: Print, k: number, s: Steps): Entry[] {
  const list = [...entries];
  return s.wordsOf(query).flatMap((word, w) =>
    tables.flatMap((table) => {
      const keys = new Set(s.probeKeys(word, table, k, s));
      return list.filter(({ fingerprint }) => keys.has(s.tableKey(s.wordsOf(fingerprint)[w]!, table, s)));
    }),
  );
}

type Lookup = (input: InputOf<'lookup'>, right: (input: InputOf<'lookup'>) => ResultOf<'lookup'>) => ResultOf<'lookup'>;

/** A lookup that changes the input or the answer of the correct one. */
const lookup = (name: string, title: string, run: Lookup, source?: string): Mutation =>
  operations(name, title, () => ({ lookup: (input) => run(input, lookupOf) }), source);

/** A lookup that changes the entries and is otherwise correct. */
const otherEntries = (
  name: string,
  title: string,
  change: (entries: readonly LookupEntry[], query: string | null) => readonly LookupEntry[],
  source?: string,
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

/** Probes as the operation gives them. */
function probesResult(p: Pipeline, keys: readonly number[]): ResultOf<'probe'> {
  const bytes = keys.flatMap((key) => [24, 16, 8, 0].map((shift) => Math.floor(key / 2 ** shift) % 256));
  return { count: keys.length, digest: hex(p.hashToken(Uint8Array.from(bytes))) };
}

/** Operations that take another table or distance than they are given. */
const inRange = (
  name: string,
  title: string,
  change: (table: number, k: number) => readonly [table: number, k: number],
  most = Number.POSITIVE_INFINITY,
): Mutation =>
  operations(name, title, (p) => ({
    unpermute: ({ permuted, table }) => ({
      fingerprint: hex(p.unpermute(BigInt(`0x${permuted}`), change(table, 0)[0])),
    }),
    probe: ({ fingerprint, table, k }) => {
      if (fingerprint === null) throw new TwinError('no-fingerprint', 'nothing to probe');
      const [other, distance] = change(table, k);
      return probesResult(p, p.probeKeys(BigInt(`0x${fingerprint}`), other, distance));
    },
    lookup: (input) => lookupOf({ ...input, k: Math.min(change(0, input.k ?? 3)[1], most) }),
  }));

export const lookupMutations: readonly Mutation[] = [
  // Blocks, sub-blocks, keys.
  tables(
    'blocks-reversed',
    'numbers blocks from the least significant',
    cutBy((table) => [3 - (table >> 2), table % 4]),
  ),
  tables(
    'sub-blocks-reversed',
    'numbers sub-blocks from the least significant',
    cutBy((table) => [table >> 2, 3 - (table % 4)]),
  ),
  tables(
    'tables-transposed',
    'numbers tables as i + 4 j',
    cutBy((table) => [table % 4, table >> 2]),
  ),
  tables(
    'sub-blocks-of-all',
    'cuts the sub-blocks from the first 48 bits, whatever the block',
    cutBy(usual, (blocks) => blocks.slice(0, 3).join('')),
  ),
  tables(
    'sub-blocks-of-last',
    'cuts the sub-blocks from the last 48 bits, whatever the block',
    cutBy(usual, (blocks) => blocks.slice(1).join('')),
  ),
  tables(
    'sub-blocks-of-rotated',
    'orders the other blocks starting after the block',
    cutBy(usual, (blocks, i) => [1, 2, 3].map((by) => blocks[(i + by) % 4]).join('')),
  ),
  tables(
    'sub-blocks-of-reversed',
    'orders the other blocks from the last to the first',
    cutBy(usual, (blocks, i) =>
      blocks
        .filter((_, index) => index !== i)
        .reverse()
        .join(''),
    ),
  ),
  tables(
    'remaining-rotated',
    'orders the remaining sub-blocks starting after the sub-block',
    cutBy(usual, undefined, (subs, j) => [1, 2, 3].map((by) => subs[(j + by) % 4]!)),
  ),
  tables(
    'remaining-reversed',
    'orders the remaining sub-blocks from the last to the first',
    cutBy(usual, undefined, (subs, j) => subs.filter((_, index) => index !== j).reverse()),
  ),
  tables(
    'key-sub-block-high',
    'puts the sub-block in the higher bits of the key',
    arranged(
      ({ block, sub }) => sub + block,
      ({ block, sub, rest }) => sub + block + rest.join(''),
    ),
  ),
  tables(
    'key-32-bits',
    'uses keys of 32 bits: a block, a sub-block and 4 bits more',
    arranged(({ block, sub, rest }) => block + sub + rest[0]!.slice(0, 4)),
    'keys that fill a machine word',
  ),
  tables('key-of-two-blocks', 'uses two blocks of 16 bits as a key', {
    tableKey: (fingerprint, table, s) => {
      const blocks = s.toBits(fingerprint).match(/.{16}/g)!;
      const { block } = s.cut(s.toBits(fingerprint), table);
      const others = blocks.filter((_, index) => index !== table >> 2);
      return Number.parseInt(block + others[Math.min(table % 4, 2)]!, 2);
    },
  }),
  tables(
    'key-block-alone',
    'uses only the block as a key',
    arranged(({ block }) => block),
  ),
  tables(
    'key-24-bits',
    'uses 8 bits of the sub-block in a key of 24 bits',
    arranged(({ block, sub }) => block + sub.slice(0, 8)),
  ),
  tables(
    'key-left-aligned',
    'leaves the key in the higher of 32 bits',
    arranged(({ block, sub }) => `${block}${sub}0000`),
  ),
  tables('key-of-low-bits', 'takes the key from the low end of the permuted fingerprint', {
    tableKey: (fingerprint, table, s) => Number.parseInt(s.toBits(s.permute(fingerprint, table, s)).slice(-28), 2),
  }),
  tables(
    'permuted-block-in-place',
    'moves the sub-block to the front and leaves the block in its place',
    arranged(
      ({ block, sub }) => block + sub,
      ({ block, sub, rest }) => sub + block + rest.join(''),
    ),
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
  tables('unpermute-permutes', 'permutes again instead of inverting', {
    unpermute: (permuted, table, s) => s.permute(permuted, table, s),
  }),
  tables('unpermute-blocks-alone', 'restores the block, but not the sub-block', {
    unpermute: (permuted, table, s) => {
      const bits = s.toBits(permuted);
      s.cut(bits, table);
      const at = 16 * (table >> 2);
      const others = bits.slice(16);
      return s.fromBits(others.slice(0, at) + bits.slice(0, 16) + others.slice(at));
    },
  }),
  tables('tables-from-1', 'numbers tables from 1', {
    cut: (bits, table) => steps.cut(bits, table === 0 ? 16 : table - 1),
    tableKeys: (fingerprint, s) =>
      Array.from({ length: 16 }, (_, table) =>
        s.tableKey(fingerprint, table + 1, { ...s, cut: (bits, t) => steps.cut(bits, t - 1) }),
      ),
    permute: (fingerprint, table, s) => steps.permute(fingerprint, table, { ...s, cut: steps.cut }),
  }),
  inRange('table-modulo-16', 'treats table 16 as table 0', (table, k) => [((table % 16) + 16) % 16, k]),
  inRange(
    'distance-clamped',
    'treats distances below 0 as 0 and above 64 as 64',
    (table, k) => [table, Math.max(k, 0)],
    64,
  ),

  inRange('distance-65', 'treats a distance of 65 as 0', (table, k) => [table, k > 64 ? 0 : k]),
  operations(
    'none-keyed-as-zero',
    'gives the keys and probes of 64 zeros for a document without a fingerprint',
    (p) => ({
      tables: ({ fingerprint }) => {
        const value = BigInt(`0x${fingerprint ?? '0'}`);
        return {
          keys: p.tableKeys(value),
          permuted: Array.from({ length: 16 }, (_, table) => hex(p.permute(value, table))),
        };
      },
      probe: ({ fingerprint, table, k }) => probesResult(p, p.probeKeys(BigInt(`0x${fingerprint ?? '0'}`), table, k)),
    }),
  ),
  otherEntries('lookup-id-empty', 'stores an entry with an empty identifier', (entries) =>
    entries.map((entry) => (entry.id === '' ? { ...entry, id: '0' } : entry)),
  ),
  lookup('lookup-fingerprint-first', 'checks the fingerprint of an entry before its identifier', (input, right) => {
    if (input.entries.some(({ fingerprint }) => fingerprint === null))
      throw new TwinError('no-fingerprint', 'nothing to enter');
    return right(input);
  }),
  lookup('lookup-k-first', 'checks the distance before the fingerprint', (input, right) => {
    const { k = 3 } = input;
    if (k < 0 || k > 64) throw new TwinError('out-of-range', `distance ${k}`);
    return right(input);
  }),
  operations('probe-table-first', 'checks the table before the fingerprint', (p) => ({
    probe({ fingerprint, table, k }) {
      if (table < 0 || table > 15) throw new TwinError('out-of-range', `table ${table}`);
      if (fingerprint === null) throw new TwinError('no-fingerprint', 'nothing to probe');
      return probesResult(p, p.probeKeys(BigInt(`0x${fingerprint}`), table, k));
    },
  })),
  operations('none-without-keys', 'gives no keys and no probes for a document without a fingerprint', (p) => ({
    tables: ({ fingerprint }) => {
      if (fingerprint === null) return { keys: [], permuted: [] };
      const value = BigInt(`0x${fingerprint}`);
      return {
        keys: p.tableKeys(value),
        permuted: Array.from({ length: 16 }, (_, table) => hex(p.permute(value, table))),
      };
    },
    probe: ({ fingerprint, table, k }) =>
      probesResult(p, fingerprint === null ? [] : p.probeKeys(BigInt(`0x${fingerprint}`), table, k)),
  })),

  // Probes.
  probesOf('probes-none', 'probes only the key itself, for every distance', () => [[0, 0]]),
  probesOf('probes-block-alone', 'flips only bits of the block part', (k) => pairsWith(k, (_e1, e2) => e2 === 0)),
  probesOf('probes-sub-block-alone', 'flips only bits of the sub-block part', (k) => pairsWith(k, (e1) => e1 === 0)),
  probesOf('probes-not-both', 'flips bits of one part at a time', (k) =>
    pairsWith(k, (e1, e2) => e1 === 0 || e2 === 0),
  ),
  probesOf('probes-without-key', 'does not probe the key itself where it flips bits', (k) =>
    k < 4 ? [[0, 0]] : pairsWith(k, (e1, e2) => e1 + e2 > 0),
  ),
  probesOf('probes-one-flip', 'flips at most one bit of each part', (k) =>
    pairsWith(k, (e1, e2) => e1 <= 1 && e2 <= 1),
  ),
  tables(
    'probes-with-k-left',
    'flips up to a quarter of k bits of the sub-block part, whatever was flipped in the block part',
    { subFlips: (k) => Math.floor(k / 4) },
  ),
  tables('probes-above-k-4', 'flips bits from distance 5 on, not from 4', {
    blockFlips: (k) => Math.floor(Math.max(k - 1, 0) / 4),
    subFlips: (k, e1) => Math.floor(Math.max(k - 1 - e1, 0) / 4),
  }),
  tables('probes-from-k-3', 'flips bits from distance 3 on', {
    blockFlips: (k) => Math.floor((k + 1) / 4),
    subFlips: (k, e1) => Math.floor((k + 1 - e1) / 4),
  }),
  tables('probes-most-flips-alone', 'probes only keys with the most flips', {
    probeKeys: (fingerprint, table, k, s) => {
      const all = steps.probeKeys(fingerprint, table, k, s);
      const key = s.tableKey(fingerprint, table, s);
      const flips = (probe: number): number =>
        Array.from((probe ^ key).toString(2)).filter((bit) => bit === '1').length;
      const most = Math.max(...all.map(flips));
      return all.filter((probe) => flips(probe) === most);
    },
  }),
  probesOf('probes-by-ball', 'flips up to a quarter of k bits anywhere in the key', (k) =>
    pairsWith(k, (e1, e2) => e1 + e2 <= Math.floor(k / 4)),
  ),

  // The answers of a lookup.
  tables('lookup-strict', 'finds entries nearer than k, but not at k', {
    isNear: (fingerprint, query, k, s) => k > 0 && steps.isNear(fingerprint, query, k - 1, s),
  }),
  lookup('lookup-k-3', 'finds entries within 3, whatever k is', (input, right) => {
    const { completeTo } = right(input);
    return { completeTo, matches: right({ ...input, k: Math.min(input.k ?? 3, 3) }).matches };
  }),
  tables('default-k-0', 'uses distance 0 where none is given', { defaultDistance: 0 }),
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
  lookup('lookup-complete-to-3', 'reports every answer as complete to 3', (input, right) => ({
    ...right(input),
    completeTo: 3,
  })),
  tables('lookup-unchecked', 'does not check candidates', {
    lookup: (entries, query, k, s) => {
      const far = 64;
      return steps.lookup(entries, query, k, {
        ...s,
        matches: (candidates, asked, _k, same) => steps.matches(candidates, asked, far, same),
      });
    },
  }),
  tables('lookup-once-per-table', 'lists an entry once for each table that holds it', {
    lookup: (entries, query, k, s) => s.matches(inTables(allTables, entries, query, k, s), query, k, s),
  }),
  tables('lookup-first-table', 'looks only in table 0', {
    lookup: (entries, query, k, s) => s.matches(new Set(inTables([0], entries, query, k, s)), query, k, s),
  }),
  tables('lookup-four-tables', 'looks only in the tables 0, 4, 8 and 12', {
    lookup: (entries, query, k, s) => s.matches(new Set(inTables([0, 4, 8, 12], entries, query, k, s)), query, k, s),
  }),
  tables('lookup-numeric-neighbours', 'looks only at numeric neighbours, 8 on each side', {
    lookup: (entries, query, k, s) => {
      const ascending = [...entries].sort((x, y) => (numberOf(x.fingerprint) < numberOf(y.fingerprint) ? -1 : 1));
      const at = ascending.filter((entry) => numberOf(entry.fingerprint) < numberOf(query)).length;
      return s.matches(ascending.slice(Math.max(at - 8, 0), at + 8), query, k, s);
    },
  }),
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
  tables('lookup-nearest-alone', 'finds only the nearest entries', {
    matches: (entries, query, k, s) => {
      const found = steps.matches(entries, query, k, s);
      return found.filter(({ distance }) => distance === found[0]!.distance);
    },
  }),
  tables(
    'lookup-first-10',
    'finds no more than 10 entries',
    { matches: (entries, query, k, s) => steps.matches(entries, query, k, s).slice(0, 10) },
    'limits of search engines',
  ),
  sorted('order-as-entered', 'leaves the matches in the order in which they were entered', () => 0),
  sorted(
    'order-by-distance-alone',
    'orders matches by distance, and equal distances as entered',
    (x, y) => x.distance - y.distance,
  ),
  sorted('order-by-id-alone', 'orders matches by identifier only', (x, y, s) => s.compareIds(x.id, y.id)),
  sorted(
    'order-descending',
    'orders matches from the farthest',
    (x, y, s) => y.distance - x.distance || s.compareIds(x.id, y.id),
  ),
  sorted(
    'order-ids-descending',
    'orders identifiers descending',
    (x, y, s) => x.distance - y.distance || s.compareIds(y.id, x.id),
  ),
  sorted(
    'order-by-fingerprint',
    'orders equal distances by fingerprint',
    (x, y, s) =>
      x.distance - y.distance ||
      (x.fingerprint < y.fingerprint ? -1 : x.fingerprint > y.fingerprint ? 1 : s.compareIds(x.id, y.id)),
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
  tables('order-short-first', 'orders shorter identifiers first', {
    compareIds: (x, y) => steps.encode(x).length - steps.encode(y).length || bytewise(x, y),
  }),
  otherEntries('ids-normalised', 'returns identifiers in NFC', (entries) =>
    entries.map((entry) => ({ ...entry, id: entry.id.normalize('NFC') })),
  ),
  otherEntries(
    'ids-folded',
    'treats identifiers that differ in case as the same',
    (entries) => [...new Map(entries.map((entry) => [entry.id.toLowerCase(), entry])).values()],
    'collations of SQL',
  ),
  otherEntries('ids-trimmed', 'trims white space around identifiers', (entries) =>
    entries.map((entry) => ({ ...entry, id: entry.id.trim() })),
  ),
  lookup('ids-checked-first', 'checks all identifiers before the first fingerprint', (input, right) => {
    if (input.entries.some(({ id }) => id === '')) throw new TwinError('out-of-range', 'an empty identifier');
    return right(input);
  }),
  lookup('query-checked-first', 'checks the query before the entries', (input, right) => {
    if (input.query === null) throw new TwinError('no-fingerprint', 'nothing to look up');
    return right(input);
  }),
  otherEntries('entry-none-skipped', 'skips an entry without a fingerprint in silence', (entries) =>
    entries.filter(({ fingerprint }) => fingerprint !== null),
  ),
  otherEntries('entry-none-as-zero', 'enters a document without a fingerprint as 64 zeros', (entries, query) =>
    entries.map((entry) => ({ ...entry, fingerprint: entry.fingerprint ?? zeros(query) })),
  ),
  lookup('query-none-finds-nothing', 'finds nothing for a document without a fingerprint', (input, right) =>
    input.query === null ? { completeTo: input.k ?? 3, matches: [] } : right(input),
  ),
  lookup('query-none-as-zero', 'looks up 64 zeros for a document without a fingerprint', (input, right) =>
    right({ ...input, query: input.query ?? zeros(input.entries[0]?.fingerprint) }),
  ),
  otherEntries(
    'zero-skipped',
    'enters no document whose fingerprint is 64 zeros',
    (entries) => entries.filter(({ fingerprint }) => fingerprint !== zeros(fingerprint)),
    '0 taken for nothing',
  ),
];
