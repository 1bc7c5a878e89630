import { closeSync, openSync, readSync } from 'node:fs';
import { pathOf } from '../documents/file-path.ts';
import type { Collection, Document } from './collect.ts';
import { type DuplicateMatch, type DuplicateSearch, findMatches, isDuplicate } from './match.ts';

export interface DocumentGroupMember {
  readonly document: number;
  readonly distance: number;
  /** The overlap with the document to keep; null if only fingerprints are compared. */
  readonly overlap: number | null;
  readonly differs: DuplicateMatch['differs'];
  /** False if it differs other than in the words. */
  readonly isConfirmed: boolean;
  /** True if it is a file with the same bytes as the one to keep. */
  readonly isIdentical: boolean;
}

export interface DocumentGroup {
  readonly kept: number;
  /** The others, the nearest first. */
  readonly members: readonly DocumentGroupMember[];
  /** The bytes that removing the confirmed members frees; null if nothing is confirmed or a size is not known. */
  readonly reclaimable: number | null;
}

/** Finds the groups: those with the most to reclaim first, then the larger ones, then in the order of the input. */
export async function findGroups(search: DuplicateSearch): Promise<DocumentGroup[]> {
  const { collection, isAgainst } = search;
  const byKept = new Map<number, DocumentGroupMember[]>();
  for await (const match of findMatches(search, 'groups')) {
    // With a reference set, it is the reference that was found, and that is kept.
    const [kept, document] = isAgainst ? [match.other, match.kept] : [match.kept, match.other];
    const members = byKept.get(kept) ?? [];
    if (members.length === 0) byKept.set(kept, members);
    members.push(memberOf(search, kept, { ...match, kept, other: document }));
  }
  return Array.from(byKept, ([kept, members]) => groupOf(collection, kept, members)).sort(
    (a, b) =>
      (b.reclaimable ?? 0) - (a.reclaimable ?? 0) || b.members.length - a.members.length || firstOf(a) - firstOf(b),
  );
}

function firstOf({ kept, members }: DocumentGroup): number {
  return members.reduce((first, { document }) => Math.min(first, document), kept);
}

function memberOf(search: DuplicateSearch, kept: number, match: DuplicateMatch): DocumentGroupMember {
  const { other, distance, overlap, differs } = match;
  const { documents } = search.collection;
  const isIdentical = overlap === 1 && haveSameBytes(documents[kept]!, documents[other]!);
  const isConfirmed = overlap !== null && (isIdentical || isDuplicate(match, search));
  return { document: other, distance, overlap, differs, isConfirmed, isIdentical };
}

function groupOf(collection: Collection, kept: number, members: readonly DocumentGroupMember[]): DocumentGroup {
  const sorted = [...members].sort((a, b) => a.distance - b.distance || a.document - b.document);
  const confirmed = sorted.filter(({ isConfirmed }) => isConfirmed);
  const isVerified = sorted.some(({ overlap }) => overlap !== null);
  const sizes = confirmed.map(({ document, isIdentical }) =>
    reclaimableOf(collection.documents[document]!, isIdentical),
  );
  return { kept, members: sorted, reclaimable: isVerified ? total(sizes) : null };
}

/** Returns the bytes that removing a document frees: one in an archive, or with attachments of its own, cannot be removed. */
function reclaimableOf({ place, size, isLinked }: Document, isIdentical: boolean): number | null {
  if (isLinked) return 0;
  return place.member === undefined && (place.hasAttachments !== true || isIdentical) ? size : 0;
}

/** Adds sizes up; null if one is not known. */
export function total(sizes: readonly (number | null)[]): number | null {
  return sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0);
}

const CHUNK = 1 << 16;

function haveSameBytes(a: Document, b: Document): boolean {
  if (a.place.member !== undefined || b.place.member !== undefined || a.size !== b.size) return false;
  const open: number[] = [];
  const buffers = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)] as const;
  try {
    for (const { place } of [a, b]) open.push(openSync(pathOf(place), 'r'));
    for (;;) {
      const [length, other] = open.map((fd, index) => readSync(fd, buffers[index]!));
      if (length !== other || buffers[0].compare(buffers[1], 0, length, 0, length) !== 0) return false;
      if (length === 0) return true;
    }
  } catch {
    // A file that can no longer be read does not count as identical.
    return false;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}
