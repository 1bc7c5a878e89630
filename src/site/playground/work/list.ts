import { gunzip, withoutGzipSuffix } from '../../../extract/archive/gzip.ts';
import type { Member } from '../../../extract/archive/members.ts';
import { readMembers } from '../../../extract/archive/read-members.ts';
import { detectType } from '../../../extract/detect.ts';
import { extractionError } from '../../../extract/errors.ts';
import { isArchiveType } from '../../../extract/formats.ts';
import type { FileSource, Listed, Listing } from './types.ts';

/** The maximum number of bytes of documents that are read from an archive. */
const MAX_BYTES = 256 << 20;

/** Lists the first `limit` documents of an archive, compressed with gzip or not, and counts the others. */
export async function listDocuments(source: FileSource, limit: number): Promise<Listing> {
  let { bytes, name }: { bytes: Uint8Array; name: string } = source;
  let type = detectType(bytes, { path: name });
  while (type === 'gzip') {
    [bytes, name] = [await gunzip(bytes), withoutGzipSuffix(name)];
    type = detectType(bytes, { path: name });
  }
  if (!isArchiveType(type)) throw extractionError('unsupported-media-type', `is not an archive: ${type}`);
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const openZip = async () => (await import('../../../extract/archive/zip.ts')).openZip({ size: bytes.length, read });
  const listed: Listed[] = [];
  let [size, left] = [0, 0];
  for await (const member of await readMembers(type, { chunks: [bytes], openZip })) {
    const content = 'bytes' in member.content ? member.content.bytes.length : 0;
    if (listed.length === limit || size + content > MAX_BYTES) left++;
    else {
      size += content;
      listed.push(listedOf(source.name, member));
    }
  }
  return { listed, left };
}

function listedOf(archive: string, { name, hints, content }: Member): Listed {
  const path = `${archive}: ${name}`;
  if ('failure' in content) return { name: path, failure: content.failure };
  // A view of the archive would be sent with the whole archive.
  return { source: { name: path, hints, bytes: content.bytes.slice() } };
}
