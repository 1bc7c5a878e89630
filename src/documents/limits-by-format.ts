import { type Archive, limitsOf, type Medium, TYPES } from '../extract/formats.ts';
import type { ExtractionLimits } from '../extract/limits.ts';
import type { DatasetFormat } from './dataset/dataset-format.ts';

/** Everything that reads documents: media, archives, datasets, and compression around any of them. */
export type Reader = Medium | Archive | DatasetFormat | 'gzip';

type Limits = readonly (keyof ExtractionLimits)[];

const ofTypes = Object.fromEntries(TYPES.map((type) => [type, limitsOf(type)])) as Record<Medium | Archive, Limits>;

/**
 * The limits that each reader checks, besides time and memory, which apply to all: to each document of an archive and to each row.
 * `SECURITY.md` has the table.
 */
export const READER_LIMITS: Readonly<Record<Reader, Limits>> = {
  ...ofTypes,
  jsonl: ['bytes', 'ratio'],
  parquet: ['bytes', 'inflated', 'ratio'],
  gzip: ['inflated', 'ratio', 'nesting'],
};
