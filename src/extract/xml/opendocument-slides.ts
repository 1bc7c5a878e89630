import { DRAW, PRESENTATION, STYLE, TEXT } from './opendocument-names.ts';
import type { XmlElement } from './parse-xml.ts';

/** Creates the rules for what only presentations have: hidden pages, placeholders and footers (MED-8). */
export function createSlideRules() {
  const hidden = new Set<string>();
  /** The parts that the pages of a style show. */
  const shows = { footer: new Set<string>(), 'date-time': new Set<string>() };
  const declared = { footer: new Map<string, string>(), 'date-time': new Map<string, string>() };
  const margins = new Set<string>();
  let declaration: { readonly texts: Map<string, string>; readonly name: string } | null = null;

  const openPage = ({ attribute }: XmlElement): void => {
    for (const kind of ['footer', 'date-time'] as const) {
      const text = declared[kind].get(attribute(`presentation:use-${kind}-name`) ?? '') ?? '';
      if (text !== '' && shows[kind].has(attribute('draw:style-name') ?? '')) margins.add(text);
    }
  };
  return {
    margins,
    isAbsent({ namespace, name, attribute }: XmlElement): boolean {
      if (namespace === DRAW && name === 'page') return hidden.has(attribute('draw:style-name') ?? '');
      if (namespace === DRAW)
        return attribute('presentation:placeholder') === 'true' || attribute('draw:display') === 'none';
      if (namespace !== TEXT) return false;
      // The program makes them anew.
      if (name === 'date' || name === 'time') return attribute('text:fixed') !== 'true';
      return name === 'page-number';
    },
    /** Notes an element that is opened; `style` is the name of the style that is being defined. */
    open(element: XmlElement, style: string): void {
      const { namespace, name, attribute } = element;
      if (namespace === STYLE && name === 'drawing-page-properties') {
        if (attribute('presentation:visibility') === 'hidden') hidden.add(style);
        for (const kind of ['footer', 'date-time'] as const)
          if (attribute(`presentation:display-${kind}`) === 'true') shows[kind].add(style);
      } else if (namespace === DRAW && name === 'page') openPage(element);
      else if (namespace === PRESENTATION && name === 'footer-decl') declare(element, 'footer');
      else if (namespace === PRESENTATION && name === 'date-time-decl' && attribute('presentation:source') === 'fixed')
        declare(element, 'date-time');
    },
    text(text: string): void {
      if (declaration !== null)
        declaration.texts.set(declaration.name, (declaration.texts.get(declaration.name) ?? '') + text);
    },
    close({ namespace }: XmlElement): void {
      if (namespace === PRESENTATION) declaration = null;
    },
  };

  function declare({ attribute }: XmlElement, kind: 'footer' | 'date-time'): void {
    declaration = { texts: declared[kind], name: attribute('presentation:name') ?? '' };
  }
}
