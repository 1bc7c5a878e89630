// Checks the package as it would be published: publint and arethetypeswrong, on the packed tarball.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-package-'));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  // dist/ is there already: the scripts would build it again.
  const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  const tarball = join(folder, filename);
  run(join(bin, 'publint'), '--strict', tarball);
  // CommonJS reaches ECMAScript modules by require() since Node 20.19; see "Packaging" in CONTRIBUTING.md.
  run(join(bin, 'attw'), tarball, '--profile', 'esm-only', '--quiet');
} catch (error) {
  // The tool has said what is wrong.
  if (error.stdout === undefined) throw error;
  process.stderr.write(error.stdout);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
