import type { ExtractionLimits } from './limits.ts';

/** A type of documents or archives, as help, options, detection, members of archives and error messages describe it. */
interface Format {
  readonly about: string;
  /** The limits that its reader checks, besides time and memory. A test exceeds each one. */
  readonly limits: readonly (keyof ExtractionLimits)[];
  /** Media types, in lower case and without parameters; the extension stands for them in the path of a member. */
  readonly mediaTypes?: RegExp;
  readonly extension?: string;
  readonly names?: RegExp;
  /** The bytes that every document begins with, one per character, and a pattern if some texts begin with them. */
  readonly magic?: readonly [prefix: string, pattern?: RegExp];
  /** For a kind of text: the character that each begins with, and patterns that its first 64 KiB match, unless the name decides. */
  readonly content?: readonly [start: string, ...patterns: RegExp[]];
}

interface PackageFormat extends Format {
  readonly mediaTypes: RegExp;
  readonly names: RegExp;
  /** A member that every document has, or a folder (with `/` at its end). */
  readonly part: string;
}

export type XmlVocabulary = 'JATS' | 'TEI' | 'DocBook' | 'FB2';

/** The vocabularies of XML that are read by their structure, with their extensions and the roots that no HTML has. */
export const XML_VOCABULARIES: readonly {
  readonly name: XmlVocabulary | 'flat OpenDocument';
  readonly extensions: string;
  readonly roots?: string;
}[] = [
  // The `article` of JATS has attributes that are not in HTML.
  { name: 'JATS', extensions: 'nxml', roots: String.raw`article(?=\s[^<>]*(?:xmlns|article-type|dtd-version)\b)` },
  { name: 'TEI', extensions: 'tei', roots: String.raw`TEI|TEI\.2|teiCorpus` },
  { name: 'DocBook', extensions: 'dbk|docbook' },
  { name: 'FB2', extensions: 'fb2', roots: 'FictionBook' },
  { name: 'flat OpenDocument', extensions: 'fod[tps]', roots: 'office:document' },
];

const PACKAGE_LIMITS = ['bytes', 'inflated', 'depth'] as const;
const ARCHIVE_LIMITS = ['bytes', 'ratio', 'nesting'] as const;

/** The media whose documents can be read, a record each. `detect.ts` adds how HTML, XML and e-mail begin. */
const DOCUMENTS = {
  text: {
    about: 'plain text, Markdown and other text',
    limits: ['bytes'],
    mediaTypes: /^text\/plain$/,
    extension: '.txt',
    names: /\.(?:txt|text|md|markdown|rst|adoc|asciidoc|org|log|csv|tsv)$/i,
  },
  html: {
    about: 'HTML and XHTML: the text that a browser shows',
    limits: ['bytes', 'depth'],
    mediaTypes: /^(?:text\/html|application\/xhtml\+xml)$/,
    extension: '.html',
    names: /\.(?:html?|xhtml?|xht)$/i,
  },
  xml: {
    about: `${XML_VOCABULARIES.map(({ name }) => name).join(', ')}; the text of other XML`,
    limits: ['bytes', 'depth'],
    mediaTypes: /^(?:text|application)\/xml$|\+xml$/,
    extension: '.xml',
    names: new RegExp(`\\.(?:xml|${XML_VOCABULARIES.map(({ extensions }) => extensions).join('|')})$`, 'i'),
  },
  pdf: {
    about: 'PDF with text, not scanned pages',
    limits: ['bytes', 'pages'],
    mediaTypes: /^application\/(?:x-)?pdf$/,
    extension: '.pdf',
    magic: ['%', /^%(?:PDF-|!PS-Adobe-\d\.\d PDF-)/],
  },
  epub: {
    about: 'EPUB',
    limits: PACKAGE_LIMITS,
    mediaTypes: /^application\/epub\+zip$/,
    extension: '.epub',
    names: /\.epub$/i,
    part: 'META-INF/container.xml',
  },
  docx: {
    about: 'Word (Office Open XML)',
    limits: PACKAGE_LIMITS,
    mediaTypes: /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document$/,
    extension: '.docx',
    names: /\.do[ct][xm]$/i,
    part: 'word/',
  },
  odt: {
    about: 'OpenDocument text',
    limits: PACKAGE_LIMITS,
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.text(?:-[a-z-]+)?$/,
    extension: '.odt',
    names: /\.o[dt]t$/i,
    part: 'content.xml',
  },
  pptx: {
    about: 'PowerPoint (Office Open XML): the slides',
    limits: PACKAGE_LIMITS,
    mediaTypes:
      /^application\/vnd\.(?:openxmlformats-officedocument\.presentationml|ms-powerpoint)\.(?:presentation|slideshow|template)(?:\.macroenabled\.12)?$/,
    extension: '.pptx',
    names: /\.(?:pp[ts]|pot)[xm]$/i,
    part: 'ppt/',
  },
  odp: {
    about: 'OpenDocument presentation: the slides',
    limits: PACKAGE_LIMITS,
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.presentation(?:-[a-z-]+)?$/,
    extension: '.odp',
    names: /\.o[dt]p$/i,
    part: 'content.xml',
  },
  xlsx: {
    about: 'Excel (Office Open XML): the texts in the cells',
    limits: PACKAGE_LIMITS,
    mediaTypes:
      /^application\/vnd\.(?:openxmlformats-officedocument\.spreadsheetml|ms-excel)\.(?:sheet|template)(?:\.macroenabled\.12)?$/,
    extension: '.xlsx',
    names: /\.xl[st][xm]$/i,
    part: 'xl/',
  },
  ods: {
    about: 'OpenDocument spreadsheet: the texts in the cells',
    limits: PACKAGE_LIMITS,
    mediaTypes: /^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-[a-z-]+)?$/,
    extension: '.ods',
    names: /\.o[dt]s$/i,
    part: 'content.xml',
  },
  mail: {
    about: 'e-mail (EML): the body; attached documents are read as in an archive',
    limits: ['bytes', 'depth'],
    mediaTypes: /^message\/rfc822$/,
    extension: '.eml',
  },
  mhtml: {
    about: 'MHTML: a web page in one file',
    limits: ['bytes', 'depth'],
    mediaTypes: /^(?:multipart\/related|application\/x-mimearchive)$/,
    extension: '.mhtml',
  },
  notebook: {
    about: 'Jupyter notebook: the cells and their text outputs',
    limits: ['bytes'],
    mediaTypes: /^application\/(?:x-)?ipynb\+json$/,
    extension: '.ipynb',
    names: /\.ipynb$/i,
    // The first cell, and the list that holds it.
    content: ['{', /"cell_type"\s*:\s*"(?:code|markdown|raw|heading)"/, /"(?:cells|worksheets)"\s*:\s*\[/],
  },
} as const satisfies Record<string, Format | PackageFormat>;

const ARCHIVES = {
  zip: { about: 'a ZIP archive: every document in it', limits: ARCHIVE_LIMITS, names: /\.zip$/i },
  warc: {
    about: 'a WARC or ARC archive: every document in it',
    limits: ARCHIVE_LIMITS,
    names: /\.w?arc$/i,
    // A transfer as text may have put a CR before each CR LF.
    magic: ['WARC/', /^WARC\/\d+\.\d+[ \t]*\r*\n/],
  },
  tar: { about: 'a tar archive: every document in it', limits: ARCHIVE_LIMITS, names: /\.(?:tar|tgz|tzst)$/i },
  mbox: {
    about: 'a mailbox: every message in it, and what is attached',
    limits: ['bytes', 'ratio'],
    names: /\.mbox$/i,
  },
} as const satisfies Record<string, Format & Pick<PackageFormat, 'names'>>;

/** The media that can be read. */
export type Medium = keyof typeof DOCUMENTS;

export type PackageMedium = {
  [M in Medium]: (typeof DOCUMENTS)[M] extends PackageFormat ? M : never;
}[Medium];

/** Archives of several documents. */
export type Archive = keyof typeof ARCHIVES;

const FORMATS: Readonly<Record<Medium | Archive, Format>> = { ...DOCUMENTS, ...ARCHIVES };

/** The media that can be read, in the order of help. */
export const MEDIA = Object.keys(DOCUMENTS) as readonly Medium[];

/** The types that a caller may name. */
export const TYPES = Object.keys(FORMATS) as readonly (Medium | Archive)[];

export function aboutType(type: Medium | Archive): string {
  return FORMATS[type].about;
}

export function limitsOf(type: Medium | Archive): readonly (keyof ExtractionLimits)[] {
  return FORMATS[type].limits;
}

export function isArchiveType(type: Medium | Archive): type is Archive {
  return Object.hasOwn(ARCHIVES, type);
}

export function isPackage(medium: Medium): medium is PackageMedium {
  return 'part' in DOCUMENTS[medium];
}

export function hasNameOf(medium: Medium, name: string): boolean {
  return FORMATS[medium].names?.test(name) === true;
}

/** Tests whether the name of a file, with compression or not, stands for an archive, or for a message with attachments. */
export function hasNameOfSeveral(name: string): boolean {
  const plain = name.replace(/\.(?:gz|zst)$/i, '');
  return (
    plain.toLowerCase().endsWith(DOCUMENTS.mail.extension) ||
    Object.values(ARCHIVES).some(({ names }) => names.test(plain))
  );
}

export const PACKAGES: readonly ({ readonly medium: Medium } & PackageFormat)[] = MEDIA.flatMap((medium) =>
  isPackage(medium) ? [{ medium, ...DOCUMENTS[medium] }] : [],
);

export const MAGIC_NUMBERS = TYPES.flatMap((type) => {
  const [prefix, pattern] = FORMATS[type].magic ?? [];
  return prefix === undefined ? [] : [{ type, prefix, pattern }];
});

export const CONTENTS = MEDIA.flatMap((medium) => {
  const [start, ...patterns] = (FORMATS[medium] as Format).content ?? [];
  return start === undefined ? [] : [{ medium, start: start.charCodeAt(0), patterns }];
});

/** Returns the extension by which `detectType` recognises a media type; undefined if no document has it. */
export function extensionOf(mediaType: string): string | undefined {
  // XHTML and Markdown have names of their own.
  if (mediaType === 'application/xhtml+xml') return '.xhtml';
  if (/^text\/(?:x-)?markdown$/.test(mediaType)) return '.md';
  return Object.values(FORMATS).find(({ mediaTypes }) => mediaTypes?.test(mediaType) === true)?.extension;
}
