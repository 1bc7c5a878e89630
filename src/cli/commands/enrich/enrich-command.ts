import type { Command } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { JOBS_OPTION, LABEL_OPTION, QUIET_OPTION } from '../../options.ts';

export const enrich: Command = {
  name: 'enrich',
  summary: 'Add fingerprints to an index of WARC files',
  usage: '[OPTION…] INDEX|-',
  examples: [
    { typed: 'enrich index.cdxj --warcs archive > enriched.cdxj', about: 'add fingerprints to CDXJ' },
    { typed: 'enrich index.parquet --warcs archive --out enriched.parquet', about: 'add a column of fingerprints' },
  ],
  details: [
    `INDEX is CDXJ, plain or compressed with gzip, as cdxj-indexer and pywb write it, or Parquet, as the columnar index of Common
Crawl is. Each line or row names a WARC file, and the offset and the length of a record in it. Only these records are read.`,
    `In CDXJ, the labelled fingerprint is the value of the key fingerprint (spec/carrying.md), which is added after the other keys or
gets a new value. Everything else stays as it is, byte for byte, in the same order.`,
    `A line whose record is not a document, such as a revisit, an image, a redirect, or a page without letters, stays as it is and
is counted on standard error. A line that is not CDXJ, or whose record cannot be read or has another URL, stays as it is and is
reported, and the exit code is 3.`,
    `The file name in a line is a path in FOLDER; if there is no such file, its last part is the name of a file in FOLDER. It cannot
lead out of FOLDER.`,
    `In Parquet, the columns warc_filename, warc_record_offset and warc_record_length are read, and url and content_mime_type if
they are there; in the nested schema of Common Crawl, they are warc.filename and so on. A column named after the label (simhash_doc,
simhash_doc_bg1, minhash_doc or minhash_doc_256) is added after the others. It has 8 or 32 bytes in each row, or null if there is
no fingerprint. All other columns are copied byte for byte; the hints of Arrow on their types are left out, since they would have
to list all columns. Parquet needs the packages hyparquet and hyparquet-compressors.`,
    `FILE is written under a temporary name and renamed when it is complete, so it may be INDEX. CDXJ is compressed if FILE ends in .gz.`,
  ],
  options: [
    { name: 'warcs', value: 'FOLDER', help: 'folder of the WARC files (default: that of INDEX)' },
    { name: 'out', short: 'o', value: 'FILE', help: 'file to write (default: standard output; needed for Parquet)' },
    LABEL_OPTION,
    ...FORMATS.options.filter(({ name }) => name === 'extractor' || name === 'charset'),
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [LIMITS],
  run: async (args) => (await import('./run-enrich.ts')).runEnrich(args),
};
