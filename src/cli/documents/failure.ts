import type { ExtractionErrorCode } from '../../extract/index.ts';

/** Why a document has no fingerprint: a closed set, to which those of extraction belong. */
export type FailureCode =
  | ExtractionErrorCode
  /** There is nothing at that path, or a symbolic link leads nowhere. */
  | 'not-found'
  | 'no-permission'
  /** A folder stands where a file is needed. */
  | 'is-directory'
  /** A symbolic link to a folder, met inside a folder: it is not followed, so that no loop is. */
  | 'directory-link'
  /** Symbolic links that lead to each other. */
  | 'link-loop'
  /** A pipe, socket or device, met inside a folder: reading it could wait for ever. */
  | 'special-file'
  /** The system could not read it for another reason, which the message tells. */
  | 'unreadable'
  /** An archive in which nothing can be read, or that is empty. */
  | 'no-documents'
  /** No octets at all. */
  | 'empty'
  /** No token, and so no fingerprint. */
  | 'no-tokens'
  /** A fault of this program. */
  | 'internal';

/** Why a document has no fingerprint. */
export interface Failure {
  readonly code: FailureCode;
  /** For a person; it does not repeat the path. */
  readonly message: string;
}

/** What the codes of the operating system mean here. */
const SYSTEM_ERRORS: Readonly<Record<string, Failure>> = {
  ENOENT: { code: 'not-found', message: 'no such file or folder' },
  ENOTDIR: { code: 'not-found', message: 'no such file or folder' },
  EACCES: { code: 'no-permission', message: 'permission denied' },
  EPERM: { code: 'no-permission', message: 'permission denied' },
  EISDIR: { code: 'is-directory', message: 'is a folder: expected a file' },
  ELOOP: { code: 'link-loop', message: 'symbolic links lead in a circle' },
  ENXIO: { code: 'special-file', message: 'is a socket or a device without a driver: expected a file' },
  ENOMEM: { code: 'out-of-memory', message: 'not enough memory' },
  ERR_WORKER_OUT_OF_MEMORY: { code: 'out-of-memory', message: 'not enough memory for this document' },
};

/**
 * Makes an error that {@link failureOf} turns into a failure with this code and message.
 * @param code - the code of the closed set
 * @param message - what is wrong with the document
 */
export function documentError(code: FailureCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * Tells why a document has no fingerprint.
 * @param error - what was thrown while it was read or worked on
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  const known = SYSTEM_ERRORS[code];
  if (known !== undefined) return known;
  // The package's own codes are in lower case, Node's and the system's in upper case.
  if (/^[a-z]+(-[a-z]+)*$/.test(code)) return { code: code as FailureCode, message: error.message };
  if ('syscall' in error) return { code: 'unreadable', message: `cannot be read: ${error.message.split(', ')[0]}` };
  if (error instanceof RangeError && /allocation failed|Invalid (typed )?(array|string) length/i.test(error.message))
    return { code: 'out-of-memory', message: 'not enough memory for this document' };
  return { code: 'internal', message: `fault of this program: ${error.stack ?? error.message}` };
}
