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
  // Alternative text of a picture is an attribute in other media.
  [SVG, new Set(['title', 'desc'])],
  [TABLE, new Set(['tracked-changes', 'covered-table-cell', 'shapes'])],
]);

/** Reads the text of OpenDocument's XML. */
export interface OpenDocumentReader extends XmlHandler {
  /** Returns the text. */
  end(): string;
}

/** Gives the text of the formula at a path; undefined if there is none. */
export type FormulaAt = (path: string) => string | undefined;

/** Where a document has been read to. */
interface State {
  readonly formulaAt: FormulaAt;
  readonly body: Paragraphs;
  /** The texts of headers and footers. */
  readonly margins: Set<string>;
  /** Where text goes; null outside the body, headers and footers. */
  area: Paragraphs | null;
  /** The style that is being defined. */
  style: string;
  readonly hiddenStyles: Set<string>;
  /** How many elements are open in one that is left out, and that one. */
  absent: number;
  /** The formula that is open, and how many of its elements are. */
  formula: { readonly renderer: ReturnType<typeof createRenderer>; depth: number } | null;
}

/**
 * Creates a reader of the XML of an OpenDocument text: of the parts of a package one after the other, or of a document in
 * a single file.
 * @param formulaAt - gives the texts of formulas
 */
export function createOpenDocumentReader(formulaAt: FormulaAt): OpenDocumentReader {
  const state: State = {
    formulaAt,
    body: createParagraphs(),
    margins: new Set(),
    area: null,
    style: '',
    hiddenStyles: new Set(),
    absent: 0,
    formula: null,
  };
  return {
    open: (element) => openElement(state, element),
    text: (text) => writeText(state, text),
    close: (element) => closeElement(state, element),
    end: () => [state.body.end(), ...state.margins].filter((each) => each !== '').join('\n'),
  };
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
  } else if (namespace === OFFICE && name === 'text') state.area = state.body;
  else if (isMargin(namespace, name)) state.area = createParagraphs();
  else if (area === null) return;
  else if (namespace === TEXT) openText(area, name);
  else if (namespace === DRAW && name === 'object')
    writeFormula(area, state.formulaAt(pathOf(attribute('xlink:href'))));
  else if (namespace === MATHML) {
    state.formula = { renderer: createRenderer(GENERIC), depth: 1 };
    state.formula.renderer.open(element);
  }
}

function isAbsent({ hiddenStyles }: State, { namespace, name, attribute }: XmlElement): boolean {
  if (ABSENT.get(namespace)?.has(name) === true) return true;
  if (namespace === TEXT) {
    if (name === 'section') return attribute('text:display') === 'none';
    if (name === 'hidden-text') return attribute('text:is-hidden') === 'true';
    return hiddenStyles.has(attribute('text:style-name') ?? '') && (name === 'span' || name === 'p' || name === 'h');
  }
  return isMargin(namespace, name) && attribute('style:display') === 'false';
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
    if (area !== null) writeFormula(area, formula.renderer.end());
    return;
  }
  if (state.absent > 0) {
    state.absent--;
    return;
  }
  const { namespace, name } = element;
  if (namespace === TEXT && (name === 'p' || name === 'h')) area?.close();
  else if (namespace === OFFICE && name === 'text') state.area = null;
  else if (isMargin(namespace, name)) {
    state.margins.add(area?.end() ?? '');
    state.area = null;
  }
}

function writeFormula({ out }: Paragraphs, text: string | undefined): void {
  if (text === undefined) return;
  out.separate(SPACE);
  out.write(text);
  out.separate(SPACE);
}

/** Whether an element is a header or footer: of all, left or first pages. */
function isMargin(namespace: string, name: string): boolean {
  return namespace === STYLE && /^(?:header|footer)(?:-left|-first)?$/.test(name);
}

function pathOf(href: string | undefined): string {
  return href?.replace(/^\.\//, '') ?? '';
}
