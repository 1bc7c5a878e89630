import type { ExtractionLimits } from '../limits.ts';
import { readElements } from '../xml/parser.ts';

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

export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off', 'none'].includes(value);
}
