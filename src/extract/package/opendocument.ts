import { extractionError } from '../errors.ts';
import { MATHML } from '../html/html-display.ts';
import { createTextMeter, type ExtractionLimits } from '../limits.ts';
import { extraction, leftOutWarnings } from '../result.ts';
import { createOpenDocumentReader, type EmbeddedObject, type OpenDocumentKind } from '../xml/opendocument-reader.ts';
import { parseXml, readElements, type XmlHandler } from '../xml/parse-xml.ts';
import { createRenderer, GENERIC, type Renderer } from '../xml/xml-renderer.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';

/** ODT and OTT (MED-5). */
export const odt = createExtractor('odt', '2', 'application/vnd.oasis.opendocument.text');

/** ODP and OTP (MED-8). */
export const odp = createExtractor('odp', '1', 'application/vnd.oasis.opendocument.presentation');

/** ODS and OTS (MED-9). */
export const ods = createExtractor('ods', '1', 'application/vnd.oasis.opendocument.spreadsheet');

function createExtractor(kind: OpenDocumentKind, version: string, mediaType: string): PackageExtractor {
  const name = { name: kind, version, mediaType };
  return {
    ...name,
    async extract(parts, { limits, onProgress }) {
      await rejectEncrypted(parts, limits);
      const content = await readMarkup(parts, 'content.xml');
      if (content === null)
        throw extractionError('damaged', `damaged ${kind.toUpperCase()}: the part "content.xml" is missing`);
      // Headers and footers of texts, and their styles; other media have them for print only.
      const styles = kind === 'odt' ? await readMarkup(parts, 'styles.xml') : null;
      const markups = styles === null ? [content] : [content, styles];
      const objects = await readObjects(parts, markups, limits);
      onProgress(1, 2);
      // A document may refer to one object any number of times.
      const count = createTextMeter(limits);
      const objectAt = (path: string) => {
        const object = objects.get(path);
        count(object?.text.length ?? 0);
        return object;
      };
      const reader = createOpenDocumentReader({ kind, limits, objectAt });
      const reports = markups.map((markup) => parseXml(markup, reader, limits));
      onProgress(2, 2);
      const warnings = new Set([
        ...reports.flatMap((each) => each.warnings),
        ...leftOutWarnings(reader.leftOut, 'embedded object'),
      ]);
      return extraction(name, reader.end(), [...warnings]);
    },
  };
}

/** Members are encrypted one by one, or all together in one; the manifest says so. */
async function rejectEncrypted(parts: Package, limits: ExtractionLimits): Promise<void> {
  const manifest = await readMarkup(parts, 'META-INF/manifest.xml');
  if (manifest === null) return;
  let path = '';
  readElements(manifest, limits, ({ name, attribute }) => {
    if (name === 'file-entry') path = attribute('manifest:full-path') ?? '';
    if (name === 'encryption-data' && (path === 'content.xml' || path === 'encrypted-package'))
      throw extractionError('encrypted', 'is encrypted: save it without a password');
  });
}

async function readObjects(
  parts: Package,
  markups: readonly string[],
  limits: ExtractionLimits,
): Promise<Map<string, EmbeddedObject>> {
  const objects = new Map<string, EmbeddedObject>();
  for (const markup of markups)
    for (const [, path] of markup.matchAll(/xlink:href="(?:\.\/)?([^"/]+)"/g)) {
      if (objects.has(path!) || !parts.has(`${path}/content.xml`)) continue;
      objects.set(path!, readObject((await readMarkup(parts, `${path}/content.xml`))!, limits));
    }
  return objects;
}

function readObject(markup: string, limits: ExtractionLimits): EmbeddedObject {
  const document = createOpenDocumentReader({ kind: 'odt', limits, objectAt: () => undefined });
  let reader: Renderer = document;
  let hasRoot = false;
  const handler: XmlHandler = {
    open(element) {
      // OpenOffice also declares the namespace of MathML in charts.
      if (!hasRoot && element.namespace === MATHML) reader = createRenderer(GENERIC);
      hasRoot = true;
      reader.open(element);
    },
    text: (text) => reader.text(text),
    close: (element) => reader.close(element),
  };
  parseXml(markup, handler, limits);
  return { text: reader.end(), isInline: reader !== document, leftOut: reader.leftOut ?? 0 };
}
