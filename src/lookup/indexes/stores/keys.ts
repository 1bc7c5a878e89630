import { encodeId, ID_BUFFER_BYTES } from '../../options.ts';

const scratch = Buffer.allocUnsafe(ID_BUFFER_BYTES);

/** Checks an id, or a path, and encodes it in UTF-8. Throws `wrong-type`, `out-of-range`. */
export function encodeKey(name: string, id: unknown): Buffer {
  return Buffer.from(scratch.subarray(0, encodeId(name, id, scratch)));
}

export function checkId(id: string): string {
  encodeId('id', id, scratch);
  return id;
}

/** Splits documents, in their order, so that no id comes twice in a part. */
export function* withoutRepeats<T extends { readonly id: string }>(documents: readonly T[]): Generator<T[]> {
  let part = new Map<string, T>();
  for (const document of documents) {
    if (part.has(document.id)) {
      yield [...part.values()];
      part = new Map();
    }
    part.set(document.id, document);
  }
  if (part.size > 0) yield [...part.values()];
}
