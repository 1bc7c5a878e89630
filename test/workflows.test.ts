import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const folder = `${root}.github/workflows/`;
const workflows = readdirSync(folder).map((name) => [name, readFileSync(folder + name, 'utf8')] as const);
const textOf = (name: string): string => workflows.find(([each]) => each === name)?.[1] ?? '';

test.each(workflows)('%s: actions are pinned, and permissions are read-only by default', (_name, text) => {
  const used = [...text.matchAll(/uses: *(\S+)/g)].map(([, action]) => action!);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^\.\/|@[\da-f]{40}$/);
  expect(text).toContain('\npermissions:\n  contents: read\n');
  // Text of a pull request must not become part of a command, nor run with the secrets of the repository.
  expect(text).not.toMatch(/pull_request_target|github\.event/);
});

test('the suites run on every change and before a release', () => {
  expect(textOf('ci.yml')).toMatch(/pull_request:[\s\S]*- run: \.ci\/run\n/);
  expect(textOf('release.yml')).toMatch(/uses: \.\/\.github\/workflows\/ci\.yml[\s\S]*needs: ci\n/);
});

test('a release has provenance and an SBOM of all dependencies of the package', () => {
  const text = textOf('release.yml');
  expect(text).toContain('id-token: write');
  expect(text).toContain('npm publish --provenance');
  const [, command, file] = /run: npm (sbom .*) > (\S+)/.exec(text) ?? [];
  expect(text).toContain(`gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes ${file} `);
  const output = execFileSync('npm', command!.split(' '), {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { bomFormat, components } = JSON.parse(output) as { bomFormat: string; components: { name: string }[] };
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }) => name);
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { dependencies: object };
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});
