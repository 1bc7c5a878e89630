import { pluralize, quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { extraction } from '../result.ts';
import { parseXml, readElements } from '../xml/parser.ts';
import { createWordReader } from './docx-reader.ts';
import { readHiddenStyles } from './docx-styles.ts';
import { folderOf, type Package, type PackageExtractor, readMarkup, resolvePath } from './package.ts';

/**
 * DOCX (and DOCM, DOTX): the text of the main part, then footnotes and endnotes, then each text of a header or footer
 * once. Left out: deleted and moved text, hidden text, comments, field instructions, readings above ruby bases, and
 * numbers that Word makes itself (MED-5).
 */
export const docx: PackageExtractor = {
  name: 'docx',
  version: '3',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  async extract(parts, { limits, onProgress }) {
    const main = (await relationsOf(parts, '', limits)).find(({ kind }) => kind === 'officeDocument')?.path;
    const path = main !== undefined && parts.has(main) ? main : 'word/document.xml';
    const relations = await relationsOf(parts, path, limits);
    const others = ['footnotes', 'endnotes', 'header', 'footer'].flatMap((kind) =>
      relations.filter((each) => each.kind === kind && parts.has(each.path)),
    );
    const styles = await readMarkup(parts, relations.find(({ kind }) => kind === 'styles')?.path ?? '');
    const context = { limits, hiddenStyles: styles === null ? new Set<string>() : readHiddenStyles(styles, limits) };
    const body = await readPart(parts, path, context);
    const texts = [body.text];
    const warnings = new Set(body.warnings);
    let { embedded } = body;
    onProgress(1, others.length + 1);
    for (const [index, { path: other }] of others.entries()) {
      const part = await readPart(parts, other, context);
      // The first page and even pages have headers of their own, often with the same text.
      if (!texts.includes(part.text)) texts.push(part.text);
      for (const warning of part.warnings) warnings.add(warning);
      embedded += part.embedded;
      onProgress(index + 2, others.length + 1);
    }
    if (embedded > 0) warnings.add(`left out: ${pluralize(embedded, 'embedded document')}`);
    return extraction(docx, texts.filter((each) => each !== '').join('\n'), [...warnings]);
  },
};

/** A relationship of a part with another of the package. */
interface Relation {
  /** The last segment of the relationship's type. */
  readonly kind: string;
  readonly path: string;
}

/** Reads the relationships of a part; '' is the package. */
async function relationsOf(parts: Package, path: string, limits: ExtractionLimits): Promise<Relation[]> {
  const folder = folderOf(path);
  const markup = await readMarkup(parts, `${folder}_rels/${path.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  if (markup === null) return relations;
  readElements(markup, limits, ({ name, attribute }) => {
    if (name !== 'Relationship' || attribute('TargetMode') === 'External') return;
    const kind = attribute('Type')?.split('/').at(-1) ?? '';
    relations.push({ kind, path: resolvePath(folder, attribute('Target') ?? '') });
  });
  return relations;
}

/** What the parts of a document share. */
interface PartContext {
  readonly limits: ExtractionLimits;
  /** Identifiers of styles that hide their text. */
  readonly hiddenStyles: ReadonlySet<string>;
}

async function readPart(parts: Package, path: string, { limits, hiddenStyles }: PartContext) {
  const markup = await readMarkup(parts, path);
  if (markup === null) throw extractionError('damaged', `damaged DOCX: the part ${quote(path)} is missing`);
  const reader = createWordReader(hiddenStyles);
  const report = parseXml(markup, reader, limits);
  const warnings = report.warnings.map((warning) => `in ${path}: ${warning}`);
  return { text: reader.end(), warnings, embedded: reader.embedded };
}
