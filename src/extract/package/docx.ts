import { pluralize } from '../../common/text.ts';
import { extraction } from '../result.ts';
import { createWordReader, type WordContext } from './docx-reader.ts';
import { readHiddenStyles } from './docx-styles.ts';
import {
  graphicsWarnings,
  mainPartOf,
  type OfficeContext,
  parseOneOfSeveral,
  parsePart,
  readDiagrams,
  relationsOf,
} from './office-open.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';

/**
 * DOCX (and DOCM, DOTX): the text of the main part with its diagrams, then footnotes and endnotes, then each text of a
 * header or footer once. Left out: deleted and moved text, hidden text, comments, field instructions, charts, readings above
 * ruby bases, and numbers that Word makes itself (MED-5).
 */
export const docx: PackageExtractor = {
  name: 'docx',
  version: '3',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  async extract(parts, { limits, onProgress }) {
    const path = await mainPartOf(parts, limits, 'word/document.xml');
    const relations = await relationsOf(parts, path, limits);
    // Any number of relationships may name one part.
    const others = new Set(
      ['footnotes', 'endnotes', 'header', 'footer'].flatMap((kind) =>
        relations.filter((each) => each.kind === kind && parts.has(each.path)).map((each) => each.path),
      ),
    );
    const styles = await readMarkup(parts, relations.find(({ kind }) => kind === 'styles')?.path ?? '');
    const hiddenStyles = styles === null ? new Set<string>() : readHiddenStyles(styles, limits);
    const context = { limits, medium: 'DOCX', hiddenStyles, diagramAt: () => undefined };
    const diagrams = await readDiagrams(parts, relations, context);
    const body = await readPart(parsePart, parts, path, { ...context, diagramAt: diagrams.at });
    const texts = [body.text];
    const warnings = new Set([...body.warnings, ...diagrams.warnings]);
    let { embedded, graphics } = body;
    onProgress(1, others.size + 1);
    let done = 1;
    for (const other of others) {
      const part = await readPart(parseOneOfSeveral, parts, other, context);
      // The first page and even pages have headers of their own, often with the same text.
      if (!texts.includes(part.text)) texts.push(part.text);
      for (const warning of part.warnings) warnings.add(warning);
      embedded += part.embedded;
      graphics += part.graphics;
      onProgress(++done, others.size + 1);
    }
    if (embedded > 0) warnings.add(`left out: ${pluralize(embedded, 'embedded document')}`);
    for (const warning of graphicsWarnings(graphics)) warnings.add(warning);
    return extraction(docx, texts.filter((each) => each !== '').join('\n'), [...warnings]);
  },
};

async function readPart(parse: typeof parsePart, parts: Package, path: string, context: OfficeContext & WordContext) {
  const reader = createWordReader(context);
  const warnings = await parse(parts, path, reader, context);
  return { ...reader.end(), warnings };
}
