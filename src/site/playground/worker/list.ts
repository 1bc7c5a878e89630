import { accessOfBytes } from '../../../common/bytes.ts';
import { gunzip, withoutGzipSuffix } from '../../../extract/archive/gzip.ts';
import { readMembers } from '../../../extract/archive/read-members.ts';
import { detectType } from '../../../extract/detect.ts';
import { extractionError } from '../../../extract/errors.ts';
import { isArchiveType } from '../../../extract/formats.ts';
import type { FileSource, Listed, Listing } from './tasks.ts';

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
  const openZip = async () => (await import('../../../extract/archive/zip.ts')).openZip(accessOfBytes(bytes));
  const listed: Listed[] = [];
  let [size, left] = [0, 0];
  for await (const member of await readMembers(type, { chunks: [bytes], openZip })) {
    const length = 'bytes' in member.content ? member.content.bytes.length : 0;
    if (listed.length === limit || size + length > MAX_BYTES) left++;
    else {
      size += length;
      const { hints, content } = member;
      const path = `${source.name}: ${member.name}`;
      // A view of the archive would be sent with the whole archive.
      if ('failure' in content) listed.push({ name: path, failure: content.failure });
      else listed.push({ source: { name: path, hints, bytes: content.bytes.slice() } });
    }
  }
  return { listed, left };
}
