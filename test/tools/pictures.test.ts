import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import '../built.ts';
import { drawTerminal, SCREENSHOTS, TERMINAL } from './generate/pictures.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the picture of a terminal shows what the command prints, and the README shows the picture', async () => {
  const svg = read(TERMINAL);
  expect(svg, 'npm run generate -- pictures').toBe(await drawTerminal());
  const [, size] = /<svg [^>]*(width="\d+" height="\d+")/.exec(svg)!;
  expect(read('README.md')).toMatch(new RegExp(`<img src="${TERMINAL}" ${size} alt="[^"]{50,}">`));
});

test.each(SCREENSHOTS)('%s is small, and a guide shows it', (path) => {
  expect(statSync(new URL(`../../${path}`, import.meta.url)).size).toBeLessThan(80_000);
  const guides = ['corpus', 'port'].map((name) => read(`src/site/guides/${name}.md`)).join('');
  expect(guides).toMatch(new RegExp(`!\\[[^\\]]{80,}\\]\\(pictures/${basename(path)}\\)`));
});
