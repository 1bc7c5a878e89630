import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import './built.ts';
import { NODE, outputOf, runToEnd } from './process.ts';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The fenced blocks of a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, body]) => body!);
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
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(modules, { recursive: true });
});

test('the examples of the command give what the README shows', () => {
  let shown = 0;
  for (const block of blocks('console'))
    for (const [, command, output] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
      const { stdout, end } = runToEnd(['sh', '-c', command!], { cwd: folder, env });
      expect(end, command).toMatch(/^exit/);
      // Only the beginning of long output is shown.
      expect(stdout.slice(0, output!.length), command).toBe(output);
      shown++;
    }
  expect(shown).toBeGreaterThan(3);
});

test.each(blocks('js').map((block, i) => [i + 1, block] as const))('JavaScript example %i', (i, block) => {
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

test('links to files resolve, also on the page of the package: the files ship', () => {
  const shipped = packageJson.files;
  for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
    expect(existsSync(join(root, target!)), target).toBe(true);
    const ships = shipped.some((each: string) => target === each || target!.startsWith(`${each}/`));
    expect(ships, `${target} in "files" of package.json`).toBe(true);
  }
});
