import type { Unreadable } from './errors.ts';
import { type Medium, PACKAGES } from './formats.ts';
import { XLSB } from './magic.ts';

/** The workbook of an XLSB. */
export const XLSB_PART = 'xl/workbook.bin';

const CONTENT_TYPES = '[Content_Types].xml';
const [IWORK_PART, XPS_PART] = ['Index/Document.iwa', 'Documents/1/'];

/** The members by which packages are known, the longer ones first. Names that end in `/` stand for folders. */
const PARTS: readonly string[] = [
  ...new Set([XLSB_PART, CONTENT_TYPES, IWORK_PART, XPS_PART, ...PACKAGES.map(({ part }) => part)]),
];

/** The media of OpenDocument that cannot be read, by the first word of their media types. */
const OPEN_DOCUMENTS: Readonly<Record<string, Unreadable>> = {
  graphics: { format: 'ODG', detail: 'an OpenDocument drawing', advice: 'export it as PDF' },
  formula: { format: 'ODF', detail: 'an OpenDocument formula' },
  base: { format: 'ODB', detail: 'an OpenDocument database' },
  database: { format: 'ODB', detail: 'an OpenDocument database' },
  chart: { format: 'ODC', detail: 'an OpenDocument chart' },
  image: { format: 'ODI', detail: 'an OpenDocument image' },
};
const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.([a-z]+)(?:-[a-z-]+)?$/;

const IWORK: Unreadable = { format: 'iWork', detail: 'Pages, Numbers or Keynote', advice: 'export it as PDF or DOCX' };
const XPS: Unreadable = { format: 'XPS', advice: 'convert it to PDF' };

/** Returns the part of {@link detectPackage} that a member is, or that its folder is. */
export function packagePartOf(name: string): string | undefined {
  return PARTS.find((part) => (part.endsWith('/') ? name.startsWith(part) : name === part));
}

/**
 * Detects the type of a document that is a ZIP archive: EPUB, Office Open XML, OpenDocument and others.
 * @param mimetype - content of the member `mimetype`; empty if there is none
 * @param has - whether the archive has a part, or may have it
 * @returns null for an archive of documents
 */
export function detectPackage(mimetype: string, has: (part: string) => boolean): Medium | Unreadable | null {
  const named = PACKAGES.find(({ mediaTypes, part }) => mediaTypes.test(mimetype) && has(part));
  if (named !== undefined) return named.medium;
  const [, kind] = OPEN_DOCUMENT.exec(mimetype) ?? [];
  if (kind !== undefined && has('content.xml'))
    return Object.hasOwn(OPEN_DOCUMENTS, kind) ? OPEN_DOCUMENTS[kind]! : { format: mimetype };
  if (has(IWORK_PART)) return IWORK;
  if (!has(CONTENT_TYPES)) return null;
  if (has(XLSB_PART)) return XLSB;
  // The parts of the others are folders of Office.
  const office = PACKAGES.find(({ part }) => part.endsWith('/') && has(part));
  return office?.medium ?? (has(XPS_PART) ? XPS : null);
}
