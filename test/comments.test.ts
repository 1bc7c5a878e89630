import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as scheme from '../src/index.ts';

const root = new URL('..', import.meta.url).pathname;

/** A path with a folder, or the anchor of a document, in a comment. */
const PATH = /(?<![\w/.@-])((?:\.{1,2}\/|[a-z][\w-]*\/)[\w./-]*\.(?:ts|mjs|md|json|txt|py|yml))(#[\w-]+)?/g;
const COMMENT = /^ *(?:\/\*\*|\*|\/\/) .*$/gm;

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

const isThere = (path: string, from: string): boolean =>
  [root, join(root, 'src'), dirname(join(root, from))].some((base) => existsSync(join(base, path)));

test('paths and anchors that comments name exist', () => {
  const missing: string[] = [];
  for (const file of ['src', 'test'].flatMap(sourcesOf))
    for (const [comment] of readFileSync(join(root, file), 'utf8').matchAll(COMMENT))
      for (const [, path, anchor] of comment.matchAll(PATH)) {
        // What is made, and names with a placeholder.
        if (/^(?:build|dist|node_modules)\/|[A-Z]{4}/.test(path!)) continue;
        if (!isThere(path!, file)) missing.push(`${file}: ${path}`);
        else if (anchor !== undefined && path!.endsWith('.md')) {
          const text = readFileSync(join(root, path!), 'utf8');
          if (!text.includes(`id="${anchor.slice(1)}"`)) missing.push(`${file}: ${path}${anchor}`);
        }
      }
  expect(missing).toEqual([]);
});

test('examples in docblocks of the scheme give the values beside them', () => {
  const examples = ['src/scheme', 'src/fingerprint']
    .flatMap(sourcesOf)
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/@example\n \* (.+); \/\/ (.+)\n \*\//g)]);
  expect(examples.length).toBeGreaterThan(20);
  const evaluate = (code: string): unknown =>
    new Function(...Object.keys(scheme), `return ${code}`)(...Object.values(scheme));
  for (const [, code, value] of examples) expect(evaluate(code!), code).toEqual(evaluate(value!));
});
