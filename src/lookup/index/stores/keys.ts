import { encodeId, ID_BUFFER_OCTETS } from '../../options.ts';

const scratch = Buffer.allocUnsafe(ID_BUFFER_OCTETS);

/**
 * Checks an id, or a path, and encodes it in UTF-8.
 * @param name - names it in messages
 */
export function encodeKey(name: string, id: unknown): Buffer {
  return Buffer.from(scratch.subarray(0, encodeId(name, id, scratch)));
}

/** Checks an id and returns it. */
export function checkId(id: string): string {
  encodeId('id', id, scratch);
  return id;
}
