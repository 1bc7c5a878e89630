import { MATHML } from '../html/html-display.ts';
import { createTextMeter, type ExtractionLimits } from '../limits.ts';
import { setOf } from '../render/display.ts';
import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { SPACE, TAB } from '../render/text-writer.ts';
import { DRAW, OFFICE, PRESENTATION, STYLE, SVG, TABLE, TEXT } from './opendocument-names.ts';
import { createSheetRules } from './opendocument-sheets.ts';
import { createSlideRules } from './opendocument-slides.ts';
import { withoutAbsent, type XmlElement } from './parse-xml.ts';
import { createRenderer, GENERIC, type Renderer } from './xml-renderer.ts';

const ABSENT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [OFFICE, setOf('annotation forms scripts event-listeners change-info meta settings')],
  [
    TEXT,
    setOf(
      'tracked-changes ruby-text note-citation number script sequence-decls variable-decls user-field-decls ' +
        'dde-connection-decls alphabetical-index-auto-mark-file table-of-content-source illustration-index-source ' +
        'table-index-source object-index-source user-index-source alphabetical-index-source bibliography-source',
    ),
  ],
  // Notes of a speaker; a text has other notes.
  [PRESENTATION, new Set(['notes'])],
  // Alternative text of a picture is an attribute in other media.
  [SVG, new Set(['title', 'desc'])],
  [TABLE, new Set(['tracked-changes', 'covered-table-cell', 'shapes'])],
]);

/** Bodies of documents that are read. The body of a chart is not: it holds data that the chart does not show as text. */
const BODIES: ReadonlySet<string> = new Set(['text', 'drawing', 'presentation', 'spreadsheet']);

export interface EmbeddedObject {
  readonly text: string;
  /** True if it is part of the line, as a formula is. */
  readonly isInline: boolean;
  /** The number of objects in it that are left out; 1 if it is itself left out. */
  readonly leftOut: number;
}

export type OpenDocumentKind = 'odt' | 'odp' | 'ods';

interface OpenDocumentOptions {
  /** The medium of the document. An embedded document of any medium is read as a text. */
  readonly kind: OpenDocumentKind;
  /** `inflated` applies to cells that are repeated. */
  readonly limits: ExtractionLimits;
  readonly objectAt: (path: string) => EmbeddedObject | undefined;
}

type State = ReturnType<typeof newState>;

function newState({ kind, limits, objectAt }: OpenDocumentOptions) {
  const body = createParagraphs();
  return {
    objectAt,
    slides: kind === 'odp' ? createSlideRules() : null,
    sheets: kind === 'ods' ? createSheetRules(body, createTextMeter(limits)) : null,
    leftOut: 0,
    /** The states to return to at the end of each open document in a single file, the outermost first. */
    documents: [] as { readonly area: Paragraphs | null; readonly hiddenStyles: Set<string> }[],
    body,
    margins: new Set<string>(),
    /** The target of text; null outside the body, headers and footers. */
    area: null as Paragraphs | null,
    style: '',
    hiddenStyles: new Set<string>(),
    hiddenTables: new Set<string>(),
    /** The open formula, and the number of its open elements. */
    formula: null as { readonly renderer: Renderer; depth: number } | null,
  };
}

export function createOpenDocumentReader(options: OpenDocumentOptions) {
  const state = newState(options);
  const handler = withoutAbsent((element) => state.formula === null && isAbsent(state, element), {
    open: (element) => openElement(state, element),
    text: (text) => writeText(state, text),
    close: (element) => closeElement(state, element),
  });
  return {
    ...handler,
    get leftOut() {
      return state.leftOut;
    },
    end(): string {
      const { body, margins, slides } = state;
      return [body.end(), ...margins, ...(slides?.margins ?? [])].filter((each) => each !== '').join('\n');
    },
  };
}

const KINDS: ReadonlyMap<string, OpenDocumentKind> = new Map([
  ['text', 'odt'],
  ['presentation', 'odp'],
  ['spreadsheet', 'ods'],
]);

/** Detects a flat OpenDocument by its root; null for any other element. */
export function flatOpenDocumentOf({ namespace, name, attribute }: XmlElement) {
  if (namespace !== OFFICE || name !== 'document') return null;
  const [, medium = 'text'] = /opendocument\.([a-z]+)/.exec(attribute('office:mimetype') ?? '') ?? [];
  const mediaType = `application/vnd.oasis.opendocument.${medium}-flat-xml`;
  return { kind: KINDS.get(medium) ?? 'odt', mediaType };
}

function openElement(state: State, element: XmlElement): void {
  const { formula, area } = state;
  if (formula !== null) {
    formula.renderer.open(element);
    formula.depth++;
    return;
  }
  const { namespace, name, attribute } = element;
  state.slides?.open(element, state.style);
  if (state.sheets !== null && namespace !== MATHML) state.area = state.sheets.open(element, area);
  if (namespace === STYLE && name === 'style') state.style = attribute('style:name') ?? '';
  else if (namespace === STYLE && name === 'text-properties') {
    if (attribute('text:display') === 'none') state.hiddenStyles.add(state.style);
  } else if (namespace === STYLE && name === 'table-properties') {
    if (attribute('table:display') === 'false') state.hiddenTables.add(state.style);
  } else if (namespace === OFFICE) openOffice(state, name);
  else if (isMargin(namespace, name)) state.area = createParagraphs();
  else if (state.area === null) return;
  else if (namespace === TEXT) openText(state.area, name);
  else if (namespace === DRAW && name === 'object') writeObject(state, state.area, attribute('xlink:href'));
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
  } else if (BODIES.has(name)) {
    // Text of a spreadsheet stands in cells and shapes.
    if (state.sheets === null || documents.length > 1) state.area = documents.at(-1)?.area ?? state.body;
  } else if (name === 'chart') state.leftOut++;
}

function isAbsent(state: State, element: XmlElement): boolean {
  const { hiddenStyles, documents, sheets, slides } = state;
  const { namespace, name, attribute } = element;
  if (sheets !== null && namespace === TABLE && name === 'shapes') return false;
  if (ABSENT.get(namespace)?.has(name) === true || slides?.isAbsent(element) === true) return true;
  if (sheets !== null && namespace === TABLE && name === 'table')
    return state.hiddenTables.has(attribute('table:style-name') ?? '');
  if (namespace === TEXT) {
    if (name === 'section') return attribute('text:display') === 'none';
    if (name === 'hidden-text') return attribute('text:is-hidden') === 'true';
    return hiddenStyles.has(attribute('text:style-name') ?? '') && (name === 'span' || name === 'p' || name === 'h');
  }
  if (!isMargin(namespace, name)) return false;
  // An embedded document is shown without its margins; on slides and sheets, they are for print.
  return documents.length > 1 || sheets !== null || slides !== null || attribute('style:display') === 'false';
}

function openText(area: Paragraphs, name: string): void {
  if (name === 'p' || name === 'h') area.open();
  else if (name === 's') area.out.separate(SPACE);
  else if (name === 'tab') area.out.separate(TAB);
  else if (name === 'line-break') area.out.lineBreak();
}

function writeText({ formula, area, slides }: State, text: string): void {
  if (formula !== null) {
    formula.renderer.text(text);
    return;
  }
  slides?.text(text);
  if (area !== null && area.depth() > 0) area.out.collapse(text);
}

function closeElement(state: State, element: XmlElement): void {
  const { formula, area } = state;
  if (formula !== null) {
    formula.renderer.close(element);
    if (--formula.depth > 0) return;
    state.formula = null;
    area?.out.writeApart(formula.renderer.end());
    return;
  }
  const { namespace, name } = element;
  state.slides?.close(element);
  if (namespace === TEXT && (name === 'p' || name === 'h')) area?.close();
  else if (namespace === OFFICE && name === 'document') Object.assign(state, state.documents.pop());
  else if (namespace === OFFICE && BODIES.has(name)) state.area = null;
  else if (isMargin(namespace, name)) {
    state.margins.add(area?.end() ?? '');
    state.area = null;
  }
  if (state.sheets !== null) state.area = state.sheets.close(element, state.area);
}

/** Writes the object that a reference points to; without a reference, it follows in place. */
function writeObject(state: State, area: Paragraphs, href: string | undefined): void {
  if (href === undefined) return;
  const object = state.objectAt(href.replace(/^\.\//, ''));
  state.leftOut += object?.leftOut ?? 1;
  if (object?.isInline === true) area.out.writeApart(object.text);
  else if (object !== undefined) area.add(object.text);
}

function isMargin(namespace: string, name: string): boolean {
  return namespace === STYLE && /^(?:header|footer)(?:-left|-first)?$/.test(name);
}
