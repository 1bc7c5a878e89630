import { detectType } from '../detect.ts';
import type { ExtractionError } from '../errors.ts';
import { countUses, limitInflation } from '../limits.ts';
import { extraction, leftOutWarnings } from '../result.ts';
import type { Extraction, ExtractionContext } from '../types.ts';
import { createWordReader, readHiddenStyles, type WordContext } from './docx-reader.ts';
import {
  graphicsWarnings,
  mainPartOf,
  type OfficeContext,
  parseOneOfSeveral,
  parsePart,
  type Relation,
  readDiagrams,
  relationsOf,
} from './office-open.ts';
import { damageWarning, openPackage, type Package, type PackageExtractor, readMarkup } from './package.ts';

/** DOCX, DOCM and DOTX, with the documents that they import by `altChunk` (MED-5). */
export const docx: PackageExtractor = {
  name: 'docx',
  version: '4',
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
    const context = { limits, medium: 'DOCX', hiddenStyles, diagramAt: () => undefined, chunkAt: () => undefined };
    const diagrams = await readDiagrams(parts, relations, context);
    const chunks = await readChunks(parts, relations, { limits, onProgress: () => undefined });
    const body = await readPart(parsePart, parts, path, { ...context, diagramAt: diagrams.at, chunkAt: chunks.at });
    const texts = [body.text];
    const warnings = new Set([...body.warnings, ...diagrams.warnings, ...chunks.warnings]);
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
    const leftOut = [...leftOutWarnings(embedded, 'embedded document'), ...graphicsWarnings(graphics)];
    return extraction(docx, texts.filter((each) => each !== '').join('\n'), [...warnings, ...leftOut]);
  },
};

/** Reads the documents that Word imports where `altChunk` stands (HTML, MHTML, text, DOCX), by their relationships. */
async function readChunks(parts: Package, relations: readonly Relation[], context: ExtractionContext) {
  const chunks = relations.filter(({ kind }) => kind === 'aFChunk');
  const paths = new Map(chunks.map(({ id, path }) => [id, path]));
  const texts = new Map<string | undefined, string>();
  const warnings: string[] = [];
  for (const path of new Set(paths.values())) {
    const bytes = await parts.read(path);
    if (bytes === null) continue;
    try {
      const found = await readChunk(bytes, path, context);
      if (found === null) continue;
      texts.set(path, found.text);
      warnings.push(...found.warnings.map((each) => `in ${path}: ${each}`));
    } catch (error) {
      if ((error as ExtractionError).code === 'damaged') warnings.push(damageWarning(path, error));
      else if (!LEFT_OUT.has((error as ExtractionError).code)) throw error;
    }
  }
  return { at: countUses((id: string) => texts.get(paths.get(id)), context.limits), warnings };
}

/** The failures of an imported document with which the other text is still read. */
const LEFT_OUT: ReadonlySet<string> = new Set(['encrypted', 'missing-package', 'no-text', 'unsupported-media-type']);

/** Reads an imported document; null for one that is not read, such as a document imported by another one. */
async function readChunk(bytes: Uint8Array, path: string, context: ExtractionContext): Promise<Extraction | null> {
  const type = detectType(bytes, { path });
  if (type === 'html') return (await import('../html/html.ts')).html.extract(bytes, { path }, context);
  if (type === 'mhtml' || type === 'mail') return (await import('../mail/mail.ts')).mhtml.extract(bytes, {}, context);
  if (type === 'text') return (await import('../text/text.ts')).text.extract(bytes, { path }, context);
  if (type !== 'docx' || context.limits.nesting === 0) return null;
  const limits = { ...limitInflation(context.limits, bytes.length), nesting: 0 };
  return docx.extract(await openPackage(bytes, limits), { ...context, limits });
}

async function readPart(parse: typeof parsePart, parts: Package, path: string, context: OfficeContext & WordContext) {
  const reader = createWordReader(context);
  const warnings = await parse(parts, path, reader, context);
  return { ...reader.end(), warnings };
}
