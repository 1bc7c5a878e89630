import { expect, test } from 'vitest';
import { documentError, failureOf } from '../../src/documents/failure.ts';
import { storeError } from '../../src/lookup/stores/store-errors.ts';
import { parse } from '../../src/scheme/serialise.ts';

test('a code of the scheme, of extraction or of documents is that of the failure, and a code of a store is not', () => {
  for (const code of ['invalid-fingerprint', 'damaged', 'no-tokens'] as const)
    expect(failureOf(documentError(code, 'why'))).toEqual({ code, message: 'why' });
  expect(() => parse('x')).toThrow(expect.toSatisfy((error) => failureOf(error).code === 'invalid-fingerprint'));
  expect(failureOf(storeError('no-space', 'index', 'the disk is full'))).toEqual({
    code: 'unreadable',
    message: 'index: the disk is full',
  });
});
