import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** The schemas, whose `$id` is their address. */
const SCHEMAS = [
  'spec/command.schema.json',
  ...readdirSync(join(ROOT, 'vectors/schema')).map((name) => `vectors/schema/${name}`),
];

/** The address, which ends with a slash. */
export function address(): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).homepage;
}

/**
 * Makes the files that name the address.
 * @param home - the address, which ends with a slash
 * @returns contents by paths from the root
 */
export function addressedFiles(home: string): ReadonlyMap<string, string> {
  const repository = `${home}simhash-doc.git`;
  const edits: readonly (readonly [path: string, pattern: RegExp, text: string])[] = [
    ['package.json', /("repository": \{\s*"type": "git",\s*"url": )"[^"]*"/, `$1"git+${repository}"`],
    ['package.json', /("bugs": )"[^"]*"/, `$1"${home}issues"`],
    ['CITATION.cff', /^(url: ).*$/m, `$1${home}`],
    ['CITATION.cff', /^(repository-code: ).*$/m, `$1${repository}`],
    ['src/rust/Cargo.toml', /^(homepage = ).*$/m, `$1"${home}"`],
    ['src/rust/Cargo.toml', /^(repository = ).*$/m, `$1"${repository}"`],
    ['src/python/pyproject.toml', /^(Homepage = ).*$/m, `$1"${home}"`],
    ['src/python/pyproject.toml', /^(Repository = ).*$/m, `$1"${repository}"`],
    ['src/python/pyproject.toml', /^(Issues = ).*$/m, `$1"${home}issues"`],
    ['src/python/pyproject.toml', /^(Specification = ).*$/m, `$1"${home}spec/simhash-doc.html"`],
    // Their readers are at crates.io and PyPI, where a relative path does not work.
    ['src/rust/README.md', /https:[^()\s]+\/(?=spec\/)/g, home],
    ['src/python/README.md', /https:[^()\s]+\/(?=spec\/)/g, home],
    ...SCHEMAS.map((path) => [path, /^( {2}"\$id": )"[^"]*"/m, `$1"${home}${path}"`] as const),
  ];
  const files = new Map<string, string>();
  for (const [path, pattern, text] of edits) {
    const before = files.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
    if (!pattern.test(before)) throw new Error(`${path}: expected ${pattern}`);
    files.set(path, before.replace(pattern, text));
  }
  return files;
}

/**
 * Writes the address of the project wherever it stands. The one line to change is `homepage` in package.json; until there is an
 * address, it is a name that nobody can own (RFC 2606).
 */
export function writeAddress(): void {
  for (const [path, text] of addressedFiles(address())) writeFileSync(join(ROOT, path), text);
}
