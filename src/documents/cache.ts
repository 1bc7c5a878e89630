import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../common/folder.ts';
import { parseJsonObject } from '../common/lines.ts';
import { currentExtractor } from '../extract/extract.ts';
import { parse, serialise } from '../index.ts';
import { type FilePath, pathOf } from './file-path.ts';
import type { DocumentHints } from './hints.ts';
import type { Outcome } from './outcome.ts';
import { type FileEntry, STDIN } from './walk.ts';
import type { Hashed } from './workers/work.ts';

/** Fingerprints of files that have not changed. */
export type Cache = ReturnType<typeof openCache>;

/** The layout of an entry. */
const VERSION = 1;

/**
 * The minimum age of a change of a file, in milliseconds: the clocks of file systems have up to two seconds between
 * ticks, so a later change that keeps the length may be invisible.
 */
const MIN_AGE = 2000;

/**
 * Opens a cache: a folder with a file for each document. An entry counts only for the same path, device, inode, size, times of
 * change, options, scheme and version of the extractor. Documents in archives
 * and messages with attachments are not stored.
 * @param folder - made if it does not exist
 * @param hints - the facts about the documents
 * @param now - the time in milliseconds
 * @throws Error of the system if the folder cannot be made
 */
export function openCache(folder: string, hints: DocumentHints, now: () => number = Date.now) {
  makeFolder(folder);
  const options = JSON.stringify([VERSION, hints]);
  const seen = new Map<string, { readonly key: string; readonly raw: Uint8Array | undefined }>();

  function keyOf(place: FilePath): string | undefined {
    const stat = statSync(pathOf(place), { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.ino === 0n) return undefined;
    const times = [stat.mtimeNs, stat.ctimeNs];
    if (times.some((time) => now() - Number(time / 1_000_000n) < MIN_AGE)) return undefined;
    return JSON.stringify([options, resolve(place.path), ...[stat.dev, stat.ino, stat.size, ...times].map(String)]);
  }

  function fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex');
    return join(folder, name.slice(0, 2), `${name.slice(2)}.json`);
  }

  return {
    /** Returns the fingerprint of a file, if it was stored and the file has not changed since. */
    async find(entry: FileEntry): Promise<Outcome<Hashed> | undefined> {
      const { path, raw, failure } = entry;
      const key = path === STDIN || failure !== undefined ? undefined : keyOf(entry);
      if (key === undefined) return undefined;
      const stored = await readEntry(fileOf(key), key, hints.label);
      if (stored !== undefined) return { path, ...(raw !== undefined && { raw }), ...stored };
      seen.set(path, { key, raw });
      return undefined;
    },
    /** Stores the fingerprint of a file that was passed to `find` before, unless it has changed since. */
    store({ path, member, hasAttachments, result, warnings }: Outcome<Hashed>): void {
      const known = seen.get(path);
      seen.delete(path);
      if (known === undefined || member !== undefined || hasAttachments === true || 'failure' in result) return;
      if (keyOf({ path, ...(known.raw !== undefined && { raw: known.raw }) }) !== known.key) return;
      const file = fileOf(known.key);
      const temporary = `${file}.${process.pid}.tmp`;
      makeFolder(dirname(file));
      const value = { ...result, fingerprint: serialise(result.fingerprint), warnings, key: known.key };
      writeFileSync(temporary, JSON.stringify(value));
      renameSync(temporary, file);
    },
  };
}

/** Reads an entry; undefined if there is none, if it is damaged, or if its extractor has changed. */
async function readEntry(
  file: string,
  key: string,
  label: string,
): Promise<Pick<Outcome<Hashed>, 'result' | 'warnings'> | undefined> {
  try {
    const value = parseJsonObject(readFileSync(file, 'utf8')) as
      | (Hashed & { warnings: string[]; key: string })
      | undefined;
    if (value?.key !== key) return undefined;
    const { tokens, mediaType, extractor, warnings } = value;
    if ((await currentExtractor(extractor.split('/')[0]!)) !== extractor) return undefined;
    const fingerprint = parse(value.fingerprint as unknown as string, { label });
    return { result: { fingerprint, tokens, mediaType, extractor }, warnings };
  } catch {
    // If an entry is invalid, the document is read.
    return undefined;
  }
}
