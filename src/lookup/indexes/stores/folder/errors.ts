import { describeSystemError } from '../../../../common/system-error.ts';
import { hasCode } from '../../../../errors.ts';
import { type StoreErrorCode, storeError } from '../errors.ts';

const CODES: Readonly<Record<string, StoreErrorCode>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'no-space',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
};

/** Translates an error of the system to a `StoreError`. */
export function explain(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const known = CODES[code];
  if (known === undefined) return storeError('unavailable', path, message, error);
  const effect = known === 'no-space' ? '; nothing of this transaction was written' : '';
  return storeError(known, path, `${describeSystemError(error)}${effect}`, error);
}

/** Runs an action and translates its errors, also those of a promise that it returns. */
export function withCodes<T>(path: string, action: () => T): T {
  const fail = (error: unknown): never => {
    throw explain(path, error);
  };
  try {
    const result = action();
    return result instanceof Promise ? (result.catch(fail) as T) : result;
  } catch (error) {
    return fail(error);
  }
}
