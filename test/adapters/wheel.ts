import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../lock.ts';

const root = new URL('../..', import.meta.url).pathname;

/** The sources of the Python package. */
export const WHEEL = join(root, 'src/python');

/** The command of the adapter, with an interpreter that has the package. */
export const wheelAdapter = (python: string): string[] => [
  python,
  '-B',
  join(root, 'vectors/adapters/wheel/adapter.py'),
];

/** The folder where Cargo keeps what it has built for the package. */
export const WHEEL_TARGET = join(root, 'build/adapters/wheel');

/** The virtual environment with the tools and the libraries that the package is used with; .ci/run makes it. */
const venv = join(root, 'build/python');
export const PYTHON = join(venv, 'bin/python');

/** Tests whether Python modules can be loaded. */
export function hasModules(...names: readonly string[]): boolean {
  return existsSync(PYTHON) && spawnSync(PYTHON, ['-c', `import ${names.join()}`], { stdio: 'ignore' }).status === 0;
}

/** True if the package can be built. */
export function canBuildWheel(): boolean {
  return existsSync(join(venv, 'bin/maturin')) && spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The package as users have it. */
export interface InstalledWheel {
  /** Python with this package and no other. */
  readonly python: string;
  /** The variables with which `PYTHON` finds it too. */
  readonly env: NodeJS.ProcessEnv;
  /** The time to install it and to compute the first fingerprint, in seconds. */
  readonly seconds: number;
}

/** Builds the wheel and installs it in an empty virtual environment. */
export function installWheel(): InstalledWheel {
  const folder = mkdtempSync(join(tmpdir(), 'wheel-'));
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: WHEEL, stdio: 'pipe' });
  const built = ['--release', '--locked', '--target-dir', WHEEL_TARGET, '--out', folder];
  // Cargo locks its folder; maturin, which moves files in it afterwards, does not.
  withLock(`${WHEEL_TARGET}.lock`, () => run(join(venv, 'bin/maturin'), 'build', '--quiet', ...built));
  const wheel = join(folder, readdirSync(folder).find((name) => name.endsWith('.whl'))!);
  run(PYTHON, '-m', 'venv', join(folder, 'venv'));
  const python = join(folder, 'venv/bin/python');
  const start = performance.now();
  run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-index', wheel);
  run(python, '-c', 'import simhash_doc; print(simhash_doc.fingerprint("one two"))');
  const seconds = (performance.now() - start) / 1000;
  const lib = join(folder, 'venv/lib');
  const packages = join(lib, readdirSync(lib)[0]!, 'site-packages');
  const env = { ...process.env, PYTHONPATH: packages, PATH: `${join(venv, 'bin')}:${process.env['PATH']}` };
  return { python, env, seconds };
}
