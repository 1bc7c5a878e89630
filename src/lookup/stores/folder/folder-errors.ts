import { describeSystemError } from '../../../common/system-error.ts';
import { hasCode } from '../../../errors.ts';
import { type StoreError, type StoreErrorCode, storeError } from '../store-errors.ts';

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

/** Translates an error of the system to a `StoreError`; the message ends with the effect on the store. */
export function explain(path: string, error: unknown, effect = ''): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const known = CODES[code];
  const text = known === undefined ? message : describeSystemError(error);
  return storeError(known ?? 'unavailable', path, `${text}${effect}`, error);
}

/** Runs an action and ignores its failure, which a later call makes up for. */
export function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

export function withCodes<T>(path: string, action: () => T, effect?: string): T {
  const fail = (error: unknown): never => {
    throw explain(path, error, effect);
  };
  try {
    const result = action();
    return result instanceof Promise ? (result.catch(fail) as T) : result;
  } catch (error) {
    return fail(error);
  }
}

export function damaged(path: string, message: string, code: 'damaged' | 'truncated' = 'damaged'): StoreError {
  return storeError(code, path, `${message}: index verify lists what is wrong`);
}

/** Called with a sentence for each part that cannot be read; the other parts are still read. */
export type OnFault = (fault: string) => void;

export function faultOf(error: unknown): string {
  return (error as Error).message.replace(/: index verify lists what is wrong$/, '');
}
