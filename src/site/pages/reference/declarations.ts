import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { isRecord } from '../../../common/text.ts';

type Kind = 'function' | 'class' | 'constant' | 'interface' | 'type';

export interface Declaration {
  readonly name: string;
  readonly kind: Kind;
  /** TypeScript, without `export` and `declare`: one for each overload of a function. */
  readonly signatures: readonly string[];
  readonly doc: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly members: readonly DeclaredMember[];
}

export interface DeclaredMember {
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly leadingComments?: readonly { readonly value: string; readonly type: string }[];
  readonly [name: string]: unknown;
}

interface Module {
  readonly text: string;
  readonly body: readonly Node[];
}

interface Found {
  readonly module: Module;
  readonly statements: readonly Node[];
}

const modules = new Map<string, Module>();

function loadModule(url: URL): Module {
  let module = modules.get(url.href);
  if (module === undefined) {
    const text = readFileSync(url, 'utf8');
    const { program } = parse(text, { sourceType: 'module', plugins: [['typescript', { dts: true }]] });
    module = { text, body: program.body as unknown as readonly Node[] };
    modules.set(url.href, module);
  }
  return module;
}

export function readDeclarations(url: URL): Declaration[] {
  return [...exportsOf(url)].map(([name, { module, statements }]) => declarationOf(name, module, statements));
}

function exportsOf(url: URL): Map<string, Found> {
  const module = loadModule(url);
  const found = new Map<string, Found>();
  for (const statement of module.body) {
    if (statement.type === 'ExportAllDeclaration')
      for (const [name, each] of exportsOf(targetOf(statement, url))) found.set(name, each);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (isNode(statement['declaration'])) {
      for (const name of namesOf(statement['declaration']))
        found.set(name, { module, statements: [...(found.get(name)?.statements ?? []), statement] });
    } else {
      const others = isNode(statement['source']) ? exportsOf(targetOf(statement, url)) : localsOf(module, url);
      for (const specifier of nodes(statement['specifiers'])) {
        const name = nameOf(specifier['local']);
        const each = others.get(name);
        if (each === undefined) throw new Error(`${url.pathname} exports ${name}, which is not there`);
        found.set(nameOf(specifier['exported']), each);
      }
    }
  }
  return found;
}

function localsOf(module: Module, url: URL): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const statement of module.body) {
    if (KINDS[statement.type] !== undefined)
      for (const name of namesOf(statement)) found.set(name, { module, statements: [statement] });
    if (statement.type !== 'ImportDeclaration' || !nameOf(statement['source']).startsWith('.')) continue;
    const others = exportsOf(targetOf(statement, url));
    for (const specifier of nodes(statement['specifiers'])) {
      const each = others.get(nameOf(specifier['imported']));
      if (each !== undefined) found.set(nameOf(specifier['local']), each);
    }
  }
  return found;
}

const isNode = (value: unknown): value is Node => isRecord(value) && typeof value['type'] === 'string';

const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const nameOf = (node: unknown): string => (isNode(node) ? String(node['name'] ?? node['value']) : '');

const targetOf = ({ source }: Node, url: URL): URL => new URL(nameOf(source).replace(/\.[jt]s$/, '.d.ts'), url);

function namesOf(declaration: Node): string[] {
  if (declaration.type !== 'VariableDeclaration') return [nameOf(declaration['id'])];
  return nodes(declaration['declarations']).map(({ id }) => nameOf(id));
}

const KINDS: Readonly<Record<string, Kind>> = {
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
};

function declarationOf(name: string, module: Module, statements: readonly Node[]): Declaration {
  // A statement is the declaration itself if the module exports it elsewhere.
  const declarations = statements.map((statement) => (statement['declaration'] as Node | undefined) ?? statement);
  const [first] = declarations as [Node];
  const kind = KINDS[first.type];
  if (kind === undefined) throw new Error(`${name} is a ${first.type}, which the reference does not know`);
  const body = isNode(first['body']) ? nodes(first['body']['body']) : [];
  return {
    name,
    kind,
    signatures: declarations.map((declaration) => signatureOf(module, declaration)),
    doc: statements.map(docOf).find((doc) => doc !== '') ?? '',
    parameters: nodes(first['params']).map((parameter) => {
      const { start = 0, end = 0 } = (parameter['typeAnnotation'] as Node | undefined) ?? {};
      const own = parameter.type === 'RestElement' ? `...${nameOf(parameter['argument'])}` : nameOf(parameter);
      const type = module.text.slice(start, end).replace(/^:\s*/, '');
      return { name: parameter['optional'] === true ? `${own}?` : own, type };
    }),
    members: body.filter(isPublic).map((member) => memberOf(module, member)),
  };
}

const isPublic = ({ accessibility, key }: Node): boolean =>
  accessibility !== 'private' && !(isNode(key) && key.type === 'PrivateName');

function signatureOf({ text }: Module, { start, end, body }: Node): string {
  return text
    .slice(start, isNode(body) ? body.start : end)
    .replace(/^(?:export |declare )+/, '')
    .replace(/\/\*\*.*?\*\/\s*/gs, '')
    .trim();
}

function memberOf({ text }: Module, member: Node): DeclaredMember {
  const signature = text.slice(member.start, member.end).replace(/^readonly |;$/g, '');
  return { name: nameOf(member['key']), signature, doc: docOf(member) };
}

function docOf({ leadingComments = [] }: Node): string {
  const comment = leadingComments.at(-1);
  if (comment === undefined || comment.type !== 'CommentBlock' || !comment.value.startsWith('*')) return '';
  return comment.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}
