import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { HTML, htmlDisplay, isPreformatted } from '../../../src/extract/html/html-display.ts';
import type { Display } from '../../../src/extract/render/display.ts';
import { LINE, NOTHING, type Separator, SPACE } from '../../../src/extract/render/text-writer.ts';

type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** The text of an HTML document in the obvious way: parse it whole, then visit the tree (HTM-2 to HTM-6). */
export function renderWholeTree(markup: string): string {
  const out = createWriter();
  let preformatted = 0;
  const visit = (node: ChildNode): void => {
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode;
      if (preformatted > 0) out.write(value);
      else out.collapse(value);
    }
    if (!('tagName' in node)) return;
    if (node.namespaceURI === HTML && node.tagName === 'br') out.lineBreak();
    const { separator, content } = displayOf(node);
    out.separate(separator);
    if (!content) return;
    const isPre = isPreformatted(node.namespaceURI, node.tagName);
    if (isPre) preformatted++;
    for (const child of node.childNodes) visit(child);
    if (isPre) preformatted--;
    out.separate(separator);
  };
  visit(parse(markup, { scriptingEnabled: true }).childNodes.find(({ nodeName }) => nodeName === 'html')!);
  return out.end();
}

function displayOf(element: Element): Display {
  return htmlDisplay(
    element.namespaceURI,
    element.tagName,
    (name) => element.attrs.find((each) => each.name === name)?.value,
  );
}

/** Writes text and separators in order; nothing is appended to something else. */
function createWriter() {
  const parts: string[] = [];
  let separator: Separator = NOTHING;
  let lineBreaks = 0;

  function write(text: string): void {
    if (text === '') return;
    if (parts.length > 0 && separator === LINE) {
      const present = parts.at(-1)!.endsWith('\n') ? 1 : 0;
      parts.push('\n'.repeat(Math.max(1, lineBreaks) - present));
    } else if (parts.length > 0) parts.push(['', ' ', '\t'][separator]!);
    parts.push(text);
    separator = NOTHING;
    lineBreaks = 0;
  }

  function separate(min: Separator): void {
    if (min > separator) separator = min;
  }

  return {
    write,
    separate,
    lineBreak() {
      separator = LINE;
      lineBreaks++;
    },
    collapse(text: string) {
      const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ');
      const start = collapsed.startsWith(' ') ? 1 : 0;
      const end = collapsed.length - (collapsed.endsWith(' ') ? 1 : 0);
      if (start > 0) separate(SPACE);
      write(collapsed.slice(start, end));
      if (end < collapsed.length) separate(SPACE);
    },
    end: () => parts.join(''),
  };
}
