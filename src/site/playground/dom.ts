/** The properties of an element: attributes; properties for `value` and `disabled`; listeners as `onclick`. */
export type Props = Readonly<Record<string, string | number | boolean | null | undefined | ((event: never) => void)>>;

export type DomChild = Node | string | number | null | undefined | false | readonly DomChild[];

/** Makes an element from a selector such as `p.soft`, its properties, if the next argument has them, and its children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  ...parts: (DomChild | Props)[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = selector.split('.') as [K, ...string[]];
  const element = document.createElement(tag);
  if (classes.length > 0) element.setAttribute('class', classes.join(' '));
  const [first, ...rest] = parts;
  const children = isProps(first) ? rest : parts;
  for (const [name, value] of Object.entries(isProps(first) ? first : {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (name === 'value') (element as unknown as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children as DomChild[]);
  return element;
}

function isProps(part: DomChild | Props): part is Props {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Node);
}

export function button(text: DomChild, onclick: () => unknown, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', onclick, ...props }, text);
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag: string, props: Readonly<Record<string, string | number>>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

function append(element: Element, children: readonly DomChild[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}
