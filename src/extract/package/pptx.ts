import { extractionError } from '../errors.ts';
import { extraction } from '../result.ts';
import { readElements } from '../xml/parser.ts';
import { graphicsWarnings, mainPartOf, missing, readDrawing, relationsOf, unrelatedWarnings } from './office-open.ts';
import { type PackageExtractor, readMarkup } from './package.ts';

/**
 * PPTX (and PPTM, PPSX, POTX): the text of the slides that are shown, in their order, with tables and diagrams, then each
 * text of a footer once. Left out: hidden slides and shapes, notes, comments, charts, layouts, and numbers and dates that
 * the program makes itself (MED-8).
 */
export const pptx: PackageExtractor = {
  name: 'pptx',
  version: '1',
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  async extract(parts, { limits, onProgress }) {
    const path = await mainPartOf(parts, limits, 'ppt/presentation.xml');
    const markup = await readMarkup(parts, path);
    if (markup === null) throw extractionError('damaged', 'damaged PPTX: the presentation is missing');
    const relations = new Map((await relationsOf(parts, path, limits)).map(({ id, path }) => [id, path]));
    // Any number of entries may name one slide.
    const slides = new Set<string>();
    let unrelated = 0;
    readElements(markup, limits, ({ name, attribute }) => {
      const id = attribute('r:id');
      // A list of sections has such elements without a relationship.
      if (name !== 'sldId' || id === undefined) return;
      const slide = relations.get(id);
      if (slide === undefined) unrelated++;
      else slides.add(slide);
    });
    const texts: string[] = [];
    const margins = new Set<string>();
    const warnings = unrelatedWarnings(unrelated, 'slide');
    let graphics = 0;
    const context = { limits, medium: 'PPTX' };
    for (const [index, slide] of [...slides].entries()) {
      onProgress(index + 1, slides.size);
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
