import { type StoreError, storeError } from '../../errors.ts';

/** Makes the error of a file whose content is not what was written. */
export function damaged(path: string, message: string, code: 'damaged' | 'truncated' = 'damaged'): StoreError {
  return storeError(code, path, `${message}: index verify lists what is wrong`);
}
