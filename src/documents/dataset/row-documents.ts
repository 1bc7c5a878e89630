import { closeSync } from 'node:fs';
import type { Archive, Medium } from '../../extract/index.ts';
import { parseRow } from '../../extract/rows/json-rows.ts';
import { unnamedWarnings } from '../../extract/text/content-warnings.ts';
import { text } from '../../extract/text/text.ts';
import { fingerprintText } from '../../fingerprint/fingerprint.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import { type DocumentOutcome, type FailedDocument, failed, type Place } from '../document-outcome.ts';
import type { Hashed } from '../document-tasks.ts';
import { documentError, failureOf, NO_TOKENS } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import type { Found, Reading } from '../open.ts';
import { accessOfFile, inputOf, openFile } from '../read.ts';
import type { TimeBudget } from '../time-budget.ts';
import type { FileEntry } from '../walk.ts';
import type { DatasetRow, RowBlock } from './read-rows.ts';

export interface RowDocuments {
  readonly kind: 'rows';
  readonly rows: RowBlock;
  readonly place: Place;
  /** True if the offsets of the rows are offsets in the file, where they can be read again. */
  readonly isPlain: boolean;
  readonly type: Medium | Archive;
  readonly time: TimeBudget;
}

type RowHints = Pick<DocumentHints, 'extractor'>;

function placeOf({ place: { path, raw, member }, isPlain }: RowDocuments, row: DatasetRow): Place {
  const { id, number, offset, length } = row;
  const name = member === undefined ? id : `${member.name}!${id}`;
  const about = { name, row: isPlain && offset !== undefined ? { number, offset, length: length! } : { number } };
  return raw === undefined ? { path, member: about } : { path, raw, member: about };
}

const EMPTY = { code: 'empty', message: 'the text is empty' } as const;

export function* documentsOfRows(block: RowDocuments, hints: RowHints): Generator<Found | FailedDocument, undefined> {
  for (const row of block.rows) {
    const source = documentOfRow(placeOf(block, row), row, block.type, hints);
    yield source.kind === 'document' ? { ...source, opened: { ...source.opened, time: block.time } } : source;
  }
}

function documentOfRow(
  place: Place,
  { content }: Pick<DatasetRow, 'content'>,
  type: Medium | Archive,
  { extractor }: RowHints,
): Found | FailedDocument {
  if ('failure' in content) return failed(place, content.failure);
  const bytes = Buffer.from(content.text);
  if (bytes.length === 0) return failed(place, EMPTY);
  const isUtf8Text = type === 'text';
  const opened = { ...inputOf(bytes), type, hints: { transportCharset: 'utf-8', extractor }, isUtf8Text, codings: 0 };
  return { kind: 'document', place, opened, warnings: [] };
}

const ABOUT = { mediaType: text.mediaType, extractor: `${text.name}/${text.version}` };

/** Computes the fingerprints of rows of plain text. Limits apply only to reading them, and their time is the time of the dataset. */
export function hashRows(block: RowDocuments, label: string): DocumentOutcome<Hashed>[] {
  const scheme = schemeOf(label);
  const start = performance.now();
  const outcomes = block.rows.map((row): DocumentOutcome<Hashed> => {
    const place = placeOf(block, row);
    const { content } = row;
    if ('failure' in content) return failed(place, content.failure);
    if (content.text === '') return failed(place, EMPTY);
    const bytes = encode(content.text);
    const warnings = unnamedWarnings(bytes);
    const { fingerprint, tokens } = fingerprintText(bytes, scheme, block.rows.length * bytes.length);
    const size = bytes.length;
    if (fingerprint === null) return { ...failed(place, NO_TOKENS, warnings), size };
    const result = { fingerprint, tokens, ...ABOUT };
    // A spread would take as long as parsing the row.
    const { path, raw, member } = place;
    const outcome = { kind: 'done', path, member, result, warnings, size } as const;
    return raw === undefined ? outcome : { ...outcome, raw };
  });
  block.time.spend(performance.now() - start);
  return outcomes;
}

/** The memory of {@link encode}, for texts of up to a third of its bytes. (A Buffer searches faster than an array.) */
const scratch = Buffer.alloc(1 << 16);
const encoder = new TextEncoder();

/** Encodes a text; the bytes are valid until the next call. */
function encode(content: string): Buffer {
  if (3 * content.length > scratch.length) return Buffer.from(content);
  return scratch.subarray(0, encoder.encodeInto(content, scratch).written);
}

/** Reads only these rows of JSON Lines again; returns null unless the offset of every row is known. */
export function documentsInLines(
  entry: FileEntry,
  places: readonly Place[],
  reading: Reading,
): AsyncGenerator<Found | FailedDocument, undefined> | null {
  const isKnown = ({ member }: Place): boolean => member?.row?.offset !== undefined;
  return places.every(isKnown) ? readLines(entry, places, reading) : null;
}

async function* readLines(
  entry: FileEntry,
  places: readonly Place[],
  { hints, onRead }: Reading,
): AsyncGenerator<Found | FailedDocument, undefined> {
  let fd: number | undefined;
  try {
    const file = openFile(entry);
    fd = file.fd;
    const access = accessOfFile(file, onRead);
    for (const place of places) {
      const { number, offset = 0, length = 0 } = place.member!.row!;
      const row = parseRow(await access.read(offset, length), number, hints.fields!, length);
      if (row === null || row.id !== place.member!.name) yield failed(place, CHANGED);
      else yield documentOfRow(place, row, hints.type ?? 'text', hints);
    }
  } catch (error) {
    for (const place of places) yield failed(place, failureOf(error));
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const CHANGED = failureOf(documentError('changed', 'changed after its fingerprint was computed: not compared'));
