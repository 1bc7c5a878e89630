import { encodeKey } from '../keys.ts';
import { DOCUMENT } from './segment/bytes.ts';

/** Returns the key of a document: its id in UTF-8, as a string of bytes. */
export function documentKey(id: string): string {
  return DOCUMENT + encodeKey('id', id).toString('latin1');
}

export function fileKey(path: string): string {
  return `f${encodeKey('path', path).toString('latin1')}`;
}
