import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANUALS, type Manual, type ManualMedium } from '../media/manuals.ts';
import { textsOfMedia } from '../media/texts.ts';
import type { MediaDistances } from '../results.ts';
import { fetchPackages } from '../sources/packages.ts';
import { candidatesOf, distanceBetween } from './candidates.ts';
import { createCorpus } from './corpus.ts';

const NAMES = ['debian-history', 'debian-faq', 'debian-reference', 'maint-guide', 'developers-reference'];
const LANGUAGES = ['en', 'de', 'ru', 'ja', 'zh-cn', 'zh-tw', 'ko'];
const CANDIDATES = candidatesOf([
  ...['bare', 'cap2', 'cap4', 'cap8', 'cap16', 'once', 'sqrt'],
  ...['bg1', 'bg1+once', 'bg1+cap4', 'bg1+cap8', 'bg1+cap16'],
]);
const FOLDER = 'build/evaluate/media';

/** How far apart manuals lie in two media, by candidate. */
export async function measureMedia(): Promise<MediaDistances[]> {
  const manuals = MANUALS.filter(({ name, language }) => NAMES.includes(name) && LANGUAGES.includes(language));
  fetchPackages(manuals.map((manual) => manual.package));
  const results: MediaDistances[] = [];
  for (const manual of manuals) {
    const texts = await keptTexts(manual);
    const media = Object.keys(texts) as ManualMedium[];
    const { name, language } = manual;
    const corpus = createCorpus(media.map((medium) => ({ id: medium, text: texts[medium]!, language })));
    const candidates = CANDIDATES.map((candidate) => ({ ...candidate, fingerprints: corpus.fingerprints(candidate) }));
    media.forEach((one, i) => {
      media.slice(i + 1).forEach((other, step) => {
        const distances = candidates.map((each) => [each.name, distanceBetween(each.fingerprints, i, i + 1 + step)]);
        const flawed = manual.flawed !== undefined && [one, other].includes(manual.flawed);
        results.push({ manual: name, language, media: [one, other], flawed, distances: Object.fromEntries(distances) });
      });
    });
  }
  return results;
}

/** The texts, extracted once. */
async function keptTexts(manual: Manual): Promise<Partial<Record<ManualMedium, string>>> {
  const path = join(FOLDER, `${manual.name}.${manual.language}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<ManualMedium, string>>;
  const texts = Object.fromEntries(await textsOfMedia(manual));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, JSON.stringify(texts));
  return texts;
}
