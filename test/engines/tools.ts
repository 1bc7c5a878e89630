import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;

/**
 * Installs an npm package that is not a dependency of this one, once, below build/.
 * @param specifier - its name and version, such as `bun@1.4`
 * @returns its folder of modules; undefined if it is not available
 */
export function installed(specifier: string): string | undefined {
  const parent = join(root, 'build', 'engines');
  const place = join(parent, specifier.replaceAll('/', '+'));
  if (!existsSync(place)) {
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'installing-'));
    try {
      writeFileSync(join(folder, 'package.json'), '{ "private": true }');
      execFileSync('npm', ['install', '--no-audit', '--no-fund', specifier], { cwd: folder, stdio: 'ignore' });
      renameSync(folder, place);
    } catch {
      // Without a registry, or after another process was faster.
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return existsSync(place) ? join(place, 'node_modules') : undefined;
}
