import type { Medium, Unreadable } from './types.ts';

/** The members by which a package is known. Names that end in `/` stand for folders. */
export type PackagePart =
  | 'META-INF/container.xml'
  | 'content.xml'
  | '[Content_Types].xml'
  | 'word/'
  | typeof XLSB_PART
  | 'xl/'
  | 'ppt/'
  | 'Index/Document.iwa'
  | 'Documents/1/';

/** The workbook of an XLSB. */
export const XLSB_PART = 'xl/workbook.bin';

export const EPUB_TYPE = 'application/epub+zip';

const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.([a-z]+)(?:-[a-z-]+)?$/;

/** The media of OpenDocument by the first word of their media types, among them those of templates and master documents. */
const OPEN_DOCUMENTS: Readonly<Record<string, Medium | Unreadable>> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
  graphics: { format: 'ODG', detail: 'an OpenDocument drawing', advice: 'export it as PDF' },
  formula: { format: 'ODF', detail: 'an OpenDocument formula' },
  base: { format: 'ODB', detail: 'an OpenDocument database' },
  database: { format: 'ODB', detail: 'an OpenDocument database' },
  chart: { format: 'ODC', detail: 'an OpenDocument chart' },
  image: { format: 'ODI', detail: 'an OpenDocument image' },
};

/**
 * Detects the type of a document that is a ZIP archive: EPUB, Office Open XML, OpenDocument and others.
 * @param mimetype - content of the member `mimetype`; empty if there is none
 * @param has - whether the archive has a part, or may have it
 * @returns null for an archive of documents
 */
export function detectPackage(mimetype: string, has: (part: PackagePart) => boolean): Medium | Unreadable | null {
  if (mimetype === EPUB_TYPE && has('META-INF/container.xml')) return 'epub';
  const [, kind] = OPEN_DOCUMENT.exec(mimetype) ?? [];
  if (kind !== undefined && has('content.xml'))
    return Object.hasOwn(OPEN_DOCUMENTS, kind) ? OPEN_DOCUMENTS[kind]! : { format: mimetype };
  if (has('Index/Document.iwa')) return IWORK;
  if (!has('[Content_Types].xml')) return null;
  if (has('word/')) return 'docx';
  if (has(XLSB_PART)) return XLSB;
  if (has('xl/')) return 'xlsx';
  if (has('ppt/')) return 'pptx';
  return has('Documents/1/') ? XPS : null;
}

const IWORK: Unreadable = { format: 'iWork', detail: 'Pages, Numbers or Keynote', advice: 'export it as PDF or DOCX' };
const XPS: Unreadable = { format: 'XPS', advice: 'convert it to PDF' };

/** A workbook whose parts are not XML. */
export const XLSB: Unreadable = { format: 'XLSB', detail: 'a binary Excel workbook', advice: 'convert it to XLSX' };
