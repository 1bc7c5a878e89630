import { pluralize, quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import { countUses, type ExtractionLimits } from '../limits.ts';
import { leftOutWarnings } from '../result.ts';
import { parseXml, readElements, type XmlElement, type XmlHandler } from '../xml/parse-xml.ts';
import { createDrawingReader, type DiagramAt } from './drawing-reader.ts';
import { damageWarning, folderOf, type Package, readMarkup, resolvePath } from './package.ts';

export interface OfficeContext {
  readonly limits: ExtractionLimits;
  readonly medium: string;
}

/** A relationship of a part with another of the package (ISO/IEC 29500-2). */
export interface Relation {
  /** The last segment of the relationship's type. */
  readonly kind: string;
  readonly id: string;
  readonly path: string;
}

/** Reads the relationships of a part; '' is the package. */
export async function relationsOf(parts: Package, path: string, limits: ExtractionLimits): Promise<Relation[]> {
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

/** Returns the path of the main part of a document: `usual` if no relationship names one. */
export async function mainPartOf(parts: Package, limits: ExtractionLimits, usual: string): Promise<string> {
  const main = (await relationsOf(parts, '', limits)).find(({ kind }) => kind === 'officeDocument')?.path;
  return main !== undefined && parts.has(main) ? main : usual;
}

/** Parses a part. Returns warnings that name it; throws `damaged` if it is missing, and as {@link parseXml} does. */
export async function parsePart(
  parts: Package,
  path: string,
  handler: XmlHandler,
  { limits, medium }: OfficeContext,
): Promise<string[]> {
  const markup = await readMarkup(parts, path);
  if (markup === null) throw extractionError('damaged', `damaged ${medium}: the part ${quote(path)} is missing`);
  return parseXml(markup, handler, limits).warnings.map((warning) => `in ${path}: ${warning}`);
}

/** Parses a part that is one of several, such as a slide. The text before damage is kept. */
export async function parseOneOfSeveral(
  ...[parts, path, handler, context]: Parameters<typeof parsePart>
): Promise<string[]> {
  try {
    return await parsePart(parts, path, handler, context);
  } catch (error) {
    return [damageWarning(path, error)];
  }
}

export async function readDrawing(parts: Package, path: string, context: OfficeContext) {
  const diagrams = await readDiagrams(parts, await relationsOf(parts, path, context.limits), context);
  const reader = createDrawingReader(diagrams.at);
  const warnings = [...(await parseOneOfSeveral(parts, path, reader, context)), ...diagrams.warnings];
  return { ...reader.end(), warnings };
}

export async function readDiagrams(
  parts: Package,
  relations: readonly Relation[],
  context: OfficeContext,
): Promise<{ readonly at: DiagramAt; readonly warnings: readonly string[] }> {
  const texts = new Map<string, string>();
  const read = new Map<string, string>();
  const warnings: string[] = [];
  for (const { kind, id, path } of relations) {
    if (kind !== 'diagramData' || !parts.has(path)) continue;
    if (!read.has(path)) {
      const reader = createDrawingReader(() => undefined);
      warnings.push(...(await parseOneOfSeveral(parts, path, reader, context)));
      read.set(path, reader.end().text);
    }
    texts.set(id, read.get(path)!);
  }
  return { at: countUses((id) => texts.get(id), context.limits), warnings };
}

/** Reads the slides or sheets that a main part lists, in their order; `idOf` returns the relationship of an entry. */
export async function readList(
  parts: Package,
  path: string,
  names: readonly [medium: string, main: string, noun: string],
  limits: ExtractionLimits,
  idOf: (element: XmlElement) => string | undefined,
) {
  const [medium, main, noun] = names;
  const markup = await readMarkup(parts, path);
  if (markup === null) throw extractionError('damaged', `damaged ${medium}: the ${main} is missing`);
  const relations = await relationsOf(parts, path, limits);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  /** The kinds of relationships by path. Any number of entries may name one part. */
  const listed = new Map<string, string>();
  let unrelated = 0;
  readElements(markup, limits, (element) => {
    const id = idOf(element);
    if (id === undefined) return;
    const relation = byId.get(id);
    if (relation === undefined) unrelated++;
    else listed.set(relation.path, relation.kind);
  });
  const warnings = unrelated === 0 ? [] : [`damaged: text of ${pluralize(unrelated, noun)} is missing`];
  return { relations, listed, warnings };
}

export function missing(path: string): string {
  return `${quote(path)} is missing from the package`;
}

export function graphicsWarnings(graphics: number): string[] {
  return leftOutWarnings(graphics, 'graphic', ' (charts or diagrams)');
}
