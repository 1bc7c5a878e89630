import type { RandomAccess } from '../../../extract/archive/zip.ts';
import { addParquetColumn } from '../../../extract/table/parquet-column.ts';
import type { WriteBytes } from '../../../extract/table/parquet-copy.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { toBytes } from '../../../scheme/serialise.ts';
import { addFingerprints, type EnrichContext, type IndexItem } from './add.ts';

/** The columns that are read: those of the columnar index of Common Crawl, in its flat and its nested schema. */
const COLUMNS = [
  { names: ['warc_filename', 'warc.filename'] },
  { names: ['warc_record_offset', 'warc.record_offset'] },
  { names: ['warc_record_length', 'warc.record_length'] },
  { names: ['url', 'url.url'], isOptional: true },
  { names: ['content_mime_type', 'content.mime_type'], isOptional: true },
];
const REQUIRED = 'expected warc_filename, warc_record_offset and warc_record_length';

const ROW = 1 << 9;

/** Adds a column of fingerprints to an index in Parquet; `write` takes the bytes of the new index in their order. */
export async function enrichParquet(
  file: RandomAccess,
  label: string,
  context: EnrichContext,
  write: WriteBytes,
): Promise<void> {
  const column = {
    name: label.replace(/[-+]/g, '_'),
    width: 8 * schemeOf(label).words,
    columns: COLUMNS,
    async *valuesOf(rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array | null, undefined> {
      for await (const { fingerprint } of addFingerprints(itemsOf(rows), 'row', context))
        yield typeof fingerprint === 'bigint' ? toBytes(fingerprint) : fingerprint;
      return undefined;
    },
  };
  await addParquetColumn(file, column, write, context.session.reading.hints.limits);
}

/** The values of {@link COLUMNS}. */
type Row = readonly unknown[];

async function* itemsOf(rows: AsyncIterable<Row>): AsyncGenerator<IndexItem<null>, undefined> {
  let number = 1;
  for await (const row of rows) yield { value: null, bytes: ROW, number: number++, record: recordOf(row) };
  return undefined;
}

function recordOf([filename, ...values]: Row): IndexItem<null>['record'] {
  const [offset, length] = values.slice(0, 2).map((value) => Number(value ?? -1));
  const isWhole = [offset, length].every((number) => Number.isSafeInteger(number) && number! >= 0);
  if (typeof filename !== 'string' || filename === '' || !isWhole)
    return { failure: `points to no record: ${REQUIRED}` };
  const [url, mediaType] = values.slice(2).map((value) => (typeof value === 'string' ? value : undefined));
  return { filename, offset: offset!, length: length!, url, mediaType };
}
