import { extractionError } from '../errors.ts';
import { MATHML } from '../html/display.ts';
import type { ExtractionLimits } from '../limits.ts';
import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { SPACE, TAB } from '../render/writer.ts';
import type { Extractor } from '../types.ts';
import { parseXml, type XmlElement, type XmlHandler, type XmlReport } from '../xml/parser.ts';
import { createRenderer, GENERIC } from '../xml/render.ts';
import { openPackage, type Package, readMarkup } from './package.ts';

const ODT = 'application/vnd.oasis.opendocument.text';
const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const OFFICE = `${OASIS}office:1.0`;
const TEXT = `${OASIS}text:1.0`;
const STYLE = `${OASIS}style:1.0`;
const TABLE = `${OASIS}table:1.0`;
const SVG = `${OASIS}svg-compatible:1.0`;
const DRAW = `${OASIS}drawing:1.0`;

/**
 * ODT (and OTT): the text of the body with its notes and text boxes, then each text of a header or footer once. What was
 * deleted, comments, hidden text, the readings above ruby bases and numbers that the program makes itself are left out (MED-5).
 */
export const odt: Extractor = {
  name: 'odt',
  version: '1',
  mediaTypes: [ODT],
  async extract(octets, _hints, { limits, onProgress }) {
    const parts = await openPackage(octets, limits);
    await refuseEncrypted(parts, limits);
    const content = await readMarkup(parts, 'content.xml');
    if (content === null) throw extractionError('damaged', 'has no part "content.xml"');
    const formulas = await readFormulas(parts, content, limits);
    onProgress(1, 2);
    const reader = createReader(formulas);
    const reports = [parseXml(content, reader, limits)];
    const styles = await readMarkup(parts, 'styles.xml');
    if (styles !== null) reports.push(parseXml(styles, reader, limits));
    onProgress(2, 2);
    const warnings = [...new Set(reports.flatMap((each) => each.warnings))];
    return { text: reader.end(), mediaType: ODT, extractor: `${odt.name}/${odt.version}`, warnings };
  },
};

/**
 * Extracts from an OpenDocument text in a single XML file.
 * @param markup - the document, decoded
 * @param limits - `depth` is read
 */
export function extractFlatOdt(markup: string, limits: ExtractionLimits): XmlReport & { readonly text: string } {
  const reader = createReader(new Map());
  const report = parseXml(markup, reader, limits);
  return { ...report, text: reader.end() };
}

/** Members are encrypted one by one, or all together in one; the manifest tells. */
async function refuseEncrypted(parts: Package, limits: ExtractionLimits): Promise<void> {
  const manifest = await readMarkup(parts, 'META-INF/manifest.xml');
  if (manifest === null) return;
  let path = '';
  const open = ({ name, attribute }: XmlElement): void => {
    if (name === 'file-entry') path = attribute('manifest:full-path') ?? '';
    if (name === 'encryption-data' && (path === 'content.xml' || path === 'encrypted-package'))
      throw extractionError('encrypted', 'is encrypted: save it without a password');
  };
  parseXml(manifest, { open, close: () => undefined, text: () => undefined }, limits);
}

/** Reads the formulas of a document, which are documents of their own, by the path they are referred to. */
async function readFormulas(parts: Package, content: string, limits: ExtractionLimits): Promise<Map<string, string>> {
  const formulas = new Map<string, string>();
  for (const [, path] of content.matchAll(/xlink:href="(?:\.\/)?([^"/]+)"/g)) {
    if (formulas.has(path!) || !parts.has(`${path}/content.xml`)) continue;
    const markup = (await readMarkup(parts, `${path}/content.xml`))!;
    // Charts are such documents too.
    if (!markup.slice(0, 4096).includes(MATHML)) continue;
    const renderer = createRenderer(GENERIC);
    parseXml(markup, renderer, limits);
    formulas.set(path!, renderer.end());
  }
  return formulas;
}

/** What is passed over with all it holds, by namespace. */
const ABSENT: Readonly<Record<string, ReadonlySet<string>>> = {
  [OFFICE]: new Set('annotation forms scripts event-listeners change-info meta settings'.split(' ')),
  [TEXT]: new Set(
    (
      'tracked-changes ruby-text note-citation number script sequence-decls variable-decls user-field-decls ' +
      'dde-connection-decls alphabetical-index-auto-mark-file table-of-content-source illustration-index-source ' +
      'table-index-source object-index-source user-index-source alphabetical-index-source bibliography-source'
    ).split(' '),
  ),
  // What describes a picture to those who cannot see it is an attribute in other media.
  [SVG]: new Set(['title', 'desc']),
  [TABLE]: new Set(['tracked-changes', 'covered-table-cell', 'shapes']),
};

/** Reads the parts of a document, or the one that holds all. */
function createReader(formulas: ReadonlyMap<string, string>): XmlHandler & { end(): string } {
  const body = createParagraphs();
  const margins = new Set<string>();
  /** Where text goes at present; none outside the body, headers and footers. */
  let area: Paragraphs | null = null;
  let style = '';
  const hiddenStyles = new Set<string>();
  let absent = 0;
  let formula: ReturnType<typeof createRenderer> | null = null;
  let formulaDepth = 0;

  function isAbsent({ namespace, name, attribute }: XmlElement): boolean {
    if (ABSENT[namespace]?.has(name) === true) return true;
    if (namespace === TEXT) {
      if (name === 'section') return attribute('text:display') === 'none';
      if (name === 'hidden-text') return attribute('text:is-hidden') === 'true';
      return hiddenStyles.has(attribute('text:style-name') ?? '') && (name === 'span' || name === 'p' || name === 'h');
    }
    return isMargin(namespace, name) && attribute('style:display') === 'false';
  }

  function openText(name: string): void {
    const { out } = area!;
    if (name === 'p' || name === 'h') area!.open();
    else if (name === 's') out.separate(SPACE);
    else if (name === 'tab') out.separate(TAB);
    else if (name === 'line-break') out.lineBreak();
  }

  return {
    open(element) {
      if (formula !== null) {
        formula.open(element);
        formulaDepth++;
        return;
      }
      if (absent > 0 || isAbsent(element)) {
        absent++;
        return;
      }
      const { namespace, name, attribute } = element;
      if (namespace === STYLE && name === 'style') style = attribute('style:name') ?? '';
      else if (namespace === STYLE && name === 'text-properties') {
        if (attribute('text:display') === 'none') hiddenStyles.add(style);
      } else if (namespace === OFFICE && name === 'text') area = body;
      else if (isMargin(namespace, name)) area = createParagraphs();
      else if (area === null) return;
      else if (namespace === TEXT) openText(name);
      else if (namespace === DRAW && name === 'object') writeFormula(formulas.get(pathOf(attribute('xlink:href'))));
      else if (namespace === MATHML) {
        formula = createRenderer(GENERIC);
        formula.open(element);
        formulaDepth = 1;
      }
    },
    text(text) {
      if (formula !== null) formula.text(text);
      else if (absent === 0 && area !== null && area.depth() > 0) area.out.collapse(text);
    },
    close(element) {
      if (formula !== null) {
        formula.close(element);
        if (--formulaDepth === 0) {
          const text = formula.end();
          formula = null;
          writeFormula(text);
        }
        return;
      }
      if (absent > 0) {
        absent--;
        return;
      }
      const { namespace, name } = element;
      if (namespace === TEXT && (name === 'p' || name === 'h')) area?.close();
      else if (namespace === OFFICE && name === 'text') area = null;
      else if (isMargin(namespace, name)) {
        margins.add(area?.end() ?? '');
        area = null;
      }
    },
    end: () => [body.end(), ...margins].filter((each) => each !== '').join('\n'),
  };

  function writeFormula(text: string | undefined): void {
    if (text === undefined || area === null) return;
    area.out.separate(SPACE);
    area.out.write(text);
    area.out.separate(SPACE);
  }
}

/** Headers and footers, of all, left and first pages. */
function isMargin(namespace: string, name: string): boolean {
  return namespace === STYLE && /^(?:header|footer)(?:-left|-first)?$/.test(name);
}

function pathOf(href: string | undefined): string {
  return href?.replace(/^\.\//, '') ?? '';
}
