import { gunzip, withoutGzipSuffix } from '../../../extract/archive/gzip.ts';
import type { Member } from '../../../extract/archive/members.ts';
import { detectType } from '../../../extract/detect.ts';
import type { DocumentType } from '../../../extract/types.ts';
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
  const listed: Listed[] = [];
  let [size, left] = [0, 0];
  for await (const member of await membersOf(type, octets)) {
    const content = 'octets' in member.content ? member.content.octets.length : 0;
    if (listed.length === limit || size + content > MAX_OCTETS) left++;
    else {
      size += content;
      listed.push(listedOf(source.name, member));
    }
  }
  return { listed, left };
}

async function membersOf(type: DocumentType, octets: Uint8Array): Promise<AsyncIterable<Member>> {
  if (type === 'warc') return (await import('../../../extract/archive/warc.ts')).readWarc([octets]);
  if (type === 'tar') return (await import('../../../extract/archive/tar/tar.ts')).readTar([octets]);
  if (type === 'mbox') return (await import('../../../extract/mail/mbox.ts')).readMbox([octets]);
  const { openZip } = await import('../../../extract/archive/zip.ts');
  const read = async (offset: number, length: number) => octets.subarray(offset, offset + length);
  return (await openZip({ size: octets.length, read })).documents();
}

function listedOf(archive: string, { name, hints, content }: Member): Listed {
  const path = `${archive}: ${name}`;
  if ('failure' in content) return { name: path, failure: content.failure };
  // A view of the archive would be sent with the whole archive.
  return { source: { name: path, hints, octets: content.octets.slice() } };
}
