import { enlarge } from '../../common/bytes.ts';
import { wrongType } from '../../errors.ts';
import { wordsOf } from '../../scheme/labels/fingerprint.ts';
import type { AddCounts, AddOptions, NewEntry } from '../document-index.ts';
import { createUint32List, createUint64List } from '../number-list.ts';
import { encodeId, ID_BUFFER_BYTES, readAddOptions, readFingerprint } from '../query-options.ts';
import type { FingerprintTable } from '../table/fingerprint-table.ts';
import type { IdTable } from './id-table.ts';

interface AdderTarget {
  readonly label: string;
  readonly table: FingerprintTable;
  readonly ids: IdTable;
}

/** The documents that a commit takes: as many as the index has, between these. */
const MIN_BATCH = 1 << 16;
const MAX_BATCH = 1 << 22;

/** Makes an adder of many documents, in batches. The parts of the index may be replaced between commits. */
export function createAdder(target: AdderTarget, options: AddOptions, onCommit: () => void) {
  const existing = readAddOptions(options);
  const counts = { added: 0, replaced: 0, refused: 0 };
  const batch = createBatch();
  let taken = 0;

  function commit(): void {
    try {
      commitBatch(target, batch, existing, counts);
    } finally {
      batch.clear();
    }
    onCommit();
  }

  return {
    counts,
    commit,
    take(entry: NewEntry): void {
      batch.push(taken++, entry, target.label);
      if (batch.length >= Math.max(MIN_BATCH, Math.min(MAX_BATCH, target.table.length))) commit();
    },
  };
}

type Batch = ReturnType<typeof createBatch>;

function createBatch() {
  const scratch = new Uint8Array(ID_BUFFER_BYTES);
  let bytes = new Uint8Array(1 << 16);
  let end = 0;
  const lengths = createUint32List();
  const values = createUint64List();
  return {
    get length() {
      return lengths.length;
    },
    /** Checks a document and adds it; `number` is its position in the input. */
    push(number: number, entry: NewEntry, label: string): void {
      if (typeof entry !== 'object' || entry === null)
        throw wrongType(`entries[${number}]`, 'an object with id and fingerprint', entry);
      const length = encodeId(`entries[${number}].id`, entry.id, scratch);
      const value = readFingerprint(`entries[${number}].fingerprint`, entry.fingerprint, label);
      if (end + length > bytes.length) bytes = enlarge(bytes, 2 * bytes.length);
      for (let i = 0; i < length; i++) bytes[end + i] = scratch[i]!;
      end += length;
      lengths.push(length);
      if (typeof value === 'bigint') values.push(value);
      else for (const word of wordsOf('fingerprint', value)) values.push(word);
    },
    ids: () => bytes,
    idLengthAt: lengths.get,
    wordAt: values.get,
    clear(): void {
      end = 0;
      lengths.clear();
      values.clear();
    },
  };
}

type Counts = { -readonly [name in keyof AddCounts]: number };

function commitBatch({ table, ids }: AdderTarget, batch: Batch, existing: 'refuse' | 'replace', counts: Counts): void {
  const base = table.length;
  const { words } = table;
  const fresh = createUint64List();
  // For each new position the one that its id had before, plus 1, or 0.
  const sources = createUint32List();
  try {
    const bytes = batch.ids();
    // Without an object for each document, which would cost as much as the rest.
    for (let i = 0, from = 0, length = 0; i < batch.length; i++, from += length) {
      length = batch.idLengthAt(i);
      const hash = ids.hash(bytes, from, length);
      const position = ids.find(bytes, from, length, hash);
      if (position >= 0 && existing === 'refuse') counts.refused++;
      else if (position >= base) {
        counts.replaced++;
        for (let word = 0; word < words; word++)
          fresh.set(words * (position - base) + word, batch.wordAt(words * i + word));
      } else if (position >= 0 && isAt(table, position, batch, i)) counts.replaced++;
      else {
        if (position < 0) ids.append(bytes, from, length, hash);
        else ids.move(position);
        sources.push(position + 1);
        for (let word = 0; word < words; word++) fresh.push(batch.wordAt(words * i + word));
      }
    }
    table.addAll(fresh.view());
  } catch (error) {
    while (ids.length > base) ids.pop(sources.get(ids.length - 1 - base) - 1);
    throw error;
  }
  for (const source of sources.view())
    if (source > 0) {
      table.remove(source - 1);
      counts.replaced++;
    } else counts.added++;
}

function isAt({ words, wordAt }: AdderTarget['table'], position: number, batch: Batch, i: number): boolean {
  for (let word = 0; word < words; word++) if (wordAt(position, word) !== batch.wordAt(words * i + word)) return false;
  return true;
}
