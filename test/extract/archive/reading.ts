import type { Member, ReadArchiveOptions } from '../../../src/extract/archive/archive-members.ts';
import type { RandomAccess } from '../../../src/extract/archive/zip.ts';
import type { ExtractionLimits } from '../../../src/extract/limits.ts';

/** Bytes in parts of one size, each overwritten when the next one is asked for. */
export function* inParts(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const part = new Uint8Array(Math.min(size, bytes.length));
  for (let at = 0; at < bytes.length; at += size) {
    const length = Math.min(size, bytes.length - at);
    part.set(bytes.subarray(at, at + length));
    yield part.subarray(0, length);
    part.fill(0x41);
  }
}

/** Access to bytes as to a file. */
export const accessTo = (bytes: Uint8Array): RandomAccess => ({
  size: bytes.length,
  read: async (from, length) => bytes.subarray(from, from + length),
});

/** Lists every document by its name and content, or the code or message of its failure; what is skipped is in brackets. */
export async function listOf(
  read: (options: ReadArchiveOptions) => AsyncIterable<Member>,
  limits: Partial<ExtractionLimits>,
  failure: 'code' | 'message',
): Promise<string[]> {
  const list: string[] = [];
  const onSkipped = (reason: string) => void list.push(`[${reason}]`);
  for await (const { name, content } of read({ limits, onSkipped }))
    list.push(`${name}: ${'bytes' in content ? Buffer.from(content.bytes) : content.failure[failure]}`);
  return list;
}
