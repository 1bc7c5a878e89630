import { existsSync, statSync } from 'node:fs';
import { printable } from '../../common/text.ts';
import { hasCode } from '../../errors.ts';
import type { StoredIndex } from '../../lookup/stores/stored-index.ts';
import { programName, quoteWords, usageError } from '../command.ts';
import { DOCUMENT_LABEL, given, schemeOfUrl } from '../options.ts';
import { warnOfOrigins } from '../terminal/mixed-extractors.ts';
import { warn } from '../terminal/print.ts';
import { DATABASES, databaseOf } from './databases.ts';

export interface OpenIndex extends StoredIndex {
  readonly folder: string | undefined;
}

/** The need of a subcommand: an index that exists (`read`, `change`), or one that `import` creates anywhere and `write` in a folder. */
export type Use = 'create' | 'import' | 'write' | 'change' | 'read';

const mustExist = (use: Use): boolean => use === 'read' || use === 'change';

interface StoreChoice {
  readonly place: string;
  readonly use: Use;
  readonly takeOver?: boolean;
  readonly exclusive?: boolean;
  /** The label that the index must have, or that a new one gets. Missing: any. */
  readonly label?: string | undefined;
  /** The label of a new one, if `label` is missing. Default: {@link DOCUMENT_LABEL}. */
  readonly newLabel?: string | undefined;
}

export async function assertStorePlace(place: string, use: Use, next?: string): Promise<void> {
  const scheme = schemeOfUrl(place);
  if (scheme !== undefined && databaseOf(place) === undefined)
    throw usageError(
      `${scheme}:…: expected STORE: ${['a folder', ...DATABASES.map((each) => `${each.schemes[0]}://…`)].join(' or ')}`,
    );
  if (scheme !== undefined) return;
  const { holdsStore, isOccupied } = await import('../../lookup/stores/folder/open-folder.ts');
  const shown = printable(place);
  const isStore = next !== undefined && (holdsStore(next) || (!mustExist(use) && !existsSync(next)));
  const swapped = isStore ? `did you mean ${printable(quoteWords([next, place]))}?` : '';
  const isNeeded = mustExist(use);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined) {
    if (isNeeded) throw usageError(`${shown}: no such folder: expected an index`);
  } else if (!stat.isDirectory())
    throw usageError(`${shown}: is a file: ${swapped || 'expected STORE, the folder of an index, before all others'}`);
  else if (isNeeded && !holdsStore(place))
    throw usageError(
      `${shown}: is not an index: ${swapped || `${printable(quoteWords([programName(), 'index', 'sync', 'STORE', place]))} makes one in STORE`}`,
    );
  else if (isOccupied(place))
    throw usageError(
      `${shown}: has other files: ${swapped || `expected STORE, an index or a new folder such as ${printable(quoteWords([`${place.replace(/\/+$/, '')}.index`]))}`}`,
    );
}

export function nameOfStore(place: string): string {
  return place.replace(/^([a-z][a-z0-9+.-]+:\/\/)[^/]*@/i, '$1');
}

async function openStore(choice: StoreChoice): Promise<OpenIndex> {
  const { use, label, newLabel = DOCUMENT_LABEL } = choice;
  if (use === 'import' && databaseOf(choice.place) !== undefined)
    try {
      return await openStore({ ...choice, use: 'write' });
    } catch (error) {
      if (!isStoreFailure(error) || error.code !== 'not-found') throw error;
      return openStore({ ...choice, use: 'create' });
    }
  if (label !== undefined || mustExist(use)) return openAt(choice);
  try {
    return await openAt({ ...choice, label: newLabel });
  } catch (error) {
    // It is not a new one.
    if (!isStoreFailure(error) || error.code !== 'label-mismatch') throw error;
    return openAt(choice);
  }
}

async function openAt({ place, use, takeOver = false, exclusive = false, label }: StoreChoice): Promise<OpenIndex> {
  const options = { mode: use === 'read' ? ('read' as const) : ('write' as const), ...given({ label }) };
  await assertStorePlace(place, use);
  const database = databaseOf(place);
  if (database !== undefined) {
    const index = await database.open(place, { ...options, create: use === 'create', exclusive });
    return Object.assign(index, { folder: undefined });
  }
  const { openFolderIndex } = await import('../../lookup/stores/folder/folder-index.ts');
  const create = use !== 'read' && use !== 'change';
  return Object.assign(await openFolderIndex(place, { ...options, create, takeOver }), { folder: place });
}

/** Runs an action on an index and closes it; undefined if it cannot be used, which is reported. */
export async function withStore<T>(
  choice: StoreChoice,
  action: (store: OpenIndex) => Promise<T>,
): Promise<T | undefined> {
  try {
    const store = await openStore(choice);
    try {
      return await action(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    if (error.code === 'label-mismatch' && choice.label !== undefined)
      throw usageError(`--label: ${error.message}: leave --label out, or name a new STORE`);
    warn(error.message);
    return undefined;
  }
}

export function isStoreFailure(error: unknown): error is Error & { readonly code: string } {
  return hasCode(error) && error.code !== 'usage';
}

export async function warnOfStored(
  subject: 'comparison' | 'index',
  { files }: OpenIndex,
  read: ReadonlySet<string>,
  maxFiles = 10_000,
): Promise<void> {
  if (read.size === 0) return;
  const known = new Set(read);
  let count = 0;
  for await (const path of files.paths('')) {
    if (++count > maxFiles) break;
    for (const extractor of (await files.get(path))?.extractors ?? []) known.add(extractor);
  }
  warnOfOrigins(subject, read, known);
}
