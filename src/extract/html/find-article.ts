import type { Token } from 'parse5';
import { setOf } from '../render/display.ts';
import { HTML } from './html-display.ts';
import { type ArticleFinder, attributeOf, type Element } from './text-tree.ts';

/** Elements and ARIA roles that are left out: they stand around an article (HTM-7). */
const LEFT_OUT = setOf('nav header footer aside form');
const LEFT_OUT_ROLES = setOf('navigation banner contentinfo complementary form search');

export function createArticleFinder(): ArticleFinder {
  const articles: Element[] = [];
  const mains: Element[] = [];
  return {
    isLeftOut(namespace, name, attributes) {
      if (namespace !== HTML || name === 'html' || name === 'body') return false;
      return LEFT_OUT.has(name) || LEFT_OUT_ROLES.has(roleOf(attributes));
    },
    place(element) {
      if (element.namespace !== HTML || element.isInTemplate) return false;
      const isArticle = element.name === 'article';
      if (!isArticle && element.name !== 'main' && roleOf(element.attributes) !== 'main') return false;
      (isArticle ? articles : mains).push(element);
      return true;
    },
    find: () => only(articles) ?? only(mains),
  };
}

function roleOf(attributes: readonly Token.Attribute[]): string {
  const role = attributes.length === 0 ? undefined : attributeOf(attributes, 'role');
  return role === undefined ? '' : /^\s*(\S*)/.exec(role.toLowerCase())![1]!;
}

/** Returns the only one of some elements that is shown and not in another of them; null if there is none, or more than one. */
function only(elements: readonly Element[]): Element | null {
  const all = new Set(elements);
  let found: Element | null = null;
  for (const element of elements) {
    if (!isOutermost(element, all)) continue;
    if (found !== null) return null;
    found = element;
  }
  return found;
}

function isOutermost(element: Element, all: ReadonlySet<Element>): boolean {
  if (!element.display.content) return false;
  for (let each = element.parent; each !== null; each = each.parent)
    if (!each.display.content || all.has(each)) return false;
  return true;
}
