export type { IndexFileError, IndexFileErrorCode } from './file/format.ts';
export { type LoadIndexOptions, loadIndex } from './file/load.ts';
export { saveIndex } from './file/save.ts';
