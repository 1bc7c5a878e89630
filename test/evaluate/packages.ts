import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Unpacked packages are kept here, out of version control. */
const ROOT = resolve('build/evaluate');

/**
 * Fetches Debian packages and unpacks them, without installing anything: no root needed, and the system stays as it is.
 * @param names - the packages; those at hand are not fetched again
 * @throws Error where there is no apt, or a package cannot be had
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
    const [name = '', version = ''] = file.split('_');
    const unpacked = join(work, name);
    execFileSync('dpkg-deb', ['-x', join(work, file), unpacked]);
    renameSync(unpacked, packageFolder(name));
    VERSIONS.set(name, decodeURIComponent(version));
  }
  rmSync(work, { recursive: true });
}

const VERSIONS = new Map<string, string>();

/** Where a package was unpacked. */
export function packageFolder(name: string): string {
  return join(ROOT, name);
}
