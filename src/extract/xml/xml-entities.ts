import { parseFragment } from 'parse5';
import { formatNumber, quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';

const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const MAX_DEPTH = 40;

/** The maximum number of characters that declared entities expand to, in addition to ten for each of the document. */
const MAX_EXPANSION = 1 << 20;

const MAX_NAMED = 5;

/** Reads the internal subset: entities with a replacement text; the first declaration of a name counts. */
function readDeclarations(declaration: string, declared: Map<string, string>): void {
  const subset = declaration.slice(declaration.indexOf('[') + 1).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const [, name, quoted] of subset.matchAll(/<!ENTITY\s+([^\s%"'<>]+)\s+("[^"]*"|'[^']*')\s*>/g))
    if (!declared.has(name!)) declared.set(name!, quoted!.slice(1, -1));
}

/** Returns the text of a replacement. Tags in it would be markup: only their borders are kept. */
function replaceReferences(value: string, resolve: (reference: string) => string): string {
  return value
    .replace(/&(#[^\s&;]+);/g, (_whole, each: string) => character(each))
    .replace(/(?:<[^<>]*>\s*)+/g, (tags) => (/>\s*</.test(tags) ? ' ' : ''))
    .replace(/&([^\s&;]+);/g, (_whole, each: string) => resolve(each));
}

/** Creates the entities of a document. Expansion is counted: ten declarations can make gigabytes. */
export function createEntities(length: number) {
  const max = MAX_EXPANSION + 10 * length;
  const declared = new Map<string, string>();
  const expanded = new Map<string, string | null>();
  const unknown = new Set<string>();
  let total = 0;

  function expand(name: string, within: readonly string[]): string | null {
    const predefined = Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name]! : undefined;
    if (predefined !== undefined) return predefined;
    const known = expanded.get(name);
    if (known !== undefined) return known;
    const value = declared.get(name);
    let text: string | null = null;
    if (value === undefined) text = htmlEntity(name);
    else if (!within.includes(name) && within.length < MAX_DEPTH) {
      let size = 0;
      text = replaceReferences(value, (each) => {
        const inner = each.startsWith('#') ? character(each) : (expand(each, [...within, name]) ?? '');
        size += inner.length;
        if (size > max) throw tooLarge();
        return inner;
      });
    }
    expanded.set(name, text);
    return text;
  }

  function tooLarge(): Error {
    return extractionError('too-large', `its entities expand to more than ${formatNumber(max)} characters`);
  }

  function lookUp(name: string): string {
    const text = expand(name, []);
    if (text === null) unknown.add(name.slice(0, 40));
    total += text?.length ?? 0;
    if (total > max && declared.has(name)) throw tooLarge();
    return text ?? '';
  }

  return {
    declare: (declaration: string) => readDeclarations(declaration, declared),
    table: new Proxy<Record<string, string>>(
      {},
      { get: (_target, name) => (typeof name === 'string' ? lookUp(name) : undefined) },
    ),
    warnings(): string[] {
      if (unknown.size === 0) return [];
      const names = [...unknown].slice(0, MAX_NAMED).map((name) => quote(`&${name};`));
      return [`unknown entities are left out: ${names.join(' ')}${unknown.size > MAX_NAMED ? ' and others' : ''}`];
    },
  };
}

/** Returns the character of a numeric reference, `#65` or `#x41`; empty if it is invalid. */
function character(reference: string): string {
  const code = /^#x[0-9a-f]+$/i.test(reference)
    ? Number.parseInt(reference.slice(2), 16)
    : /^#[0-9]+$/.test(reference)
      ? Number.parseInt(reference.slice(1), 10)
      : Number.NaN;
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
}

function htmlEntity(name: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9]{1,31}$/.test(name)) return null;
  const [node] = parseFragment(`&${name};`).childNodes;
  const value = node !== undefined && 'value' in node ? node.value : '';
  return value === '' || value.includes(';') ? null : value;
}
