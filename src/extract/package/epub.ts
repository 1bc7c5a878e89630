import { type ExtractionError, extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { ExtractionContext, Extractor } from '../types.ts';
import { parseXml, type XmlElement } from '../xml/parser.ts';
import { renderXml } from '../xml/xml.ts';
import { folderOf, openPackage, type Package, readMarkup, resolvePath } from './package.ts';

const EPUB = 'application/epub+zip';

/** Media types of content documents; what is no longer allowed but still met among them. */
const XHTML = 'application/xhtml+xml';
const CONTENT: ReadonlySet<string> = new Set([
  XHTML,
  'text/html',
  'text/x-oeb1-document',
  'application/x-dtbook+xml',
  'application/xml',
  'text/xml',
  'image/svg+xml',
]);

/** How many warnings are passed on: a book may have one for each of its chapters. */
const WARNINGS = 10;

/** What only scrambles fonts. */
const OBFUSCATIONS: ReadonlySet<string> = new Set([
  'http://www.idpf.org/2008/embedding',
  'http://ns.adobe.com/pdf/enc#RC',
]);

/**
 * EPUB 2 and 3: the content documents in the order of the spine, those outside the linear order in their place;
 * navigation documents are left out. XHTML is read as XML and shown by the rules for HTML; what is not well-formed is
 * read as HTML (MED-4).
 */
export const epub: Extractor = {
  name: 'epub',
  version: '1',
  mediaTypes: [EPUB],
  async extract(octets, _hints, context) {
    const { limits, onProgress } = context;
    const parts = await openPackage(octets, limits);
    const path = await rootfileOf(parts, limits);
    const { items, warnings } = await spineOf(parts, path, limits);
    const encrypted = await encryptedMembers(parts, limits);
    const texts: string[] = [];
    let read = 0;
    for (const [index, { path: member, mediaType }] of items.entries()) {
      const content = encrypted.has(member) ? 'encrypted' : await parts.read(member);
      if (content === 'encrypted')
        throw extractionError('encrypted', `${JSON.stringify(member)} is encrypted, as by digital rights management`);
      if (content === null) warnings.push(`${JSON.stringify(member)} is missing from the package`);
      else {
        const { text, warnings: found } = await readContent(content, mediaType, context);
        if (text !== '') texts.push(text);
        warnings.push(...found.map((each) => `in ${member}: ${each}`));
        read++;
      }
      onProgress(index + 1, items.length);
    }
    if (read === 0) throw extractionError('damaged', 'has no content document');
    const more = warnings.length - WARNINGS;
    if (more > 0) warnings.splice(WARNINGS, more, `and ${more} more warnings like these`);
    return { text: texts.join('\n'), mediaType: EPUB, extractor: `${epub.name}/${epub.version}`, warnings };
  },
};

/** The path of the package document. */
async function rootfileOf(parts: Package, limits: ExtractionLimits): Promise<string> {
  const found: string[] = [];
  const container = await readMarkup(parts, 'META-INF/container.xml');
  if (container !== null)
    readElements(container, limits, ({ name, attribute }) => {
      if (name === 'rootfile') found.push(resolvePath('', attribute('full-path') ?? ''));
    });
  const path = found.find((each) => parts.has(each)) ?? [...parts.names()].find((each) => each.endsWith('.opf'));
  if (path === undefined) throw extractionError('damaged', 'is no EPUB: it has no package document');
  return path;
}

interface Item {
  readonly path: string;
  readonly mediaType: string;
}

/** The content documents in reading order, navigation left out. */
async function spineOf(parts: Package, path: string, limits: ExtractionLimits) {
  const folder = folderOf(path);
  const manifest = new Map<string, Item & { readonly fallback: string | undefined; readonly isNavigation: boolean }>();
  const spine = new Set<string>();
  readElements((await readMarkup(parts, path))!, limits, ({ name, attribute }) => {
    if (name === 'item') {
      manifest.set(attribute('id') ?? '', {
        path: memberOf(parts, folder, attribute('href') ?? ''),
        mediaType: attribute('media-type')?.trim().toLowerCase() ?? '',
        fallback: attribute('fallback'),
        isNavigation: attribute('properties')?.split(/\s+/).includes('nav') === true,
      });
    } else if (name === 'itemref') spine.add(attribute('idref') ?? '');
  });
  const items: Item[] = [];
  const warnings: string[] = [];
  for (const id of spine) {
    let item = manifest.get(id);
    const first = item;
    const tried = new Set<string>();
    while (item !== undefined && !CONTENT.has(item.mediaType) && item.fallback !== undefined && !tried.has(item.path)) {
      tried.add(item.path);
      item = manifest.get(item.fallback);
    }
    if (item === undefined || !CONTENT.has(item.mediaType)) {
      const what =
        first === undefined ? `item ${JSON.stringify(id)} is not in the manifest` : `${first.path} is no text`;
      warnings.push(`left out of the reading order: ${what}`);
    } else if (!item.isNavigation) items.push(item);
  }
  return { items, warnings };
}

/** The member that a reference means: percent-encoding is undone, unless the archive has the name as it is written. */
function memberOf(parts: Package, folder: string, href: string): string {
  const path = resolvePath(folder, href.split('#', 1)[0]!);
  if (parts.has(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // "%" on its own: then the name is as it is written, and missing.
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** The members that only who has a key can read. */
async function encryptedMembers(parts: Package, limits: ExtractionLimits): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  const markup = await readMarkup(parts, 'META-INF/encryption.xml');
  if (markup === null) return members;
  let algorithm = '';
  readElements(markup, limits, ({ name, attribute }) => {
    if (name === 'EncryptedData') algorithm = '';
    // The key has an algorithm of its own, within; the data's comes first.
    if (name === 'EncryptionMethod') algorithm ||= attribute('Algorithm') ?? '';
    if (name === 'CipherReference' && !OBFUSCATIONS.has(algorithm))
      members.add(memberOf(parts, '', attribute('URI') ?? ''));
  });
  return members;
}

function readElements(markup: string, limits: ExtractionLimits, open: (element: XmlElement) => void): void {
  parseXml(markup, { open, close: () => undefined, text: () => undefined }, limits);
}

async function readContent(octets: Uint8Array, mediaType: string, context: ExtractionContext) {
  const isMarkup = mediaType === XHTML || mediaType === 'text/x-oeb1-document';
  if (mediaType !== 'text/html') {
    const markup = decodeAs(octets, chooseXmlCharset(octets, {}).name);
    try {
      const rendered = renderXml(markup, context.limits);
      if (!isMarkup || (rendered.malformed === null && rendered.isXhtml)) return rendered;
    } catch (error) {
      if ((error as ExtractionError).code !== 'damaged' || !isMarkup) throw error;
    }
  }
  const { html } = await import('../html/html.ts');
  return html.extract(octets, isMarkup ? { path: '.xhtml' } : {}, context);
}
