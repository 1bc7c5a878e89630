import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import checksums from './checksums.json' with { type: 'json' };

/** Unpacked packages are kept here, out of version control. */
const ROOT = resolve('build/evaluate');
/** A Python with the packages of {@link installPackages}. */
const PYTHON = resolve('build/evaluate-python/bin/python');
const WHEELS = ['--platform', 'manylinux2014_x86_64', '--python-version', '3.11'];
const REQUIREMENTS = resolve('test/tools/evaluate/rivals/requirements.txt');

/**
 * Fetches Debian packages and unpacks them, without installing anything: no root needed, and the system stays as it
 * is.
 * @param names - the packages; present ones are not fetched again
 * @throws Error without apt, or if a package is not available
 */
export function fetchPackages(names: Iterable<string>): void {
  mkdirSync(ROOT, { recursive: true });
  const missing = [...new Set(names)].filter((name) => !existsSync(packageFolder(name)));
  if (missing.length === 0) return;
  console.error(`fetching ${missing.join(' ')}`);
  const work = join(ROOT, 'fetched');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  try {
    execFileSync('apt-get', ['download', '-qq', ...missing], { cwd: work, stdio: ['ignore', 'inherit', 'ignore'] });
  } catch (cause) {
    const message = `cannot download ${missing.join(' ')}: this needs a Debian system with deb lists (apt-get update)`;
    throw new Error(message, { cause });
  }
  for (const file of readdirSync(work)) {
    const [name = ''] = file.split('_');
    const unpacked = join(work, name);
    execFileSync('dpkg-deb', ['-x', join(work, file), unpacked]);
    renameSync(unpacked, packageFolder(name));
  }
  rmSync(work, { recursive: true });
}

/** Returns the folder of an unpacked package. */
export function packageFolder(name: string): string {
  return join(ROOT, name);
}

/**
 * Fetches a release and unpacks it, unless it is at hand. From PyPI it is the one for Python 3.11 on Linux, whatever the machine.
 * @throws Error if it does not have the checksum of checksums.json
 */
export function fetchRelease(registry: 'npm' | 'pypi', name: string, version: string): string {
  const folder = join(ROOT, 'releases', registry, `${name}@${version}`);
  if (existsSync(folder)) return folder;
  const work = join(ROOT, 'releases', 'fetched');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'out'), { recursive: true });
  console.error(`fetching ${name} ${version} from ${registry}`);
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  if (registry === 'npm') run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`]);
  else run('pip', ['download', '-q', '--no-deps', ...WHEELS, `${name}==${version}`]);
  const file = readdirSync(work).find((each) => each !== 'out')!;
  const sum = createHash('sha256')
    .update(readFileSync(join(work, file)))
    .digest('hex');
  const expected = (checksums as Readonly<Record<string, string>>)[`${registry}/${name}@${version}`];
  if (sum !== expected) throw new Error(`${file}: its SHA-256 is ${sum}, expected ${expected}`);
  if (file.endsWith('.whl')) run('python3', ['-m', 'zipfile', '-e', file, 'out']);
  else run('tar', ['-xzf', file, '-C', 'out']);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(join(work, 'out'), folder);
  rmSync(work, { recursive: true });
  return folder;
}

/** Installs the packages of PyPI that are not there yet. */
export function installPackages(): void {
  if (!existsSync(PYTHON)) execFileSync('python3', ['-m', 'venv', resolve('build/evaluate-python')]);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  runPython([...install, '-r', REQUIREMENTS]);
  // Its other dependencies, such as pyspark, are for methods that are not measured.
  runPython([...install, '--no-deps', 'text-dedup==0.4.0']);
}

/** Runs a program on one core; returns what it prints. */
export function runPython(args: readonly string[]): string {
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', RAYON_NUM_THREADS: '1' };
  return execFileSync(PYTHON, args, { encoding: 'utf8', maxBuffer: 2 ** 30, env });
}
