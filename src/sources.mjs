// Tells whether dist/ was built from the sources as they are. `npm run build` notes what it built from.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const note = join(root, 'build/dist.sha256');

/** Files outside src/ that dist/ depends on. */
const OTHERS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** SHA-256 of the sources, without the site, the crate and the Python package, which are not in dist/, and without what the build generates. */
export function digestOfSources() {
  const digest = createHash('sha256');
  const names = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter(
      (path) =>
        !/^src\/(?:site|rust|python)\//.test(path) && (!path.includes('.generated.') || path.startsWith('src/scheme/')),
    );
  for (const path of [...names.sort(), ...OTHERS])
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return digest.digest('hex');
}

export function noteBuilt(digest) {
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(note, digest);
}

export function isBuilt() {
  return (
    existsSync(join(root, 'dist/index.js')) && existsSync(note) && readFileSync(note, 'utf8') === digestOfSources()
  );
}
