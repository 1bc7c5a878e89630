import { assertOptions, wrongValue } from '../../../errors.ts';
import { parseLabel } from '../../../scheme/label.ts';
import { readFingerprint } from '../../options.ts';
import type { Awaitable, NearestOptions, QueryOptions, QueryResult } from '../../types.ts';
import { fingerprintDocument } from './document.ts';
import { storeError } from './errors.ts';
import type { StoredIndex } from './types.ts';

/**
 * Reads the label of a store from its records.
 * @param record - the value of the record of a name
 * @param layout - the only layout that this kind of store may have
 * @param expected - the label that the caller asks for
 * @throws `not-an-index`, `other-version`, `invalid-label`, `label-mismatch`
 */
export function readIndexLabel(
  place: string,
  record: (name: 'layout' | 'label') => string | undefined,
  layout: string,
  expected: string | undefined,
): string {
  const found = record('layout');
  if (found === undefined) throw storeError('not-an-index', place, 'has no layout record');
  if (found !== layout)
    throw storeError('other-version', place, `expected layout ${layout}, got ${JSON.stringify(found)}`);
  const label = parseLabel(record('label') ?? '');
  if (expected !== undefined && label !== expected)
    throw wrongValue('label-mismatch', place, `an index of ${expected}`, label);
  return label;
}

/** What answers queries by the value of a fingerprint. */
interface Answers {
  query(fingerprint: bigint, options: QueryOptions): Awaitable<QueryResult>;
  nearest(fingerprint: bigint, options: NearestOptions): Awaitable<QueryResult>;
}

/** Makes the queries of a store, which take fingerprints in all their forms, and documents. */
export function createQueries(
  label: string,
  assertOpen: () => void,
  answers: Answers,
): Pick<StoredIndex, 'query' | 'queryDocument' | 'nearest'> {
  return {
    async query(fingerprint, options = {}) {
      assertOpen();
      return answers.query(readFingerprint('fingerprint', fingerprint, label), options);
    },
    async queryDocument(document, options = {}) {
      const value = await fingerprintDocument(document, label);
      assertOpen();
      return answers.query(value, options);
    },
    async nearest(fingerprint, options = {}) {
      assertOptions('options', options);
      assertOpen();
      return answers.nearest(readFingerprint('fingerprint', fingerprint, label), options);
    },
  };
}

/**
 * Removes documents, a batch at a time.
 * @param keyOf - checks an id and makes what the store knows it by
 * @param size - how many documents a batch has
 * @param removeBatch - removes documents; returns how many there were
 */
export async function removeInBatches<Key>(
  ids: Iterable<string>,
  keyOf: (id: string) => Key,
  size: number,
  removeBatch: (keys: readonly Key[]) => Awaitable<number>,
): Promise<number> {
  let count = 0;
  let keys: Key[] = [];
  const commit = async (): Promise<void> => {
    const batch = keys;
    keys = [];
    if (batch.length > 0) count += await removeBatch(batch);
  };
  try {
    for (const id of ids) if (keys.push(keyOf(id)) >= size) await commit();
  } finally {
    await commit();
  }
  return count;
}
