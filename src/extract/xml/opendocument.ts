import { pluralize } from '../../common/text.ts';
import { MATHML } from '../html/display.ts';
import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { SPACE, TAB } from '../render/writer.ts';
import type { XmlElement, XmlHandler } from './parser.ts';
import { createRenderer, GENERIC } from './render.ts';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const OFFICE = `${OASIS}office:1.0`;
const TEXT = `${OASIS}text:1.0`;
const STYLE = `${OASIS}style:1.0`;
const TABLE = `${OASIS}table:1.0`;
const SVG = `${OASIS}svg-compatible:1.0`;
const DRAW = `${OASIS}drawing:1.0`;
const PRESENTATION = `${OASIS}presentation:1.0`;

/** Elements that are left out with all their content, by namespace. */
const ABSENT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [OFFICE, new Set('annotation forms scripts event-listeners change-info meta settings'.split(' '))],
  [
    TEXT,
    new Set(
      (
        'tracked-changes ruby-text note-citation number script sequence-decls variable-decls user-field-decls ' +
        'dde-connection-decls alphabetical-index-auto-mark-file table-of-content-source illustration-index-source ' +
        'table-index-source object-index-source user-index-source alphabetical-index-source bibliography-source'
      ).split(' '),
    ),
  ],
  // Notes of a speaker; a text has other notes.
  [PRESENTATION, new Set(['notes'])],
  // Alternative text of a picture is an attribute in other media.
  [SVG, new Set(['title', 'desc'])],
  [TABLE, new Set(['tracked-changes', 'covered-table-cell', 'shapes'])],
]);

/** Bodies of documents that are read. Not that of a chart: it holds data that the chart does not show as text. */
const BODIES: ReadonlySet<string> = new Set(['text', 'drawing', 'presentation', 'spreadsheet']);

/** Reads the text of OpenDocument's XML. */
export interface OpenDocumentReader extends XmlHandler {
  /** The number of embedded objects that are left out, such as charts. */
  readonly leftOut: number;
  /** Returns the text. */
  end(): string;
}

/** A document in a document. */
export interface EmbeddedObject {
  readonly text: string;
  /** Whether it is part of the line, as a formula is. */
  readonly isInline: boolean;
  /** The number of objects in it that are left out, or 1 if it is left out itself. */
  readonly leftOut: number;
}

/** Gives the object at a path; undefined if there is none. */
export type ObjectAt = (path: string) => EmbeddedObject | undefined;

/** Where a document has been read to. */
interface State {
  readonly objectAt: ObjectAt;
  leftOut: number;
  /** What to return to after each open document in a single file: the outermost, and those embedded in it. */
  readonly documents: Pick<State, 'area' | 'hiddenStyles'>[];
  readonly body: Paragraphs;
  /** The texts of headers and footers. */
  readonly margins: Set<string>;
  /** Where text goes; null outside the body, headers and footers. */
  area: Paragraphs | null;
  /** The style that is being defined. */
  style: string;
  hiddenStyles: Set<string>;
  /** How many elements are open in one that is left out, and that one. */
  absent: number;
  /** The formula that is open, and how many of its elements are. */
  formula: { readonly renderer: ReturnType<typeof createRenderer>; depth: number } | null;
}

/**
 * Creates a reader of the XML of an OpenDocument text: of the parts of a package one after the other, or of a document in
 * a single file.
 * @param objectAt - gives the objects that are documents of their own
 */
export function createOpenDocumentReader(objectAt: ObjectAt): OpenDocumentReader {
  const state: State = {
    objectAt,
    leftOut: 0,
    documents: [],
    body: createParagraphs(),
    margins: new Set(),
    area: null,
    style: '',
    hiddenStyles: new Set(),
    absent: 0,
    formula: null,
  };
  return {
    get leftOut() {
      return state.leftOut;
    },
    open: (element) => openElement(state, element),
    text: (text) => writeText(state, text),
    close: (element) => closeElement(state, element),
    end: () => [state.body.end(), ...state.margins].filter((each) => each !== '').join('\n'),
  };
}

/**
 * Makes a warning about embedded objects that are left out.
 * @returns one warning, or none
 */
export function leftOutWarnings(leftOut: number): string[] {
  return leftOut === 0 ? [] : [`left out: ${pluralize(leftOut, 'embedded object')}`];
}

/** Whether an element is the root of an OpenDocument text in a single file. */
export function isFlatOpenDocument({ namespace, name }: XmlElement): boolean {
  return namespace === OFFICE && name === 'document';
}

function openElement(state: State, element: XmlElement): void {
  const { formula, area } = state;
  if (formula !== null) {
    formula.renderer.open(element);
    formula.depth++;
    return;
  }
  if (state.absent > 0 || isAbsent(state, element)) {
    state.absent++;
    return;
  }
  const { namespace, name, attribute } = element;
  if (namespace === STYLE && name === 'style') state.style = attribute('style:name') ?? '';
  else if (namespace === STYLE && name === 'text-properties') {
    if (attribute('text:display') === 'none') state.hiddenStyles.add(state.style);
  } else if (namespace === OFFICE) openOffice(state, name);
  else if (isMargin(namespace, name)) state.area = createParagraphs();
  else if (area === null) return;
  else if (namespace === TEXT) openText(area, name);
  else if (namespace === DRAW && name === 'object') writeObject(state, area, attribute('xlink:href'));
  else if (namespace === MATHML) {
    state.formula = { renderer: createRenderer(GENERIC), depth: 1 };
    state.formula.renderer.open(element);
  }
}

function openOffice(state: State, name: string): void {
  const { documents, area, hiddenStyles } = state;
  if (name === 'document') {
    documents.push({ area, hiddenStyles });
    state.area = null;
    state.hiddenStyles = new Set();
  } else if (BODIES.has(name)) state.area = documents.at(-1)?.area ?? state.body;
  else if (name === 'chart') state.leftOut++;
}

function isAbsent({ hiddenStyles, documents }: State, { namespace, name, attribute }: XmlElement): boolean {
  if (ABSENT.get(namespace)?.has(name) === true) return true;
  if (namespace === TEXT) {
    if (name === 'section') return attribute('text:display') === 'none';
    if (name === 'hidden-text') return attribute('text:is-hidden') === 'true';
    return hiddenStyles.has(attribute('text:style-name') ?? '') && (name === 'span' || name === 'p' || name === 'h');
  }
  // An embedded document is shown without its margins.
  return isMargin(namespace, name) && (documents.length > 1 || attribute('style:display') === 'false');
}

function openText(area: Paragraphs, name: string): void {
  if (name === 'p' || name === 'h') area.open();
  else if (name === 's') area.out.separate(SPACE);
  else if (name === 'tab') area.out.separate(TAB);
  else if (name === 'line-break') area.out.lineBreak();
}

function writeText({ formula, absent, area }: State, text: string): void {
  if (formula !== null) formula.renderer.text(text);
  else if (absent === 0 && area !== null && area.depth() > 0) area.out.collapse(text);
}

function closeElement(state: State, element: XmlElement): void {
  const { formula, area } = state;
  if (formula !== null) {
    formula.renderer.close(element);
    if (--formula.depth > 0) return;
    state.formula = null;
    if (area !== null) writeInline(area, formula.renderer.end());
    return;
  }
  if (state.absent > 0) {
    state.absent--;
    return;
  }
  const { namespace, name } = element;
  if (namespace === TEXT && (name === 'p' || name === 'h')) area?.close();
  else if (namespace === OFFICE) closeOffice(state, name);
  else if (isMargin(namespace, name)) {
    state.margins.add(area?.end() ?? '');
    state.area = null;
  }
}

function closeOffice(state: State, name: string): void {
  if (name === 'document') Object.assign(state, state.documents.pop());
  else if (BODIES.has(name)) state.area = null;
}

/** Writes the object that a reference points to; without a reference, it follows in place. */
function writeObject(state: State, area: Paragraphs, href: string | undefined): void {
  if (href === undefined) return;
  const object = state.objectAt(href.replace(/^\.\//, ''));
  state.leftOut += object?.leftOut ?? 1;
  if (object === undefined) return;
  if (object.isInline) {
    writeInline(area, object.text);
    return;
  }
  area.open();
  area.out.write(object.text);
  area.close();
}

function writeInline({ out }: Paragraphs, text: string): void {
  out.separate(SPACE);
  out.write(text);
  out.separate(SPACE);
}

/** Whether an element is a header or footer: of all, left or first pages. */
function isMargin(namespace: string, name: string): boolean {
  return namespace === STYLE && /^(?:header|footer)(?:-left|-first)?$/.test(name);
}
