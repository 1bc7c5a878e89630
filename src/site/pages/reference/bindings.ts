import { readdirSync, readFileSync } from 'node:fs';
import type { Declaration, DeclaredMember } from './declarations.ts';

interface Item extends DeclaredMember {
  readonly kind: Declaration['kind'];
  /** The class or type that it is a member of; `''` at the top level. */
  readonly owner: string;
}

function declarationsOf(items: readonly Item[], nameOf: (name: string) => string = (name) => name): Declaration[] {
  return items
    .filter(({ owner }) => owner === '')
    .map(({ name, kind, signature, doc }) => ({
      name: nameOf(name),
      kind,
      signatures: [signature],
      doc,
      parameters: [],
      members: items.filter(({ owner }) => owner === name),
    }));
}

const PYTHON_ITEM =
  /^( *)(?:@(?:property|staticmethod)\n *)?(?:(def|class) (\w+)((?:(?!\n *(?:def|class|@)).)*?):|(?:self\.)?(\w+): ([^\n=]+?)(?: = [^\n]*)?)\n +"""(.*?)"""|^(\w+): ([^\n=]+)\n"""(.*?)"""/gms;

export function readPython(root: URL): Declaration[] {
  const read = (name: string): string =>
    readFileSync(new URL(`src/python/python/simhash_doc/${name}`, root), 'utf8').replace(/\\\n/g, '');
  const start = read('__init__.py');
  const exported = new Set(/^__all__ = \[([^\]]*)\]/m.exec(start)![1]!.match(/\w+/g));
  const items: Item[] = [];
  let owner = '';
  for (const file of [start, read('_native.pyi'), read('_duplicates.py'), read('_index.py')])
    for (const [, indent, word, named, rest, field, type, text, constant, constantType, constantText] of file.matchAll(
      PYTHON_ITEM,
    )) {
      const name = named ?? field ?? constant!;
      const isTop = indent === undefined || indent === '';
      if (isTop) owner = exported.has(name) ? name : '';
      if (owner === '' || name.startsWith('_')) continue;
      items.push({
        name,
        kind: word === 'def' ? 'function' : word === 'class' ? 'class' : 'constant',
        owner: isTop ? '' : owner,
        signature: word === undefined ? `${name}: ${type ?? constantType}` : `${word} ${name}${rest}`,
        doc: (text ?? constantText!)
          .replaceAll(`\n${' '.repeat((indent ?? '').length + (word === undefined ? 0 : 4))}`, '\n')
          .replace(/(?<=\n)(\w+(?:, \w+)*): /g, '- `$1`: ')
          .trim(),
      });
    }
  return declarationsOf(items);
}

/** Reads what the crate exports, from its comments; names within a module have its name before them. */
export function readRust(root: URL): Declaration[] {
  const folder = new URL('src/rust/src/', root);
  const read = (name: string): Item[] => readRustItems(readFileSync(new URL(name, folder), 'utf8'));
  const lib = readFileSync(new URL('lib.rs', folder), 'utf8');
  const used = Array.from(lib.matchAll(/^( *)pub use (?:crate::)?(\w+)::(?:\{([^}]*)\}|(\w+));/gm));
  return [
    ...declarationsOf(read('lib.rs')),
    ...used.flatMap(([, indent, module, list, single]) => {
      const names = (list ?? single!).match(/\w+/g)!;
      const path = new URL(`${module}.rs`, folder);
      if (!readdirSync(folder).includes(`${module}.rs`)) return [];
      const items = readRustItems(readFileSync(path, 'utf8'));
      const chosen = items.filter(({ name, owner }) => names.includes(owner === '' ? name : owner));
      return declarationsOf(chosen, (name) => (indent === '' ? name : `steps::${name}`));
    }),
    ...declarationsOf([...read('duplicates/mod.rs'), ...read('duplicates/marks.rs')], (name) => `duplicates::${name}`),
    ...declarationsOf(read('residue.rs'), (name) => `residue::${name}`),
  ];
}

function readRustItems(source: string): Item[] {
  const items: Item[] = [];
  let doc: string[] = [];
  let owner = '';
  for (const { 0: line, index } of source.matchAll(/^.*$/gm)) {
    const comment = /^ *\/\/\/ ?(.*)$/.exec(line)?.[1];
    if (comment !== undefined) doc.push(comment);
    if (comment !== undefined || /^ *#\[/.test(line)) continue;
    const [, block] = /^(?:pub )?(?:(?:struct|enum)|impl(?:<[^>]*>)?(?: .* for)?) (\w+)/.exec(line) ?? [];
    const isTop = !line.startsWith(' ');
    const [, word, name] = /^ *pub (?:const )?(fn|struct|enum|const) (\w+)/.exec(line) ?? [];
    const [, member] = /^ {4}(?:pub (?=\w+:))?(\w+)(?:(?<=pub \w+): .*)?,(?: \/\/.*)?$/.exec(line) ?? [];
    if (doc.length > 0 && (word !== undefined || (member !== undefined && owner !== '')))
      items.push({
        name: (name ?? member)!,
        kind: word === undefined || word === 'const' ? 'constant' : word === 'fn' ? 'function' : 'type',
        owner: isTop ? '' : owner,
        signature: (word === undefined ? line : /^[^{]*?(?= \{| = |;\n)/.exec(source.slice(index))![0])
          .trim()
          .replace(/^pub |,(?: \/\/.*)?$/g, ''),
        doc: doc
          .join('\n')
          .replace(/^# Errors\n/m, '**Errors.** ')
          .replace(/\[(`[^`]+`)\](?:\([\w:]+\))?/g, '$1')
          .replace(/^```\n(.*)^```/ms, '@example\n$1'),
      });
    if (block !== undefined) owner = block;
    doc = [];
  }
  return items;
}
