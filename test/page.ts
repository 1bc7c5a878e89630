import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

/** The elements below a node, in the order of the page; those with a name if it is given. */
export const elementsOf = (node: Node, name?: string): Element[] =>
  childrenOf(node).flatMap((child) => [
    ...('tagName' in child && (name === undefined || child.tagName === name) ? [child] : []),
    ...elementsOf(child, name),
  ]);

export const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''));

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

/** Reads a page as a browser does; `errors` has the codes of its parse errors. */
export function parsePage(html: string) {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  return { document, errors, elements: elementsOf(document) };
}
