import type { Unreadable } from './errors.ts';
import { type Medium, PACKAGES } from './formats.ts';
import { XLSB } from './refused-formats.ts';

export const XLSB_PART = 'xl/workbook.bin';

/** The members by which documents with `[Content_Types].xml` are known. Names that end in `/` stand for folders. */
const OFFICE: readonly (readonly [part: string, found: Medium | Unreadable])[] = [
  [XLSB_PART, XLSB],
  ...PACKAGES.flatMap(({ part, medium }) => (part.endsWith('/') ? [[part, medium] as const] : [])),
  ['visio/', { format: 'VSDX', detail: 'Visio', advice: 'export it as PDF' }],
  ['Documents/1/', { format: 'XPS', advice: 'convert it to PDF' }],
];

const [CONTENT_TYPES, IWORK_PART] = ['[Content_Types].xml', 'Index/Document.iwa'];

const PARTS: readonly string[] = [CONTENT_TYPES, IWORK_PART, ...PACKAGES.map(({ part }) => part)];

const IWORK: Unreadable = { format: 'iWork', detail: 'Pages, Numbers or Keynote', advice: 'export it as PDF or DOCX' };

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

/** Returns the member or folder of an Office document by which it is known, if a member is one; undefined for others. */
export function officePartOf(name: string): string | undefined {
  return OFFICE.find(([part]) => (part.endsWith('/') ? name.startsWith(part) : name === part))?.[0];
}

export function packagePartOf(name: string): string | undefined {
  return PARTS.includes(name) ? name : officePartOf(name);
}

/** Detects a package by its parts and its member `mimetype`, empty without one; null for an archive of documents. */
export function detectPackage(mimetype: string, has: (part: string) => boolean): Medium | Unreadable | null {
  const named = PACKAGES.find(({ mediaTypes, part }) => mediaTypes.test(mimetype) && has(part));
  if (named !== undefined) return named.medium;
  const [, kind] = OPEN_DOCUMENT.exec(mimetype) ?? [];
  if (kind !== undefined && has('content.xml'))
    return Object.hasOwn(OPEN_DOCUMENTS, kind) ? OPEN_DOCUMENTS[kind]! : { format: mimetype };
  if (has(IWORK_PART)) return IWORK;
  if (!has(CONTENT_TYPES)) return null;
  return OFFICE.find(([part]) => has(part))?.[1] ?? null;
}
