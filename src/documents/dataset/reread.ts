import { closeSync } from 'node:fs';
import { parseRow } from '../../extract/table/parse-row.ts';
import { documentOfRow, type Found } from '../archive.ts';
import { documentError, failureOf } from '../failure.ts';
import type { Reading } from '../open.ts';
import { failed, type Outcome, type Place } from '../outcome.ts';
import { accessOfFile, openFile } from '../read.ts';
import type { FileEntry } from '../walk.ts';

/** Reads only these rows of JSON Lines again; returns null unless the offset of every row is known. */
export function documentsInLines(
  entry: FileEntry,
  places: readonly Place[],
  reading: Reading,
): AsyncGenerator<Found | Outcome<never>, undefined> | null {
  const isKnown = ({ member }: Place): boolean => member?.row?.offset !== undefined;
  return places.every(isKnown) ? readLines(entry, places, reading) : null;
}

async function* readLines(
  entry: FileEntry,
  places: readonly Place[],
  { hints, onRead }: Reading,
): AsyncGenerator<Found | Outcome<never>, undefined> {
  let fd: number | undefined;
  try {
    const file = openFile(entry);
    fd = file.fd;
    const access = accessOfFile(file, onRead);
    for (const place of places) {
      const { number, offset = 0, length = 0 } = place.member!.row!;
      const bytes = await access.read(offset, length);
      const row = parseRow({ number, offset, length, bytes }, hints.fields!, length);
      if (row === null || row.id !== place.member!.name) yield failed(place, CHANGED);
      else yield documentOfRow(place, row, hints.type, hints.extractor);
    }
  } catch (error) {
    for (const place of places) yield failed(place, failureOf(error));
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const CHANGED = failureOf(documentError('changed', 'changed after its fingerprint was computed: not compared'));
