import { gunzip, withoutGzipSuffix } from '../../../extract/archive/gzip.ts';
import type { Member } from '../../../extract/archive/members.ts';
import { readMembers } from '../../../extract/archive/read-members.ts';
import { detectType } from '../../../extract/detect.ts';
import { extractionError } from '../../../extract/errors.ts';
import { isArchiveType } from '../../../extract/formats.ts';
import type { FileSource, Listed, Listing } from './types.ts';

/** The maximum number of bytes of documents that are read from an archive. */
const MAX_OCTETS = 256 << 20;

/**
 * Lists the documents of an archive.
 * @param source - the archive, compressed with gzip or not
 * @param limit - the number of documents to read; the others are counted
 * @throws (rejects) an error of extraction
 */
export async function listDocuments(source: FileSource, limit: number): Promise<Listing> {
  let { octets, name }: { octets: Uint8Array; name: string } = source;
  let type = detectType(octets, { path: name });
  while (type === 'gzip') {
    [octets, name] = [await gunzip(octets), withoutGzipSuffix(name)];
    type = detectType(octets, { path: name });
  }
  if (!isArchiveType(type)) throw extractionError('unsupported-media-type', `is not an archive: ${type}`);
  const read = async (offset: number, length: number) => octets.subarray(offset, offset + length);
  const openZip = async () => (await import('../../../extract/archive/zip.ts')).openZip({ size: octets.length, read });
  const listed: Listed[] = [];
  let [size, left] = [0, 0];
  for await (const member of await readMembers(type, { chunks: [octets], openZip })) {
    const content = 'octets' in member.content ? member.content.octets.length : 0;
    if (listed.length === limit || size + content > MAX_OCTETS) left++;
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
  return { source: { name: path, hints, octets: content.octets.slice() } };
}
