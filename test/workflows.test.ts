import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { address, addressedFiles } from './tools/generate/address.ts';

const root = new URL('../', import.meta.url).pathname;
const folder = `${root}.github/workflows/`;
const workflows = readdirSync(folder).map((name) => [name, readFileSync(folder + name, 'utf8')] as const);
const textOf = (name: string): string => workflows.find(([each]) => each === name)?.[1] ?? '';

test.each(workflows)('the actions of %s are pinned, with read-only permissions by default', (_name, text) => {
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

test('a release has provenance, and all files that npm run release makes', () => {
  const text = textOf('release.yml');
  expect(text).toContain('id-token: write');
  expect(text).toContain('run: npm run release\n');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
  expect(text).toContain('npm publish "build/release/simhash-doc-${GITHUB_REF_NAME#v}.tgz" --provenance');
  expect(text).toContain('gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes build/release/*\n');
});

test('the address is written only in homepage of package.json, and is the same everywhere', () => {
  const home = address();
  expect(home).toMatch(/^https:\/\/[^\s"]+\/$/);
  for (const [path, text] of addressedFiles(home)) expect(readFileSync(root + path, 'utf8'), path).toBe(text);
  // It is an address of each schema, and no two have the same.
  const ids = [...addressedFiles('https://other.example/')].flatMap(([path, text]) =>
    path.endsWith('.schema.json') ? [[path, JSON.parse(text).$id]] : [],
  );
  expect(ids.length).toBeGreaterThan(20);
  for (const [path, id] of ids) expect(id).toBe(`https://other.example/${path}`);
});

test('each template of an issue has a name and a question', () => {
  const templates = readdirSync(`${root}.github/ISSUE_TEMPLATE`).filter((name) => name !== 'config.yml');
  expect(templates.sort()).toEqual(['bug.yml', 'disagreement.yml', 'question.yml']);
  for (const name of templates) {
    const text = readFileSync(`${root}.github/ISSUE_TEMPLATE/${name}`, 'utf8');
    expect(text, name).toMatch(/^name: .+\ndescription: .+\nlabels: \[\w+\]\nbody:\n/);
    const ids = [...text.matchAll(/^ {4}id: (\w+)$/gm)].map(([, id]) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    expect(text, name).toContain('required: true');
  }
});
