import type { ExtractionLimits } from '../limits.ts';
import { setOf } from '../render/display.ts';
import { createParagraphs } from '../render/paragraphs.ts';
import { SPACE, TAB } from '../render/text-writer.ts';
import { readElements, type XmlElement } from '../xml/parse-xml.ts';
import {
  CHART,
  createOfficeHandler,
  DIAGRAM,
  type DiagramAt,
  DRAWING,
  isOn,
  MATH,
  namespacesOf,
} from './drawing-reader.ts';
import { decodeSymbol, decodeSymbols } from './symbol-font.ts';

const WORD = namespacesOf('wordprocessingml', 'main');

const ABSENT = setOf('del moveFrom rt sdtPr instrText delText delInstrText');

/** The types of notes that are lines between the text and its notes. */
const RULES = setOf('separator continuationSeparator continuationNotice');

interface Paragraph {
  /** True if its style hides its text. */
  isHidden: boolean;
  /** True if the next one goes on with its last word. */
  isEndless: boolean;
}

interface Run {
  /** True if it is hidden, or null if styles decide. */
  isHidden: boolean | null;
  hasHiddenStyle: boolean;
  /** The name of its font, if the run has one of its own. */
  font: string;
}

export interface WordContext {
  readonly hiddenStyles: ReadonlySet<string>;
  readonly diagramAt: DiagramAt;
  /** The text of an imported document by its relationship; undefined if it is not read. */
  readonly chunkAt: DiagramAt;
}

type State = ReturnType<typeof newState>;

function newState(context: WordContext) {
  return {
    context,
    paragraphs: createParagraphs(),
    embedded: 0,
    graphics: 0,
    /** For each open field: true if its result has begun. */
    fields: [] as boolean[],
    pending: 0,
    /** The open runs: one may contain a text box, which contains others. */
    runs: [] as Run[],
    openParagraphs: [] as Paragraph[],
    joined: false,
  };
}

export function createWordReader(context: WordContext) {
  const state = newState(context);
  const handler = createOfficeHandler([WORD, MATH, DRAWING], {
    isAbsent,
    open: (element) => openElement(state, element),
    write: (text, element) => writeText(state, text, element),
    close: (element) => closeElement(state, element),
  });
  return {
    ...handler,
    end: () => ({ text: state.paragraphs.end(), embedded: state.embedded, graphics: state.graphics }),
  };
}

function openElement(state: State, element: XmlElement): void {
  const { namespace, name, attribute } = element;
  if (WORD.has(namespace)) openWord(state, element);
  else if (DRAWING.has(namespace)) {
    // A shape whose text is not in Word's namespace.
    if (name === 'p') state.paragraphs.open();
    else if (name === 'br') state.paragraphs.out.lineBreak();
  } else if (DIAGRAM.has(namespace) && name === 'relIds') {
    const isMissing = isShown(state) && !writeBlock(state, state.context.diagramAt(attribute('r:dm') ?? ''));
    if (isMissing) state.graphics++;
  } else if (CHART.has(namespace) && name === 'chart') state.graphics++;
}

function isAbsent({ namespace, name, parent, attribute }: XmlElement): boolean {
  if (!WORD.has(namespace)) return false;
  if (name === 'footnote' || name === 'endnote') return RULES.has(attribute('w:type') ?? '');
  // In the properties of a run or paragraph, elements of the same names only record what happened to it.
  return ABSENT.has(name) && parent?.name.endsWith('Pr') !== true;
}

function openWord(state: State, element: XmlElement): void {
  const { name, parent, attribute } = element;
  const { paragraphs, runs, openParagraphs } = state;
  switch (name) {
    case 'p':
      paragraphs.open(state.joined && paragraphs.depth() === 0);
      openParagraphs.push({ isHidden: false, isEndless: false });
      break;
    case 'r':
      runs.push({ isHidden: null, hasHiddenStyle: false, font: '' });
      break;
    case 'fldChar':
      markField(state, attribute('w:fldCharType'));
      break;
    case 'altChunk':
      if (!writeBlock(state, state.context.chunkAt(attribute('r:id') ?? ''))) state.embedded++;
      break;
    default:
      if (parent?.name === 'rPr') readRunProperty(state, element, parent.parent);
      else if (parent?.name === 'pPr') readParagraphProperty(state, element, parent.parent);
      else if (parent?.name === 'r' && isShown(state)) writeMark(state, name, attribute);
  }
}

/** Writes a text that stands in a part of its own; returns false without one. */
function writeBlock({ paragraphs }: State, text: string | undefined): boolean {
  if (text !== undefined) paragraphs.add(text);
  return text !== undefined;
}

function readRunProperty(
  { runs, openParagraphs, context: { hiddenStyles } }: State,
  { name, attribute }: XmlElement,
  owner: XmlElement | null,
): void {
  const run = runs.at(-1);
  if (owner?.name === 'r' && WORD.has(owner.namespace) && run !== undefined) {
    if (name === 'vanish') run.isHidden = isOn(attribute('w:val'));
    else if (name === 'rFonts') run.font = attribute('w:hAnsi') ?? attribute('w:ascii') ?? '';
    else if (name === 'rStyle') run.hasHiddenStyle = hiddenStyles.has(attribute('w:val') ?? '');
  } else if (owner?.name === 'pPr' && (name === 'del' || name === 'moveFrom')) {
    const paragraph = openParagraphs.at(-1);
    if (paragraph !== undefined) paragraph.isEndless = true;
  }
}

function readParagraphProperty(
  { openParagraphs, context: { hiddenStyles } }: State,
  { name, attribute }: XmlElement,
  owner: XmlElement | null,
): void {
  const paragraph = openParagraphs.at(-1);
  if (paragraph === undefined || owner?.name !== 'p') return;
  if (name === 'pStyle') paragraph.isHidden = hiddenStyles.has(attribute('w:val') ?? '');
  // A drop cap is a paragraph of its own; its word goes on in the next one.
  else if (name === 'framePr' && /^(?:drop|margin)$/.test(attribute('w:dropCap') ?? '')) paragraph.isEndless = true;
}

function markField(state: State, kind: string | undefined): void {
  const { fields } = state;
  if (kind === 'begin') {
    fields.push(false);
    state.pending++;
  } else if (kind === 'separate' || kind === 'end') {
    if (fields.at(-1) === false) state.pending--;
    if (kind === 'end') fields.pop();
    else if (fields.length > 0) fields[fields.length - 1] = true;
  }
}

function writeMark({ paragraphs: { out } }: State, name: string, attribute: XmlElement['attribute']): void {
  if (name === 'tab' || name === 'ptab') out.separate(TAB);
  else if (name === 'br' || name === 'cr') out.lineBreak();
  else if (name === 'noBreakHyphen') out.write('\u2011');
  else if (name === 'softHyphen') out.write('\u00AD');
  else if (name === 'sym') {
    const code = Number.parseInt(attribute('w:char') ?? '', 16);
    const symbol = decodeSymbol(code, attribute('w:font') ?? '');
    if (symbol === null) out.separate(SPACE);
    else out.write(symbol);
  }
}

function closeElement(state: State, { namespace, name }: XmlElement): void {
  if (name === 'p' && DRAWING.has(namespace)) state.paragraphs.close();
  if (!WORD.has(namespace)) return;
  if (name === 'r') state.runs.pop();
  if (name === 'p') closeParagraph(state);
}

function writeText(state: State, whole: string, { namespace, attribute }: XmlElement): void {
  const { out } = state.paragraphs;
  const isPreserved = DRAWING.has(namespace) || attribute('xml:space') === 'preserve';
  const text = isPreserved ? whole : trimSpace(whole);
  const shown = isShown(state) ? decodeSymbols(text, state.runs.at(-1)?.font ?? '') : '';
  if (MATH.has(namespace)) out.writeApart(shown);
  else out.write(shown);
}

function closeParagraph(state: State): void {
  const { paragraphs, fields, openParagraphs } = state;
  // A field without an end hides no more than its own paragraph.
  for (let at = fields.length - 1; state.pending > 0; at--) {
    if (fields[at] === false) state.pending--;
    fields[at] = true;
  }
  const isJoined = openParagraphs.pop()?.isEndless === true;
  paragraphs.close(isJoined);
  if (paragraphs.depth() === 0) state.joined = isJoined;
}

function isShown({ runs, openParagraphs, pending }: State): boolean {
  if (pending > 0) return false;
  const run = runs.at(-1);
  // A hidden style of characters in a hidden style of paragraphs is shown (ISO/IEC 29500-1, 17.7.3, toggle properties).
  const isStyleHidden = (run?.hasHiddenStyle ?? false) !== (openParagraphs.at(-1)?.isHidden ?? false);
  return !(run?.isHidden ?? isStyleHidden);
}

/** Removes XML's white space from both ends; a no-break space is not white space. */
function trimSpace(text: string): string {
  return text.replace(/^[\t\n\r ]+/, '').replace(/(?<![\t\n\r ])[\t\n\r ]+$/, '');
}

interface Style {
  /** True if its text is hidden; null if the style that it is based on decides. */
  isHidden: boolean | null;
  base: string;
}

export function readHiddenStyles(markup: string, limits: ExtractionLimits): ReadonlySet<string> {
  const styles = new Map<string, Style>();
  let style: Style = { isHidden: null, base: '' };
  readElements(markup, limits, ({ name, attribute, parent }) => {
    if (name === 'style') {
      style = { isHidden: null, base: '' };
      styles.set(attribute('w:styleId') ?? '', style);
    } else if (name === 'basedOn') style.base = attribute('w:val') ?? '';
    // The parts of a table style have properties of their own.
    else if (name === 'vanish' && parent?.name === 'rPr' && parent.parent?.name === 'style')
      style.isHidden = isOn(attribute('w:val'));
  });
  return hiddenOf(styles);
}

function hiddenOf(styles: ReadonlyMap<string, Style>): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const style of styles.values()) {
    const visited: Style[] = [];
    let at: Style | undefined = style;
    while (at?.isHidden === null) {
      visited.push(at);
      // Each style is visited once, and a cycle of styles without a value hides nothing.
      at.isHidden = false;
      at = styles.get(at.base);
    }
    for (const each of visited) each.isHidden = at?.isHidden ?? false;
  }
  for (const [id, { isHidden }] of styles) if (isHidden === true) hidden.add(id);
  return hidden;
}
