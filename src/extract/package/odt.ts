import { extractionError } from '../errors.ts';
import { MATHML } from '../html/display.ts';
import { createInflationMeter, type ExtractionLimits } from '../limits.ts';
import { extraction } from '../result.ts';
import { createOpenDocumentReader } from '../xml/opendocument.ts';
import { parseXml, readElements } from '../xml/parser.ts';
import { createRenderer, GENERIC } from '../xml/render.ts';
import { type Package, type PackageExtractor, readMarkup } from './package.ts';

/**
 * ODT (and OTT): the text of the body with its notes and text boxes, then each text of a header or footer once. Left out:
 * deleted text, comments, hidden text, readings above ruby bases, and numbers that the program makes itself (MED-5).
 */
export const odt: PackageExtractor = {
  name: 'odt',
  version: '1',
  mediaType: 'application/vnd.oasis.opendocument.text',
  async extract(parts, { limits, onProgress }) {
    await rejectEncrypted(parts, limits);
    const content = await readMarkup(parts, 'content.xml');
    if (content === null) throw extractionError('damaged', 'damaged ODT: the part "content.xml" is missing');
    const formulas = await readFormulas(parts, content, limits);
    onProgress(1, 2);
    // A document may refer to one formula any number of times.
    const count = createInflationMeter(limits);
    const reader = createOpenDocumentReader((path) => {
      const text = formulas.get(path);
      count(text?.length ?? 0);
      return text;
    });
    const reports = [parseXml(content, reader, limits)];
    const styles = await readMarkup(parts, 'styles.xml');
    if (styles !== null) reports.push(parseXml(styles, reader, limits));
    onProgress(2, 2);
    const warnings = new Set(reports.flatMap((each) => each.warnings));
    return extraction(odt, reader.end(), [...warnings]);
  },
};

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

/** Reads the formulas of a document, which are documents of their own, by path. */
async function readFormulas(parts: Package, content: string, limits: ExtractionLimits): Promise<Map<string, string>> {
  const formulas = new Map<string, string>();
  for (const [, path] of content.matchAll(/xlink:href="(?:\.\/)?([^"/]+)"/g)) {
    if (formulas.has(path!) || !parts.has(`${path}/content.xml`)) continue;
    const markup = (await readMarkup(parts, `${path}/content.xml`))!;
    // Charts are documents, too.
    if (!markup.slice(0, 4096).includes(MATHML)) continue;
    const renderer = createRenderer(GENERIC);
    parseXml(markup, renderer, limits);
    formulas.set(path!, renderer.end());
  }
  return formulas;
}
