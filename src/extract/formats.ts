/** A type of documents or archives, as help, options, members of archives and error messages describe it. */
interface Format {
  /** For a person: a few words that stand after the name. */
  readonly about: string;
  /** Media types, in lower case and without parameters; the extension stands for them in the path of a member. */
  readonly mediaTypes?: RegExp;
  readonly extension?: string;
  /** True if its documents are ZIP archives. */
  readonly isPackage?: true;
}

/** The media whose documents can be read. Detection is in `detect.ts`, the extractors are in `extract.ts`. */
const DOCUMENTS = {
  text: { about: 'plain text, Markdown and other text', mediaTypes: /^text\/plain$/, extension: '.txt' },
  html: {
    about: 'HTML and XHTML: the text that a browser shows',
    mediaTypes: /^(?:text\/html|application\/xhtml\+xml)$/,
    extension: '.html',
  },
  xml: {
    about: 'JATS, TEI, DocBook, FB2, flat OpenDocument; the text of other XML',
    mediaTypes: /^(?:text|application)\/xml$|\+xml$/,
    extension: '.xml',
  },
  pdf: { about: 'PDF with text, not scanned pages', mediaTypes: /^application\/(?:x-)?pdf$/, extension: '.pdf' },
  epub: { about: 'EPUB', mediaTypes: /^application\/epub\+zip$/, extension: '.epub', isPackage: true },
  docx: {
    about: 'Word (Office Open XML)',
    mediaTypes: /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document$/,
    extension: '.docx',
    isPackage: true,
  },
  odt: {
    about: 'OpenDocument text',
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.text$/,
    extension: '.odt',
    isPackage: true,
  },
  pptx: {
    about: 'PowerPoint (Office Open XML): the slides',
    mediaTypes:
      /^application\/vnd\.(?:openxmlformats-officedocument\.presentationml|ms-powerpoint)\.(?:presentation|slideshow|template)(?:\.macroenabled\.12)?$/,
    extension: '.pptx',
    isPackage: true,
  },
  odp: {
    about: 'OpenDocument presentation: the slides',
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.presentation(?:-template)?$/,
    extension: '.odp',
    isPackage: true,
  },
  xlsx: {
    about: 'Excel (Office Open XML): the texts in the cells',
    mediaTypes:
      /^application\/vnd\.(?:openxmlformats-officedocument\.spreadsheetml|ms-excel)\.(?:sheet|template)(?:\.macroenabled\.12)?$/,
    extension: '.xlsx',
    isPackage: true,
  },
  ods: {
    about: 'OpenDocument spreadsheet: the texts in the cells',
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/,
    extension: '.ods',
    isPackage: true,
  },
  mail: {
    about: 'e-mail (EML): the body; attached documents like those of an archive',
    mediaTypes: /^message\/rfc822$/,
    extension: '.eml',
  },
  mhtml: {
    about: 'MHTML: a web page in one file',
    mediaTypes: /^(?:multipart\/related|application\/x-mimearchive)$/,
    extension: '.mhtml',
  },
  notebook: {
    about: 'Jupyter notebook: the cells and their text outputs',
    mediaTypes: /^application\/(?:x-)?ipynb\+json$/,
    extension: '.ipynb',
  },
} as const satisfies Record<string, Format>;

/** The archives of several documents that can be read. */
const ARCHIVES = {
  zip: { about: 'a ZIP archive: every document in it' },
  warc: { about: 'a WARC archive: every document in it' },
  tar: { about: 'a tar archive: every document in it' },
  mbox: { about: 'a mailbox: every message in it, and what is attached' },
} as const satisfies Record<string, Format>;

/** The media that can be read. */
export type Medium = keyof typeof DOCUMENTS;

/** The media whose documents are ZIP archives. */
export type PackageMedium = {
  [M in Medium]: (typeof DOCUMENTS)[M] extends { readonly isPackage: true } ? M : never;
}[Medium];

/** Archives of several documents. */
export type Archive = keyof typeof ARCHIVES;

const FORMATS: Readonly<Record<Medium | Archive, Format>> = { ...DOCUMENTS, ...ARCHIVES };

/** The media that can be read, in the order of help. */
export const MEDIA = Object.keys(DOCUMENTS) as readonly Medium[];

/** The types that a caller may name. */
export const TYPES = Object.keys(FORMATS) as readonly (Medium | Archive)[];

/** A few words that say for a person what a type is. */
export function aboutType(type: Medium | Archive): string {
  return FORMATS[type].about;
}

/** Tells whether a type is that of archives. */
export function isArchiveType(type: Medium | Archive): type is Archive {
  return Object.hasOwn(ARCHIVES, type);
}

/** Tells whether the documents of a medium are ZIP archives. */
export function isPackage(medium: Medium): medium is PackageMedium {
  return FORMATS[medium].isPackage === true;
}

/** The extension by which `detectType` knows a media type; undefined for those of no document. */
export function extensionOf(mediaType: string): string | undefined {
  // XHTML and Markdown have names of their own.
  if (mediaType === 'application/xhtml+xml') return '.xhtml';
  if (/^text\/(?:x-)?markdown$/.test(mediaType)) return '.md';
  return Object.values(FORMATS).find(({ mediaTypes }) => mediaTypes?.test(mediaType) === true)?.extension;
}
