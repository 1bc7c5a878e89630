/**
 * Finds near-duplicates among texts, as the commands `dupes` and `dedupe` do among documents and rows.
 * @module
 */
export { DEFAULT_OVERLAP, DOCUMENT_LABEL } from './answer.ts';
export {
  type DuplicateGroup,
  type DuplicateOptions,
  type DuplicatePair,
  findDuplicatePairs,
  findDuplicates,
  type GroupMember,
  type RemoveOptions,
  removeDuplicates,
  type TextItem,
} from './duplicate-texts.ts';
export { type ReadOptions, readTexts } from './read-texts.ts';
