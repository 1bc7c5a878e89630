import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { layoutError, storeError } from '../store-errors.ts';
import { attempt, damaged } from './folder-errors.ts';
import type { SegmentNote } from './segment/segment.ts';
import { writeAll } from './segment/segment-sections.ts';

/** The contents of a store: a file of JSON, and its checksum on a second line, that is replaced as a whole. */
export interface Manifest {
  readonly layout: number;
  readonly label: string;
  /** The number of documents when the manifest was written; each transaction of the log has a newer number. */
  readonly count: number;
  readonly segments: readonly SegmentNote[];
  readonly log: string;
  /** The length of the log in bytes when the store was closed: all of them have to be there. */
  readonly sound: number;
  /** The checksum of these bytes. */
  readonly logChecksum: number;
  readonly next: number;
}

export const MANIFEST = 'manifest';

/** The file with a copy, which is replaced after the manifest. It serves to save what is there, and shows that a manifest is out of date. */
export const COPY = 'manifest.copy';

export const STORED = /^\d{8,}\.(?:seg|log)$/;

/** The layout of this package (spec/sharing.md#layout-5). */
export const LAYOUT = 5;

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
  if (manifest.layout !== LAYOUT) throw layoutError(folder, manifest.layout, LAYOUT);
  return manifest;
}

/** Writes what is to replace the manifest, or its copy, beside it: nothing has changed if this fails. */
export function stageManifest(folder: string, manifest: Manifest, name: typeof MANIFEST | typeof COPY): void {
  const json = JSON.stringify(manifest);
  writeWhole(join(folder, `${name}.new`), Buffer.from(`${json}\n${checksumOf(json)}\n`, 'latin1'));
}

/** Replaces the manifest, or its copy: if this fails, the old one may be there after a crash, or the new one. */
export function replaceManifest(folder: string, name: typeof MANIFEST | typeof COPY): void {
  const path = join(folder, name);
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

export function writeWhole(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'w');
  try {
    writeAll(fd, bytes, 0);
    fsyncSync(fd);
  } catch (error) {
    attempt(() => unlinkSync(path));
    throw error;
  } finally {
    attempt(() => closeSync(fd));
  }
}

export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    attempt(() => closeSync(fd));
  }
}
