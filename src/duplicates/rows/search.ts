import { readSync, statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryName } from '../../common/temporary.ts';
import { documentError, NO_TOKENS } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { nextTurn } from '../../documents/in-order.ts';
import type { ReportedDocuments } from '../../documents/session.ts';
import { MAX_DISTINCT } from '../../documents/workers/work.ts';
import { parseRow } from '../../extract/table/parse-row.ts';
import { createResidue } from '../../fingerprint/residue.ts';
import { createTokenCounter, type HashPart } from '../../fingerprint/token-counts.ts';
import type { Components } from '../../lookup/find-clusters.ts';
import { findMatches, isDuplicate } from '../match.ts';
import { searchComponents } from '../near/search.ts';
import type { Reread } from '../reread.ts';
import type { ReadTokens } from '../verify/held.ts';
import { verifierOf } from '../verify/verifier.ts';
import { createPagedList } from './pages.ts';
import type { RowTable, Texts } from './rows.ts';
import { TURN } from './scan.ts';
import { rowsOf, type Source, sourceOfRow } from './sources.ts';

/** The number of bytes of token counts that are held, which is enough because texts that are compared are adjacent. */
const MAX_HELD = 112 << 20;

/** The number of bytes of token counts that are read together. */
const BATCH = 8 << 20;

export interface RowSearch {
  readonly hints: DocumentHints;
  /** The file to write, in whose folder texts are copied. */
  readonly out: string;
  readonly k: number;
  readonly minOverlap: number;
  /** True if rows that differ other than in their words are duplicates. */
  readonly ignoresDifferences: boolean;
  /** True if rows whose words differ in case only are kept. */
  readonly matchCase: boolean;
  readonly keep: RowPreference;
}

/** The row to keep of several that match. */
export const ROW_PREFERENCES = ['first', 'longest'] as const;
export type RowPreference = (typeof ROW_PREFERENCES)[number];

export type Removals = Omit<ReturnType<typeof createRemovalList>, 'add'>;

/** Finds the texts that match one that is kept. */
export async function findRemovals(
  sources: readonly Source[],
  table: RowTable,
  settings: RowSearch,
  session: ReportedDocuments,
): Promise<Removals> {
  const { texts } = table;
  const { fingerprints } = texts;
  const components = searchComponents(fingerprints, { k: settings.k, isExact: false });
  const removals = createRemovalList(texts.count);
  const reader = await createTextReader(sources, table, components, settings, session);
  try {
    const verifier = verifierOf({
      fingerprints,
      tokensOf: texts.tokensOf,
      read: (list, part) => countTokens(list, part, reader.read, settings.hints.label),
      // Only the few rows that match another one are read again.
      residueOf: (text) => createResidue().update(reader.read(text)).digest(),
      matchCase: settings.matchCase,
      maxHeld: MAX_HELD,
      async onLost() {
        throw documentError('changed', 'a file changed while it was read: try again when nothing writes to it');
      },
    });
    const search = {
      ...settings,
      collection: { fingerprints },
      verifier,
      inKeepOrder: keepOrder(texts, settings),
      isAgainst: false,
      batch: BATCH,
      isReference: () => false,
    };
    for await (const match of findMatches(search, 'groups', components))
      if (isDuplicate(match, search)) removals.add(match.other, match.kept, match.distance, match.overlap!);
  } finally {
    await reader.close();
  }
  return removals;
}

/** Collects the texts that are removed: 4 bytes for each text, and 13 for each that is removed. */
function createRemovalList(texts: number) {
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
    /** Returns the text that is kept in place of another one; the text itself if it is kept. */
    keptOf(text: number): number {
      const match = matches[text]!;
      return match === NONE ? text : kept.get(match);
    },
    /** Returns the match of a text with the one that is kept in its place. */
    matchOf(text: number): { readonly distance: number; readonly overlap: number } {
      const match = matches[text]!;
      return match === NONE
        ? { distance: 0, overlap: 1 }
        : { distance: distances.get(match), overlap: overlaps.get(match) };
    },
  };
}

function keepOrder({ tokensOf }: Texts, { keep }: RowSearch) {
  return (list: readonly number[]): readonly number[] =>
    [...list].sort((a, b) => (keep === 'longest' ? tokensOf(b) - tokensOf(a) : 0) || a - b);
}

/** Counts the tokens of texts. Runs in this thread: a message to a worker takes longer than most of them. */
async function* countTokens(
  list: readonly number[],
  part: HashPart | undefined,
  read: (text: number) => string,
  label: string,
): AsyncGenerator<Reread<ReadTokens>, undefined> {
  const order = [...new Set(list)].sort((a, b) => a - b);
  for (const [index, text] of order.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    const counter = createTokenCounter({ label, ...(part ?? { limit: MAX_DISTINCT }) });
    const { fingerprint, counted } = counter.update(read(text)).digest();
    yield { document: text, result: fingerprint === null ? { failure: NO_TOKENS } : { fingerprint, counted } };
  }
}

/** The folder of temporary files: that of the file to write, which needs about as much space, unless it is a pipe or a device. */
function folderFor(out: string): string {
  return statSync(out, { throwIfNoEntry: false })?.isFile() === false ? tmpdir() : dirname(out);
}

/**
 * Makes a reader for the texts in components. Texts in uncompressed files are read there; others are copied to a
 * temporary file that is already unlinked, so that nothing is left if this process is killed.
 */
async function createTextReader(
  sources: readonly Source[],
  table: RowTable,
  components: Components,
  { hints, out }: RowSearch,
  session: ReportedDocuments,
) {
  const { texts } = table;
  const files = new Map<Source, FileHandle>();
  let copy: FileHandle | undefined;
  const close = async (): Promise<void> => {
    for (const file of [...files.values(), ...(copy === undefined ? [] : [copy])]) await file.close();
  };
  try {
    for (const source of sources) if (source.isPlain) files.set(source, await open(source.path, 'r'));
    const others = sources.filter(({ isPlain }) => !isPlain);
    const hasComponents = components[Symbol.iterator]().next().done === false;
    if (others.length > 0 && hasComponents) copy = await copyTexts(others, table, components, folderFor(out), session);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    read(text: number): string {
      const { offset, length } = texts.placeOf(text);
      const file = files.get(sourceOfRow(sources, texts.rowOf(text)));
      const bytes = readAt((file ?? copy!).fd, offset, length);
      if (file === undefined) return bytes.toString();
      const row = parseRow({ number: 0, offset, length, bytes }, hints.fields!, length);
      return row !== null && 'text' in row.content ? row.content.text : '';
    },
    close,
  };
}

/** The buffer of {@link readAt}, unless it reads more. */
const scratch = Buffer.alloc(1 << 16);

/** Reads from a file; the bytes are valid until the next call. */
function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = length <= scratch.length ? scratch.subarray(0, length) : Buffer.alloc(length);
  let filled = 0;
  for (let got = 1; got > 0 && filled < length; filled += got)
    got = readSync(fd, bytes, filled, length - filled, offset + filled);
  return bytes.subarray(0, filled);
}

async function copyTexts(
  sources: readonly Source[],
  { texts, textOf }: RowTable,
  components: Components,
  folder: string,
  { reading }: ReportedDocuments,
): Promise<FileHandle> {
  const isWanted = new Uint8Array(texts.count);
  for (const members of components) for (const text of members) isWanted[text] = 1;
  const path = join(folder, temporaryName());
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  let offset = 0;
  for (const source of sources)
    for await (const { number, content } of rowsOf(source, reading)) {
      const row = source.first + number - 1;
      const text = 'text' in content ? textOf(row) : null;
      if (text === null || isWanted[text] === 0 || texts.rowOf(text) !== row || !('text' in content)) continue;
      const bytes = Buffer.from(content.text);
      texts.setPlace(text, { offset, length: bytes.length });
      // On a full disk, a write may be shorter than requested.
      for (let at = 0; at < bytes.length; )
        at += (await file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
      offset += bytes.length;
    }
  return file;
}
