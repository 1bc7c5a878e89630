import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { COMMANDS } from '../src/cli/commands/all-commands.ts';
import { SCHEME } from '../src/conformance/records/claim-file.ts';
import './built.ts';
import { NODE, outputOf, runToEnd } from './process.ts';
import { foundRanges, rangeOf } from './tools/evaluate/page/picture.ts';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The fenced blocks of a language. */
function blocks(language: string, page = readme): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, body]) => body!);
}

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-readme-'));
// Inside the package, so that `import 'simhash-doc'` finds it by its own exports.
mkdirSync(join(root, 'build'), { recursive: true });
const modules = mkdtempSync(join(root, 'build', 'readme-'));

beforeAll(() => {
  const command = join(folder, 'bin', 'simhash-doc');
  for (const name of ['bin', 'clone']) mkdirSync(join(folder, name));
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${root}/dist/cli/main.js' "$@"\n`);
  chmodSync(command, 0o755);
  // Paths start in a clone.
  symlinkSync(join(root, 'LICENSE'), join(folder, 'clone', 'LICENSE'));
  symlinkSync(join(root, 'vectors'), join(folder, 'clone', 'vectors'));
});

afterAll(() => rmSync(modules, { recursive: true }));

test('the examples of the command print what the README shows', () => {
  let shown = 0;
  for (const block of blocks('console'))
    for (const [, command, output] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
      const { stdout, end } = runToEnd(['sh', '-c', command!], { cwd: join(folder, 'clone'), env });
      expect(end, command).toMatch(/^exit/);
      expect(stdout, command).toBe(output);
      shown++;
    }
  expect(shown).toBeGreaterThan(3);
  // Nothing is left in the clone.
  expect(readdirSync(join(folder, 'clone')).sort()).toEqual(['LICENSE', 'vectors']);
});

const guide = readFileSync(join(root, 'src/site/guides/library.md'), 'utf8');
const examples = [...blocks('ts'), ...blocks('ts', guide)].map((block, i) => [i + 1, block] as const);

test.each(examples)('the TypeScript example %i runs', (i, block) => {
  const expected = [...block.matchAll(/\/\/ → (.*)$/gm)].map(([, value]) => value);
  expect(expected.length).toBeGreaterThan(0);
  const file = join(modules, `example-${i}.mjs`);
  writeFileSync(file, block);
  expect(
    outputOf([...NODE, file])
      .trimEnd()
      .split('\n'),
  ).toEqual(expected);
});

test('the TypeScript examples compile under `strict`', () => {
  for (const [i, block] of examples) writeFileSync(join(modules, `example-${i}.mts`), block);
  const compiler = [
    'node_modules/.bin/tsc',
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
  ];
  const files = examples.map(([i]) => join(modules, `example-${i}.mts`));
  const { stdout, end } = runToEnd([process.execPath, ...compiler, '--types', 'node', ...files], { cwd: root });
  expect([stdout, end]).toEqual(['', 'exit 0']);
});

test('the README has at most 900 words', () => {
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});

/** Numbers of the text, and where they come from. */
const NUMBERS: readonly (readonly [pattern: RegExp, expected: () => readonly (number | string)[]])[] = [
  [/in (ten) collections/, () => [foundOf('minhash-doc-256').collections === 10 ? 'ten' : 'another number of']],
  [/minhash-doc-256 with (\d+) bytes (\S+) %/, () => [foundOf('minhash-doc-256').bytes, shares('minhash-doc-256')]],
  [
    /MinHash with (\d+) bytes (\S+ to \S+) %/,
    () => [foundOf('MinHash (datasketch)').bytes, shares('MinHash (datasketch)')],
  ],
  [/minhash-doc with (\d+) bytes (\S+ to \S+) %/, () => [foundOf('minhash-doc').bytes, shares('minhash-doc')]],
  [/Node (\d+\.\d+) or later/, () => [packageJson.engines.node.replace('>=', '')]],
  [/a release candidate, (\S+):/, () => [SCHEME]],
  [/The package,\s+version (\S+),/, () => [packageJson.version]],
];

const foundOf = (name: string, bytes?: number) =>
  foundRanges().find((each) => each.name === name && (bytes ?? each.bytes) === each.bytes)!;
const shares = (name: string, bytes?: number): string => {
  const { least, most } = foundOf(name, bytes);
  return rangeOf(least, most).replace('–', ' to ').replace(' %', '');
};

/** Sizes that definitions give, versions, exit codes, and the sizes of what the benchmarks read. */
const GIVEN = /^(?:0|1|2|3|8|15|22|32|64|200|256|0\.1\.0|1\.0\.0|10)$/;

test('the table of commands names each command', () => {
  const table = /^## The command$.*?^\|.*?(?=\n\n`)/ms.exec(readme)![0];
  const named = [...table.matchAll(/`([a-z]+)/g)].map(([, name]) => name);
  expect(Object.keys(COMMANDS).filter((name) => !named.includes(name) && name !== 'completion')).toEqual([]);
});

test('numbers in the README are those of their sources, and there are no others', () => {
  // Examples are run; addresses, code and labels are not text.
  let text = readme
    .replace(/^```.*?^```$/gms, '')
    .replace(/^ {4}(?!npm ci && npm start {2}).*$/gm, '')
    .replace(/<(?:source|picture|\/picture).*>|src="[^"]*" width="\d+"(?: height="\d+")?/g, '');
  text = text.replace(/\]\([^)]*\)/g, ']');
  for (const [pattern, expected] of NUMBERS) {
    const match = pattern.exec(text);
    expect(match, String(pattern)).not.toBeNull();
    expect(match!.slice(1), match![0]).toEqual(expected().map(String));
  }
  let rest = text;
  for (const [pattern] of NUMBERS) rest = rest.replace(pattern, '');
  rest = rest.replace(/`[^`]*`/g, '');
  const others = [...rest.matchAll(/(?<![\w.-])\d[\d.,]*(?<![.,])/g)].map(([number]) => number!);
  expect(others.filter((number) => !GIVEN.test(number))).toEqual([]);
});

test('the README has the picture, an example and the status before the first heading', () => {
  const first = readme.slice(0, readme.indexOf('\n## '));
  expect(first.split('\n').length).toBeLessThan(36);
  for (const words of [
    'finds near-duplicates',
    'prefers-color-scheme: dark',
    'npm ci && npm test',
    'not published yet',
  ])
    expect(first).toContain(words);
  for (const [, file] of readme.matchAll(/src(?:set)?="([^"]+)"/g))
    expect(existsSync(join(root, file!)), file).toBe(true);
});

test('links to files resolve, also in the package: the files ship', () => {
  for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
    expect(existsSync(join(root, target!)), target).toBe(true);
    const ships = packageJson.files.some((each: string) => target === each || target!.startsWith(`${each}/`));
    expect(ships, `${target} in "files" of package.json`).toBe(true);
  }
});
