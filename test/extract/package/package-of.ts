import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';

/** The members of a package by their names, in their order. */
export type Members = Readonly<Record<string, string | Uint8Array>>;

/**
 * Makes a package of members, the same bytes wherever and whenever it is made.
 * @param members - texts are written in UTF-8
 * @param level - 0 to store, else how hard to deflate; what deflates may differ between runtimes
 * @param dataDescriptor - true to write sizes after the data of a member
 */
export async function packageOf(members: Members, level = 0, dataDescriptor = false): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    level,
    extendedTimestamp: false,
    dataDescriptor,
    // 1 January 1980, in the DOS way, which knows no time zone.
    rawLastModDate: 0x0021_0000,
  });
  for (const [name, content] of Object.entries(members))
    await writer.add(name, typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content), {
      level: name === 'mimetype' ? 0 : level,
    });
  return writer.close();
}
