import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from '../../../../src/index.ts';
import type { Collection } from '../collections.ts';
import { MANUALS, type Manual } from '../media/manuals.ts';
import { textsOfMedia } from '../media/texts.ts';
import type { MediaDistances } from '../results.ts';
import { fetchPackages } from '../sources/packages.ts';
import { makeDocuments } from '../sources/seeded.ts';
import { candidatesOf, distanceBetween } from './candidates.ts';
import { createCorpus } from './corpus.ts';

const NAMES = ['debian-history', 'debian-faq', 'debian-reference', 'maint-guide', 'developers-reference'];
const LANGUAGES = ['en', 'de', 'ru', 'ja', 'zh-cn', 'zh-tw', 'ko'];
const CANDIDATES = candidatesOf(LABELS);
const FOLDER = 'build/evaluate/media';

/** Measures the distances between manuals in two media, by label. */
export async function measureMedia(): Promise<MediaDistances[]> {
  const manuals = MANUALS.filter(({ name, language }) => NAMES.includes(name) && LANGUAGES.includes(language));
  fetchPackages(manuals.map((manual) => manual.package));
  const results: MediaDistances[] = [];
  for (const manual of manuals) results.push(...distancesBetweenMedia(manual, await keptTexts(manual)));
  return [...results, ...distancesBetweenMedia({ name: 'seeded', language: 'th' }, wrappedThai())];
}

function distancesBetweenMedia(
  { name, language, flawed }: Pick<Manual, 'name' | 'language' | 'flawed'>,
  texts: Readonly<Record<string, string>>,
): MediaDistances[] {
  const media = Object.keys(texts);
  const corpus = createCorpus(media.map((medium) => ({ id: medium, text: texts[medium]!, language })));
  const candidates = CANDIDATES.map((candidate) => ({ ...candidate, fingerprints: corpus.fingerprints(candidate) }));
  const seeded = corpus.seeded();
  return media.flatMap((one, i) =>
    media.slice(i + 1).map((other, step): MediaDistances => {
      const distances = candidates.map((each) => [each.name, distanceBetween(each.fingerprints, i, i + 1 + step)]);
      const isFlawed = flawed === one || flawed === other;
      return {
        manual: name,
        language,
        media: [one, other],
        flawed: isFlawed,
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

/** The text edition of the Debian reference as one document. */
export async function loadBook(language: string): Promise<Collection> {
  const manual = MANUALS.find((each) => each.name === 'debian-reference' && each.language.slice(0, 2) === language)!;
  const { text = '' } = await keptTexts(manual);
  const documents = [{ id: manual.name, text, language }];
  return { name: `book-${language}`, title: `one book (${language})`, kind: 'packages', documents };
}

/** The texts, extracted once. */
async function keptTexts(manual: Manual): Promise<Record<string, string>> {
  const path = join(FOLDER, `${manual.name}.${manual.language}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const texts = Object.fromEntries(await textsOfMedia(manual));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, JSON.stringify(texts));
  return texts;
}
