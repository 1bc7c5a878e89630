import { isUtf8 } from 'node:buffer';
import { MAX_ID_BYTES } from '../../query-options.ts';
import { createFaultList } from '../store-errors.ts';
import type { Verification } from '../stored-index.ts';
import { faultOf } from './folder-errors.ts';
import type { FolderStore } from './folder-store.ts';
import { COPY, readManifest } from './manifest.ts';
import { rotatedHigh, rotatedLow } from './segment/fingerprint-columns.ts';
import type { Segment } from './segment/segment.ts';
import { DOCUMENT, read32 } from './segment/segment-bytes.ts';
import type { WordTables } from './segment/word-search.ts';
import { createCursor } from './segment/write-segment.ts';

export function verify(store: FolderStore): Verification {
  const { faults, add: report } = createFaultList();
  const passes = (check: () => void): boolean => {
    try {
      check();
      return true;
    } catch (error) {
      report(faultOf(error));
      return false;
    }
  };
  const { segments, count } = store.view;
  passes(() => readManifest(store.path));
  passes(() => readManifest(store.path, COPY));
  passes(() => store.checkLog());
  for (const segment of segments) passes(() => segment.checkEnds());
  for (const segment of segments) {
    let isWhole = true;
    for (const section of segment.sections())
      for (let page = 0; page < section.pages; page++) isWhole = passes(() => section.check(page)) && isWhole;
    if (isWhole) passes(() => verifySegment(segment, store, report));
  }
  if (faults.length > 0) return { documents: count, faults };
  let documents = 0;
  for (const { key, value } of store.records('')) {
    if (key.startsWith(DOCUMENT)) {
      documents++;
      const id = Buffer.from(key, 'latin1').subarray(1);
      if (id.length === 0 || id.length > MAX_ID_BYTES || !isUtf8(id)) report(`${JSON.stringify(key)}: not an id`);
      if (value.length !== store.width) report(`${JSON.stringify(key)}: a fingerprint of ${value.length} bytes`);
    } else if (!isJson(value)) report(`${JSON.stringify(key)}: its record is damaged`);
  }
  if (documents !== count) report(`expected ${count} documents, got ${documents}`);
  return { documents, faults };
}

type Report = (fault: string) => void;

function isJson(value: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(value).toString());
    return true;
  } catch {
    return false;
  }
}

/** Compares the tables of a segment with its records. */
function verifySegment(segment: Segment, { words }: FolderStore, report: Report): void {
  const sums = Array.from({ length: words }, () => new Sum());
  verifyRecords(segment, sums, report);
  for (const [word, tables] of segment.words.entries()) verifyTables(segment, tables, sums[word]!, report);
}

class Sum {
  #high = 0;
  #low = 0;
  count = 0;

  add(high: number, low: number): void {
    this.#high = (this.#high + Math.imul(high ^ (low >>> 7), 0x9e3779b1)) >>> 0;
    this.#low = (this.#low + Math.imul(low ^ (high >>> 5), 0x85ebca77)) >>> 0;
    this.count++;
  }

  equals(other: Sum): boolean {
    return this.#high === other.#high && this.#low === other.#low && this.count === other.count;
  }
}

function verifyRecords({ path, reader, records, documents }: Segment, sums: Sum[], report: Report): void {
  let [count, found] = [0, 0];
  let last = '';
  for (const { key, value } of reader.from('')) {
    if (count++ > 0 && key <= last) report(`${path}: the key of record ${count - 1} is out of order`);
    last = key;
    if (value === null || !key.startsWith(DOCUMENT)) continue;
    found++;
    for (const [word, sum] of sums.entries()) sum.add(read32(value, 8 * word), read32(value, 8 * word + 4));
  }
  if (count !== records) report(`${path}: expected ${records} records, got ${count}`);
  if (found !== documents) report(`${path}: expected ${documents} documents, got ${found}`);
}

function verifyTables({ path }: Segment, tables: WordTables, expected: Sum, report: Report): void {
  for (const [block, table] of tables.entries()) {
    const sum = new Sum();
    let lastHigh = 0;
    let lastLow = 0;
    const cursor = createCursor(table, false);
    for (let entry = 0; !cursor.isAtEnd; entry++, cursor.next()) {
      const { high, low } = cursor;
      if (high < lastHigh || (high === lastHigh && low < lastLow))
        report(`${path}: entry ${entry} of the table of block ${block} is out of order`);
      [lastHigh, lastLow] = [high, low];
      sum.add(rotatedHigh(high, low, (4 - block) % 4), rotatedLow(high, low, (4 - block) % 4));
    }
    if (!sum.equals(expected)) report(`${path}: the table of block ${block} does not have the words of the documents`);
  }
}
