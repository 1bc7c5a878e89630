import { type StoreError, storeError } from '../../errors.ts';

/** Makes the error of a file whose content is not what was written (IDX-3). */
export function damaged(path: string, message: string, code: 'damaged' | 'truncated' = 'damaged'): StoreError {
  return storeError(code, path, `${message}: index verify lists what is wrong`);
}

/** Called with a sentence for each part that cannot be read; the other parts are still read. */
export type OnFault = (fault: string) => void;

/** Returns the sentence of an error without advice. */
export function faultOf(error: unknown): string {
  return (error as Error).message.replace(/: index verify lists what is wrong$/, '');
}
