import { readFileSync } from 'node:fs';
import { VECTORS } from './load.ts';

/** A rule of the specification. */
export interface Rule {
  readonly id: string;
  readonly origin: string;
  /** The heading of its section. */
  readonly section: string;
  /** Its text without markup, on one line. */
  readonly text: string;
  /** A link to it, relative to the root of the package. */
  readonly link: string;
}

const SPECIFICATION = 'spec/simhash-doc.md';

/** Loads the rules of the specification by their identifiers. */
export function loadRules(): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  let section = '';
  for (const paragraph of readFileSync(new URL(`../${SPECIFICATION}`, VECTORS), 'utf8').split(/\n{2,}/)) {
    section = /^#{2,3} (.+)$/m.exec(paragraph)?.[1] ?? section;
    const found = /<a id="([A-Z]{3}-\d+)"><\/a>\*\*\1\*\* \((\w+)\)\. (.*)$/s.exec(paragraph);
    if (found === null) continue;
    const [, id, origin, body] = found as unknown as [string, string, string, string];
    rules.set(id, { id, origin, section, text: plain(body), link: `${SPECIFICATION}#${id}` });
  }
  return rules;
}

/** Removes links, emphasis and line breaks. */
function plain(markdown: string): string {
  const parts = markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').split('`');
  // Every other part is code, which has no emphasis.
  return parts
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/(\*+)([^*]+)\1/g, '$2')))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
