import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Document } from './document.ts';
import { filesBelow, readDocuments } from './files.ts';

const ROOT = resolve('build/evaluate/releases');

/** Packages of npm whose archives have documentation, and releases of them, the oldest first. */
const NPM: Readonly<Record<string, string>> = {
  ajv: '6.12.6 8.0.0 8.12.0',
  axios: '0.27.2 1.0.0 1.6.0 1.7.9',
  chalk: '4.1.2 5.3.0',
  commander: '6.2.1 8.3.0 10.0.1 12.1.0',
  express: '4.17.3 4.18.2 4.21.2',
  fastify: '3.29.5 4.10.0 4.28.1 5.0.0',
  got: '11.8.6 12.6.1 13.0.0',
  joi: '17.6.0 17.13.3',
  marked: '4.3.0 9.1.6 12.0.2',
  mathjs: '5.10.3 6.6.5 7.6.0',
  mocha: '8.4.0 9.2.2 10.8.2',
  npm: '7.24.2 8.19.4 9.9.4 10.9.0',
  pino: '6.14.0 7.11.0 8.21.0 9.0.0',
  undici: '5.28.4 6.6.0 6.19.8 7.0.0',
  winston: '3.3.4 3.8.2 3.17.0',
  ws: '7.5.10 8.5.0 8.18.0',
  yargs: '15.4.1 16.2.0 17.7.2',
};

/** The same of PyPI; the description in a wheel is the README of the release. */
const PYPI: Readonly<Record<string, string>> = {
  attrs: '21.4.0 22.2.0 23.2.0',
  click: '7.1.2 8.0.4 8.1.7',
  httpx: '0.23.0 0.25.2 0.27.2',
  pydantic: '1.10.2 2.0.3 2.9.2',
  pytest: '6.2.5 7.4.4 8.3.3',
  requests: '2.25.1 2.28.2 2.32.3',
  rich: '10.16.2 12.6.0 13.9.2',
  tqdm: '4.62.3 4.64.1 4.66.5',
};

const DOCUMENTATION =
  /(?:^|\/)(?:readme|changelog|changes|history|contributing|security|api)[^/]*$|\.(?:md|rst|\d)$|\/METADATA$/i;

/** The documentation of all releases; a group is one file through them. */
export async function readReleases(): Promise<Document[]> {
  const documents: Document[] = [];
  for (const [registry, packages] of [
    ['npm', NPM],
    ['pypi', PYPI],
  ] as const)
    for (const [name, versions] of Object.entries(packages))
      for (const version of versions.split(' ')) {
        const folder = fetchRelease(registry, name, version);
        const paths = filesBelow(folder).filter((path) => isDocumentation(path.slice(folder.length)));
        const read = await readDocuments(paths, {
          root: ROOT,
          language: 'en',
          group: (id) => `${registry}/${name}/${groupOf(id)}`,
        });
        documents.push(...read.map((each) => ({ ...each, language: languageOf(each.id) })));
      }
  return documents;
}

function isDocumentation(path: string): boolean {
  return DOCUMENTATION.test(path) && !path.includes('/node_modules/');
}

/** The path inside the package, without the versions that the names of wheels have. */
function groupOf(id: string): string {
  return id
    .split('/')
    .slice(2)
    .map((part) => part.replace(/-[\d.]+(?=\.dist-info$)/, ''))
    .join('/');
}

function languageOf(id: string): string {
  return /zh[-_]cn/i.test(id) ? 'zh' : 'en';
}

/** Fetches a release and unpacks it, unless it is at hand. */
export function fetchRelease(registry: 'npm' | 'pypi', name: string, version: string): string {
  const folder = join(ROOT, registry, `${name}@${version}`);
  if (existsSync(folder)) return folder;
  const work = join(ROOT, 'fetched');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'out'), { recursive: true });
  console.error(`fetching ${name} ${version} from ${registry}`);
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  if (registry === 'npm') run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`]);
  else run('pip', ['download', '-q', '--no-deps', '--only-binary', ':all:', `${name}==${version}`]);
  const file = readdirSync(work).find((each) => each !== 'out')!;
  if (registry === 'npm') run('tar', ['-xzf', file, '-C', 'out']);
  else run('python3', ['-m', 'zipfile', '-e', file, 'out']);
  mkdirSync(join(ROOT, registry), { recursive: true });
  renameSync(join(work, 'out'), folder);
  rmSync(work, { recursive: true });
  return folder;
}
