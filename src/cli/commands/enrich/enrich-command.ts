import type { Command } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL_OPTION, JOBS_OPTION, QUIET_OPTION } from '../../options.ts';

export const enrich: Command = {
  name: 'enrich',
  summary: 'Add fingerprints to an index of WARC files',
  usage: '[OPTION…] INDEX|-',
  examples: [
    { typed: 'enrich index.cdxj --warcs archive > enriched.cdxj', about: 'add fingerprints to CDXJ' },
    { typed: 'enrich index.cdxj --warcs archive --out index.cdxj', about: 'replace the index' },
  ],
  details: [
    `INDEX is CDXJ, plain or compressed with gzip, as cdxj-indexer and pywb write it, or CDX of 9 or 11 fields (its first
line may name them), which becomes CDXJ. Each line names a WARC file, and the offset and
the length of a record in it. Only these records are read.`,
    `The labelled fingerprint is the value of the key document-fingerprint, its extractor is the value of document-fingerprint-extractor
(spec/carrying.md). They are added after the other keys or get new values. Everything else stays as it is, byte for byte, in the same order.`,
    `A line whose record is not a document, such as a revisit, an image, a redirect, or a page without letters, stays as it is and
is counted on standard error. A line that is not CDXJ, or whose record cannot be read or has another URL, stays as it is and is
reported, and the exit code is 3.`,
    `The file name in a line is a path in FOLDER; if there is no such file, its last part is the name of a file in FOLDER. It cannot
lead out of FOLDER.`,
    `FILE is written under a temporary name and renamed when it is complete, so it may be INDEX. It is compressed if FILE ends in .gz.`,
  ],
  options: [
    { name: 'warcs', value: 'FOLDER', help: 'folder of the WARC files (default: the folder of INDEX)' },
    { name: 'out', short: 'o', value: 'FILE', help: 'file to write (default: standard output)' },
    DOCUMENT_LABEL_OPTION,
    ...FORMATS.options.filter(({ name }) => name === 'extractor' || name === 'charset' || name === 'refuse'),
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [LIMITS],
  run: async (args) => (await import('./run-enrich.ts')).runEnrich(args),
};
