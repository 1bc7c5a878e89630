/**
 * The part of a document that the playground uses, for tests without a browser: elements with attributes, children,
 * listeners and a focus. The pages are tested in Chromium and Firefox (site.slow.test.ts).
 */

type Listener = (event: unknown) => void;

class FakeNode {
  parent: FakeElement | null = null;
  get textContent(): string {
    return '';
  }
}

class FakeText extends FakeNode {
  readonly data: string;
  constructor(data: string) {
    super();
    this.data = data;
  }
  override get textContent(): string {
    return this.data;
  }
}

/** An element. */
export class FakeElement extends FakeNode {
  readonly tag: string;
  readonly attributes = new Map<string, string>();
  readonly #listeners = new Map<string, Listener[]>();
  children: FakeNode[] = [];
  value = '';
  checked = false;
  hidden = false;
  files: readonly unknown[] = [];

  constructor(tag: string) {
    super();
    this.tag = tag;
  }

  override get textContent(): string {
    return this.children.map(({ textContent }) => textContent).join('');
  }
  override set textContent(text: string) {
    this.replaceChildren(text);
  }
  get id(): string {
    return this.attributes.get('id') ?? '';
  }
  get classes(): string[] {
    return (this.attributes.get('class') ?? '').split(' ').filter((name) => name !== '');
  }
  get dataset(): Record<string, string | undefined> {
    return { key: this.attributes.get('data-key') };
  }
  get classList() {
    const toggle = (name: string, isOn: boolean): void => {
      const others = this.classes.filter((each) => each !== name);
      this.attributes.set('class', [...others, ...(isOn ? [name] : [])].join(' '));
    };
    return { toggle, add: (name: string) => toggle(name, true), remove: (name: string) => toggle(name, false) };
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  append(...children: (FakeNode | string)[]): void {
    for (const child of children) {
      const node = typeof child === 'string' ? new FakeText(child) : child;
      node.parent = this;
      this.children.push(node);
    }
  }
  replaceChildren(...children: (FakeNode | string)[]): void {
    this.children = [];
    this.append(...children);
  }
  contains(node: FakeNode | null): boolean {
    for (let each = node; each !== null; each = each.parent) if (each === this) return true;
    return false;
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  /** Calls the listeners of this element: events do not bubble here. */
  fire(type: string, event: Readonly<Record<string, unknown>> = {}): { readonly isPrevented: boolean } {
    let isPrevented = false;
    const preventDefault = (): void => {
      isPrevented = true;
    };
    for (const listener of this.#listeners.get(type) ?? [])
      listener({ target: this, preventDefault, stopPropagation: () => undefined, ...event });
    return { isPrevented };
  }
  focus(): void {
    page.activeElement = this;
  }
  matches(): boolean {
    return true;
  }
  scrollIntoView(): void {
    // Nothing is drawn.
  }
  /** Finds the element with a key, for the focus. */
  querySelector(selector: string): FakeElement | null {
    const [, key] = /^\[data-key="(.*)"\]$/.exec(selector)!;
    return all(this, (each) => each.dataset['key'] === key)[0] ?? null;
  }
}

/** Finds elements below another one, in the order of the page. */
export function all(element: FakeElement, isWanted: (each: FakeElement) => boolean): FakeElement[] {
  return element.children.flatMap((child) =>
    child instanceof FakeElement ? [...(isWanted(child) ? [child] : []), ...all(child, isWanted)] : [],
  );
}

/** Finds elements by their class. */
export const byClass = (element: FakeElement, name: string): FakeElement[] =>
  all(element, ({ classes }) => classes.includes(name));

/** Finds elements by the name of their tag. */
export const byTag = (element: FakeElement, name: string): FakeElement[] => all(element, ({ tag }) => tag === name);

/** The texts of elements. */
export const textsOf = (elements: readonly FakeElement[]): string[] => elements.map(({ textContent }) => textContent);

/** The document. */
export const page = {
  activeElement: null as FakeElement | null,
  body: new FakeElement('body'),
  createElement: (tag: string): FakeElement => new FakeElement(tag),
  createElementNS: (_: string, tag: string): FakeElement => new FakeElement(tag),
  createTextNode: (text: string): FakeText => new FakeText(text),
};

/** The global scope for modules of the playground. */
export const GLOBALS = {
  document: page,
  Node: FakeNode,
  HTMLElement: FakeElement,
  CSS: { escape: (text: string): string => text },
};
