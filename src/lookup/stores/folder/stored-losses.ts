import type { Entry } from '../../document-index.ts';
import { fingerprintOf } from './memory-table.ts';
import { idOf, type StoredValue } from './segment/segment-bytes.ts';

/*
 * The losses of a document are a record of their own, which names the fingerprint: programs that do not know such records replace
 * and remove documents without them.
 */

/** The first byte of the keys of such records. The id follows, as in the key of the document. */
export const LOSSES = 'l';

export function lossesKey(documentKey: string): string {
  return LOSSES + documentKey.slice(1);
}

export function lossesRecord(fingerprint: Uint8Array, losses: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ fingerprint: Buffer.from(fingerprint).toString('hex'), losses }));
}

/** Returns the member of an entry that a record is about, if it is about this fingerprint. */
export function lossesIn(record: Uint8Array | null | undefined, fingerprint: Uint8Array): Pick<Entry, 'losses'> {
  if (record == null) return {};
  const { fingerprint: about, losses } = JSON.parse(Buffer.from(record).toString()) as Required<Entry>;
  return String(about) === Buffer.from(fingerprint).toString('hex') ? { losses } : {};
}

/** Makes entries of the records of documents and of losses, both in the order of their keys. */
export function* entriesIn(documents: Iterable<StoredValue>, losses: Iterable<StoredValue>): Generator<Entry, void> {
  const iterator = losses[Symbol.iterator]();
  let next = iterator.next();
  for (const { key, value } of documents) {
    const wanted = lossesKey(key);
    while (next.done !== true && next.value.key < wanted) next = iterator.next();
    const record = next.done !== true && next.value.key === wanted ? next.value.value : undefined;
    yield { id: idOf(key), fingerprint: fingerprintOf(value), ...lossesIn(record, value) };
  }
  iterator.return?.();
}
