import { setOf } from '../render/display.ts';
import { createParagraphs, type Paragraphs } from '../render/paragraphs.ts';
import { withoutAbsent, type XmlElement, type XmlHandler } from '../xml/parse-xml.ts';
import { decodeSymbols } from './symbol-font.ts';

/** Returns the namespaces of a vocabulary, transitional and strict, and others for the same. */
export function namespacesOf(group: string, name: string, ...others: readonly string[]): ReadonlySet<string> {
  const own = [
    `http://schemas.openxmlformats.org/${group}/2006/${name}`,
    `http://purl.oclc.org/ooxml/${group}/${name}`,
  ];
  return new Set([...own, ...others]);
}
export const MATH = namespacesOf('officeDocument', 'math');
export const DRAWING = namespacesOf('drawingml', 'main');
export const DIAGRAM = namespacesOf('drawingml', 'diagram');
export const CHART = namespacesOf('drawingml', 'chart', 'http://schemas.microsoft.com/office/drawing/2014/chartex');
const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

const SHAPES = setOf('sp cxnSp pic graphicFrame grpSp');

/** Fields that the program fills in: the number of the slide, and the date. */
const GENERATED = /^(?:slidenum|datetime)/i;

export type DiagramAt = (id: string) => string | undefined;

interface Shape {
  /** The text of a footer, which stands apart; null for any other shape. */
  margin: Paragraphs | null;
  isHidden: boolean;
}

type State = ReturnType<typeof newState>;

function newState(diagramAt: DiagramAt) {
  return {
    diagramAt,
    body: createParagraphs(),
    margins: new Set<string>(),
    shapes: [] as Shape[],
    /** The symbol font of the run that is open; empty without one. */
    font: '',
    graphics: 0,
    isShown: true,
  };
}

/** Creates a reader of one part with drawings (DrawingML): a slide, a diagram, or what is drawn on a sheet. */
export function createDrawingReader(diagramAt: DiagramAt) {
  const state = newState(diagramAt);
  const handler = createOfficeHandler([MATH, DRAWING], {
    isAbsent: (element) => isAbsent(state, element),
    open: (element) => openElement(state, element),
    write: (text, { namespace }) => writeText(state, text, MATH.has(namespace)),
    close: (element) => closeElement(state, element),
  });
  return {
    ...handler,
    /** Returns the texts of footers and dates, which slides repeat, apart from the text of all other shapes. */
    end() {
      const { body, margins, graphics, isShown } = state;
      return { text: body.end(), margins, graphics, isShown };
    },
  };
}

interface OfficeHandler extends Pick<XmlHandler, 'open' | 'close'> {
  isAbsent(element: XmlElement): boolean;
  /** Receives the whole text of an element `t`. */
  write(text: string, element: XmlElement): void;
}

/** Leaves out absent elements, and all but the first of several alternatives (markup compatibility). */
export function createOfficeHandler(vocabularies: readonly ReadonlySet<string>[], handler: OfficeHandler): XmlHandler {
  /** For each open set of alternatives: true if one was taken. */
  const taken: boolean[] = [];
  let text: string | null = null;
  const hasAlternatives = ({ namespace, name }: XmlElement) =>
    namespace === COMPATIBILITY && name === 'AlternateContent';
  const isOther = (element: XmlElement): boolean => {
    const { namespace, name } = element;
    if (namespace !== COMPATIBILITY || (name !== 'Choice' && name !== 'Fallback')) return handler.isAbsent(element);
    const wasTaken = taken.at(-1) === true;
    taken[taken.length - 1] = true;
    return wasTaken;
  };
  return withoutAbsent(isOther, {
    open(element) {
      if (hasAlternatives(element)) taken.push(false);
      if (element.name === 't' && vocabularies.some((each) => each.has(element.namespace))) text = '';
      handler.open(element);
    },
    text(value) {
      if (text !== null) text += value;
    },
    close(element) {
      if (hasAlternatives(element)) taken.pop();
      if (element.name === 't' && text !== null) {
        handler.write(text, element);
        text = null;
      }
      handler.close(element);
    },
  });
}

function openElement(state: State, element: XmlElement): void {
  const { namespace, name, attribute } = element;
  if (DRAWING.has(namespace)) openDrawing(state, element);
  else if (MATH.has(namespace)) return;
  else if (DIAGRAM.has(namespace)) {
    if (name === 'relIds') writeDiagram(state, attribute('r:dm') ?? '');
  } else if (CHART.has(namespace)) {
    if (name === 'chart') state.graphics++;
  } else if (SHAPES.has(name)) state.shapes.push({ margin: null, isHidden: false });
  else if (name === 'ph') readPlaceholder(state, attribute('type'));
  else if (name === 'sld') state.isShown = isOn(attribute('show'));
}

function isAbsent({ shapes }: State, { namespace, name, attribute }: XmlElement): boolean {
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
  else if (name === 'br') area.out.lineBreak();
  else if (name === 'r') state.font = '';
  else if (name === 'sym') state.font = attribute('typeface') ?? '';
}

/** Reads the kind of a placeholder: numbers are left out, and a footer stands on every slide. */
function readPlaceholder({ shapes }: State, type: string | undefined): void {
  const shape = shapes.at(-1);
  if (shape === undefined) return;
  if (type === 'sldNum') shape.isHidden = true;
  else if (type === 'ftr' || type === 'hdr' || type === 'dt') shape.margin = createParagraphs();
}

function writeDiagram(state: State, id: string): void {
  const text = state.diagramAt(id);
  if (text === undefined) state.graphics++;
  else areaOf(state).add(text);
}

function closeElement(state: State, { namespace, name }: XmlElement): void {
  if (DRAWING.has(namespace)) {
    if (name === 'p') areaOf(state).close();
  } else if (SHAPES.has(name)) {
    const text = state.shapes.pop()?.margin?.end() ?? '';
    if (text !== '') state.margins.add(text);
  }
}

function writeText(state: State, text: string, isMath: boolean): void {
  const { out } = areaOf(state);
  const decoded = decodeSymbols(text, state.font);
  if (isMath) out.writeApart(decoded);
  else out.write(decoded);
}

function areaOf({ shapes, body }: State): Paragraphs {
  return shapes.at(-1)?.margin ?? body;
}

/** Tests whether a property that is on or off applies; without a value, it is on. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off', 'none'].includes(value);
}
