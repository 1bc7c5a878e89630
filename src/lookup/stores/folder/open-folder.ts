import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../../common/folder.ts';
import { assertOneOf, assertOptions, assertString } from '../../../errors.ts';
import { LABEL, parseLabel, schemeOf } from '../../../scheme/labels/label.ts';
import { createStoredIndex, readStoredLabel } from '../backend.ts';
import { layoutError, storeError } from '../store-errors.ts';
import type { StoredIndex } from '../stored-index.ts';
import { createBackend } from './folder-backend.ts';
import { attempt, damaged, withCodes } from './folder-errors.ts';
import { createStore, FolderStore } from './folder-store.ts';
import { COPY, LAYOUT, MANIFEST, readManifest, STORED, syncFolder } from './manifest.ts';
import { acquire, WRITER } from './writer-lock.ts';

/** Options of `openFolderIndex`. */
export interface FolderIndexOptions {
  /** A registered label, in any case (LAB-1): the index must have it, and a new one gets it. Default: `simhash-doc` for a new one. */
  readonly label?: string;
  /** True to create the index in mode `write` if there is none: a folder that is missing or empty. Default: false. */
  readonly create?: boolean;
  /** The mode: documents can be added and removed (the default), which one process at a time can do, or only looked up. */
  readonly mode?: 'write' | 'read';
  /**
   * True if this process may become the writer although a process of another machine or container is noted as the writer. Set
   * it only if that process has ended. Default: false.
   */
  readonly takeOver?: boolean;
}

/** Opens as {@link openFolderIndex} does, in one turn of the event loop, and holds up to `maxRecords` records in memory. */
export function openFolder(path: string, options: FolderIndexOptions, maxRecords?: number): StoredIndex {
  assertString('path', path);
  assertOptions('options', options, { takeOver: 'boolean?', create: 'boolean?' });
  const { mode = 'write', takeOver = false, create = false } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  return withCodes(path, () => {
    const isNew = !checkFolder(path, create && mode === 'write');
    if (isNew) makeLastingFolder(path);
    // Check the label before becoming the writer.
    if (!isNew) readLabel(path, expected);
    const ownership = mode === 'write' ? acquire(path, takeOver) : undefined;
    try {
      if (isNew && readManifest(path) === undefined) createStore(path, expected ?? LABEL);
      const label = readLabel(path, expected);
      return createStoredIndex(
        createBackend(new FolderStore(path, schemeOf(label).words, ownership, maxRecords), label, ownership),
      );
    } catch (error) {
      attempt(() => ownership?.release());
      throw error;
    }
  });
}

function makeLastingFolder(path: string): void {
  const parent = dirname(resolve(path));
  if (!existsSync(parent)) makeLastingFolder(parent);
  makeFolder(path);
  try {
    syncFolder(parent);
  } catch (error) {
    // A folder that only lets one pass cannot be opened.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}

export function readLabel(path: string, expected: string | undefined, manifest = readManifest(path)): string {
  if (manifest === undefined) throw layoutError(path, undefined, LAYOUT);
  return readStoredLabel(path, expected, manifest.label);
}

/** The files that a killed process may have left in a new folder, before there was a manifest. */
const BEGUN = new RegExp(`^(?:${MANIFEST}\\.new|${WRITER}(?:\\..*)?)$`);

export function holdsStore(path: string): boolean {
  return hasManifest(path) || isDamaged(path);
}

function hasManifest(path: string): boolean {
  return existsSync(join(path, MANIFEST));
}

function isDamaged(path: string): boolean {
  if (hasManifest(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(path);
  return names.includes(COPY) || names.some((name) => STORED.test(name) && statSync(join(path, name)).size > 0);
}

export function isOccupied(path: string): boolean {
  return !holdsStore(path) && readdirSync(path).some((name) => !BEGUN.test(name) && !STORED.test(name));
}

function checkFolder(path: string, creates: boolean): boolean {
  if (!existsSync(path) && creates) return false;
  if (!statSync(path).isDirectory()) throw storeError('not-an-index', path, 'is a file: expected a folder');
  if (hasManifest(path)) return true;
  if (isDamaged(path)) throw damaged(join(path, MANIFEST), 'it is missing');
  if (!creates || isOccupied(path))
    throw storeError('not-an-index', path, `the folder contains no index (no ${MANIFEST})`);
  return false;
}
