import { type Stats, statSync } from 'node:fs';
import { sum } from '../common/numbers.ts';
import { pathOf } from './file-path.ts';
import { nextTurn } from './in-order.ts';
import { type FileEntry, type Root, STDIN, type WalkOptions, walk } from './walk.ts';

/** The number of documents, and of bytes together, up to which starting a worker costs more than it saves. */
const MAX_HANDFUL = 16;
const MAX_HANDFUL_BYTES = 1 << 20;

/** Walks far enough to find out whether workers are needed. The returned entries are the whole walk. */
export function planWalk(selection: Walked): { entries: Iterable<FileEntry>; isHandful: boolean } {
  const walked = walkSelected(selection);
  const first: FileEntry[] = [];
  for (let next = walked.next(); next.done !== true; next = walked.next()) {
    first.push(next.value);
    if (first.length > MAX_HANDFUL) break;
  }
  function* entries(): Generator<FileEntry> {
    yield* first;
    yield* walked;
  }
  return { entries: entries(), isHandful: isHandful(first.length, () => sum(first.map(sizeOf))) };
}

export interface Walked extends WalkOptions {
  readonly roots: readonly Root[];
  readonly isSelected: (entry: FileEntry) => boolean;
}

export function* walkSelected({ roots, isSelected, ...options }: Walked): Generator<FileEntry, void> {
  for (const entry of walk(roots, options)) if (isSelected(entry)) yield entry;
}

export function isHandful(documents: number, bytes: () => number): boolean {
  // One document, however long, keeps one thread busy only.
  return documents === 1 || (documents <= MAX_HANDFUL && bytes() <= MAX_HANDFUL_BYTES);
}

export interface Unopened {
  readonly kind: 'file';
  readonly entry: FileEntry;
}

export function* unopened(entries: Iterable<FileEntry>): Generator<Unopened, undefined> {
  for (const entry of entries) yield { kind: 'file', entry };
}

/** Counts the documents and bytes of a walk while they are processed; returns null for standard input, or once `isOver`. */
export async function measure(selection: Walked, isOver: () => boolean) {
  if (selection.roots.includes(STDIN)) return null;
  let documents = 0;
  let bytes = 0;
  for (const entry of walkSelected({ ...selection, onHidden: undefined })) {
    documents++;
    bytes += sizeOf(entry);
    if (documents % 64 === 0) await nextTurn();
    if (isOver()) return null;
  }
  return { documents, bytes };
}

/** Returns the status of a file; undefined on failure, which is reported when the file is read. */
export function statOf(entry: FileEntry): Stats | undefined {
  if (entry.failure !== undefined || entry.path === STDIN) return undefined;
  try {
    return statSync(pathOf(entry));
  } catch {
    return undefined;
  }
}

function sizeOf(entry: FileEntry): number {
  const stat = statOf(entry);
  return stat?.isFile() === true ? stat.size : 0;
}
