import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { escapeHtml } from '../../../common/text.ts';
import { loadRules } from '../../../conformance/suite/rules.ts';
import { code, contentsOf, heading, link, type Page, relativeLink, table } from '../html.ts';
import { readPython, readRust } from './bindings.ts';
import { type Declaration, type DeclaredMember, readDeclarations } from './declarations.ts';

const ABOUT: Readonly<Record<string, string>> = {
  '.': 'Fingerprints of texts, and every step of the specification as a function. Runs wherever JavaScript runs.',
  './conformance': 'Running the test vectors against an implementation, and reports (Node).',
  './duplicates': 'Groups and pairs of near-duplicates among texts, files and rows (Node).',
  './extract': 'The text of documents that are not plain text.',
  './extract/gzip': 'Decompressing gzip with limits.',
  './extract/jsonl': 'The rows of JSON Lines.',
  './extract/mail': 'The documents attached to a message.',
  './extract/mbox': 'The messages of a mailbox.',
  './extract/parquet': 'The rows of Parquet files. Needs hyparquet and hyparquet-compressors.',
  './extract/tar': 'The documents of a tar archive.',
  './extract/warc': 'The documents of a WARC file.',
  './extract/worker': 'Extraction in a worker with a time limit (Node).',
  './extract/zip': 'The documents of a ZIP archive.',
  './lookup': 'Near-duplicates in a set, and an index in memory.',
  './lookup/folder': 'An index in a folder (Node).',
  './lookup/postgres': 'An index in PostgreSQL. Needs pg and pg-copy-streams.',
};

const PYTHON = 'The Python package: fingerprints, comparison, and near-duplicates among rows of any kind.';
const RUST =
  'The Rust crate: fingerprints, comparison, an index in memory, near-duplicates, and each step of the specification.';

const INDEX = 'reference/index.html';

type Entry = ReturnType<typeof readEntries>[number];

export function renderReference(root: URL): Page[] {
  const entries = readEntries(root);
  const bindings: readonly Entry[] = [
    { name: 'simhash_doc (Python)', about: PYTHON, path: 'reference/python.html', declarations: readPython(root) },
    { name: 'simhash_doc (Rust)', about: RUST, path: 'reference/rust.html', declarations: readRust(root) },
  ];
  return [
    indexPage([...entries, ...bindings]),
    ...entries.map((entry) => entryPage(entry, entries)),
    ...bindings.map((entry) => entryPage(entry, [])),
  ];
}

function readEntries(root: URL) {
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
  };
  return Object.entries(exports).flatMap(([key, target]) => {
    if (typeof target === 'string' || target.types === undefined || key === './browser') return [];
    const about = ABOUT[key];
    if (about === undefined) throw new Error(`the reference does not say what ${key} is for`);
    return {
      name: name + key.slice(1),
      about,
      path: `reference/${(name + key.slice(1)).replaceAll('/', '-')}.html`,
      declarations: readDeclarations(new URL(target.types, root)),
    };
  });
}

function indexPage(entries: readonly Entry[]): Page {
  const rows = entries.map(({ name, about, path, declarations }) => {
    const functions = declarations.filter(({ kind }) => kind === 'function');
    const names = functions.map((each) => link(relativeLink(INDEX, `${path}#${each.name}`), code(each.name)));
    return [link(relativeLink(INDEX, path), code(name)), escapeHtml(about), names.join(' ')];
  });
  return {
    path: INDEX,
    title: 'API reference',
    description: 'The npm package simhash-doc, the Python package and the Rust crate, with every function and type.',
    section: 'reference',
    body: `<h1>API reference</h1>
<p>Entry points of the npm package, the Python package and the Rust crate, made from their types and comments. Each function says what it does, its parameters, its result and its errors.</p>
${table('Entry points', ['Import', 'For', 'Functions'], rows)}
`,
  };
}

interface Context {
  readonly page: string;
  readonly placeOf: (name: string) => string | undefined;
  readonly markdown: Marked;
}

const KINDS: readonly (readonly [Declaration['kind'], string])[] = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
];

function entryPage(entry: Entry, entries: readonly Entry[]): Page {
  const placeOf = (name: string): string | undefined => {
    const home = [entry, ...entries].find(({ declarations }) => declarations.some((each) => each.name === name));
    return home && relativeLink(entry.path, `${home.path}#${name}`);
  };
  const context = { page: entry.path, placeOf, markdown: new Marked({ gfm: true, async: false }) };
  const groups = KINDS.map(([kind, title]) => ({
    id: title.toLowerCase(),
    title,
    declarations: entry.declarations.filter((each) => each.kind === kind),
  })).filter(({ declarations }) => declarations.length > 0);
  return {
    path: entry.path,
    title: entry.name,
    description: `API reference of ${entry.name}: ${entry.about}`,
    section: 'reference',
    body: `<h1>${code(entry.name)}</h1>
<p>${escapeHtml(entry.about)} ${link('index.html', 'All entry points')}</p>
${groups
  .map(
    ({ id, title, declarations }) =>
      heading({ id, title, depth: 2 }) + declarations.map((each) => declarationHtml(each, context)).join(''),
  )
  .join('')}`,
    contents: contentsOf(
      groups.flatMap(({ id, title, declarations }) => [
        { id, title, depth: 2 },
        ...declarations.map(({ name }) => ({ id: name, title: code(name), depth: 3 })),
      ]),
    ),
  };
}

function declarationHtml({ name, signatures, doc, parameters, members }: Declaration, context: Context): string {
  const { summary, parameters: about, returns, throws, see, examples } = parseDocstring(doc);
  const rows = parameters.map((parameter) => [
    code(parameter.name),
    typeHtml(parameter.type, context),
    inline(about.get(parameter.name.replace(/[.?]/g, '')) ?? '', context),
  ]);
  const items = [
    ...(returns === undefined ? [] : [`<dt>Returns</dt><dd>${inline(returns, context)}</dd>`]),
    ...throws.map((each) => `<dt>Throws</dt><dd>${inline(each, context)}</dd>`),
    ...see.map((each) => `<dt>See</dt><dd>${inline(each, context)}</dd>`),
  ];
  return [
    '<section class="declaration">\n',
    heading({ id: name, title: code(name), depth: 3 }),
    `<pre tabindex="0"><code>${signatures.map((each) => linkNames(each, name, context)).join('\n')}</code></pre>\n`,
    block(summary, context),
    rows.length === 0 ? '' : `${table(`Parameters of ${name}`, ['Parameter', 'Type', 'Meaning'], rows)}\n`,
    items.length === 0 ? '' : `<dl>\n${items.join('\n')}\n</dl>\n`,
    ...examples.map((each) => `<pre tabindex="0"><code>${escapeHtml(each)}</code></pre>\n`),
    members.length === 0 ? '' : membersHtml(name, members, context),
    '</section>\n',
  ].join('');
}

function membersHtml(name: string, members: readonly DeclaredMember[], context: Context): string {
  const rows = members.map((member) => {
    const { summary, parameters, returns, throws } = parseDocstring(member.doc);
    const tags = [
      ...[...parameters].map(([parameter, about]) => `\`${parameter}\`: ${about}`),
      ...(returns === undefined ? [] : [`Returns ${returns}`]),
      ...throws.map((each) => `Throws ${each}`),
    ];
    const text = [summary, ...tags].filter((each) => each !== '');
    return [typeHtml(member.signature, context), text.map((each) => block(each, context)).join('')];
  });
  return `${table(`Members of ${name}`, ['Member', 'Meaning'], rows)}\n`;
}

const typeHtml = (type: string, context: Context): string => `<code>${linkNames(type, '', context)}</code>`;

function linkNames(typescript: string, self: string, { placeOf }: Context): string {
  return typescript
    .split(/\b([A-Z][A-Za-z0-9]+)\b/)
    .map((part, i) => {
      const place = i % 2 === 1 && part !== self ? placeOf(part) : undefined;
      return place === undefined ? escapeHtml(part) : link(place, escapeHtml(part));
    })
    .join('');
}

function block(markdown: string, context: Context): string {
  return markdown === '' ? '' : (context.markdown.parse(withLinks(markdown, context)) as string);
}

function inline(markdown: string, context: Context): string {
  return context.markdown.parseInline(withLinks(markdown, context)) as string;
}

function withLinks(markdown: string, { page, placeOf }: Context): string {
  const rules = loadRules();
  const linkTo = (source: string): string => relativeLink(page, source.replace(/\.md(?=#|$)/, '.html'));
  return markdown
    .replace(/\{@link ([^}]+)\}/g, (_, name: string) => {
      const place = placeOf(name);
      return place === undefined ? `\`${name}\`` : `[\`${name}\`](${place})`;
    })
    .split(/(`[^`]*`|\bspec\/[a-z-]+\.md(?:#[\w-]+)?)/)
    .map((part, i) => {
      if (i % 2 === 1) return part.startsWith('`') ? part : `[${part}](${linkTo(part)})`;
      return part.replace(/\b[A-Z]{3}-\d+\b/g, (id) => {
        const rule = rules.get(id);
        return rule === undefined ? id : `[${id}](${linkTo(rule.link)})`;
      });
    })
    .join('');
}

export function parseDocstring(doc: string) {
  const [summary, ...tags] = doc.split(/^@(?=[a-z])/m);
  const parameters = new Map<string, string>();
  const texts: Record<string, string[]> = {};
  for (const tag of tags) {
    const [, name, text] = /^([a-z]+)\s*(.*)$/s.exec(tag.trimEnd())!;
    const [, parameter, about] = /^(\S+)\s+-\s+(.*)$/s.exec(text!) ?? [];
    if (name === 'param' && parameter !== undefined) parameters.set(parameter, about!);
    else {
      texts[name!] ??= [];
      texts[name!]!.push(text!);
    }
  }
  const [returns] = texts['returns'] ?? [];
  return {
    summary: summary!.trim(),
    parameters,
    ...(returns !== undefined && { returns }),
    throws: texts['throws'] ?? [],
    see: texts['see'] ?? [],
    examples: texts['example'] ?? [],
  };
}
