import { HTML, htmlDisplay, isPreformatted, MATHML, SVG } from '../html/display.ts';
import { BLOCK, type Display } from '../render/display.ts';
import { createWriter, LINE, NOTHING, type Separator } from '../render/writer.ts';
import type { XmlElement, XmlHandler } from './parser.ts';

/**
 * How an element is shown whose name does not tell: within a text it is a part of the line, elsewhere a block. It stands
 * within a text when its parent holds text besides it; or when it is all that its parent holds, and that one does.
 */
export const AUTO = 'auto';
/** One line end. */
export const BREAK = 'break';
/** A block in which white space is shown as it is written. */
export const PREFORMATTED = 'preformatted';
export type XmlDisplay = Display | typeof AUTO | typeof BREAK | typeof PREFORMATTED;

/** An element that is open, or was. */
export interface Frame {
  readonly element: XmlElement;
  readonly parent: Frame | null;
  readonly vocabulary: Vocabulary;
  readonly display: XmlDisplay;
  /** Whether it holds text that is no white space, directly. */
  mixed: boolean;
  /** How many elements it holds, directly. */
  children: number;
  /** Whether what it holds is parts of a line, as found out at the end. */
  inline: boolean | null;
}

/** How the elements of a vocabulary are shown. */
export interface Vocabulary {
  /**
   * How an element is shown.
   * @param element - an element of the vocabulary, or a foreign one within it
   * @param parent - the element it stands in, null for the root
   * @param revoke - takes back what {@link remember} was told of: it is shown elsewhere in the document
   */
  display(element: XmlElement, parent: Frame | null, revoke: () => void): XmlDisplay;
  /** How formulas in MathML are shown, where not as in HTML. */
  readonly formula?: Display;
  /** What goes with an element that is left out, at the end of the text right before it. */
  label?(element: XmlElement): RegExp | null;
  /** Whether what an element holds may be taken back later. */
  remember?(element: XmlElement, parent: Frame | null): boolean;
  /** The vocabulary of what an element holds, and of itself, where that is another one. */
  within?(element: XmlElement, parent: Frame | null): Vocabulary | null;
}

/** Collapsed text, a separator, the border of an element of which only the end tells, a line end, or text as it is. */
type Part = string | Separator | Frame | typeof BREAK_PART | { readonly preformatted: string };
const BREAK_PART = Symbol('line end');

/**
 * Renders the text of an XML document as {@link Vocabulary} says. Everything is kept until the end, since an element's
 * last piece of text can tell that its first child was a part of a line.
 * @param vocabulary - of the root
 * @returns what to give to the parser, and the text once it is done
 */
export function createRenderer(vocabulary: Vocabulary): XmlHandler & { end(): string } {
  const parts: Part[] = [];
  let top: Frame | null = null;
  let absent = 0;
  let preformatted = 0;
  let remembered: { readonly from: number; to: number; readonly frame: Frame }[] = [];

  function border(frame: Frame): void {
    const { display, parent } = frame;
    if (display === BREAK) return;
    if (display === AUTO) parts.push(parent ?? LINE);
    else if (display === PREFORMATTED) parts.push(LINE);
    else if (display.separator !== NOTHING) parts.push(display.separator);
  }

  return {
    open(element) {
      if (absent > 0) {
        absent++;
        return;
      }
      const outer: Vocabulary = top?.vocabulary ?? vocabulary;
      const inner = outer.within?.(element, top) ?? outer;
      const display = foreignDisplay(element, inner) ?? inner.display(element, top, revoke);
      const frame: Frame = {
        element,
        parent: top,
        vocabulary: inner,
        display,
        mixed: false,
        children: 0,
        inline: null,
      };
      if (top !== null) top.children++;
      border(frame);
      if (typeof display === 'object' && !display.content) {
        absent = 1;
        const label = inner.label?.(element) ?? null;
        const before = parts.at(display.separator === NOTHING ? -1 : -2);
        if (label !== null && typeof before === 'string')
          parts[parts.length - (display.separator === NOTHING ? 1 : 2)] = before.replace(label, '');
        return;
      }
      if (display === BREAK) parts.push(BREAK_PART);
      if (isPre(frame)) preformatted++;
      if (inner.remember?.(element, top) === true) remembered.push({ from: parts.length, to: -1, frame });
      top = frame;
    },
    close() {
      if (absent > 1) absent--;
      else if (absent === 1) absent = 0;
      else if (top !== null) {
        const last = remembered.at(-1);
        if (last?.frame === top) last.to = parts.length;
        if (isPre(top)) preformatted--;
        border(top);
        top = top.parent;
      }
    },
    text(text) {
      if (absent > 0 || top === null) return;
      if (preformatted > 0) parts.push({ preformatted: text });
      else parts.push(text);
      if (!top.mixed && /[^\t\n\f\r ]/.test(text)) top.mixed = true;
    },
    end() {
      const out = createWriter();
      for (const part of parts) {
        if (typeof part === 'string') out.collapse(part);
        else if (typeof part === 'number') out.separate(part);
        else if (part === BREAK_PART) out.lineBreak();
        else if ('preformatted' in part) out.write(part.preformatted);
        else if (!isInline(part)) out.separate(LINE);
      }
      return out.end();
    },
  };

  function revoke(): void {
    for (const { from, to } of remembered) if (to >= 0) parts.fill('', from, to);
    remembered = [];
  }
}

/** HTML, SVG and, mostly, formulas are shown the same way wherever they stand. */
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

/** Whether the elements that a frame holds are parts of a line, where their names do not tell. */
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

/** What has no rules of its own: all its text. */
export const GENERIC: Vocabulary = {
  display: (_element, parent) => (parent === null ? BLOCK : AUTO),
};
