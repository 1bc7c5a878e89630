import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { suite } = JSON.parse(readFileSync(join(ROOT, 'vectors/manifest.json'), 'utf8'));

function run(cwd: string, program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

// The package and the wheel have tests of their own; building them takes minutes.
test('npm run release makes the same files from two checkouts of a commit', () => {
  const made = ['a', 'b'].map((name) => {
    const checkout = join(mkdtempSync(join(tmpdir(), 'release-')), name);
    expect(run(ROOT, 'git', 'clone', '--quiet', '.', checkout)).toMatchObject({ status: 0 });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const made = run(checkout, 'npm', 'run', '--silent', 'release', '--', 'spec', 'vectors', 'bill', 'crate');
    const vectors = join(checkout, `build/release/simhash-doc-vectors-${suite}.tgz`);
    expect(statSync(vectors).size).toBeLessThan(4e6);
    const packed = run(checkout, 'tar', '-tf', vectors).stdout.split('\n');
    for (const file of [
      'manifest.json',
      'lookup.json',
      'schema/lookup.schema.json',
      'harness.py',
      'LICENSE',
      'README.md',
    ])
      expect(packed).toContain(`package/${file}`);
    expect(packed.filter((file) => /adapters|mutants\.json|reports/.test(file))).toEqual([]);
    const bill = readFileSync(join(checkout, `build/release/simhash-doc-${version}.cdx.json`), 'utf8');
    const { bomFormat, components } = JSON.parse(bill) as { bomFormat: string; components: { name: string }[] };
    expect(bomFormat).toBe('CycloneDX');
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    return made;
  });
  expect(made[0]).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^(?:[0-9a-f]{64} {2}simhash-doc-(?:spec-|vectors-)?[\w.-]+\.(?:cdx\.json|crate|tar\.gz|tgz)\n){4}$/,
    ),
    stderr: '',
  });
  expect(made[1]).toEqual(made[0]);
});
