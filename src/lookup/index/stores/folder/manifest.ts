import { closeSync, fsyncSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { storeError } from '../errors.ts';
import { damaged } from './segment/damage.ts';
import { writeAll } from './segment/sections.ts';
import type { SegmentNote } from './segment/segment.ts';

/** The contents of a store: a file of JSON, and its checksum on a second line, that is replaced as a whole. */
export interface Manifest {
  readonly layout: number;
  readonly label: string;
  /** The number of documents when it was written; each transaction of the log has a newer number. */
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

/** The layout of this package (spec/sharing.md#layout-5). */
export const LAYOUT = 5;

/** Reads the manifest of a store; undefined where there is none. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [json = '', checksum] = text.split('\n');
  if (!json.startsWith('{"layout":'))
    throw storeError('not-an-index', folder, 'its manifest is that of something else');
  if (checksum !== checksumOf(json)) throw damaged(path, 'it has another checksum');
  const manifest = JSON.parse(json) as Manifest;
  if (manifest.layout !== LAYOUT)
    throw storeError('other-version', folder, `expected layout ${LAYOUT}, got ${JSON.stringify(manifest.layout)}`);
  return manifest;
}

/** Writes the manifest: the old one or the new one is there, whatever happens. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, MANIFEST);
  const json = JSON.stringify(manifest);
  writeWhole(`${path}.new`, Buffer.from(`${json}\n${checksumOf(json)}\n`, 'latin1'));
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** Writes a file to the disk. */
export function writeWhole(path: string, octets: Uint8Array): void {
  const fd = openSync(path, 'w');
  try {
    writeAll(fd, octets, 0);
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
