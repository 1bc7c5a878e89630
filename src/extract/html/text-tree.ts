import type { html as parse5, Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5';
import { ABSENT, BLOCK, type Display, INLINE, setOf } from '../render/display.ts';
import { NOTHING, Writer } from '../render/text-writer.ts';
import { type ElementKind, HTML, htmlDisplay, kindOf } from './html-display.ts';

abstract class Node {
  parent: Element | null = null;
  previous: Node | null = null;
  next: Node | null = null;
}

/** Text is collected up to this many UTF-16 units before its white space is collapsed. */
const MAX_RAW = 1 << 12;

/** Text, and elements that became text as nothing can change them any more. */
class Text extends Node {
  #writer: Writer | null = null;
  /** The last node that was added. The parser adds words and the spaces between them one at a time. */
  #raw = '';

  add(text: string, isPreformatted: boolean): void {
    this.#raw += text;
    if (this.#raw.length > MAX_RAW) this.writer(isPreformatted);
  }

  /** Adds what another text holds, which must not be used after that. */
  append(other: Text, isPreformatted: boolean): void {
    if (other.#writer === null) this.add(other.#raw, isPreformatted);
    else this.writer(isPreformatted).append(other.writer(isPreformatted));
  }

  writer(isPreformatted: boolean): Writer {
    this.#writer ??= new Writer();
    const raw = this.#raw;
    if (raw === '') return this.#writer;
    this.#raw = '';
    if (isPreformatted) this.#writer.write(raw);
    else this.#writer.collapse(raw);
    return this.#writer;
  }
}

/** An element, or what stands for one: the document, and the content of a template. */
export class Element extends Node {
  readonly name: string;
  readonly namespace: parse5.NS;
  readonly attributes: Token.Attribute[];
  display: Display;
  /** True if the parser may still change it. Until it reports otherwise, it may change formatting elements only. */
  isOpen: boolean;
  isPreformatted: boolean;
  readonly isLineBreak: boolean;
  isInTemplate = false;
  /** True if it stays an element to the end, as it may be the article of the page. */
  isKept = false;
  /** True if it has been in the tree; it may have been moved or become text since. */
  wasPlaced = false;
  first: Node | null = null;
  last: Node | null = null;
  elements = 0;
  content: Element | null = null;
  /** The slots by their names, of the shadow tree that it is in, and of the one that it hosts (HTM-8). */
  slots: Slots | null = null;
  hosted: Slots | null = null;
  /** True for a slot that shows children of the host. */
  isFilled = false;

  constructor(
    name: string,
    namespace: parse5.NS,
    attributes: Token.Attribute[],
    { isFormatting, isPreformatted, isLineBreak }: ElementKind,
    display: Display,
  ) {
    super();
    this.name = name;
    this.namespace = namespace;
    this.attributes = attributes;
    this.display = display;
    this.isOpen = isFormatting;
    this.isPreformatted = isPreformatted;
    this.isLineBreak = isLineBreak;
  }
}

type Slots = Map<string, Element>;

/** Elements of HTML that may host a shadow tree, as all with a hyphen in their names. */
const HOSTS = setOf('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

export interface NodeTypes
  extends TreeAdapterTypeMap<Node, Element, Node, Element, Element, Element, Node, Text, Element, Node> {}

/** A block that is left out beside the article (HTM-7). */
const LEFT_OUT: Display = { ...BLOCK, content: false };

/** Comments and document types, which leave no trace. */
const IGNORED: Node = new Text();

/** The callbacks of the builder of a tree. Each may throw to stop the parser. */
interface TreeEvents {
  onElement(): void;
  /** Called for every element when it first has a parent; `isInTemplate` is known then. */
  onPlaced(element: Element): void;
  /** Called with the number of open elements after each that is opened. */
  onDepth(depth: number): void;
}

export interface ArticleFinder {
  isLeftOut(namespace: string, name: string, attributes: readonly Token.Attribute[]): boolean;
  /** Called for every element when it first has a parent. Returns whether it may be the article: then it is kept as an element. */
  place(element: Element): boolean;
  /** The article, called when the document ends; null if there is none. */
  find(): Element | null;
}

/**
 * The tree of a document, which becomes text as it grows (HTM-3 to HTM-6). It has the methods that the parser calls.
 *
 * The parser changes only the elements on its stack: it appends to them, moves them with their children, and inserts before
 * an open table. An element that is off the stack, without a child on it, therefore becomes text in its parent. What is
 * directly in an element that is not shown stays there, and is dropped at once.
 *
 * A class, since the parser calls these methods for every token and engines inline the methods of one prototype.
 */
export class TextTree implements Partial<TreeAdapter<NodeTypes>> {
  hasFrames = false;
  readonly #events: TreeEvents;
  readonly #document = createElement('#document', HTML as parse5.NS, [], INLINE);
  #mode!: parse5.DOCUMENT_MODE;
  #root: Element | null = null;
  #depth = 0;
  /** The last element that was placed, which may have no content: the parser opens it next, or never. */
  #unopened: Element | null = null;
  /** The former parent of the node that was last detached. */
  #vacated: Element | null = null;
  readonly #article: ArticleFinder | null;

  /** Without an article, the text is the whole body (HTM-7). */
  constructor(events: TreeEvents, article: ArticleFinder | null = null) {
    this.#events = events;
    this.#article = article;
    this.#document.isOpen = true;
  }

  end(): string {
    this.#closeUnopened();
    const top = this.#article?.find() ?? this.#document;
    settleAll(top);
    const out = new Writer();
    for (let node = top.first; node !== null; node = node.next) out.append((node as Text).writer(false));
    return out.end();
  }

  #place(parent: Element, node: Node, before: Node | null): void {
    if (node === IGNORED) return;
    if (this.#unopened !== null) this.#closeUnopened();
    const slot = parent.hosted === null ? parent : slotOf(parent.hosted, node);
    link(slot ?? parent, node, before);
    if (node instanceof Element && !node.wasPlaced) {
      node.wasPlaced = true;
      node.isInTemplate = parent.isInTemplate;
      node.slots = parent.slots;
      if (slot === null) node.display = ABSENT;
      if (node.name === 'template' || node.name === 'slot') beginShadow(parent, node);
      node.isPreformatted ||= parent.isPreformatted;
      if (parent === this.#document) this.#root = node;
      else if (parent === this.#root && node.name === 'frameset') this.hasFrames = true;
      if (this.#article?.place(node) === true) node.isKept = true;
      this.#events.onPlaced(node);
      if (!node.isOpen) this.#unopened = node;
    }
    if (this.#vacated !== null) this.#closeReplaced(parent);
  }

  #closeUnopened(): void {
    const element = this.#unopened;
    this.#unopened = null;
    if (element !== null) settle(element);
  }

  /** Closes the element that `clone`, of the same token, replaces on the stack unreported ("adoption agency"). */
  #closeReplaced(clone: Element): void {
    const from = this.#vacated;
    this.#vacated = null;
    let open = from;
    while (open !== null && !open.isOpen) open = open.parent;
    if (open !== null && open !== clone && open.attributes === clone.attributes) open.isOpen = false;
    if (from !== null) settle(from);
  }

  createElement(name: string, namespace: parse5.NS, attributes: Token.Attribute[]): Element {
    this.#events.onElement();
    const isLeftOut = this.#article?.isLeftOut(namespace, name, attributes) === true;
    return createElement(name, namespace, attributes, isLeftOut ? LEFT_OUT : undefined);
  }

  createDocument(): Element {
    return this.#document;
  }

  createDocumentFragment(): Element {
    const content = createElement('#document-fragment', HTML as parse5.NS, [], ABSENT);
    content.isOpen = true;
    content.isInTemplate = true;
    return content;
  }

  setTemplateContent(template: Element, content: Element): void {
    template.content = content;
  }

  getTemplateContent(template: Element): Element {
    return template.content!;
  }

  appendChild(parent: Element, node: Node): void {
    this.#place(parent, node, null);
  }

  insertBefore(parent: Element, node: Node, before: Node): void {
    this.#place(parent, node, before);
  }

  insertText(parent: Element, text: string): void {
    if (this.#unopened !== null) this.#closeUnopened();
    const place = parent.hosted === null ? parent : slotOf(parent.hosted, null);
    if (place?.display.content === true) textAfter(place, place.last, null).add(text, place.isPreformatted);
  }

  insertTextBefore(parent: Element, text: string, before: Node): void {
    if (parent.display.content) textAfter(parent, before.previous, before).add(text, parent.isPreformatted);
  }

  detachNode(node: Node): void {
    this.#vacated = node.parent;
    if (node.parent !== null) unlink(node);
  }

  /** Adds the attributes of a repeated `html` or `body` tag. */
  adoptAttributes(element: Element, attributes: Token.Attribute[]): void {
    // Only `hidden` changes how they are shown. Merging the lists would take quadratic time.
    if (isHidden(attributes)) element.display = ABSENT;
  }

  onItemPush(element: Element): void {
    this.#events.onDepth(++this.#depth);
    element.isOpen = true;
    if (this.#unopened === element) this.#unopened = null;
  }

  onItemPop(element: Element): void {
    this.#depth--;
    if (this.#unopened !== null) this.#closeUnopened();
    element.isOpen = false;
    if (element.content?.parent === element) element.content.isOpen = false;
    settle(element);
  }

  getParentNode(node: Node): Element | null {
    return node.parent;
  }

  getFirstChild(element: Element): Node | null {
    return element.first;
  }

  getChildNodes(element: Element): Node[] {
    const nodes: Node[] = [];
    for (let node = element.first; node !== null; node = node.next) nodes.push(node);
    return nodes;
  }

  getTagName(element: Element): string {
    return element.name;
  }

  getNamespaceURI(element: Element): parse5.NS {
    return element.namespace;
  }

  getAttrList(element: Element): Token.Attribute[] {
    return element.attributes;
  }

  setDocumentMode(_document: Element, mode: parse5.DOCUMENT_MODE): void {
    this.#mode = mode;
  }

  getDocumentMode(): parse5.DOCUMENT_MODE {
    return this.#mode;
  }

  createCommentNode(): Node {
    return IGNORED;
  }

  setDocumentType(): void {}
}

/** Attaches the shadow tree of a template to its parent, or notes the slot of the shadow tree that it is in (HTM-8). */
function beginShadow(parent: Element, element: Element): void {
  const { namespace, name, attributes, content, slots } = element;
  if (namespace !== HTML) return;
  if (name === 'slot') {
    const slot = attributeOf(attributes, 'name') ?? '';
    if (slots === null || slots.has(slot)) return;
    slots.set(slot, element);
    // What is assigned to it comes later.
    element.isKept = true;
    return;
  }
  const mode = attributeOf(attributes, 'shadowrootmode')?.toLowerCase();
  const isHost = parent.namespace === HTML && (HOSTS.has(parent.name) || parent.name.includes('-'));
  if ((mode !== 'open' && mode !== 'closed') || !isHost || parent.hosted !== null || content === null) return;
  parent.hosted = new Map();
  content.slots = parent.hosted;
  element.display = content.display = INLINE;
  link(element, content, null);
}

function slotOf(slots: Slots, node: Node | null): Element | null {
  const slot = slots.get((node instanceof Element ? attributeOf(node.attributes, 'slot') : '') ?? '');
  if (slot === undefined) return null;
  if (!slot.isFilled) while (slot.first !== null) unlink(slot.first);
  slot.isFilled = true;
  return slot;
}

function createElement(name: string, namespace: parse5.NS, attributes: Token.Attribute[], display?: Display): Element {
  const kind = kindOf(namespace, name);
  const known = display ?? (isHidden(attributes) ? null : kind.display);
  const shown = known ?? htmlDisplay(namespace, name, (each) => attributeOf(attributes, each));
  return new Element(name, namespace, attributes, kind, shown);
}

/** Lists with more attributes are searched once: the parser makes any number of elements from one token. */
const MAX_SEARCHED = 16;
const hidden = new WeakMap<readonly Token.Attribute[], boolean>();

function isHidden(attributes: readonly Token.Attribute[]): boolean {
  if (attributes.length <= MAX_SEARCHED) return attributeOf(attributes, 'hidden') !== undefined;
  let known = hidden.get(attributes);
  if (known === undefined) {
    known = attributeOf(attributes, 'hidden') !== undefined;
    hidden.set(attributes, known);
  }
  return known;
}

export function attributeOf(attributes: readonly Token.Attribute[], name: string): string | undefined {
  for (const each of attributes) if (each.name === name) return each.value;
  return undefined;
}

function link(parent: Element, node: Node, before: Node | null): void {
  const previous = before === null ? parent.last : before.previous;
  node.parent = parent;
  node.previous = previous;
  node.next = before;
  if (previous === null) parent.first = node;
  else previous.next = node;
  if (before === null) parent.last = node;
  else before.previous = node;
  if (node instanceof Element) parent.elements++;
}

function unlink(node: Node): void {
  const { parent, previous, next } = node;
  if (previous === null) parent!.first = next;
  else previous.next = next;
  if (next === null) parent!.last = previous;
  else next.previous = previous;
  if (node instanceof Element) parent!.elements--;
  node.parent = null;
  node.previous = null;
  node.next = null;
}

function textAfter(parent: Element, previous: Node | null, before: Node | null): Text {
  if (previous instanceof Text) return previous;
  const node = new Text();
  link(parent, node, before);
  return node;
}

/** Makes text of an element that cannot change any more, then of its parents of which the same is true. */
function settle(element: Element): void {
  let each = element;
  while (!each.isOpen && !each.isKept && each.elements === 0 && each.parent !== null) {
    const { parent } = each;
    becomeText(each, parent);
    each = parent;
  }
}

/** Makes text of everything in an element, deepest first, and without recursion, since nesting can be arbitrarily deep. */
function settleAll(top: Element): void {
  for (let element = top; ; ) {
    let child = element.first;
    while (child !== null && !(child instanceof Element)) child = child.next;
    if (child !== null) element = child;
    else if (element === top) return;
    else {
      const parent: Element = element.parent!;
      becomeText(element, parent);
      element = parent;
    }
  }
}

function becomeText(element: Element, parent: Element): void {
  const { previous, next, display, first } = element;
  unlink(element);
  if (!parent.display.content) return;
  const isApart = display.separator !== NOTHING || element.isPreformatted !== parent.isPreformatted;
  if (!isApart && !element.isLineBreak && first === element.last && !(next instanceof Text)) {
    if (!display.content || first === null) return;
    if (previous instanceof Text) previous.append(first as Text, parent.isPreformatted);
    else link(parent, first, next);
    return;
  }
  const writer = textAfter(parent, previous, next).writer(parent.isPreformatted);
  if (element.isLineBreak) writer.lineBreak();
  writer.separate(display.separator);
  if (display.content) {
    for (let child = element.first; child !== null; child = child.next)
      writer.append((child as Text).writer(element.isPreformatted));
    writer.separate(display.separator);
  }
  if (next instanceof Text) {
    writer.append(next.writer(parent.isPreformatted));
    unlink(next);
  }
}
