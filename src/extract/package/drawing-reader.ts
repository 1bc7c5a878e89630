import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { SPACE } from '../render/writer.ts';
import type { XmlElement, XmlHandler } from '../xml/parser.ts';
import { isOn } from './docx-styles.ts';
import { decodeSymbols } from './symbol-font.ts';

/** The namespaces of formulas and drawings, transitional and strict, and of markup compatibility. */
export const MATH: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/math',
  'http://purl.oclc.org/ooxml/officeDocument/math',
]);
export const DRAWING: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/drawingml/2006/main',
  'http://purl.oclc.org/ooxml/drawingml/main',
]);
export const DIAGRAM: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/drawingml/2006/diagram',
  'http://purl.oclc.org/ooxml/drawingml/diagram',
]);
export const CHART: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/drawingml/2006/chart',
  'http://purl.oclc.org/ooxml/drawingml/chart',
  'http://schemas.microsoft.com/office/drawing/2014/chartex',
]);
export const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/** Shapes of slides and sheets, in the namespaces of both. */
const SHAPES: ReadonlySet<string> = new Set('sp cxnSp pic graphicFrame grpSp'.split(' '));

/** Fields that the program fills in: the number of the slide, and the date. */
const GENERATED = /^(?:slidenum|datetime)/i;

/** Gives the text of a diagram (SmartArt) by the identifier of its relationship; undefined if there is none. */
export type DiagramAt = (id: string) => string | undefined;

/** Reads the text of a part with drawings: a slide, a diagram, or what is drawn on a sheet. */
export interface DrawingReader extends XmlHandler {
  /** The number of charts and diagrams that are left out. */
  readonly graphics: number;
  /** The texts of footers and dates, which slides repeat. */
  readonly margins: ReadonlySet<string>;
  /** False for a slide that is not shown. */
  readonly isShown: boolean;
  /** Returns the text of all other shapes. */
  end(): string;
}

/** A shape that is open. */
interface Shape {
  /** The text of a footer, which stands apart; null for any other shape. */
  margin: Paragraphs | null;
  /** True once it turns out to be hidden. */
  isHidden: boolean;
}

/** The state of reading a part. */
interface State {
  readonly diagramAt: DiagramAt;
  readonly body: Paragraphs;
  readonly margins: Set<string>;
  readonly shapes: Shape[];
  /** The elements that are open. */
  readonly open: XmlElement[];
  /** The number of open elements in one that is left out, and that one. */
  absent: number;
  /** Alternatives that are open: true if one was taken. */
  readonly taken: boolean[];
  /** Text of the text element that is open, or null. */
  text: string | null;
  /** The symbol font of the run that is open; empty without one. */
  font: string;
  graphics: number;
  isShown: boolean;
}

/**
 * Creates a reader of one part with drawings (DrawingML).
 * @param diagramAt - gives the text of diagrams
 */
export function createDrawingReader(diagramAt: DiagramAt): DrawingReader {
  const state: State = {
    diagramAt,
    body: createParagraphs(),
    margins: new Set(),
    shapes: [],
    open: [],
    absent: 0,
    taken: [],
    text: null,
    font: '',
    graphics: 0,
    isShown: true,
  };
  return {
    get graphics() {
      return state.graphics;
    },
    get isShown() {
      return state.isShown;
    },
    margins: state.margins,
    open: (element) => openElement(state, element),
    text(value) {
      if (state.text !== null && state.absent === 0) state.text += value;
    },
    close: () => closeElement(state),
    end: () => state.body.end(),
  };
}

function openElement(state: State, element: XmlElement): void {
  if (state.absent > 0 || isAbsent(state, element)) {
    state.absent++;
    return;
  }
  const { namespace, name, attribute } = element;
  if (DRAWING.has(namespace)) openDrawing(state, element);
  else if (MATH.has(namespace)) {
    if (name === 't') state.text = '';
  } else if (namespace === COMPATIBILITY) {
    if (name === 'AlternateContent') state.taken.push(false);
  } else if (DIAGRAM.has(namespace)) {
    if (name === 'relIds') writeDiagram(state, attribute('r:dm') ?? '');
  } else if (CHART.has(namespace)) {
    if (name === 'chart') state.graphics++;
  } else if (SHAPES.has(name)) state.shapes.push({ margin: null, isHidden: false });
  else if (name === 'ph') readPlaceholder(state, attribute('type'));
  else if (name === 'sld') state.isShown = isOn(attribute('show'));
  state.open.push(element);
}

function isAbsent({ taken, shapes }: State, { namespace, name, attribute }: XmlElement): boolean {
  if (namespace === COMPATIBILITY && (name === 'Choice' || name === 'Fallback')) {
    const wasTaken = taken.at(-1) === true;
    taken[taken.length - 1] = true;
    return wasTaken;
  }
  const shape = shapes.at(-1);
  if (shape?.isHidden === true) return true;
  if (DRAWING.has(namespace)) {
    if (name === 'fld') return GENERATED.test(attribute('type') ?? '');
    return name === 'tc' && [attribute('hMerge'), attribute('vMerge')].some((merged) => merged && isOn(merged));
  }
  if (shape !== undefined && name === 'cNvPr') shape.isHidden = isOn(attribute('hidden') ?? '0');
  return false;
}

function openDrawing(state: State, { name, attribute }: XmlElement): void {
  const area = areaOf(state);
  if (name === 'p') area.open();
  else if (name === 't') state.text = '';
  else if (name === 'br') area.out.lineBreak();
  else if (name === 'r') state.font = '';
  else if (name === 'sym') state.font = attribute('typeface') ?? '';
}

/** Reads the kind of a placeholder: that of a number is left out, and a footer stands on every slide. */
function readPlaceholder({ shapes }: State, type: string | undefined): void {
  const shape = shapes.at(-1);
  if (shape === undefined) return;
  if (type === 'sldNum') shape.isHidden = true;
  else if (type === 'ftr' || type === 'hdr' || type === 'dt') shape.margin = createParagraphs();
}

/** Writes a diagram, which is a part of its own. */
function writeDiagram(state: State, id: string): void {
  const text = state.diagramAt(id);
  if (text === undefined) {
    state.graphics++;
    return;
  }
  const area = areaOf(state);
  area.open();
  area.out.write(text);
  area.close();
}

function closeElement(state: State): void {
  if (state.absent > 0) {
    state.absent--;
    return;
  }
  const { namespace, name } = state.open.pop()!;
  if (name === 't' && state.text !== null) writeText(state, MATH.has(namespace));
  else if (DRAWING.has(namespace)) {
    if (name === 'p') areaOf(state).close();
  } else if (namespace === COMPATIBILITY) {
    if (name === 'AlternateContent') state.taken.pop();
  } else if (SHAPES.has(name)) {
    const text = state.shapes.pop()?.margin?.end() ?? '';
    if (text !== '') state.margins.add(text);
  }
}

function writeText(state: State, isMath: boolean): void {
  const { out } = areaOf(state);
  if (isMath) out.separate(SPACE);
  out.write(decodeSymbols(state.text ?? '', state.font));
  if (isMath) out.separate(SPACE);
  state.text = null;
}

function areaOf({ shapes, body }: State): Paragraphs {
  return shapes.at(-1)?.margin ?? body;
}
