import { type Cache, openCache } from '../../documents/cache.ts';
import { failureOf } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { usageError } from '../command.ts';

/** Opens the cache of `--cache`; throws a usage error if the folder cannot be made. */
export function cacheAt(folder: string, hints: DocumentHints): Cache {
  try {
    return openCache(folder, hints);
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw usageError(`--cache: ${folder}: ${isFile ? 'is a file: expected a folder' : failureOf(error).message}`);
  }
}
