import { pluralize, quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits } from '../limits.ts';
import { extraction } from '../result.ts';
import { parseXml, readElements } from '../xml/parser.ts';
import { createWordReader, type WordContext } from './docx-reader.ts';
import { readHiddenStyles } from './docx-styles.ts';
import { folderOf, type Package, type PackageExtractor, readMarkup, resolvePath } from './package.ts';

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
    const main = (await relationsOf(parts, '', limits)).find(({ kind }) => kind === 'officeDocument')?.path;
    const path = main !== undefined && parts.has(main) ? main : 'word/document.xml';
    const relations = await relationsOf(parts, path, limits);
    // Any number of relationships may name one part.
    const others = new Set(
      ['footnotes', 'endnotes', 'header', 'footer'].flatMap((kind) =>
        relations.filter((each) => each.kind === kind && parts.has(each.path)).map((each) => each.path),
      ),
    );
    const styles = await readMarkup(parts, relations.find(({ kind }) => kind === 'styles')?.path ?? '');
    const hiddenStyles = styles === null ? new Set<string>() : readHiddenStyles(styles, limits);
    const context = { limits, hiddenStyles, diagramAt: () => undefined };
    const diagrams = await readDiagrams(parts, relations, context);
    const body = await readPart(parts, path, { ...context, diagramAt: diagrams.at });
    const texts = [body.text];
    const warnings = new Set([...body.warnings, ...diagrams.warnings]);
    let { embedded, graphics } = body;
    onProgress(1, others.size + 1);
    let done = 1;
    for (const other of others) {
      const part = await readPart(parts, other, context);
      // The first page and even pages have headers of their own, often with the same text.
      if (!texts.includes(part.text)) texts.push(part.text);
      for (const warning of part.warnings) warnings.add(warning);
      embedded += part.embedded;
      graphics += part.graphics;
      onProgress(++done, others.size + 1);
    }
    if (embedded > 0) warnings.add(`left out: ${pluralize(embedded, 'embedded document')}`);
    if (graphics > 0) warnings.add(`left out: ${pluralize(graphics, 'graphic')} (charts or diagrams)`);
    return extraction(docx, texts.filter((each) => each !== '').join('\n'), [...warnings]);
  },
};

/** A relationship of a part with another of the package. */
interface Relation {
  /** The last segment of the relationship's type. */
  readonly kind: string;
  readonly id: string;
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
    relations.push({ kind, id: attribute('Id') ?? '', path: resolvePath(folder, attribute('Target') ?? '') });
  });
  return relations;
}

/** Reads the texts of diagrams (SmartArt) by the identifiers of their relationships. */
async function readDiagrams(parts: Package, relations: readonly Relation[], context: PartContext) {
  const texts = new Map<string, string>();
  const read = new Map<string, Awaited<ReturnType<typeof readPart>>>();
  const warnings: string[] = [];
  for (const { kind, id, path } of relations) {
    if (kind !== 'diagramData' || !parts.has(path)) continue;
    let part = read.get(path);
    if (part === undefined) {
      part = await readPart(parts, path, context);
      read.set(path, part);
      warnings.push(...part.warnings);
    }
    texts.set(id, part.text);
  }
  // A document may refer to one diagram any number of times.
  const count = createInflationMeter(context.limits);
  const at = (id: string): string | undefined => {
    const text = texts.get(id);
    count(text?.length ?? 0);
    return text;
  };
  return { at, warnings };
}

/** What the parts of a document share. */
interface PartContext extends WordContext {
  readonly limits: ExtractionLimits;
}

async function readPart(parts: Package, path: string, context: PartContext) {
  const markup = await readMarkup(parts, path);
  if (markup === null) throw extractionError('damaged', `damaged DOCX: the part ${quote(path)} is missing`);
  const reader = createWordReader(context);
  const report = parseXml(markup, reader, context.limits);
  const warnings = report.warnings.map((warning) => `in ${path}: ${warning}`);
  return { text: reader.end(), warnings, embedded: reader.embedded, graphics: reader.graphics };
}
