import type { ErrorCode } from '../errors.ts';

const CODES: Readonly<Record<ErrorCode, true>> = {
  'wrong-type': true,
  'out-of-range': true,
  'invalid-fingerprint': true,
  'invalid-label': true,
  'label-mismatch': true,
  'no-fingerprint': true,
};

export const ERROR_CODES: ReadonlySet<string> = new Set(Object.keys(CODES));
