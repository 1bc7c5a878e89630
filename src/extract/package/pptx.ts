import { extraction } from '../result.ts';
import { graphicsWarnings, mainPartOf, missing, readDrawing, readList } from './office-open.ts';
import type { PackageExtractor } from './package.ts';

/** PPTX, PPTM, PPSX and POTX (MED-8). */
export const pptx: PackageExtractor = {
  name: 'pptx',
  version: '1',
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  async extract(parts, { limits, onProgress }) {
    const path = await mainPartOf(parts, limits, 'ppt/presentation.xml');
    // A list of sections has such elements without a relationship.
    const { listed, warnings } = await readList(
      parts,
      path,
      ['PPTX', 'presentation', 'slide'],
      limits,
      ({ name, attribute }) => (name === 'sldId' ? attribute('r:id') : undefined),
    );
    const texts: string[] = [];
    const margins = new Set<string>();
    let graphics = 0;
    const context = { limits, medium: 'PPTX' };
    for (const [index, slide] of [...listed.keys()].entries()) {
      onProgress(index + 1, listed.size);
      if (!parts.has(slide)) {
        warnings.push(missing(slide));
        continue;
      }
      const read = await readDrawing(parts, slide, context);
      warnings.push(...read.warnings);
      if (!read.isShown) continue;
      texts.push(read.text);
      for (const margin of read.margins) margins.add(margin);
      graphics += read.graphics;
    }
    const text = [...texts, ...margins].filter((each) => each !== '').join('\n');
    return extraction(pptx, text, [...warnings, ...graphicsWarnings(graphics)]);
  },
};
