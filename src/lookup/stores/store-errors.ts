import { printable } from '../../common/text.ts';

/** The closed set of errors that durable stores add. */
export type StoreErrorCode =
  /** There is no store at that place. */
  | 'not-found'
  /** Something other than an index is at that place, or the index does not record its layout. */
  | 'not-an-index'
  /** The layout of the index is unknown to this package. */
  | 'other-version'
  /** A file of the index ends too early. */
  | 'truncated'
  /** The content of the index is inconsistent. */
  | 'damaged'
  /** Another process has opened the index for writing. */
  | 'locked'
  /** The index was opened for reading, or cannot be written to. */
  | 'read-only'
  /** The system refuses access. */
  | 'no-permission'
  /** There is no room on the disk, or a file would be larger than allowed. Nothing of the transaction was written. */
  | 'no-space'
  /** A package that the store needs is not installed. */
  | 'missing-package'
  /**
   * The system or the server failed for another reason, given in the message and as the cause. The message says whether nothing
   * of a transaction was written, or its outcome is unknown: then an index in a folder is closed for writing until it is opened
   * again.
   */
  | 'unavailable';

/** An error with a {@link StoreErrorCode}. */
export interface StoreError extends Error {
  readonly code: StoreErrorCode;
}

/** Makes a {@link StoreError} about a place. Its message is one line, also if a server or a driver sends several. */
export function storeError(code: StoreErrorCode, place: string, message: string, cause?: unknown): StoreError {
  const line = printable(message.trim().replace(/\s*[\t-\r\u2028\u2029]\s*/g, ' '));
  return Object.assign(new Error(`${printable(place)}: ${line}`, cause === undefined ? {} : { cause }), { code });
}

/** Makes the error of a store whose record of the layout is missing, or not the one that this version reads (IDX-2). */
export function layoutError(place: string, found: string | number | undefined, expected: string | number): StoreError {
  if (found === undefined) return storeError('not-an-index', place, 'is not an index: it has no record of a layout');
  return storeError(
    'other-version',
    place,
    `has layout ${JSON.stringify(found)}; this version reads ${expected}: export it with the version that wrote it, then import it`,
  );
}

const MAX_FAULTS = 100;

export function createFaultList() {
  const faults: string[] = [];
  return {
    faults,
    add(fault: string): void {
      if (faults.length < MAX_FAULTS) faults.push(fault);
    },
  };
}

/** Removes the password from a URL for messages, even if it has characters that should have been escaped. */
export function withoutPassword(url: string): string {
  return url.replace(/([?&]password=)[^&]*/gi, '$1…').replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:]*):.*@/is, '$1@');
}
