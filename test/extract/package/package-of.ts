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

/** The namespace of references from one part of an Office document to another. */
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export const relationship = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;

/** Makes the part that lists the relationships of another part. */
export const relationships = (...all: readonly Parameters<typeof relationship>[]) =>
  `<Relationships>${all.map((each) => relationship(...each)).join('')}</Relationships>`;

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';

/** The declarations of the namespaces of OpenDocument. */
export const OPEN_DOCUMENT = [
  ...['office', 'text', 'table', 'style', 'manifest', 'presentation'].map(
    (each) => `xmlns:${each}="${OASIS}:${each}:1.0"`,
  ),
  `xmlns:draw="${OASIS}:drawing:1.0" xmlns:svg="${OASIS}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`,
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML"',
].join(' ');
