import { ABSENT, BLOCK, BOX, CELL, type Display, displayTable, INLINE, setOf } from '../render/display.ts';

export const HTML = 'http://www.w3.org/1999/xhtml';
export const SVG = 'http://www.w3.org/2000/svg';
export const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Elements that are not inline in browsers (HTM-3 to HTM-6, https://html.spec.whatwg.org/multipage/rendering.html). */
const HTML_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'head script style template noscript rp rt rtc title datalist noembed noframes'],
  [ABSENT, 'iframe video audio canvas meter progress'],
  [BOX, 'button select textarea marquee'],
  [CELL, 'td th'],
  [BLOCK, 'body address blockquote center dialog div figure figcaption footer form header hr legend listing main p'],
  [BLOCK, 'plaintext pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section dir dd dl dt menu ol ul li'],
  [BLOCK, 'table caption thead tbody tfoot tr fieldset details summary optgroup option'],
]);

/** SVG: definitions and descriptions are not shown; each `text` has a position of its own. */
const SVG_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'title desc metadata style script defs symbol clipPath mask marker pattern'],
  [BLOCK, 'text foreignObject'],
]);

/** MathML: other notations of the same formula are left out, and so is what is invisible. */
const MATHML_DISPLAY: ReadonlyMap<string, Display> = displayTable([
  [ABSENT, 'annotation annotation-xml mphantom'],
  [INLINE, 'math'],
]);

const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'listing', 'plaintext', 'xmp', 'textarea']);

export function htmlDisplay(namespace: string, name: string, attribute: (name: string) => string | undefined): Display {
  // Any value counts, including "until-found": nothing is shown until someone searches for it (HTM-4).
  if (attribute('hidden') !== undefined) return ABSENT;
  if (namespace === SVG) {
    // A position of its own begins a new chunk of text, a new line most often.
    const placed = name === 'tspan' && (attribute('x') ?? attribute('y')) !== undefined;
    return placed ? BOX : (SVG_DISPLAY.get(name) ?? INLINE);
  }
  // Each element of a formula is a box of its own: `ab` as two identifiers is not a word.
  if (namespace === MATHML) return MATHML_DISPLAY.get(name) ?? BOX;
  // A closed dialog is not shown. Closed details are: they are a part of the document that folds.
  if (name === 'dialog' && attribute('open') === undefined) return ABSENT;
  // The content of an object without data is shown; with data, it is a fallback.
  if (name === 'object') return attribute('data') === undefined ? INLINE : ABSENT;
  return HTML_DISPLAY.get(name) ?? INLINE;
}

/** The properties of an element by its name. One table, since each look-up of a name takes about as long as parsing it. */
export interface ElementKind {
  /** The display of the element unless it is hidden; null if that depends on other attributes. */
  readonly display: Display | null;
  readonly isPreformatted: boolean;
  /** True if the parser may open it again and move it later ("formatting" of the HTML Standard). */
  readonly isFormatting: boolean;
  readonly isLineBreak: boolean;
}

const FORMATTING = setOf('a b big code em font i nobr s small strike strong tt u');

const OTHER: ElementKind = { display: INLINE, isPreformatted: false, isFormatting: false, isLineBreak: false };
const FOREIGN: ElementKind = { ...OTHER, display: null };

const HTML_KINDS: ReadonlyMap<string, ElementKind> = new Map(
  [...HTML_DISPLAY.keys(), ...PREFORMATTED, ...FORMATTING, 'br', 'object'].map((name) => [
    name,
    {
      display: name === 'dialog' || name === 'object' ? null : (HTML_DISPLAY.get(name) ?? INLINE),
      isPreformatted: PREFORMATTED.has(name),
      isFormatting: FORMATTING.has(name),
      isLineBreak: name === 'br',
    },
  ]),
);

export function kindOf(namespace: string, name: string): ElementKind {
  return namespace === HTML ? (HTML_KINDS.get(name) ?? OTHER) : FOREIGN;
}

export function isPreformatted(namespace: string, name: string): boolean {
  return namespace === HTML && PREFORMATTED.has(name);
}
