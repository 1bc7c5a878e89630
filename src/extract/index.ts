export { DETECTION_WINDOW, detectType } from './detect.ts';
export type { ExtractionError, ExtractionErrorCode } from './errors.ts';
export { extract } from './extract.ts';
export { MEDIA, TYPES } from './formats.ts';
export { DEFAULT_LIMITS, type ExtractionLimits } from './limits.ts';
export type {
  Archive,
  DocumentType,
  Extraction,
  ExtractionHints,
  ExtractionOptions,
  Extractor,
  Medium,
} from './types.ts';
