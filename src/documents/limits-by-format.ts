import type { Archive, ExtractionLimits, Medium } from '../extract/index.ts';
import type { DatasetFormat } from './dataset/dataset-format.ts';

export type Reader = Medium | Archive | DatasetFormat | 'gzip';

const PACKAGE = ['bytes', 'inflated', 'depth'] as const;
const ARCHIVE = ['bytes', 'ratio', 'nesting'] as const;

/** The limits that each reader checks besides time and memory: `SECURITY.md` has the table, and a test exceeds each one. */
export const READER_LIMITS: Readonly<Record<Reader, readonly (keyof ExtractionLimits)[]>> = {
  text: ['bytes'],
  html: ['bytes', 'depth'],
  xml: ['bytes', 'depth'],
  pdf: ['bytes', 'pages'],
  epub: PACKAGE,
  docx: PACKAGE,
  odt: PACKAGE,
  pptx: PACKAGE,
  odp: PACKAGE,
  xlsx: PACKAGE,
  ods: PACKAGE,
  mail: ['bytes', 'depth'],
  mhtml: ['bytes', 'depth'],
  notebook: ['bytes'],
  zip: ARCHIVE,
  warc: ARCHIVE,
  tar: ARCHIVE,
  mbox: ['bytes', 'ratio'],
  jsonl: ['bytes', 'ratio'],
  parquet: ['bytes', 'inflated', 'ratio'],
  gzip: ['inflated', 'ratio', 'nesting'],
};
