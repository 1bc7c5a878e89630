import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manual, ManualMedium } from '../media/manuals.ts';

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
    const [name = ''] = file.split('_');
    const unpacked = join(work, name);
    execFileSync('dpkg-deb', ['-x', join(work, file), unpacked]);
    renameSync(unpacked, packageFolder(name));
  }
  rmSync(work, { recursive: true });
}

/** Where a package was unpacked. */
export function packageFolder(name: string): string {
  return join(ROOT, name);
}

/** The files of a manual in one medium, in the order of their names. */
export function manualFiles(name: string, place: NonNullable<Manual['media'][ManualMedium]>): string[] {
  if (typeof place === 'string') return [join(packageFolder(name), place)];
  const [folder, names] = place;
  const files = readdirSync(join(packageFolder(name), folder)).filter((file) => names.test(file));
  if (files.length === 0) throw new Error(`nothing in ${folder} of ${name} matches ${names}`);
  return files.sort().map((file) => join(packageFolder(name), folder, file));
}
