import { isUtf8 } from 'node:buffer';
import { MAX_ID_OCTETS } from '../../../options.ts';
import type { Verification } from '../types.ts';
import type { Environment } from './environment.ts';
import { CHUNK_ROWS, decodeNumber, decodeState, encodeNumber, META } from './format.ts';

const MAX_FAULTS = 100;

/** Checks that the tables of a store agree. Reads one transaction. */
export function verify({ tables, refresh }: Environment): Verification {
  refresh();
  const faults: string[] = [];
  const fault = (text: string): void => {
    if (faults.length < MAX_FAULTS) faults.push(text);
  };
  const { first, next, count } = decodeState(tables.meta.getBinary(META.state)!);
  if (first % CHUNK_ROWS !== 0 || first > next || count > next - first)
    fault(`meta: rows ${first} to ${next} with ${count} documents`);
  for (let row = first; row < next; row += CHUNK_ROWS) {
    const octets = tables.fingerprints.getBinary(encodeNumber(row / CHUNK_ROWS));
    const expected = 8 * Math.min(CHUNK_ROWS, next - row);
    if (octets?.length !== expected)
      fault(`fingerprints of row ${row}: expected ${expected} octets, got ${octets?.length ?? 'none'}`);
  }
  let documents = 0;
  let chunk: Buffer | undefined;
  let chunkNumber = -1;
  for (const { key, value } of tables.documents.getRange({})) {
    documents++;
    const row = decodeNumber(key);
    const id = value.subarray(8);
    if (id.length === 0 || id.length > MAX_ID_OCTETS || !isUtf8(id)) fault(`document ${row}: not an id`);
    const number = Math.floor(row / CHUNK_ROWS);
    if (number !== chunkNumber) chunk = tables.fingerprints.getBinary(encodeNumber(number));
    chunkNumber = number;
    const at = 8 * (row % CHUNK_ROWS);
    if (row < first || row >= next || chunk?.compare(value, 0, 8, at, at + 8) !== 0)
      fault(`document ${row}: its fingerprint is not among the packed ones`);
    const known = tables.ids.getBinary(id);
    if (known === undefined || decodeNumber(known) !== row) fault(`document ${row}: its id leads elsewhere`);
  }
  if (documents !== count) fault(`expected ${count} documents, got ${documents}`);
  const { entryCount: ids } = tables.ids.getStats() as { readonly entryCount: number };
  if (ids !== documents) fault(`expected ${documents} ids, got ${ids}`);
  return { documents, faults };
}
