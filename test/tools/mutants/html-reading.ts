import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { charsetOfMeta, chooseHtmlCharset, decodeAs } from '../../../src/extract/text/charset.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

/** Step 0 for HTML, in parts that one can get wrong, each by itself (HTM-1 to HTM-6). */
export interface HtmlReading {
  /** HTM-1. `charset` is that of the transport. */
  decode(bytes: Uint8Array, charset: string | undefined): string;
  /** The whole of what follows, HTM-2 to HTM-6. */
  text(markup: string, r: HtmlReading): string;
  /** HTM-3, HTM-4. */
  isAbsent(element: Element, r: HtmlReading): boolean;
  /** HTM-4. */
  isHidden(element: Element): boolean;
  /** HTM-5, HTM-6. */
  separates(element: Element): boolean;
  /** Returns what an element adds to the text by itself. */
  own(element: Element): string;
  /** Returns what a comment adds. */
  comment(data: string): string;
}

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const absent = list(
  'head script style template noscript rp rt rtc title datalist noembed noframes iframe video audio canvas meter progress',
);
const absentInSvg = list('title desc metadata style script defs symbol clipPath mask marker pattern');
const absentInMath = list('annotation annotation-xml mphantom');
const separating = list(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu nav ol optgroup option p plaintext pre search section ' +
    'summary ul xmp br li table caption thead tbody tfoot tr td th button select textarea marquee',
);

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

const namespace = ({ namespaceURI }: Element): string => namespaceURI.slice(namespaceURI.lastIndexOf('/') + 1);

/** The first encoding that a `meta` element declares. */
function declared(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    const found =
      (node.tagName === 'meta' ? charsetOfMeta((name) => attributeOf(node, name)) : null) ?? declared(node.childNodes);
    if (found !== null) return found;
  }
  return null;
}

const hosts = list('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

function shadowOf(host: Element): Element | undefined {
  if (namespace(host) !== 'xhtml' || !(hosts.has(host.tagName) || host.tagName.includes('-'))) return undefined;
  const isShadow = (node: Node): boolean =>
    node.nodeName === 'template' && /^(?:open|closed)$/i.test(attributeOf(node as Element, 'shadowrootmode') ?? '');
  return host.childNodes.find(isShadow) as Element | undefined;
}

/** The children of an element that are shown (HTM-8). */
function flatten(host: Element): readonly Node[] {
  const template = shadowOf(host);
  if (template === undefined) return host.childNodes;
  const at = host.childNodes.indexOf(template);
  const light = host.childNodes.slice(at + 1).filter(({ nodeName }) => nodeName !== '#comment');
  const filled = new Set<string>();
  const fill = (node: Node): void => {
    if (!('tagName' in node)) return;
    const name = attributeOf(node, 'name') ?? '';
    if (node.tagName === 'slot' && !filled.has(name)) {
      filled.add(name);
      const assigned = light.filter((each) => ('tagName' in each ? (attributeOf(each, 'slot') ?? '') : '') === name);
      if (assigned.length > 0) node.childNodes = assigned;
      else node.childNodes.forEach(fill);
    } else node.childNodes.forEach(fill);
  };
  const shadow = contentOf(template);
  shadow.forEach(fill);
  return [...host.childNodes.slice(0, at), ...shadow];
}

const contentOf = (template: Element): Node[] =>
  (template as unknown as DefaultTreeAdapterTypes.Template).content.childNodes;

function textOf(node: Node, r: HtmlReading): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  if (node.nodeName === '#comment') return r.comment((node as DefaultTreeAdapterTypes.CommentNode).data);
  if (!('tagName' in node)) return '';
  if (r.isAbsent(node, r)) return '';
  const inside =
    r.own(node) +
    flatten(node)
      .map((child) => textOf(child, r))
      .join('');
  return r.separates(node) ? `\n${inside}\n` : inside;
}

/** The HTML profile once more, as far as tokens depend on it. */
export const reading: HtmlReading = {
  decode(bytes, charset) {
    const hints = charset === undefined ? {} : { transportCharset: charset };
    const isXml = String.fromCharCode(...bytes.subarray(0, 5)) === '<?xml';
    const { name, source } = chooseHtmlCharset(bytes, hints, isXml ? 'UTF-8' : 'windows-1252');
    const markup = decodeAs(bytes, name);
    if ((source !== 'declared' && source !== 'default') || name.startsWith('UTF-16')) return markup;
    const met = declared(parse(markup, { scriptingEnabled: true }).childNodes);
    return met === null || met === name ? markup : decodeAs(bytes, met);
  },
  text: (markup, r) =>
    parse(markup, { scriptingEnabled: true })
      .childNodes.map((node) => textOf(node, r))
      .join(''),
  isAbsent(element, r) {
    const { tagName } = element;
    if (r.isHidden(element)) return true;
    if (namespace(element) === 'svg') return absentInSvg.has(tagName);
    if (namespace(element) === 'MathML') return absentInMath.has(tagName);
    if (tagName === 'dialog') return attributeOf(element, 'open') === undefined;
    if (tagName === 'object') return attributeOf(element, 'data') !== undefined;
    return absent.has(tagName);
  },
  isHidden: (element) => attributeOf(element, 'hidden') !== undefined,
  separates(element) {
    const { tagName } = element;
    if (namespace(element) === 'MathML') return tagName !== 'math';
    if (namespace(element) !== 'svg') return separating.has(tagName);
    const placed = attributeOf(element, 'x') ?? attributeOf(element, 'y');
    return tagName === 'text' || tagName === 'foreignObject' || (tagName === 'tspan' && placed !== undefined);
  },
  own: () => '',
  comment: () => '',
};
