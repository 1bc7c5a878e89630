import { totalmem } from 'node:os';
import type { ExtractionHints, ExtractionLimits } from '../extract/index.ts';
import type { Loss } from '../extract/result.ts';
import type { TableFields } from '../extract/rows/row-types.ts';

export interface DocumentHints {
  readonly label: string;
  readonly more?: readonly string[];
  readonly charset?: string | undefined;
  readonly type?: ExtractionHints['type'];
  readonly extractor?: ExtractionHints['extractor'];
  /** True if the bytes are the input of step 1: no type is detected, nothing is decompressed. */
  readonly raw?: boolean;
  /** The fields of datasets (JSON Lines, Parquet) that make their rows documents. */
  readonly fields?: TableFields | undefined;
  readonly refused?: readonly Loss[];
  readonly limits: ExtractionLimits;
  /** The maximum number of milliseconds that extracting one text may take. */
  readonly timeout: number;
  /** The maximum memory of the whole process in bytes. Above it, the document that takes longest is aborted. */
  readonly memory: number;
}

/** The default limit of time for one document, in milliseconds. */
export const DEFAULT_TIMEOUT = 120_000;

/** The default limit of memory, or half of the machine's memory, if that is less. */
export const MAX_DEFAULT_MEMORY = 4 * 2 ** 30;
export const DEFAULT_MEMORY = Math.min(MAX_DEFAULT_MEMORY, totalmem() / 2);
