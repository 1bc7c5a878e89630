import { findPairs } from '../../lookup/find-all.ts';
import { type Components, createLinker } from '../../lookup/find-clusters.ts';
import { createFingerprintTable } from '../../lookup/table/fingerprint-table.ts';
import type { BandOf } from './bands.ts';
import { createCandidateList, type FindNear } from './candidates.ts';
import type { FingerprintColumn } from './column.ts';
import { createWideNear, type WideSearch, wideComponents } from './wide.ts';

/** Finds the connected components of the pairs within `k`; all of them for 64 bits, see {@link wideComponents} for 256. */
export function searchComponents(
  { words, values }: FingerprintColumn,
  search: WideSearch,
  bandOf?: BandOf,
): Components {
  if (words === 4) return wideComponents(values, search, bandOf);
  const linker = createLinker(values.length);
  for (const batch of findPairs(values, search.k)) linker.link(batch);
  return linker.components();
}

/** Prepares the search for near documents, by their positions, among the first `size` documents. */
export function createFindNear(
  { words, values }: FingerprintColumn,
  search: WideSearch,
  size = values.length / words,
): FindNear {
  if (words === 4) return createWideNear(values, search, size);
  const table = createFingerprintTable();
  table.addAll(values.subarray(0, size));
  const list = createCandidateList();
  return (position, from, to = size) => {
    list.clear();
    const { count, positions, distances } = table.query(values[position]!, search.k);
    for (let i = 0; i < count; i++) {
      const other = positions[i]!;
      if (other >= from && other < to && other !== position) list.push(other, distances[i]!);
    }
    return list;
  };
}
