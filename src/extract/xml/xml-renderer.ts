import { HTML, htmlDisplay, isPreformatted, MATHML, SVG } from '../html/html-display.ts';
import { BLOCK, type Display } from '../render/display.ts';
import { LINE, NOTHING, type Separator, Writer } from '../render/text-writer.ts';
import type { XmlElement, XmlHandler } from './parse-xml.ts';

/**
 * The display of elements whose name does not determine it: part of the line inside a text, else a block. An element is inside a
 * text if its parent also has text, or has nothing but this element and is inside a text itself.
 */
export const AUTO = 'auto';
export const BREAK = 'break';
export const PREFORMATTED = 'preformatted';
export type XmlDisplay = Display | typeof AUTO | typeof BREAK | typeof PREFORMATTED;

export interface Frame {
  readonly element: XmlElement;
  readonly parent: Frame | null;
  readonly vocabulary: Vocabulary;
  readonly display: XmlDisplay;
  /** True if it has text of its own that is not white space. */
  mixed: boolean;
  children: number;
  /** True if its children are parts of a line; null until that is known. */
  inline: boolean | null;
}

export interface Vocabulary {
  readonly mediaType?: string;
  /** Tests for a root of the vocabulary, perhaps in an envelope; null if its first child decides. */
  isRoot?(element: XmlElement, doctype: string, parent: Frame | null): boolean | null;
  /** Tests whether an element is the first child of a root of the vocabulary, where several vocabularies share the root. */
  isFirst?(child: XmlElement): boolean;
  /** Returns the display of an element. `revoke` removes what {@link remember} chose: the text is repeated. */
  display(element: XmlElement, parent: Frame | null, revoke: () => void): XmlDisplay;
  /** The display of formulas in MathML, if HTML has another. */
  readonly formula?: Display;
  /** The text to remove, with an element that is left out, from the end of the text right before it. */
  label?(element: XmlElement): RegExp | null;
  /** True if the text of an element may be revoked later. */
  remember?(element: XmlElement, parent: Frame | null): boolean;
  /** The vocabulary of an element and its content, if it is another one. */
  within?(element: XmlElement, parent: Frame | null): Vocabulary | null;
}

/** Collapsed text, a separator, the border of an element that is decided at the end, a line break, or text as it is. */
type Part = string | Separator | Frame | typeof BREAK_PART | { readonly preformatted: string };
const BREAK_PART = Symbol('line break');

export interface Renderer extends XmlHandler {
  readonly leftOut?: number;
  end(): string;
}

interface State {
  /** Kept to the end: the last text in an element may decide that its first child was a part of a line. */
  readonly parts: Part[];
  top: Frame | null;
  /** The number of open elements from the outermost one that is left out on. */
  absent: number;
  preformatted: number;
  remembered: { readonly from: number; to: number; readonly frame: Frame }[];
}

export function createRenderer(vocabulary: Vocabulary): Renderer {
  const state: State = { parts: [], top: null, absent: 0, preformatted: 0, remembered: [] };
  return {
    open: (element) => openElement(state, element, vocabulary),
    close: () => closeElement(state),
    text: (text) => addText(state, text),
    end: () => write(state.parts),
  };
}

function openElement(state: State, element: XmlElement, vocabulary: Vocabulary): void {
  if (state.absent > 0) {
    state.absent++;
    return;
  }
  const { parts, top } = state;
  const outer = top?.vocabulary ?? vocabulary;
  const inner = outer.within?.(element, top) ?? outer;
  const display = foreignDisplay(element, inner) ?? inner.display(element, top, () => revoke(state));
  const frame: Frame = { element, parent: top, vocabulary: inner, display, mixed: false, children: 0, inline: null };
  if (top !== null) top.children++;
  addBorder(parts, frame);
  if (typeof display === 'object' && !display.content) {
    state.absent = 1;
    const label = inner.label?.(element) ?? null;
    // The border of the element may follow the text.
    const at = parts.length - (display.separator === NOTHING ? 1 : 2);
    const text = parts[at];
    if (label !== null && typeof text === 'string') parts[at] = text.replace(label, '');
    return;
  }
  if (display === BREAK) parts.push(BREAK_PART);
  if (isPre(frame)) state.preformatted++;
  if (inner.remember?.(element, top) === true) state.remembered.push({ from: parts.length, to: -1, frame });
  state.top = frame;
}

function closeElement(state: State): void {
  if (state.absent > 0) {
    state.absent--;
    return;
  }
  const { parts, top, remembered } = state;
  if (top === null) return;
  const last = remembered.at(-1);
  if (last?.frame === top) last.to = parts.length;
  if (isPre(top)) state.preformatted--;
  addBorder(parts, top);
  state.top = top.parent;
}

function addText({ parts, top, absent, preformatted }: State, text: string): void {
  if (absent > 0 || top === null) return;
  parts.push(preformatted > 0 ? { preformatted: text } : text);
  if (!top.mixed && /[^\t\n\f\r ]/.test(text)) top.mixed = true;
}

function addBorder(parts: Part[], frame: Frame): void {
  const { display, parent } = frame;
  if (display === BREAK) return;
  if (display === AUTO) parts.push(parent ?? LINE);
  else if (display === PREFORMATTED) parts.push(LINE);
  else if (display.separator !== NOTHING) parts.push(display.separator);
}

function revoke(state: State): void {
  for (const { from, to } of state.remembered) if (to >= 0) state.parts.fill('', from, to);
  state.remembered = [];
}

function write(parts: readonly Part[]): string {
  const out = new Writer();
  for (const part of parts) {
    if (typeof part === 'string') out.collapse(part);
    else if (typeof part === 'number') out.separate(part);
    else if (part === BREAK_PART) out.lineBreak();
    else if ('preformatted' in part) out.write(part.preformatted);
    else if (!isInline(part)) out.separate(LINE);
  }
  return out.end();
}

function foreignDisplay(element: XmlElement, { formula }: Vocabulary): XmlDisplay | null {
  const { namespace, name } = element;
  if (namespace === MATHML && formula !== undefined) return formula;
  if (namespace !== HTML && namespace !== SVG && namespace !== MATHML) return null;
  if (namespace === HTML && name === 'br') return BREAK;
  return htmlDisplay(namespace, name, element.attribute);
}

function isPre({ element, display }: Frame): boolean {
  return display === PREFORMATTED || isPreformatted(element.namespace, element.name);
}

/** Tests whether the children of an element are parts of a line, if their names do not determine it. */
function isInline(frame: Frame): boolean {
  const visited: Frame[] = [];
  let at: Frame | null = frame;
  let inline = false;
  for (; at !== null; at = at.parent) {
    if (at.inline !== null || at.mixed) {
      inline = at.inline ?? true;
      break;
    }
    visited.push(at);
    const flows = at.display === AUTO || (typeof at.display === 'object' && at.display.separator === NOTHING);
    if (at.children > 1 || !flows) break;
  }
  for (const each of visited) each.inline = inline;
  return inline;
}

/** XML without rules of its own: all its text. */
export const GENERIC: Vocabulary = {
  display: (_element, parent) => (parent === null ? BLOCK : AUTO),
};
