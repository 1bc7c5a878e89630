import { extractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import { createParagraphs } from '../render/paragraphs.ts';
import { SPACE, TAB } from '../render/writer.ts';
import type { Extractor } from '../types.ts';
import { parseXml, type XmlElement } from '../xml/parser.ts';
import { folderOf, openPackage, type Package, readMarkup, resolvePath } from './package.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The namespaces of WordprocessingML and of its formulas, transitional and strict, and of markup compatibility. */
const WORD: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);
const MATH: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/math',
  'http://purl.oclc.org/ooxml/officeDocument/math',
]);
const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/**
 * DOCX (and DOCM, DOTX): the text of the main part, then footnotes and endnotes, then each text of a header or footer
 * once. What was deleted or moved away, hidden text, comments, instructions of fields, the readings above ruby bases and
 * numbers that Word makes itself are left out (MED-5).
 */
export const docx: Extractor = {
  name: 'docx',
  version: '1',
  mediaTypes: [DOCX],
  async extract(octets, _hints, { limits, onProgress }) {
    const parts = await openPackage(octets, limits);
    const main = (await relationsOf(parts, '', limits)).find(({ kind }) => kind === 'officeDocument')?.path;
    const path = main !== undefined && parts.has(main) ? main : 'word/document.xml';
    const relations = await relationsOf(parts, path, limits);
    const others = ['footnotes', 'endnotes', 'header', 'footer'].flatMap((kind) =>
      relations.filter((each) => each.kind === kind && parts.has(each.path)),
    );
    const body = await readPart(parts, path, limits);
    const texts = [body.text];
    const warnings = new Set(body.warnings);
    onProgress(1, others.length + 1);
    for (const [index, { path: other }] of others.entries()) {
      const part = await readPart(parts, other, limits);
      // The first page, and even pages, have headers of their own, often the same.
      if (!texts.includes(part.text)) texts.push(part.text);
      for (const warning of part.warnings) warnings.add(warning);
      onProgress(index + 2, others.length + 1);
    }
    const text = texts.filter((each) => each !== '').join('\n');
    return { text, mediaType: DOCX, extractor: `${docx.name}/${docx.version}`, warnings: [...warnings] };
  },
};

/** A relationship of a part with another of the package. */
interface Relation {
  /** The last segment of the relationship's type. */
  readonly kind: string;
  readonly path: string;
}

/** Reads what a part is related to; '' stands for the package. */
async function relationsOf(parts: Package, path: string, limits: ExtractionLimits): Promise<Relation[]> {
  const folder = folderOf(path);
  const markup = await readMarkup(parts, `${folder}_rels/${path.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  if (markup === null) return relations;
  const open = ({ name, attribute }: XmlElement): void => {
    if (name !== 'Relationship' || attribute('TargetMode') === 'External') return;
    const kind = attribute('Type')?.split('/').at(-1) ?? '';
    relations.push({ kind, path: resolvePath(folder, attribute('Target') ?? '') });
  };
  parseXml(markup, { open, close: () => undefined, text: () => undefined }, limits);
  return relations;
}

/** What is passed over with all it holds. */
const ABSENT: ReadonlySet<string> = new Set('del moveFrom rt sdtPr instrText delText delInstrText'.split(' '));

/** Notes that are the rules between text and notes. */
const RULES: ReadonlySet<string> = new Set('separator continuationSeparator continuationNotice'.split(' '));

async function readPart(parts: Package, path: string, limits: ExtractionLimits) {
  const markup = await readMarkup(parts, path);
  if (markup === null) throw extractionError('damaged', `has no part ${JSON.stringify(path)}`);
  const paragraphs = createParagraphs();
  const { out } = paragraphs;
  const warnings = new Set<string>();
  const open: XmlElement[] = [];
  let absent = 0;
  /** Fields that are open: whether their result has begun. */
  const fields: boolean[] = [];
  /** Runs that are open (one may hold a text box, and that others): whether they are hidden. */
  const hidden: boolean[] = [];
  /** Paragraphs that are open: whether their end was deleted. */
  const endless: boolean[] = [];
  let joined = false;
  /** Alternatives that are open: whether one was taken. */
  const taken: boolean[] = [];
  let text: string | null = null;

  function isAbsent(element: XmlElement, parent: string): boolean {
    const { namespace, name, attribute } = element;
    if (namespace === COMPATIBILITY && (name === 'Choice' || name === 'Fallback')) {
      const before = taken.at(-1) === true;
      taken[taken.length - 1] = true;
      return before;
    }
    if (!WORD.has(namespace)) return false;
    if (name === 'footnote' || name === 'endnote') return RULES.has(attribute('w:type') ?? '');
    // Of the properties of a run or a paragraph, the elements of the same names only tell what happened to it.
    return ABSENT.has(name) && !parent.endsWith('Pr');
  }

  function openWord({ name, attribute }: XmlElement, parent: string): void {
    switch (name) {
      case 'p':
        paragraphs.open(joined && paragraphs.depth() === 0);
        endless.push(false);
        break;
      case 'r':
        hidden.push(false);
        break;
      case 'vanish':
        if (parent === 'rPr' && open.at(-2)?.name === 'r' && isOn(attribute('w:val'))) hidden[hidden.length - 1] = true;
        break;
      case 'del':
      case 'moveFrom':
        if (parent === 'rPr' && open.at(-2)?.name === 'pPr') endless[endless.length - 1] = true;
        break;
      case 't':
        text = '';
        break;
      case 'fldChar': {
        const kind = attribute('w:fldCharType');
        if (kind === 'begin') fields.push(false);
        else if (kind === 'separate' && fields.length > 0) fields[fields.length - 1] = true;
        else if (kind === 'end') fields.pop();
        break;
      }
      case 'altChunk':
        warnings.add('a document embedded in this one is left out');
        break;
      default:
        if (parent === 'r' && isShown()) mark(name, attribute);
    }
  }

  function mark(name: string, attribute: XmlElement['attribute']): void {
    if (name === 'tab' || name === 'ptab') out.separate(TAB);
    else if (name === 'br' || name === 'cr') out.lineBreak();
    else if (name === 'noBreakHyphen') out.write('\u2011');
    else if (name === 'softHyphen') out.write('\u00AD');
    else if (name === 'sym') {
      const code = Number.parseInt(attribute('w:char') ?? '', 16);
      // Fonts of symbols are addressed in the private use area: no letters, whatever the octets.
      if (code >= 0x20 && code < 0xd800) out.write(String.fromCharCode(code));
      else out.separate(SPACE);
    }
  }

  function isShown(): boolean {
    return hidden.at(-1) !== true && !fields.includes(false);
  }

  const report = parseXml(
    markup,
    {
      open(element) {
        const parent = open.at(-1)?.name ?? '';
        if (absent > 0 || isAbsent(element, parent)) {
          absent++;
          return;
        }
        const { namespace, name } = element;
        if (WORD.has(namespace)) openWord(element, parent);
        else if (namespace === COMPATIBILITY && name === 'AlternateContent') taken.push(false);
        else if (MATH.has(namespace) && name === 't') text = '';
        open.push(element);
      },
      text(value) {
        if (text !== null && absent === 0) text += value;
      },
      close() {
        if (absent > 0) {
          absent--;
          return;
        }
        const { namespace, name, attribute } = open.pop()!;
        if (namespace === COMPATIBILITY && name === 'AlternateContent') taken.pop();
        if (name === 't' && text !== null) {
          const isMath = MATH.has(namespace);
          if (isMath) out.separate(SPACE);
          if (isShown()) out.write(attribute('xml:space') === 'preserve' ? text : trimSpace(text));
          if (isMath) out.separate(SPACE);
          text = null;
        }
        if (!WORD.has(namespace)) return;
        if (name === 'r') hidden.pop();
        if (name === 'p') {
          // A field that was never finished hides no more than its own paragraph.
          fields.fill(true);
          const isJoined = endless.pop() === true;
          paragraphs.close(isJoined);
          if (paragraphs.depth() === 0) joined = isJoined;
        }
      },
    },
    limits,
  );
  for (const warning of report.warnings) warnings.add(`in ${path}: ${warning}`);
  return { text: paragraphs.end(), warnings: [...warnings] };
}

/** Whether a property that is there without a value, or with one, holds. */
function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off', 'none'].includes(value);
}

/** Drops white space of XML from both ends; a no-break space is none. */
function trimSpace(text: string): string {
  return text.replace(/^[\t\n\r ]+/, '').replace(/(?<![\t\n\r ])[\t\n\r ]+$/, '');
}
