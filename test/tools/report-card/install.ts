import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Library, Registry } from './libraries.ts';

const root = new URL('../../..', import.meta.url).pathname;
const ADAPTERS = 'test/tools/report-card/adapters';
const MINUTES = 10;

/** A library that was installed. */
export interface Installed {
  /** The command of its adapter. */
  readonly command: readonly string[];
  /** The runtime, such as `Python 3.11.7`. */
  readonly runtime: string;
  /** The versions of all packages that were installed, without that of the library. */
  readonly installed: Versions;
}

/** Versions by the name of a package; of several versions, the names are followed by `@` and the version. */
type Versions = Readonly<Record<string, string>>;

/**
 * Installs a library from its registry in a folder, which is emptied, and builds its adapter. `pinned` has the versions of what it
 * depends on, as they were installed before.
 */
export function install(library: Library, folder: string, pinned: Versions = {}): Installed {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { installed, ...started } = INSTALLERS[library.registry](library, folder, pinned);
  const others = Object.entries(installed).filter(([name]) => nameOf(name) !== nameOf(library.package));
  return { ...started, installed: Object.fromEntries(others.sort(([x], [y]) => (x < y ? -1 : 1))) };
}

/** The name of a package in PyPI is the same in either case, and with hyphens or underscores. */
const nameOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

type Installer = (library: Library, folder: string, pinned: Versions) => Installed;

/** Versions of packages, some of which may be there in several. */
function versionsOf(packages: readonly (readonly [name: string, version: string])[]): Versions {
  const unique = new Map(packages.map((each) => [each.join('@'), each]));
  const count = (name: string): number => [...unique.values()].filter(([other]) => other === name).length;
  return Object.fromEntries(
    [...unique.values()].map(([name, version]) => [count(name) > 1 ? `${name}@${version}` : name, version]),
  );
}

const INSTALLERS: Readonly<Record<Registry, Installer>> = {
  npm: installNpm,
  PyPI: installPyPi,
  'crates.io': installCrate,
  Go: installGo,
};

/** Runs a client or a compiler. */
function run(folder: string, [program, ...args]: readonly [string, ...string[]]): string {
  try {
    const options = {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: 60_000 * MINUTES,
    } as const;
    return execFileSync(program, args, options);
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(lastLinesOf(`${stdout}\n${stderr}`) || message);
  }
}

/** The last lines of an output with the error, without the folders of this machine. */
function lastLinesOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => /error/i.test(line))
    .slice(0, 4)
    .join('\n')
    .replace(/\/\S*\//g, '')
    .trim();
}

/** All packages of a library with their versions. */
function packagesOf(library: Library): [name: string, version: string][] {
  return [[library.package, library.version], ...Object.entries(library.with ?? {})];
}

function copyAdapter(library: Library, protocol: string, folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const path = join(root, ADAPTERS, library.adapter);
  copyFileSync(path, join(folder, name));
  copyFileSync(join(path, '..', protocol), join(folder, protocol));
}

function installNpm(library: Library, folder: string, pinned: Versions): Installed {
  const dependencies = Object.fromEntries(packagesOf(library));
  const overrides = Object.fromEntries(Object.entries(pinned).filter(([name]) => !(name in dependencies)));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
  run(folder, ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']);
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly version: string }>;
  };
  const versions = Object.entries(packages).map(
    ([path, { version }]) => [path.split('node_modules/').at(-1)!, version] as const,
  );
  const command = [process.execPath, join(root, ADAPTERS, library.adapter), folder];
  return { command, runtime: `Node ${process.versions.node}`, installed: versionsOf(versions) };
}

function installPyPi(library: Library, folder: string, pinned: Versions): Installed {
  const python = findPython(library.pythons ?? ['3']);
  const constraints = join(folder, 'constraints.txt');
  writeFileSync(
    constraints,
    Object.entries(pinned)
      .map(([name, version]) => `${name}==${version}\n`)
      .join(''),
  );
  const pip = (...args: string[]): string => run(folder, [python, '-m', 'pip', ...args, '--disable-pip-version-check']);
  const [own, ...others] = packagesOf(library).map(([name, version]) => `${name}==${version}`);
  const target = ['install', '--target', folder, '--constraint', constraints];
  if (library.isBare) {
    pip(...target, '--no-deps', own!);
    if (others.length > 0) pip(...target, ...others);
  } else pip(...target, own!, ...others);
  const listed = JSON.parse(pip('list', '--path', folder, '--format', 'json')) as { name: string; version: string }[];
  const version = run(folder, [python, '-c', 'import platform; print(platform.python_version())']);
  return {
    command: [python, '-B', join(root, ADAPTERS, library.adapter), folder],
    runtime: `Python ${version.trim()}`,
    installed: versionsOf(listed.map((each) => [each.name, each.version])),
  };
}

/** Finds a Python by its version, on the path or among those of pyenv. */
function findPython(versions: readonly string[]): string {
  const pyenv = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  for (const version of versions) {
    const installed = existsSync(pyenv) ? readdirSync(pyenv).filter((name) => name.startsWith(`${version}.`)) : [];
    const programs = [`python${version}`, ...installed.map((name) => join(pyenv, name, 'bin', `python${version}`))];
    const found = programs.find((each) => spawnSync(each, ['-m', 'pip', '--version']).status === 0);
    if (found !== undefined) return found;
  }
  throw new Error(`needs Python ${versions.join(' or ')} with pip`);
}

function installCrate(library: Library, folder: string, pinned: Versions): Installed {
  const dependencies = packagesOf(library).map(([name, version]) => `${name} = "=${version}"`);
  const head = ['[package]', 'name = "adapter"', 'version = "0.0.0"', 'edition = "2021"', '[dependencies]'];
  writeFileSync(join(folder, 'Cargo.toml'), [...head, ...dependencies, ''].join('\n'));
  copyAdapter(library, 'protocol.rs', join(folder, 'src'), 'main.rs');
  const read = (): Versions => {
    const lock = readFileSync(join(folder, 'Cargo.lock'), 'utf8');
    const found = [...lock.matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)].map(
      ([, name, version]) => [name!, version!] as const,
    );
    return versionsOf(found.filter(([name]) => name !== 'adapter'));
  };
  run(folder, ['cargo', 'generate-lockfile', '--quiet']);
  for (const [name, version] of Object.entries(read()))
    if (pinned[name] !== undefined && pinned[name] !== version)
      run(folder, ['cargo', 'update', '--quiet', '-p', name, '--precise', pinned[name]]);
  run(folder, ['cargo', 'build', '--quiet']);
  const command = [join(folder, 'target/debug/adapter')];
  return { command, runtime: versionOf('rustc', '--version'), installed: read() };
}

/** Go takes the oldest versions that the modules require, so they are the same each time. */
function installGo(library: Library, folder: string): Installed {
  const required = packagesOf(library).map(([name, version]) => `require ${name} ${version}`);
  writeFileSync(join(folder, 'go.mod'), ['module adapter', 'go 1.21', ...required, ''].join('\n'));
  copyAdapter(library, 'protocol.go', folder, 'main.go');
  run(folder, ['go', 'build', '-mod=mod', '-o', 'adapter', '.']);
  const modules = run(folder, ['go', 'list', '-mod=mod', '-m', '-f', '{{.Path}} {{.Version}}', 'all']);
  const versions = modules
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]);
  return {
    command: [join(folder, 'adapter')],
    runtime: versionOf('go', 'version'),
    installed: versionsOf(versions.filter(([, version]) => version !== '')),
  };
}

function versionOf(program: string, ...args: string[]): string {
  return (execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0] ?? '').trim();
}
