import type { Command } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { JOBS_OPTION, LABEL_OPTION, QUIET_OPTION } from '../../options.ts';

/** `simhash-doc enrich`: an index of WARC files with fingerprints. */
export const enrich: Command = {
  name: 'enrich',
  summary: 'Add fingerprints to an index of WARC files',
  usage: '[OPTION…] INDEX|-',
  examples: [
    { typed: 'enrich index.cdxj --warcs archive > enriched.cdxj', about: 'add fingerprints to CDXJ' },
    { typed: 'enrich index.parquet --warcs . --out enriched.parquet', about: 'add a column of fingerprints' },
  ],
  details: [
    `INDEX is CDXJ, plain or compressed with gzip, such as cdxj-indexer and pywb write, or Parquet, such as the columnar index of
Common Crawl. Each line or row names a WARC file, and the offset and the length of a record in it. These records are read, and nothing
else of the WARC files.`,
    `In CDXJ, the labelled fingerprint is the member fingerprint of the JSON object (spec/carrying.md): it is added at the end, or
its value is replaced. Everything else stays as it is, byte for byte, in the same order.`,
    `A line stays as it is if its record is not a document that can be read: a revisit, an image, a redirect, a document without
letters. These lines are counted on standard error. A line stays as it is and is reported, and the exit code is 3, if it is not CDXJ, if
its record cannot be read, or if the record has another URL.`,
    `The file name in a line is a path in FOLDER, or its last part is. It cannot lead out of FOLDER.`,
    `In Parquet, the columns warc_filename, warc_record_offset and warc_record_length are read, and url and content_mime_type if
they are there. A column of 8 or 32 bytes is added after the others, FIXED_LEN_BYTE_ARRAY, named after the label: simhash_doc, simhash_doc_bg1,
minhash_doc or minhash_doc_256. It is null for a row without a fingerprint. All other columns are copied byte for byte. Needs
the packages hyparquet and hyparquet-compressors.`,
    `FILE is written under a temporary name and renamed when it is complete, so it may be INDEX. CDXJ is compressed if FILE ends in .gz.`,
  ],
  options: [
    { name: 'warcs', value: 'FOLDER', help: 'folder of the WARC files (default: that of INDEX)' },
    { name: 'out', short: 'o', value: 'FILE', help: 'file to write (default: standard output; Parquet needs a file)' },
    LABEL_OPTION,
    ...FORMATS.options.filter(({ name }) => name === 'extractor' || name === 'charset'),
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [LIMITS],

  async run(args) {
    const { runEnrich } = await import('./run-enrich.ts');
    return runEnrich(args);
  },
};
