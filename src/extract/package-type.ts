import type { Medium, Unreadable } from './types.ts';

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

const IWORK: Unreadable = { format: 'iWork', detail: 'Pages, Numbers or Keynote', advice: 'export it as PDF or DOCX' };

/** A workbook whose parts are not XML. */
export const XLSB: Unreadable = { format: 'XLSB', detail: 'a binary Excel workbook', advice: 'convert it to XLSX' };

/** The workbook of an XLSB. */
export const XLSB_PART = 'xl/workbook.bin';

/** The members by which documents with `[Content_Types].xml` are known. Names that end in `/` stand for folders. */
const OPEN_PACKAGES: readonly (readonly [part: string, found: Medium | Unreadable])[] = [
  ['word/', 'docx'],
  [XLSB_PART, XLSB],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
  ['visio/', { format: 'VSDX', detail: 'Visio', advice: 'export it as PDF' }],
  ['Documents/1/', { format: 'XPS', advice: 'convert it to PDF' }],
];

/** The members by which other documents are known. */
const PARTS = ['META-INF/container.xml', 'content.xml', '[Content_Types].xml', 'Index/Document.iwa'];

/** Returns the member or folder of an Office document by which it is known, if a member is one; undefined for others. */
export function officePartOf(name: string): string | undefined {
  return OPEN_PACKAGES.find(([part]) => (part.endsWith('/') ? name.startsWith(part) : name === part))?.[0];
}

/** Returns the member or folder of a document by which it is known, if a member is one; undefined for others. */
export function packagePartOf(name: string): string | undefined {
  return PARTS.includes(name) ? name : officePartOf(name);
}

/**
 * Detects the type of a document that is a ZIP archive: EPUB, Office Open XML, OpenDocument and others.
 * @param mimetype - content of the member `mimetype`; empty if there is none
 * @param has - tests whether the archive has a part, or may have it
 * @returns null for an archive of documents
 */
export function detectPackage(mimetype: string, has: (part: string) => boolean): Medium | Unreadable | null {
  if (mimetype === EPUB_TYPE && has('META-INF/container.xml')) return 'epub';
  const [, kind] = OPEN_DOCUMENT.exec(mimetype) ?? [];
  if (kind !== undefined && has('content.xml'))
    return Object.hasOwn(OPEN_DOCUMENTS, kind) ? OPEN_DOCUMENTS[kind]! : { format: mimetype };
  if (has('Index/Document.iwa')) return IWORK;
  if (!has('[Content_Types].xml')) return null;
  return OPEN_PACKAGES.find(([part]) => has(part))?.[1] ?? null;
}
