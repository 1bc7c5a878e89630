import { pluralize, quote } from '../../common/text.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { extraction } from '../result.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { ExtractionContext } from '../types.ts';
import { readElements } from '../xml/parse-xml.ts';
import { renderXml } from '../xml/xml.ts';
import { damageWarning, folderOf, type Package, type PackageExtractor, readMarkup, resolvePath } from './package.ts';

/** Media types of content documents, obsolete ones among them. */
const XHTML = 'application/xhtml+xml';
const CONTENT: ReadonlySet<string> = new Set([
  XHTML,
  'text/x-oeb1-document',
  'application/x-dtbook+xml',
  'image/svg+xml',
]);

/** Media types that are read where no fallback is a content document. */
const READABLE: ReadonlySet<string> = new Set(['text/html', 'application/xml', 'text/xml']);

/** The maximum number of warnings that are passed on: a book may have one for each of its chapters. */
const MAX_WARNINGS = 10;

/** Algorithms that scramble fonts only. */
const OBFUSCATIONS: ReadonlySet<string> = new Set([
  'http://www.idpf.org/2008/embedding',
  'http://ns.adobe.com/pdf/enc#RC',
]);

/** EPUB 2 and 3: the content documents in the order of the spine, without navigation (MED-4). */
export const epub: PackageExtractor = {
  name: 'epub',
  version: '5',
  mediaType: 'application/epub+zip',
  async extract(parts, context) {
    const { limits, onProgress } = context;
    const path = await rootfileOf(parts, limits);
    const { items, warnings, images } = path === null ? contentOf(parts) : await spineOf(parts, path, limits);
    if (items.length === 0 && images > 0)
      throw extractionError('no-text', 'contains no text: its spine only has images');
    const encrypted = await encryptedMembers(parts, limits);
    const texts: string[] = [];
    let read = 0;
    for (const [index, { path: member, mediaType }] of items.entries()) {
      if (encrypted.has(member))
        throw extractionError('encrypted', `${quote(member)} is encrypted (digital rights management)`);
      try {
        const content = await parts.read(member);
        if (content === null) warnings.push(`${quote(member)} is missing from the package`);
        else {
          const isSalvaged = parts.warnings.length > 0;
          const { text, warnings: found } = await readContent(content, { mediaType, isSalvaged }, context);
          if (text !== '') texts.push(text);
          warnings.push(...found.map((each) => `in ${quote(member)}: ${each}`));
          read++;
        }
      } catch (error) {
        warnings.push(damageWarning(member, error));
      }
      onProgress(index + 1, items.length);
    }
    if (read === 0) throw extractionError('damaged', 'damaged EPUB: it has no content document');
    const more = warnings.length - MAX_WARNINGS;
    if (more > 0) warnings.splice(MAX_WARNINGS, more, `and ${pluralize(more, 'more warning')} like these`);
    return extraction(epub, texts.join('\n'), warnings);
  },
};

/** Returns the path of the package document; null if it is missing because the package is cut off. */
async function rootfileOf(parts: Package, limits: ExtractionLimits): Promise<string | null> {
  const found: string[] = [];
  const container = await readMarkup(parts, 'META-INF/container.xml');
  if (container !== null)
    readElements(container, limits, ({ name, attribute }) => {
      if (name === 'rootfile') found.push(resolvePath('', attribute('full-path') ?? ''));
    });
  const path = found.find((each) => parts.has(each)) ?? [...parts.names()].find((each) => each.endsWith('.opf'));
  if (path !== undefined) return path;
  if (parts.warnings.length > 0) return null;
  throw extractionError('damaged', 'damaged EPUB: it has no package document');
}

/** Names of content documents, and of navigation among them, where no package document lists them. */
const CONTENT_NAME = /\.x?html?$/i;
const NAVIGATION_NAME = /(?:^|\/)(?:nav|toc)\.x?html?$/i;

function contentOf(parts: Package): Spine {
  const paths = [...parts.names()].filter((name) => CONTENT_NAME.test(name) && !NAVIGATION_NAME.test(name));
  const warnings = ['damaged: the package document is missing, and the reading order may be wrong'];
  return { items: paths.map((path) => ({ path, mediaType: XHTML })), warnings, images: 0 };
}

interface Item {
  readonly path: string;
  readonly mediaType: string;
}

interface ManifestItem extends Item {
  readonly fallback: string;
  readonly isNavigation: boolean;
}

/** Returns the value of an attribute that is an ID or refers to one: XML ignores white space around it. */
function idOf(value: string | undefined): string {
  return value?.trim() ?? '';
}

interface Spine {
  readonly items: readonly Item[];
  readonly warnings: string[];
  readonly images: number;
}

async function spineOf(parts: Package, path: string, limits: ExtractionLimits): Promise<Spine> {
  const folder = folderOf(path);
  const manifest = new Map<string, ManifestItem>();
  const spine = new Set<string>();
  readElements((await readMarkup(parts, path))!, limits, ({ name, attribute }) => {
    if (name === 'item') {
      manifest.set(idOf(attribute('id')), {
        path: memberOf(parts, folder, attribute('href') ?? ''),
        mediaType: attribute('media-type')?.trim().toLowerCase() ?? '',
        fallback: idOf(attribute('fallback')),
        isNavigation: attribute('properties')?.split(/\s+/).includes('nav') === true,
      });
    } else if (name === 'itemref') spine.add(idOf(attribute('idref')));
  });
  const items: Item[] = [];
  const read = new Set<string>();
  const warnings: string[] = [];
  let images = 0;
  const contentItem = createFallbacks(manifest);
  // The manifest comes first, mostly in the same order: it may be all that is left after damage.
  const order = spine.size === 0 && parts.warnings.length > 0 ? manifest.keys() : spine;
  for (const id of order) {
    const first = manifest.get(id);
    const item = contentItem(first);
    // Such an item may fall back to the navigation.
    if (item?.isNavigation !== false && first?.mediaType.startsWith('image/') === true) images++;
    if (item === undefined) {
      const what =
        first === undefined ? `item ${quote(id)} is not in the manifest` : `${quote(first.path)} is not text`;
      warnings.push(`left out of the reading order: ${what}`);
    } else if (!item.isNavigation && !read.has(item.path)) {
      // Several items may name parts of one file.
      read.add(item.path);
      items.push(item);
    }
  }
  return { items, warnings, images };
}

/** Finds the first content document among an item and its fallbacks, or else the first that can be read. */
function createFallbacks(manifest: ReadonlyMap<string, ManifestItem>) {
  // Each item is visited once, however many spine items fall back to it.
  const found = new Map<ManifestItem, ManifestItem | undefined>();
  return (item: ManifestItem | undefined): ManifestItem | undefined => {
    const visited: ManifestItem[] = [];
    let at = item;
    while (at !== undefined && !found.has(at)) {
      visited.push(at);
      // Fallbacks in a circle lead nowhere.
      found.set(at, undefined);
      if (!CONTENT.has(at.mediaType)) at = manifest.get(at.fallback);
    }
    let result = at === undefined ? undefined : found.get(at);
    for (const each of visited.reverse()) {
      if (CONTENT.has(each.mediaType)) result = each;
      else if (READABLE.has(each.mediaType) && !CONTENT.has(result?.mediaType ?? '')) result = each;
      found.set(each, result);
    }
    return result;
  };
}

/** Returns the member that a reference points to. Programs on macOS decompose the names of files. */
function memberOf(parts: Package, folder: string, href: string): string {
  const path = resolvePath(folder, href.split('#', 1)[0]!);
  if (parts.has(path)) return path;
  try {
    const name = decodeURIComponent(path);
    return [name, name.normalize('NFC'), name.normalize('NFD')].find((each) => parts.has(each)) ?? name;
  } catch (error) {
    // A "%" of its own: the name is as it is written, and missing.
    if (error instanceof URIError) return path;
    throw error;
  }
}

async function encryptedMembers(parts: Package, limits: ExtractionLimits): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  const markup = await readMarkup(parts, 'META-INF/encryption.xml');
  if (markup === null) return members;
  let algorithm = '';
  readElements(markup, limits, ({ name, attribute }) => {
    if (name === 'EncryptedData') algorithm = '';
    // The algorithm of the data comes first, then the one of the key.
    if (name === 'EncryptionMethod') algorithm ||= attribute('Algorithm') ?? '';
    if (name === 'CipherReference' && !OBFUSCATIONS.has(algorithm))
      members.add(memberOf(parts, '', attribute('URI') ?? ''));
  });
  return members;
}

async function readContent(
  bytes: Uint8Array,
  { mediaType, isSalvaged }: { readonly mediaType: string; readonly isSalvaged: boolean },
  context: ExtractionContext,
) {
  const isMarkup = mediaType === XHTML || mediaType === 'text/x-oeb1-document';
  if (mediaType !== 'text/html') {
    const markup = decodeAs(bytes, chooseXmlCharset(bytes, {}).name);
    try {
      const rendered = renderXml(markup, context.limits);
      if (!isMarkup || (rendered.malformed === null && rendered.isXhtml)) return rendered;
    } catch (error) {
      // The list of encrypted members may be missing: what is not markup is not text either.
      if ((error as ExtractionError).code !== 'damaged' || !isMarkup || isSalvaged) throw error;
    }
  }
  const { html } = await import('../html/html.ts');
  return html.extract(bytes, isMarkup ? { path: '.xhtml' } : {}, context);
}
