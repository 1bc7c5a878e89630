import { assertOneOf, assertOptions, assertString } from '../../../../errors.ts';
import { LABEL, parseLabel } from '../../../../scheme/labels/label.ts';
import { wordsIn } from '../../../widths.ts';
import { createStoredIndex } from '../backend.ts';
import { readIndexLabel } from '../label.ts';
import type { FolderIndexOptions, StoredIndex } from '../types.ts';
import { createBackend } from './backend.ts';
import { type Environment, openEnvironment, readMetaText } from './environment.ts';
import { encodeState, LAYOUT, META } from './format.ts';
import { acquire } from './owner.ts';

/** {@link openLmdbIndex}, with a number of scans before tables are made. */
export async function openWithScans(path: string, options: FolderIndexOptions, scans?: number): Promise<StoredIndex> {
  assertString('path', path);
  assertOptions('options', options, { takeOver: 'boolean?' });
  const { mode = 'write', takeOver = false } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const environment = await openEnvironment(path, mode === 'read');
  try {
    const isNew = mode === 'write' && environment.read(() => readMetaText(environment, 'layout')) === undefined;
    if (isNew) create(environment, expected ?? LABEL);
    const label = environment.read(() => readLabel(environment, expected));
    const ownership = mode === 'write' ? acquire(environment, takeOver) : undefined;
    const words = wordsIn(label);
    const store = { ...environment, words, width: 8 * words };
    return createStoredIndex(createBackend(store, label, ownership, scans));
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** Writes the records of an empty store. */
function create({ tables, write }: Environment, label: string): void {
  write(() => {
    if (tables.meta.getBinary(META.layout) !== undefined) return;
    tables.meta.putSync(META.state, encodeState({ first: 0, next: 0, count: 0 }));
    tables.meta.putSync(META.label, Buffer.from(label));
    tables.meta.putSync(META.layout, Buffer.from(LAYOUT));
  });
}

function readLabel(environment: Environment, expected: string | undefined): string {
  return readIndexLabel(environment.path, (name) => readMetaText(environment, name), LAYOUT, expected);
}
