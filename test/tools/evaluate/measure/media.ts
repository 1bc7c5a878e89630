import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from '../../../../src/extract/index.ts';
import { LABELS } from '../../../../src/index.ts';
import type { MediaDistances } from '../results.ts';
import { fetchPackages, packageFolder } from '../sources/packages.ts';
import { makeDocuments } from '../sources/seeded.ts';
import { candidatesOf, distanceBetween, makeFingerprints, makeSeeded } from './candidates.ts';
import { createCorpus } from './corpus.ts';

const CANDIDATES = candidatesOf(LABELS);

const MANUAL_MEDIA = ['text', 'html', 'epub', 'pdf'] as const;
type ManualMedium = (typeof MANUAL_MEDIA)[number];

/** A manual that a Debian package ships in several media: where each is, from the root of the package. */
interface Manual {
  readonly name: string;
  readonly language: string;
  readonly package: string;
  /** Files of each medium: one path, or a folder and a pattern of names of which all together are the document. */
  readonly media: Readonly<Partial<Record<ManualMedium, string | readonly [folder: string, names: RegExp]>>>;
}

/** Manuals in several languages; `withoutPdf` are those whose PDF is not the manual, or not as its author wrote it (the rationale has the reasons). */
function manuals(
  name: string,
  languages: string,
  withoutPdf: string,
  make: (language: string) => Pick<Manual, 'package' | 'media'>,
): Manual[] {
  return languages.split(' ').map((language) => {
    const { package: from, media } = make(language);
    const { pdf: _, ...others } = media;
    const isSound = !withoutPdf.split(' ').includes(language);
    return { name, language, package: from, media: isSound ? media : others };
  });
}

const DOC = 'usr/share/doc';
const MANUALS: readonly Manual[] = [
  ...manuals('developers-reference', 'en de ja ru', 'ru', (language) => {
    const root = `usr/share/developers-reference${language === 'en' ? '' : `/${language}`}`;
    const file = (ending: string): string => `${root}/developers-reference.${ending}`;
    const html = [root, /^(?!search|developers-reference).*\.html$/] as const;
    const name = language === 'en' ? 'developers-reference' : `developers-reference-${language}`;
    return { package: name, media: { text: file('txt.gz'), html, epub: file('epub'), pdf: file('pdf') } };
  }),
  ...manuals('debian-history', 'en de ja ko ru', 'ko', (language) => {
    const file = (ending: string): string => `${DOC}/debian-history/docs/project-history.${language}.${ending}`;
    const html = [`${DOC}/debian-history/docs`, new RegExp(`\\.${language}\\.html$`)] as const;
    return { package: 'debian-history', media: { text: file('txt.gz'), html, epub: file('epub'), pdf: file('pdf') } };
  }),
  ...manuals('debian-faq', 'en de ja ru zh-cn', 'ja ru zh-cn', (language) => {
    const root = `${DOC}/debian/FAQ`;
    const file = (ending: string): string => `${root}/debian-faq.${language}.${ending}`;
    const html = language === 'en' ? ([root, /\.en\.html$/] as const) : ([`${root}/${language}`, /\.html$/] as const);
    const name = language === 'en' ? 'debian-faq' : `debian-faq-${language}`;
    return { package: name, media: { text: file('txt.gz'), html, pdf: file('pdf.gz') } };
  }),
  ...manuals('maint-guide', 'en de ja ru zh-cn zh-tw', 'ru', (language) => {
    const name = language === 'en' ? 'maint-guide' : `maint-guide-${language}`;
    const file = (ending: string): string => `${DOC}/${name}/maint-guide.${language}.${ending}`;
    const html = [`${DOC}/${name}/html`, /\.html$/] as const;
    return { package: name, media: { text: file('txt.gz'), html, pdf: file('pdf') } };
  }),
  ...manuals('debian-reference', 'en de ja zh-cn zh-tw', '', (language) => {
    const root = 'usr/share/debian-reference';
    const file = (ending: string): string => `${root}/debian-reference.${language}.${ending}`;
    const html = [root, new RegExp(`\\.${language}\\.html$`)] as const;
    return { package: `debian-reference-${language}`, media: { text: file('txt.gz'), html, pdf: file('pdf') } };
  }),
];

/** Measures the distances between manuals in two media, by label. */
export async function measureMedia(): Promise<MediaDistances[]> {
  fetchPackages(MANUALS.map((manual) => manual.package));
  const results: MediaDistances[] = [];
  for (const manual of MANUALS) results.push(...distancesBetweenMedia(manual, await readMedia(manual)));
  return [...results, ...distancesBetweenMedia({ name: 'seeded', language: 'th' }, wrappedThai())];
}

function distancesBetweenMedia(
  { name, language }: Pick<Manual, 'name' | 'language'>,
  texts: Readonly<Record<string, string>>,
): MediaDistances[] {
  const media = Object.keys(texts);
  const corpus = createCorpus(media.map((medium) => ({ id: medium, text: texts[medium]!, language })));
  const candidates = CANDIDATES.map((candidate) => ({
    ...candidate,
    fingerprints: makeFingerprints(candidate, corpus.documents),
  }));
  const seeded = makeSeeded(corpus);
  return media.flatMap((one, i) =>
    media.slice(i + 1).map((other, step): MediaDistances => {
      const distances = candidates.map((each) => [each.name, distanceBetween(each.fingerprints, i, i + 1 + step)]);
      return {
        manual: name,
        language,
        media: [one, other],
        distances: Object.fromEntries(distances),
        seeds: seeded.map((fingerprints) => distanceBetween(fingerprints, i, i + 1 + step)),
      };
    }),
  );
}

/** No manual of Debian is in Thai. So this is text from a seed: whole, and with the line ends that media put anywhere in it. */
function wrappedThai(): Record<string, string> {
  const documents = makeDocuments(20, 16).filter(({ language }) => language === 'th');
  // Clauses with spaces between them, as Thai is written.
  const text = documents.map((document) => document.text.replaceAll('\n', ' ')).join('\n');
  const wrap = (columns: number) => text.replace(new RegExp(`[^\\n]{${columns}}\\p{M}*`, 'gu'), '$&\n');
  return { html: text, text: wrap(72), pdf: wrap(90) };
}

async function readMedia(manual: Manual): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const medium of MANUAL_MEDIA) {
    const place = manual.media[medium];
    if (place === undefined) continue;
    const files = manualFiles(manual.package, place);
    const read = files.map(async (path) => (await extract(readFileSync(path), { path, charset: 'auto' })).text);
    texts[medium] = (await Promise.all(read)).join('\n');
  }
  return texts;
}

/** The files of a manual in one medium, in the order of their names. */
function manualFiles(name: string, place: NonNullable<Manual['media'][ManualMedium]>): string[] {
  if (typeof place === 'string') return [join(packageFolder(name), place)];
  const [folder, names] = place;
  const files = readdirSync(join(packageFolder(name), folder)).filter((file) => names.test(file));
  if (files.length === 0) throw new Error(`nothing in ${folder} of ${name} matches ${names}`);
  return files.sort().map((file) => join(packageFolder(name), folder, file));
}
