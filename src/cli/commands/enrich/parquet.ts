import type { RandomAccess } from '../../../extract/archive/zip.ts';
import { addParquetColumn } from '../../../extract/table/parquet-column.ts';
import type { WriteOctets } from '../../../extract/table/parquet-copy.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { toOctets } from '../../../scheme/serialise.ts';
import { addFingerprints, type EnrichContext, type IndexItem } from './add.ts';

/** The columns that are read: those of the columnar index of Common Crawl. */
const [FILENAME, OFFSET, LENGTH] = ['warc_filename', 'warc_record_offset', 'warc_record_length'] as const;
const [URL, MEDIA_TYPE] = ['url', 'content_mime_type'] as const;

/** The memory of a row, in bytes. */
const ROW = 1 << 9;

/**
 * Adds a column of fingerprints to an index in Parquet.
 * @param file - the index
 * @param label - that of the fingerprints
 * @param context - see {@link EnrichContext}
 * @param write - takes the bytes of the new index in their order
 * @throws (rejects) as `addParquetColumn` does
 */
export async function enrichParquet(
  file: RandomAccess,
  label: string,
  context: EnrichContext,
  write: WriteOctets,
): Promise<void> {
  const column = {
    name: label.replace(/[-+]/g, '_'),
    width: 8 * schemeOf(label).words,
    columns: [FILENAME, OFFSET, LENGTH, URL, MEDIA_TYPE],
    required: [FILENAME, OFFSET, LENGTH],
    async *valuesOf(rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array | null, undefined> {
      for await (const { fingerprint } of addFingerprints(itemsOf(rows), 'row', context))
        yield typeof fingerprint === 'bigint' ? toOctets(fingerprint) : fingerprint;
      return undefined;
    },
  };
  await addParquetColumn(file, column, write, context.session.reading.hints.limits.inflated);
}

type Row = Readonly<Record<string, unknown>>;

async function* itemsOf(rows: AsyncIterable<Row>): AsyncGenerator<IndexItem<null>, undefined> {
  let number = 1;
  for await (const row of rows) yield { value: null, octets: ROW, number: number++, record: recordOf(row) };
  return undefined;
}

function recordOf(row: Row): IndexItem<null>['record'] {
  const [offset, length] = [OFFSET, LENGTH].map((name) => Number(row[name] ?? -1));
  const filename = row[FILENAME];
  const isWhole = [offset, length].every((number) => Number.isSafeInteger(number) && number! >= 0);
  if (typeof filename !== 'string' || filename === '' || !isWhole)
    return { failure: `points to no record: expected ${FILENAME}, ${OFFSET} and ${LENGTH}` };
  const [url, mediaType] = [URL, MEDIA_TYPE].map((name) => (typeof row[name] === 'string' ? row[name] : undefined));
  return { filename, offset: offset!, length: length!, url, mediaType };
}
