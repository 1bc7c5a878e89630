import { type Archive, limitsOf, type Medium, TYPES } from '../extract/formats.ts';
import type { ExtractionLimits } from '../extract/limits.ts';
import type { DatasetFormat } from './dataset/dataset-format.ts';

export type Reader = Medium | Archive | DatasetFormat | 'gzip';

type Limits = readonly (keyof ExtractionLimits)[];

const ofTypes = Object.fromEntries(TYPES.map((type) => [type, limitsOf(type)])) as Record<Medium | Archive, Limits>;

/** The limits that each reader checks besides time and memory: `SECURITY.md` has the table, and a test exceeds each one. */
export const READER_LIMITS: Readonly<Record<Reader, Limits>> = {
  ...ofTypes,
  jsonl: ['bytes', 'ratio'],
  parquet: ['bytes', 'inflated', 'ratio'],
  gzip: ['inflated', 'ratio', 'nesting'],
};
