import { isUtf8 } from 'node:buffer';
import { MAX_ID_OCTETS } from '../../../options.ts';
import type { Verification } from '../types.ts';
import type { Environment, Store } from './environment.ts';
import {
  CHECKSUM_OCTETS,
  CHUNK_ROWS,
  decodeNumber,
  decodeState,
  encodeNumber,
  isSealed,
  META,
  type State,
} from './format.ts';

const MAX_FAULTS = 100;

type Report = (fault: string) => void;

/** Checks that the tables of a store agree. Reads one transaction. */
export function verify(store: Store): Verification {
  const { tables, refresh } = store;
  refresh();
  const faults: string[] = [];
  const report: Report = (fault) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
  };
  const state = decodeState(tables.meta.getBinary(META.state));
  if (state === undefined) return { documents: 0, faults: ['meta: the record of its state is damaged'] };
  const { first, next, count } = state;
  if (first % CHUNK_ROWS !== 0 || first > next || count > next - first)
    report(`meta: rows ${first} to ${next} with ${count} documents`);
  verifyFingerprints(store, state, report);
  const documents = verifyDocuments(store, state, report);
  if (documents !== count) report(`expected ${count} documents, got ${documents}`);
  const { entryCount: ids } = tables.ids.getStats() as { readonly entryCount: number };
  if (ids !== documents) report(`expected ${documents} ids, got ${ids}`);
  verifyFiles(tables, report);
  return { documents, faults };
}

function verifyFingerprints({ tables: { fingerprints }, width }: Store, { first, next }: State, report: Report): void {
  for (let row = first; row < next; row += CHUNK_ROWS) {
    const key = encodeNumber(row / CHUNK_ROWS);
    const octets = fingerprints.getBinary(key);
    const expected = width * Math.min(CHUNK_ROWS, next - row) + CHECKSUM_OCTETS;
    if (octets?.length !== expected)
      report(`fingerprints of row ${row}: expected ${expected} octets, got ${octets?.length ?? 'none'}`);
    else if (!isSealed(key, octets)) report(`fingerprints of row ${row}: the checksum is another one`);
  }
}

/** Returns how many documents there are. */
function verifyDocuments({ tables, width }: Store, { first, next }: State, report: Report): number {
  let documents = 0;
  let expected = first;
  let chunk: Buffer | undefined;
  let chunkNumber = -1;
  for (const { key, value } of tables.documents.getRange({})) {
    const row = decodeNumber(key);
    if (row !== expected) report(`document ${expected}: missing, got ${row}`);
    expected = row + 1;
    const number = Math.floor(row / CHUNK_ROWS);
    if (number !== chunkNumber) chunk = tables.fingerprints.getBinary(encodeNumber(number));
    chunkNumber = number;
    const at = width * (row % CHUNK_ROWS);
    const isPacked =
      value.length >= width &&
      chunk !== undefined &&
      at + width <= chunk.length &&
      chunk.compare(value, 0, width, at, at + width) === 0;
    if (row < first || row >= next || !isPacked)
      report(`document ${row}: its fingerprint is not among the packed ones`);
    const id = value.subarray(width);
    // It was removed.
    if (id.length === 0) continue;
    documents++;
    if (id.length > MAX_ID_OCTETS || !isUtf8(id)) report(`document ${row}: not an id`);
    else if (tables.ids.getBinary(id)?.equals(key) !== true) report(`document ${row}: its id leads elsewhere`);
  }
  if (expected !== next) report(`documents ${expected} to ${next - 1}: missing`);
  return documents;
}

/** Checks what is known of files as far as it can be: an id may have been removed since. */
function verifyFiles({ files, members }: Environment['tables'], report: Report): void {
  const numbers = new Set<number>();
  for (const { key, value } of files.getRange({}))
    try {
      numbers.add((JSON.parse(value.toString()) as { number: number }).number);
    } catch {
      report(`file ${JSON.stringify(key.toString())}: its record is damaged`);
    }
  for (const { key, value } of members.getRange({}))
    if (key.length <= 8 || value.length !== 8 || !numbers.has(decodeNumber(key)))
      report(`member ${JSON.stringify(key.toString('utf8', 8))}: of no file that is known`);
}
