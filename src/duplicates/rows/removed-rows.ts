import { createPagedList } from '../../common/paged-list.ts';
import { documentError } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import type { ReportedDocuments } from '../../documents/run-documents.ts';
import { TRUSTED_TOKENS } from '../answer.ts';
import { findRemovals, type RemovalCriteria } from '../find-removals.ts';
import { REASONS, type Reason } from '../marks.ts';
import type { Rows } from './fingerprint-rows.ts';
import { assertUnchanged, type RowSource } from './row-sources.ts';
import { createTextReader } from './row-texts.ts';

export interface RowSearch extends Omit<RemovalCriteria, 'label' | 'references'> {
  readonly hints: DocumentHints;
  /** The number of rows, the first ones, that are only compared with: others are removed only for one of these. */
  readonly references: number;
  /** The file to write, in whose folder texts are copied. */
  readonly out: string;
}

export type Removals = Awaited<ReturnType<typeof findRowRemovals>>;

export async function findRowRemovals(
  sources: readonly RowSource[],
  { table, tokens }: Rows,
  search: RowSearch,
  session: ReportedDocuments,
) {
  const { texts, textOf, rows } = table;
  const matches = createMatchList(texts.count);
  // Why a text is kept although most of its words are in another one: the place of the reason plus one.
  const reasons = new Uint8Array(texts.count);
  const onDifferent = (text: number, _: number, reason: Reason): void => {
    reasons[text] = REASONS.indexOf(reason) + 1;
  };
  const reader = createTextReader(sources, table, search, session);
  const onChanged = (): never => {
    throw documentError('changed', 'a file changed while it was read: try again when nothing writes to it');
  };
  const known = tokens.isOpen ? tokens : undefined;
  const bandOf = table.bands?.bandOf;
  const readable = { fingerprints: texts.fingerprints, bandOf, tokensOf: texts.tokensOf, known, onChanged };
  const { references } = search;
  let first = 0;
  while (references > 0 && first < texts.count && texts.rowOf(first) < references) first++;
  const criteria = { ...search, label: search.hints.label, references: first };
  // Without a text to compare with, nothing is removed.
  const hasNone = references > 0 && first === 0;
  try {
    if (!hasNone) await findRemovals({ ...readable, ...reader }, criteria, { onRemoved: matches.add, onDifferent });
    for (const source of sources) assertUnchanged(source);
  } finally {
    await reader.close();
  }
  tokens.drop();
  /** Returns the row that is kept in place of another one; the row itself if it is kept. */
  const keptOf = (row: number): number => {
    const text = row < rows ? textOf(row) : null;
    const kept = text === null ? (table.copiedFrom(row) ?? row) : texts.rowOf(matches.keptOf(text));
    return references > 0 && kept >= references ? row : kept;
  };
  const preferred = new Uint8Array(texts.count);
  const preferredPlain = new Set<number>();
  let [removed, identical, short] = [0, 0, 0];
  const different = REASONS.map(() => 0);
  const reasonOf = (row: number): Reason | undefined => {
    const text = row < rows ? textOf(row) : null;
    return text === null ? undefined : REASONS[reasons[text]! - 1];
  };
  let isForward = false;
  for (let row = references; row < rows; row++) {
    const kept = keptOf(row);
    if (kept === row) {
      const reason = reasonOf(row);
      if (reason !== undefined) different[REASONS.indexOf(reason)]!++;
      continue;
    }
    isForward ||= kept > row;
    removed++;
    const text = textOf(row);
    if (text === null || matches.keptOf(text) === text) identical++;
    else if (texts.tokensOf(text) < TRUSTED_TOKENS) short++;
    if (text === null) preferredPlain.add(kept);
    else preferred[textOf(kept)!] = 1;
  }
  table.endSearch();
  return {
    keptOf,
    isKept: (row: number): boolean => keptOf(row) === row,
    isPreferred(row: number): boolean {
      const text = row < rows ? textOf(row) : null;
      return text === null ? preferredPlain.has(row) : preferred[text] === 1 && keptOf(row) === row;
    },
    matchOf(row: number) {
      const text = textOf(row);
      return text === null ? { distance: 0, overlap: 1 } : matches.matchOf(text);
    },
    removed,
    reasonOf,
    different: Object.fromEntries(REASONS.map((reason, index) => [reason, different[index]!])) as Record<
      Reason,
      number
    >,
    identical,
    /** The number of other removed rows with few tokens, whose fingerprints are unreliable. */
    short,
    /** True if some row is removed before the row that is kept in its place. */
    isForward,
  };
}

/** Collects the texts that are removed: 4 bytes for each text, and 13 for each that is removed. */
function createMatchList(texts: number) {
  const NONE = 0xffffffff;
  // For each text the place of its match in the lists below.
  const matches = new Uint32Array(texts).fill(NONE);
  const [kept, distances, overlaps] = [
    createPagedList(Uint32Array),
    createPagedList(Uint8Array),
    createPagedList(Float64Array),
  ];
  return {
    add(text: number, keptText: number, distance: number, overlap: number): void {
      matches[text] = kept.length;
      kept.push(keptText);
      distances.push(distance);
      overlaps.push(overlap);
    },
    keptOf(text: number): number {
      const match = matches[text]!;
      return match === NONE ? text : kept.get(match);
    },
    matchOf(text: number): { readonly distance: number; readonly overlap: number } {
      const match = matches[text]!;
      return match === NONE
        ? { distance: 0, overlap: 1 }
        : { distance: distances.get(match), overlap: overlaps.get(match) };
    },
  };
}
