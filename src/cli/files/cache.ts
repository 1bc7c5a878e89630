import { type Cache, openCache } from '../../documents/cache.ts';
import { failureOf } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { usageError } from '../command.ts';

/**
 * Opens the cache that the command line names.
 * @param folder - the value of `--cache`
 * @param hints - the facts about the documents
 * @throws a usage error if the folder cannot be made
 */
export function cacheAt(folder: string, hints: DocumentHints): Cache {
  try {
    return openCache(folder, hints);
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw usageError(`--cache: ${folder}: ${isFile ? 'is a file: expected a folder' : failureOf(error).message}`);
  }
}
