import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseRow } from '../../../extract/table/parse-row.ts';
import type { HashPart } from '../../../fingerprint/token-counts.ts';
import type { Cluster } from '../../../lookup/find-clusters.ts';
import { temporaryName } from '../../../lookup/index/file/temporary.ts';
import { documentOfRow, type Found } from '../../documents/archive.ts';
import { documentError } from '../../documents/failure.ts';
import type { Outcome } from '../../documents/outcome.ts';
import type { Session } from '../../documents/session.ts';
import type { Counted } from '../../documents/workers/work.ts';
import { findMatches, type SearchCounts } from '../dupes/match.ts';
import type { Reread } from '../dupes/reread.ts';
import { searchClusters } from '../dupes/search.ts';
import { verifierOf } from '../dupes/verify.ts';
import type { RowTable, Texts } from './rows.ts';
import type { DedupeSettings } from './settings.ts';
import { rowsOf, type Source, sourceOfRow } from './sources.ts';

/** Which texts are removed. */
export interface Removals {
  /** The text that is kept in place of another one; the text itself if it is kept. */
  keptOf(text: number): number;
  /** How a text matches the one that is kept in its place. */
  matchOf(text: number): { readonly distance: number; readonly overlap: number };
  /** How many rows had so many false candidates that others were skipped. */
  readonly limited: number;
}

/**
 * Finds the texts that match one that is kept.
 * @param sources - the files
 * @param table - their rows
 * @param settings - what the command line asks for
 * @param session - what reads rows again
 */
export async function findRemovals(
  sources: readonly Source[],
  table: RowTable,
  settings: DedupeSettings,
  session: Session,
): Promise<Removals> {
  const { texts } = table;
  const { fingerprints } = texts;
  const clusters = await searchClusters(fingerprints, settings.k);
  const kept = Uint32Array.from({ length: texts.count }, (_, text) => text);
  const [distances, overlaps] = [new Uint8Array(texts.count), new Float64Array(texts.count).fill(1)];
  const counts: SearchCounts = { limited: 0 };
  const reader = await createTextReader(sources, table, clusters, settings, session);
  try {
    const verifier = verifierOf({
      fingerprints,
      tokensOf: texts.tokensOf,
      read: (list, part) => countTokens(list, part, texts, reader, session),
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
      isReference: () => false,
    };
    for await (const { kept: first, other, distance, overlap } of findMatches(search, 'groups', counts, clusters)) {
      kept[other] = first;
      distances[other] = distance;
      overlaps[other] = overlap!;
    }
  } finally {
    await reader.close();
  }
  return {
    keptOf: (text) => kept[text]!,
    matchOf: (text) => ({ distance: distances[text]!, overlap: overlaps[text]! }),
    limited: counts.limited,
  };
}

function keepOrder({ tokensOf }: Texts, { keep }: DedupeSettings) {
  return (list: readonly number[]): readonly number[] =>
    [...list].sort((a, b) => (keep === 'longest' ? tokensOf(b) - tokensOf(a) : 0) || a - b);
}

/** Reads texts again. */
interface TextReader {
  read(text: number): Promise<string>;
  close(): Promise<void>;
}

/** Counts the tokens of texts, in workers. */
async function* countTokens(
  list: readonly number[],
  part: HashPart | undefined,
  texts: Texts,
  reader: TextReader,
  { run }: Session,
): AsyncGenerator<Reread<Counted>, undefined> {
  const order = [...new Set(list)].sort((a, b) => a - b);
  async function* documents(): AsyncGenerator<Found | Outcome<never>, undefined> {
    for (const text of order) {
      const place = { path: String(texts.rowOf(text)) };
      const source = documentOfRow(place, { content: { text: await reader.read(text) } });
      yield 'opened' in source ? { ...source, opened: { ...source.opened, part } } : source;
    }
    return undefined;
  }
  let next = 0;
  for await (const { result } of run('tokens', documents())) yield { document: order[next++]!, result };
  return undefined;
}

/**
 * Makes a reader for the texts in clusters. Those in files that can be read from anywhere are read there; others are copied to a
 * temporary file that has no name any more, so that nothing is left if this process is killed.
 */
async function createTextReader(
  sources: readonly Source[],
  table: RowTable,
  clusters: readonly Cluster[],
  { hints, out }: DedupeSettings,
  session: Session,
): Promise<TextReader> {
  const { texts } = table;
  const files = new Map<Source, FileHandle>();
  let copy: FileHandle | undefined;
  const close = async (): Promise<void> => {
    for (const file of [...files.values(), ...(copy === undefined ? [] : [copy])]) await file.close();
  };
  try {
    for (const source of sources) if (source.isPlain) files.set(source, await open(source.path, 'r'));
    const others = sources.filter(({ isPlain }) => !isPlain);
    if (others.length > 0 && clusters.length > 0)
      copy = await copyTexts(others, table, clusters, dirname(out), session);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async read(text) {
      const { offset, length } = texts.placeOf(text);
      const file = files.get(sourceOfRow(sources, texts.rowOf(text)));
      const octets = await readAt(file ?? copy!, offset, length);
      if (file === undefined) return octets.toString();
      const row = parseRow({ number: 0, offset, length, isEnded: true, octets }, hints.fields!, length);
      return row !== null && 'text' in row.content ? row.content.text : '';
    },
    close,
  };
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const octets = Buffer.allocUnsafe(length);
  let filled = 0;
  for (let got = 1; got > 0 && filled < length; filled += got)
    got = (await file.read(octets, filled, length - filled, offset + filled)).bytesRead;
  return octets.subarray(0, filled);
}

async function copyTexts(
  sources: readonly Source[],
  { texts, textOf }: RowTable,
  clusters: readonly Cluster[],
  folder: string,
  { reading }: Session,
): Promise<FileHandle> {
  const isWanted = new Uint8Array(texts.count);
  for (const { members } of clusters) for (const text of members) isWanted[text] = 1;
  const path = join(folder, temporaryName());
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  let offset = 0;
  for (const source of sources)
    for await (const { number, content } of rowsOf(source, reading)) {
      const row = source.first + number - 1;
      const text = 'text' in content ? textOf(row) : null;
      if (text === null || isWanted[text] === 0 || texts.rowOf(text) !== row || !('text' in content)) continue;
      const octets = Buffer.from(content.text);
      texts.setPlace(text, { offset, length: octets.length });
      await file.write(octets, 0, octets.length, offset);
      offset += octets.length;
    }
  return file;
}
