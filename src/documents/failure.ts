import { ERROR_CODES } from '../common/error-codes.ts';
import { describeSystemError } from '../common/system-error.ts';
import { type ErrorCode, hasCode } from '../errors.ts';
import { EXTRACTION_CODES, type ExtractionErrorCode } from '../extract/errors.ts';

/** The reasons why a document has no fingerprint, beside the scheme's and extraction's. */
const DOCUMENT_CODES = [
  /** There is nothing at that path, or a symbolic link points to nothing. */
  'not-found',
  'no-permission',
  /** A folder where a file is needed. */
  'is-directory',
  /** A symbolic link to a folder, found inside a folder. It is not followed, so that no walk goes round in a loop. */
  'directory-link',
  /** A symbolic link in a folder that points to nothing, or to itself. */
  'dangling-link',
  /** A folder that holds an index of this program. */
  'index-folder',
  /** Symbolic links that point to each other. */
  'link-loop',
  /** A pipe, socket or device, found inside a folder. Reading it could block for ever. */
  'special-file',
  /** The file was written to while it was read. */
  'changed',
  /** The system could not read the file for another reason, given in the message. */
  'unreadable',
  /** An archive that is empty, or in which nothing can be read. */
  'no-documents',
  /** A dataset, when no option names the field that holds the text. */
  'no-text-field',
  /** Another row of the dataset has the same id. */
  'duplicate-id',
  /** The document is not in a record of a WARC file, or no index can point to the record. */
  'no-record',
  /** The text may have lost something with which the caller refuses documents. */
  'refused',
  /** The document is empty. */
  'empty',
  /** The document has no tokens, and therefore no fingerprint. */
  'no-tokens',
  /** A bug in this program. */
  'internal',
] as const;

export type FailureCode = ErrorCode | ExtractionErrorCode | (typeof DOCUMENT_CODES)[number];

const FAILURE_CODES: ReadonlySet<string> = new Set([...ERROR_CODES, ...EXTRACTION_CODES, ...DOCUMENT_CODES]);

export interface Failure {
  readonly code: FailureCode;
  /** The message for a person, which does not repeat the path. */
  readonly message: string;
}

const OUT_OF_MEMORY: Failure = { code: 'out-of-memory', message: 'not enough memory for this document' };

const SYSTEM_CODES: Readonly<Record<string, FailureCode>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'no-permission',
  EISDIR: 'is-directory',
  ELOOP: 'link-loop',
  ENXIO: 'special-file',
  ENOSPC: 'unreadable',
  EDQUOT: 'unreadable',
  EFBIG: 'unreadable',
};

export const NO_TOKENS: Failure = {
  code: 'no-tokens',
  message: 'no letters in the document, so it has no fingerprint',
};

/** Makes an error that {@link failureOf} turns into a failure with this code and message. */
export function documentError(code: FailureCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const WRITING: ReadonlySet<string> = new Set(['write', 'fsync', 'fdatasync', 'rename', 'fchmod', 'ftruncate', 'mkdir']);

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  const known = SYSTEM_CODES[code];
  if (known !== undefined) return { code: known, message: describeSystemError(error) };
  if (code === 'ENOMEM' || code === 'ERR_WORKER_OUT_OF_MEMORY') return OUT_OF_MEMORY;
  if (FAILURE_CODES.has(code)) return { code: code as FailureCode, message: error.message };
  if (hasCode(error)) return { code: 'unreadable', message: error.message };
  if ('syscall' in error) {
    const done = WRITING.has(String(error.syscall)) ? 'written' : error.syscall === 'open' ? 'opened' : 'read';
    return { code: 'unreadable', message: `cannot be ${done}: ${error.message.split(', ')[0]}` };
  }
  if (error instanceof RangeError && /allocation failed|Invalid (typed )?(array|string) length/i.test(error.message))
    return OUT_OF_MEMORY;
  return { code: 'internal', message: `bug in this program, please report it: ${error.stack ?? error.message}` };
}
