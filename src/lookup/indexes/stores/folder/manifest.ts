import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type StoreError, storeError } from '../errors.ts';
import { damaged, faultOf, type OnFault } from './segment/damage.ts';
import { writeAll } from './segment/sections.ts';
import type { SegmentNote } from './segment/segment.ts';

/** The contents of a store: a file of JSON, and its checksum on a second line, that is replaced as a whole. */
export interface Manifest {
  readonly layout: number;
  readonly label: string;
  /** The number of documents when the manifest was written; each transaction of the log has a newer number. */
  readonly count: number;
  /** The segments, the oldest first. */
  readonly segments: readonly SegmentNote[];
  /** The file of the log. */
  readonly log: string;
  /** The length of the log in bytes when the store was closed: all of them have to be there. */
  readonly sound: number;
  /** The number of the next file. */
  readonly next: number;
}

export const MANIFEST = 'manifest';

/** The file with a copy, which is read only to save what is there. */
export const COPY = 'manifest.copy';

/** The other files of a store. */
export const STORED = /^\d{8,}\.(?:seg|log)$/;

/** The layout of this package (spec/sharing.md#layout-5). */
export const LAYOUT = 5;

/** Reads the manifest of a store, or its copy; undefined where there is none. */
export function readManifest(folder: string, name: typeof MANIFEST | typeof COPY = MANIFEST): Manifest | undefined {
  const path = join(folder, name);
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [json = '', checksum] = text.split('\n');
  if (!json.startsWith('{"layout":')) {
    if (readdirSync(folder).some((each) => STORED.test(each))) throw damaged(path, 'it is not a manifest');
    throw storeError('not-an-index', folder, 'is not an index: another program wrote its manifest');
  }
  if (checksum !== checksumOf(json)) throw damaged(path, 'checksum mismatch');
  const manifest = JSON.parse(json) as Manifest;
  if (manifest.layout !== LAYOUT)
    throw storeError(
      'other-version',
      folder,
      `has layout ${JSON.stringify(manifest.layout)}; this version reads ${LAYOUT}: export it with the version that wrote it, then import it`,
    );
  return manifest;
}

/** The contents of a store as far as its manifest, its copy, or the names of the other files reveal them. */
export interface Salvaged extends Pick<Manifest, 'layout' | 'log'> {
  /** Missing without a manifest. */
  readonly label?: string;
  readonly segments: readonly (Pick<SegmentNote, 'name'> & Partial<SegmentNote>)[];
  /** Missing without a manifest. */
  readonly sound?: number;
}

/** Reads the manifest of a store, or its copy if it is damaged or missing; without both, lists the files that are there. */
export function salvageManifest(folder: string, onFault: OnFault): Salvaged {
  for (const name of [MANIFEST, COPY] as const)
    try {
      const manifest = readManifest(folder, name);
      if (manifest !== undefined) return manifest;
      onFault(`${join(folder, name)}: it is missing`);
    } catch (error) {
      if ((error as StoreError).code !== 'damaged') throw error;
      onFault(faultOf(error));
    }
  const names = readdirSync(folder).filter((name) => STORED.test(name));
  const numbered = names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const log = numbered.filter((name) => name.endsWith('.log')).at(-1) ?? 'log';
  // A segment that replaced others has a greater number than each that was there before.
  return { layout: LAYOUT, segments: numbered.filter((name) => name.endsWith('.seg')).map((name) => ({ name })), log };
}

/** Writes the manifest and its copy: the old one or the new one is there, whatever happens. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const json = JSON.stringify(manifest);
  const bytes = Buffer.from(`${json}\n${checksumOf(json)}\n`, 'latin1');
  for (const name of [MANIFEST, COPY]) {
    const path = join(folder, name);
    writeWhole(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
    syncFolder(folder);
  }
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** Writes a file to the disk. */
export function writeWhole(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'w');
  try {
    writeAll(fd, bytes, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes the names of a folder to the disk, where the system can do that. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
