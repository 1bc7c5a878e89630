import { assertOneOf, assertOptions, wrongType } from '../../../errors.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { AddCounts, AddOptions, Awaitable, NewEntry } from '../../document-index.ts';
import { encodeId, ID_BUFFER_BYTES, readFingerprint } from '../../options.ts';

export interface Written {
  /** The number of new ids. */
  readonly added: number;
  /** The number of documents that the next batch should have. */
  readonly next: number;
}

/** Writes documents in one transaction. */
export type WriteBatch = (batch: ReadonlyMap<string, Fingerprint>, replaces: boolean) => Awaitable<Written>;

/** Adds many documents, a batch at a time, for every store's `addAll`; the first batch has up to `size` of them. */
export async function addAll(
  label: string,
  size: number,
  write: WriteBatch,
  entries: Iterable<NewEntry> | AsyncIterable<NewEntry>,
  options: AddOptions = {},
): Promise<AddCounts> {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(entries);
  if (typeof later !== 'function' && (typeof now !== 'function' || typeof entries === 'string'))
    throw wrongType('entries', 'an iterable', entries);
  assertOptions('options', options);
  const { existing = 'refuse' } = options;
  assertOneOf('existing', existing, ['refuse', 'replace']);
  const batch = createBatch(label, size, write, existing === 'replace');
  try {
    if (typeof later === 'function') {
      for await (const entry of entries) if (batch.take(entry)) await batch.commit();
    } else for (const entry of entries as Iterable<NewEntry>) if (batch.take(entry)) await batch.commit();
  } finally {
    await batch.commit();
  }
  const { added, others } = batch.counts;
  return { added, replaced: existing === 'replace' ? others : 0, refused: existing === 'replace' ? 0 : others };
}

function createBatch(label: string, size: number, write: WriteBatch, replaces: boolean) {
  const scratch = new Uint8Array(ID_BUFFER_BYTES);
  const counts = { added: 0, others: 0 };
  let entries = new Map<string, Fingerprint>();
  let due = size;
  let again = 0;
  let taken = 0;
  return {
    counts,
    /** Takes a document; returns whether it is time to commit. */
    take(entry: NewEntry): boolean {
      const what = `entries[${taken++}]`;
      if (typeof entry !== 'object' || entry === null)
        throw wrongType(what, 'an object with id and fingerprint', entry);
      const { id } = entry;
      encodeId(`${what}.id`, id, scratch);
      const fingerprint = readFingerprint(`${what}.fingerprint`, entry.fingerprint, label);
      const isAgain = entries.has(id);
      if (isAgain) again++;
      if (!isAgain || replaces) entries.set(id, fingerprint);
      return entries.size >= due;
    },
    async commit(): Promise<void> {
      if (entries.size === 0) return;
      const [batch, repeated] = [entries, again];
      entries = new Map();
      again = 0;
      const { added, next } = await write(batch, replaces);
      due = next;
      counts.added += added;
      counts.others += batch.size - added + repeated;
    },
  };
}
