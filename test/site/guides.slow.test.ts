import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import '../built.ts';
import { runToEnd } from '../process.ts';

const root = new URL('../../', import.meta.url).pathname;
const guides = join(root, 'src/site/guides');
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-guides-'));
const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'simhash-doc'), `#!/bin/sh\nexec '${process.execPath}' '${root}dist/cli/main.js' "$@"\n`);
chmodSync(join(bin, 'simhash-doc'), 0o755);

afterAll(() => rmSync(folder, { recursive: true }));

/** The commands of a guide, with the output that it shows. */
function examplesOf(markdown: string): [command: string, output: string][] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command, output]): [string, string] => [
      command!,
      output!,
    ]),
  );
}

test.each(readdirSync(guides))('the commands of %s print what the guide shows', (name) => {
  const examples = examplesOf(readFileSync(join(guides, name), 'utf8'));
  expect(examples.length).toBeGreaterThan(3);
  const cwd = mkdtempSync(join(folder, 'guide-'));
  const end = '\u0003\n';
  const script = examples.map(([command]) => `${command}\nprintf '\\003\\n'\n`).join('');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const { stdout, end: ended } = runToEnd(['sh', '-c', script], { cwd, env });
  expect(ended).toMatch(/^exit/);
  const outputs = stdout.split(end);
  // Only the beginning of long output is shown.
  for (const [i, [command, shown]] of examples.entries())
    expect(outputs[i]?.slice(0, shown.length), command).toBe(shown);
});
