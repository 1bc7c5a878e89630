import { existsSync } from 'node:fs';

const MAX_LINES = 20;
const MAX_PATH = 4096;

export const PATH_LIST =
  'this looks like a list of paths, and the list itself was read: to read the files, use --files-from -';

/** Tests whether a text seems to be a list of files: each of its first lines is a path that exists. */
export function looksLikePaths(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  const lines = text.split(/[\n\0]/);
  // The last line may be cut off, or empty after the last line end.
  const whole = (lines.length > 1 ? lines.slice(0, -1) : lines).slice(0, MAX_LINES);
  return whole.every((line) => line.length <= MAX_PATH && existsSync(line));
}
