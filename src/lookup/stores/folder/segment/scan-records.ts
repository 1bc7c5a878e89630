import type { OnFault } from '../folder-errors.ts';
import { DOCUMENT, type KeyValue, SegmentBytesReader } from './segment-bytes.ts';
import type { Section } from './segment-sections.ts';

const WINDOW = 1 << 18;

interface Scan {
  readonly path: string;
  readonly width: number;
  readonly last: string;
  readonly onFault: OnFault;
}

/**
 * Lists the records of blocks whose list is damaged, from a place in their section on. The first record of a block
 * shares nothing with the one before, so records are read in runs that each begin with such a record. A run of plain
 * blocks is distinguished from others by reading it both ways.
 */
export function* scanRecords(blocks: Section, from: number, scan: Scan): Generator<KeyValue, void> {
  let { last } = scan;
  let size = WINDOW;
  for (let at = from; at < blocks.length; ) {
    const wanted = Math.min(size, blocks.length - at);
    let fault = `${scan.path}: the list of blocks is damaged`;
    const bytes = blocks.readBeforeDamage(at, wanted, (found) => (fault = found));
    const isAll = bytes.length < wanted || at + wanted === blocks.length;
    let done = 0;
    let run: Run | undefined;
    do {
      run = readRun(bytes.subarray(done), last, scan.width, isAll);
      if (run === undefined) break;
      yield* run.records;
      last = run.records.at(-1)?.key ?? last;
      done += run.length;
    } while (run.isWhole);
    at += done;
    // A run longer than what was read is read again, and more.
    size = done === 0 ? 2 * size : WINDOW;
    if (run === undefined || at === blocks.length) continue;
    scan.onFault(`${fault}; the last ${blocks.length - at} bytes of records are lost`);
    return;
  }
}

interface Run {
  readonly records: readonly KeyValue[];
  readonly length: number;
  readonly isWhole: boolean;
}

/** The number of records of a whole run from which it is not a misreading. */
const CERTAIN = 8;

/**
 * Reads the run at the start of some bytes. Returns undefined if it needs more bytes, unless these are all, and a run
 * that is not whole where no other can be read.
 */
function readRun(bytes: Buffer, last: string, width: number, isAll: boolean): Run | undefined {
  const runs = [true, false].flatMap((isPlain) => readAs(bytes, isPlain, width, last) ?? []);
  const whole = runs.filter(({ isWhole }) => isWhole).sort((a, b) => b.length - a.length)[0];
  if (whole !== undefined && (isAll || runs.length === 1 || whole.records.length >= CERTAIN)) return whole;
  if (!isAll && runs.length > 0) return undefined;
  return runs.sort((a, b) => b.length - a.length)[0] ?? { records: [], length: 0, isWhole: false };
}

/** Reads a run as one of a plain block, or of another one; returns undefined if it is neither. */
function readAs(bytes: Buffer, isPlain: boolean, width: number, before: string): Run | undefined {
  const reader = new SegmentBytesReader(bytes);
  const records: KeyValue[] = [];
  let last = before;
  let length = 0;
  try {
    while (reader.at < bytes.length) {
      const header = reader.byte();
      const shared = header >> 4 === 15 ? 15 + reader.number() : header >> 4;
      const rest = (header & 15) === 15 ? 15 + reader.number() : header & 15;
      if (shared === 0 && records.length > 0) return { records, length, isWhole: true };
      if ((shared === 0) !== (records.length === 0) || shared > last.length) return undefined;
      const key = last.slice(0, shared) + reader.text(rest);
      const size = isPlain ? width : reader.number() - 1;
      const isDocument = key.startsWith(DOCUMENT);
      if (key <= last || (isDocument ? size >= 0 && size !== width : isPlain)) return undefined;
      records.push({ key, value: size < 0 ? null : reader.take(size) });
      last = key;
      length = reader.at;
    }
  } catch {
    // Bytes are missing.
  }
  return { records, length, isWhole: false };
}
