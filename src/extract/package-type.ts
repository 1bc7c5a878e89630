import type { Medium, Unreadable } from './types.ts';

/** The members by which a package is known. Names that end in `/` stand for folders. */
export type PackagePart = 'META-INF/container.xml' | 'content.xml' | '[Content_Types].xml' | 'word/' | 'xl/' | 'ppt/';

export const EPUB_TYPE = 'application/epub+zip';

const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.([a-z-]+)$/;

/**
 * Detects the type of a document that is a ZIP archive: EPUB, ODT or DOCX.
 * @param mimetype - content of the member `mimetype`; empty if there is none
 * @param has - whether the archive has a part, or may have it
 * @returns null for an archive of documents
 */
export function detectPackage(mimetype: string, has: (part: PackagePart) => boolean): Medium | Unreadable | null {
  if (mimetype === EPUB_TYPE && has('META-INF/container.xml')) return 'epub';
  const [, kind] = OPEN_DOCUMENT.exec(mimetype) ?? [];
  if (kind !== undefined && has('content.xml'))
    return /^text(?:-master|-template)?$/.test(kind) ? 'odt' : { format: mimetype };
  if (!has('[Content_Types].xml')) return null;
  if (has('word/')) return 'docx';
  if (has('xl/')) return { format: 'XLSX', detail: 'a spreadsheet' };
  return has('ppt/') ? { format: 'PPTX', detail: 'slides' } : null;
}
