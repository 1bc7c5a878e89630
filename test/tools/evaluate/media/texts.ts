import { readFileSync } from 'node:fs';
import { extract } from '../../../../src/extract/index.ts';
import { fetchPackages, manualFiles } from '../sources/packages.ts';
import { MANUAL_MEDIA, type Manual, type ManualMedium } from './manuals.ts';

/** The text of a manual in each of its media, as the library extracts it. */
export async function textsOfMedia(manual: Manual): Promise<Map<ManualMedium, string>> {
  fetchPackages([manual.package]);
  const texts = new Map<ManualMedium, string>();
  for (const medium of MANUAL_MEDIA) {
    const place = manual.media[medium];
    if (place === undefined) continue;
    try {
      const files = manualFiles(manual.package, place);
      const read = files.map(async (path) => (await extract(readFileSync(path), { path, charset: 'auto' })).text);
      texts.set(medium, (await Promise.all(read)).join('\n'));
    } catch (error) {
      console.error(`${manual.name}.${manual.language} ${medium}: ${String(error)}`);
    }
  }
  return texts;
}
