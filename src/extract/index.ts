export { DETECTION_WINDOW, detectMedium } from './detect.ts';
export type { ExtractionError, ExtractionErrorCode } from './errors.ts';
export { extract } from './extract.ts';
export type { Extraction, ExtractionHints, Extractor, Medium } from './types.ts';
