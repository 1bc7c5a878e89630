import { hasCode, type StoreError, storeError } from '../errors.ts';

type Cause = readonly [StoreError['code'], string];

const NO_SPACE: Cause = ['no-space', 'no room on the disk: nothing of this transaction was written'];
const NO_PERMISSION: Cause = ['no-permission', 'permission denied'];

const CAUSES: Readonly<Record<string, Cause>> = {
  ENOENT: ['not-found', 'no such folder'],
  ENOTDIR: ['not-found', 'no such folder'],
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EFBIG: ['no-space', 'the file would be larger than the system allows: nothing of this transaction was written'],
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: ['read-only', 'the file system is read-only'],
};

/**
 * Translates an error of the system to a `StoreError`.
 * @param path - the store
 */
export function explain(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const known = CAUSES[String(code)];
  if (known !== undefined) return storeError(known[0], path, known[1], error);
  return code === undefined ? error : storeError('unavailable', path, message, error);
}

/** Runs an action and translates its errors. */
export function withCodes<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explain(path, error);
  }
}
