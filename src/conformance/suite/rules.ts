import { readFileSync } from 'node:fs';
import { VECTORS } from './load-suite.ts';

export interface Rule {
  readonly id: string;
  /** `stated` by the proposal, or `decided` for the specification. */
  readonly origin: string;
  readonly section: string;
  readonly text: string;
  readonly link: string;
}

const FILES = [
  ...['simhash-doc', 'lookup', 'minhash-doc', 'extraction', 'media', 'conformance', 'verification', 'sharing'],
  ...['carrying', 'security'],
].map((name) => `spec/${name}.md`);

const read = (path: string): string => readFileSync(new URL(`../${path}`, VECTORS), 'utf8');

export function loadRules(): ReadonlyMap<string, Rule> {
  const stated = findStated(read('spec/rationale.md'));
  return new Map(FILES.flatMap((path) => findRules(read(path), path, stated)).map((rule) => [rule.id, rule]));
}

function findStated(rationale: string): ReadonlySet<string> {
  const start = rationale.indexOf('<a id="origins">');
  const table = rationale.slice(start, rationale.indexOf('\n<a id=', start));
  return new Set(Array.from(table.matchAll(/^\| \[([A-Z]{3}-\d+)\]/gm), ([, id]) => id!));
}

/** The end of a block of Markdown: an empty line, an item of a list, a row of a table. */
const BLOCK_START = /^\s*(?:\d+\.|-|\|)\s|^$/;

/** Finds the rules of a document: each is a paragraph, an item of a list, a row of a table, or a part of one of these. */
function findRules(markdown: string, path: string, stated: ReadonlySet<string>): Rule[] {
  const rules: Rule[] = [];
  let section = '';
  let block: string[] = [];
  const endBlock = (): void => {
    // Each rule begins with its anchor and its identifier; text before the first belongs to none.
    for (const part of block.join('\n').split(/(?=<a id=")/)) {
      const [, id, body] = /^<a id="([A-Z]{3}-\d+)"><\/a>\*\*\1\*\*(.*)$/s.exec(part) ?? [];
      if (id === undefined || body === undefined) continue;
      const origin = stated.has(id) ? 'stated' : 'decided';
      rules.push({ id, origin, section, text: plain(body), link: `${path}#${id}` });
    }
    block = [];
  };
  for (const line of [...markdown.split('\n'), '']) {
    if (BLOCK_START.test(line)) endBlock();
    section = /^#{2,3} (.+)$/.exec(line)?.[1] ?? section;
    block.push(line);
  }
  return rules;
}

function plain(markdown: string): string {
  const cells = markdown.replace(/^ \| | \|$/g, '').replaceAll(' | ', ': ');
  const parts = cells.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').split('`');
  // Every other part is code, in which an asterisk is one.
  return parts
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/(\*+)([^*]+)\1/g, '$2')))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
