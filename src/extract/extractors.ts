import { isPackage, type Medium, type PackageMedium } from './formats.ts';
import type { PackageExtractor } from './package/package.ts';
import type { Extractor, ExtractorName } from './types.ts';

/** The extractor of every medium. Its file and the parsers that it needs are loaded for the first document of the medium. */
export const EXTRACTORS: {
  readonly [M in Medium]: () => Promise<M extends PackageMedium ? PackageExtractor : Extractor>;
} = {
  text: async () => (await import('./text/text.ts')).text,
  html: async () => (await import('./html/html.ts')).html,
  xml: async () => (await import('./xml/xml.ts')).xml,
  pdf: async () => (await import('./pdf/pdf.ts')).pdf,
  epub: async () => (await import('./package/epub.ts')).epub,
  docx: async () => (await import('./package/docx.ts')).docx,
  odt: async () => (await import('./package/opendocument.ts')).odt,
  pptx: async () => (await import('./package/pptx.ts')).pptx,
  odp: async () => (await import('./package/opendocument.ts')).odp,
  xlsx: async () => (await import('./package/xlsx.ts')).xlsx,
  ods: async () => (await import('./package/opendocument.ts')).ods,
  mail: async () => (await import('./mail/mail.ts')).mail,
  mhtml: async () => (await import('./mail/mail.ts')).mhtml,
  notebook: async () => (await import('./notebook/notebook.ts')).notebook,
};

const LOADED = new Map<Medium, Extractor>();

export async function currentExtractor(name: string): Promise<string | undefined> {
  const known: Readonly<Record<string, () => Promise<ExtractorName>>> = {
    ...EXTRACTORS,
    'html-article': async () => (await import('./html/html.ts')).htmlArticle,
  };
  if (!Object.hasOwn(known, name)) return undefined;
  return `${name}/${(await known[name]!()).version}`;
}

/** Loads what reads a medium, for a caller that measures the time of a document: loading takes longer than a small one. */
export async function loadExtractor(medium: Medium): Promise<void> {
  if (!isPackage(medium)) await (await loadPlain(medium)).load?.();
  else await Promise.all([import('./package/package.ts'), EXTRACTORS[medium]()]);
}

export async function loadPlain(medium: Exclude<Medium, PackageMedium>): Promise<Extractor> {
  // A module that is loaded already takes a tenth of the time of a small document to find.
  const extractor = LOADED.get(medium) ?? (await EXTRACTORS[medium]());
  LOADED.set(medium, extractor);
  return extractor;
}
