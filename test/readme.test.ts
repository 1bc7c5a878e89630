import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { COMMANDS } from '../src/cli/commands/index.ts';
import { SCHEME } from '../src/conformance/report/files/claim.ts';
import { DEFAULT_OVERLAP } from '../src/duplicates/answer.ts';
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
  mkdirSync(join(folder, 'bin'));
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${root}/dist/cli/main.js' "$@"\n`);
  chmodSync(command, 0o755);
  // Paths start in a clone.
  symlinkSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  symlinkSync(join(root, 'vectors'), join(folder, 'vectors'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(modules, { recursive: true });
});

test('the examples of the command print what the README shows', () => {
  let shown = 0;
  for (const block of blocks('console'))
    for (const [, command, output] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
      const { stdout, end } = runToEnd(['sh', '-c', command!], { cwd: folder, env });
      expect(end, command).toMatch(/^exit/);
      expect(stdout, command).toBe(output);
      shown++;
    }
  expect(shown).toBeGreaterThan(3);
});

test.each(blocks('js').map((block, i) => [i + 1, block] as const))('the JavaScript example %i runs', (i, block) => {
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

/** Numbers of the text, and where they come from. */
const NUMBERS: readonly (readonly [pattern: RegExp, expected: () => readonly (number | string)[]])[] = [
  [/all ([\d,]+) vectors/, () => [numberOf(Object.keys(manifest.vectors).length)]],
  [/in (ten) collections/, () => [foundOf('minhash-doc-256').collections === 10 ? 'ten' : 'another number of']],
  [/minhash-doc-256 with (\d+) bytes (\S+) %/, () => [foundOf('minhash-doc-256').bytes, shares('minhash-doc-256')]],
  [
    /MinHash with (\d+) bytes (\S+ to \S+) %/,
    () => [foundOf('MinHash (datasketch)').bytes, shares('MinHash (datasketch)')],
  ],
  [/minhash-doc with (\d+) bytes (\S+ to \S+) %/, () => [foundOf('minhash-doc').bytes, shares('minhash-doc')]],
  [
    /and (\d+) bytes for each document.* finds (\S+ to \S+) % of/s,
    () => [foundOf('MinHash (datasketch)').bytes, shares('MinHash (datasketch)')],
  ],
  [/`minhash-doc` finds (\S+ to \S+) % with (\d+) bytes/, () => [shares('minhash-doc'), foundOf('minhash-doc').bytes]],
  [
    /\((\d+ to \d+) % in \[(\d+) other/,
    () =>
      /So (\d+) others.*^\| `minhash-doc` at 1 % false finds \|.*?\| (\d+ to \d+) %/ms
        .exec(readFileSync(join(root, 'spec/evaluation.md'), 'utf8'))!
        .slice(1)
        .reverse(),
  ],
  [/it found (\S+ to \S+) % with (\d+) bytes/, () => [shares('ISCC text code', 32), 32]],
  [/at least ([\d.]+) of their words/, () => [DEFAULT_OVERLAP]],
  [/Node (\d+\.\d+) or later/, () => [packageJson.engines.node.replace('>=', '')]],
  [/a release candidate, (\S+):/, () => [SCHEME]],
  [/The package,\s+version (\S+),/, () => [packageJson.version]],
  [
    /of 200 bytes are fingerprinted at ([\d.]+) million/,
    () => bench(/Documents of 200 bytes: ([\d.]+) million a second/),
  ],
  [/at\n(\d+) MB\/s with/, () => bench(/^\| english \| 0 % \| (\d+) \|/m)],
  [
    /at ([\d.]+) of its rate in documents of 2,000 bytes, `minhash-doc-256` ([\d.]+)\)/,
    () => bench(/^\| english \| 2,000 \| \d+ \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|/m),
  ],
  [/file of 10 GB in ([\d.]+) s/, () => bench(/one file of 10 GB:.*\n\| `simhash-doc hash` \| ([\d.]+) \|/)],
  [/`sha256sum`: ([\d.]+) s/, () => bench(/one file of 10 GB: `sha256sum` \| ([\d.]+) \|/)],
  [/with (\d+) MB of memory/, () => bench(/one file of 10 GB:.*\n\| `simhash-doc hash` \| .* \| (\d+) \|/)],
  [
    /answers in ([\d.]+) s of CPU time, `index verify` takes ([\d.]+) s/,
    () => bench(/^\| `query`, one fingerprint.* ([\d.]+) \| \d+ \|\n(?:.*\n)+?\| `verify` .* ([\d.]+) \| \d+ \|$/m),
  ],
];

const manifest = JSON.parse(readFileSync(join(root, 'vectors/manifest.json'), 'utf8'));
const numberOf = (value: number): string => value.toLocaleString('en');
const foundOf = (name: string, bytes?: number) =>
  foundRanges().find((each) => each.name === name && (bytes ?? each.bytes) === each.bytes)!;
const shares = (name: string, bytes?: number): string => {
  const { least, most } = foundOf(name, bytes);
  return rangeOf(least, most).replace('–', ' to ').replace(' %', '');
};

/** Numbers in the results of the benchmarks. */
function bench(pattern: RegExp): readonly string[] {
  return pattern.exec(readFileSync(join(root, 'test/tools/bench/README.md'), 'utf8'))!.slice(1);
}

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
    .replace(/^ {4}(?!npm start {2}).*$/gm, '')
    .replace(/<(?:source|picture|\/picture).*>|src="[^"]*" width="\d+"/g, '');
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
  for (const words of ['finds near-duplicates', 'prefers-color-scheme: dark', 'dupes copies', 'not published yet'])
    expect(first).toContain(words);
  for (const [, file] of readme.matchAll(/src(?:set)?="([^"]+)"/g))
    expect(existsSync(join(root, file!)), file).toBe(true);
});

test('links to files resolve, also in the package: the files ship', () => {
  const shipped = packageJson.files;
  for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
    expect(existsSync(join(root, target!)), target).toBe(true);
    const ships = shipped.some((each: string) => target === each || target!.startsWith(`${each}/`));
    expect(ships, `${target} in "files" of package.json`).toBe(true);
  }
});
