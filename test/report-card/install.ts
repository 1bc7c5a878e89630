import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Library, Registry } from './libraries.ts';

const root = new URL('../..', import.meta.url).pathname;
const ADAPTERS = 'test/report-card/adapters';
const MINUTES = 10;

/** A library that was installed. */
export interface Installed {
  /** The command of its adapter. */
  readonly command: readonly string[];
  /** What runs it, such as `Python 3.11.7`. */
  readonly runtime: string;
}

/**
 * Installs a library from its registry in a folder of its own, and builds its adapter.
 * @param library - what to install
 * @param folder - where; it is emptied
 * @throws Error with the end of what the client of the registry printed
 */
export function install(library: Library, folder: string): Installed {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return INSTALLERS[library.registry](library, folder);
}

type Installer = (library: Library, folder: string) => Installed;

const INSTALLERS: Readonly<Record<Registry, Installer>> = {
  npm: installNpm,
  PyPI: installPyPi,
  'crates.io': installCrate,
  Go: installGo,
  'Maven Central': installMaven,
};

/** Runs a client or a compiler. */
function run(folder: string, [program, ...args]: readonly [string, ...string[]]): string {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 * MINUTES } as const;
    return execFileSync(program, args, options);
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(lastLinesOf(`${stdout}\n${stderr}`) || message);
  }
}

/** The last lines of an output that say what went wrong, without the folders of this machine. */
function lastLinesOf(output: string): string {
  const lines = output.split('\n').filter((line) => /error/i.test(line));
  return lines
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

function installNpm(library: Library, folder: string): Installed {
  const dependencies = Object.fromEntries(packagesOf(library));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  run(folder, ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']);
  const command = [process.execPath, join(root, ADAPTERS, library.adapter), folder];
  return { command, runtime: `Node ${process.versions.node}` };
}

function installPyPi(library: Library, folder: string): Installed {
  const python = findPython(library.pythons ?? ['3']);
  const packages = packagesOf(library).map(([name, version]) => `${name}==${version}`);
  run(folder, [python, '-m', 'pip', 'install', '--disable-pip-version-check', '--target', folder, ...packages]);
  const version = run(folder, [python, '-c', 'import platform; print(platform.python_version())']);
  return {
    command: [python, '-B', join(root, ADAPTERS, library.adapter), folder],
    runtime: `Python ${version.trim()}`,
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

function installCrate(library: Library, folder: string): Installed {
  const dependencies = packagesOf(library).map(([name, version]) => `${name} = "=${version}"`);
  const head = ['[package]', 'name = "adapter"', 'version = "0.0.0"', 'edition = "2021"', '[dependencies]'];
  writeFileSync(join(folder, 'Cargo.toml'), [...head, ...dependencies, ''].join('\n'));
  copyAdapter(library, 'protocol.rs', join(folder, 'src'), 'main.rs');
  run(folder, ['cargo', 'build', '--quiet']);
  return { command: [join(folder, 'target/debug/adapter')], runtime: versionOf('rustc', '--version') };
}

function installGo(library: Library, folder: string): Installed {
  const required = packagesOf(library).map(([name, version]) => `require ${name} ${version}`);
  writeFileSync(join(folder, 'go.mod'), ['module adapter', 'go 1.21', ...required, ''].join('\n'));
  copyAdapter(library, 'protocol.go', folder, 'main.go');
  run(folder, ['go', 'build', '-mod=mod', '-o', 'adapter', '.']);
  return { command: [join(folder, 'adapter')], runtime: versionOf('go', 'version') };
}

function installMaven(library: Library, folder: string): Installed {
  const dependencies = packagesOf(library).map(([name, version]) => {
    const [group, artifact] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>adapter</groupId><artifactId>adapter</artifactId><version>0</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`;
  writeFileSync(join(folder, 'pom.xml'), project);
  const main = basename(library.adapter, '.java');
  copyAdapter(library, 'Protocol.java', folder, `${main}.java`);
  run(folder, ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']);
  run(folder, ['javac', '-cp', 'lib/*', '-d', 'classes', 'Protocol.java', `${main}.java`]);
  const path = `${join(folder, 'lib')}/*:${join(folder, 'classes')}`;
  return { command: ['java', '-cp', path, main], runtime: versionOf('java', '--version') };
}

function versionOf(program: string, ...args: string[]): string {
  return (execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0] ?? '').trim();
}
