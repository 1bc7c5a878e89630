import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { check } from 'recheck';
import { parseAst } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The rooms whose code handles the text of documents. */
const ROOMS = ['common', 'scheme', 'fingerprint', 'extract'];

const source = join(import.meta.dirname, '../../src');
const files = ROOMS.flatMap((room) =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/(?:\.d|\.as|\.generated|worker-thread)\.ts$/.test(name))
    .map((name) => join(room, name)),
);

interface Node {
  readonly type: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** The literals of a module, and how many expressions it constructs. */
function expressionsIn(file: string) {
  const { code } = transformSync(readFileSync(join(source, file), 'utf8'), { loader: 'ts', target: 'es2024' });
  const literals: [pattern: string, flags: string][] = [];
  let constructed = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee } = node as Node;
    if (type === 'Literal' && regex !== undefined) literals.push([regex.pattern, regex.flags]);
    if (type === 'NewExpression' && callee?.name === 'RegExp') constructed++;
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(code));
  return { literals, constructed };
}

/** Expressions that modules construct when they are loaded. */
const constructed: [pattern: string, flags: string][] = [];
const Original = RegExp;
beforeAll(async () => {
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string | RegExp, string], newTarget) {
      const expression = Reflect.construct(target, args, newTarget) as RegExp;
      constructed.push([expression.source, expression.flags]);
      return expression;
    },
  });
  const constructing = files.filter((file) => expressionsIn(file).constructed > 0);
  for (const file of constructing) await import(/* @vite-ignore */ pathToFileURL(join(source, file)).href);
  globalThis.RegExp = Original;
});
afterAll(() => {
  globalThis.RegExp = Original;
});

/** The fuzzer of the tool is sometimes wrong about an expression with a lookbehind when the machine is busy. */
const TRIES = 4;

/** Tests whether the time of a search grows linearly with the length of the text. */
async function complexityOf(pattern: string, flags: string): Promise<string> {
  let complexity = '';
  for (let tries = 0; tries < TRIES && complexity !== 'safe'; tries++) {
    const found = await check(pattern, flags, { timeout: 60_000 });
    complexity = found.status === 'vulnerable' ? found.complexity.summary : found.status;
  }
  return complexity;
}

test('the tool distinguishes linear from quadratic time', async () => {
  expect(await complexityOf('\\p{L}+$', 'u')).toBe('2nd degree polynomial');
  expect(await complexityOf('(?<!\\p{L})\\p{L}+$', 'u')).toBe('safe');
});

test('no regular expression takes more than linear time', async () => {
  const found = files.map((file) => ({ file, ...expressionsIn(file) }));
  const literals = found.flatMap(({ literals }) => literals);
  expect(literals.length).toBeGreaterThan(100);
  // All that are constructed are constructed when their module is loaded, so that they are known here.
  const total = found.reduce((sum, each) => sum + each.constructed, 0);
  expect(constructed.length).toBeGreaterThanOrEqual(total);
  const slow: string[] = [];
  for (const [pattern, flags] of new Map(
    [...literals, ...constructed].map((each) => [each.join('/'), each]),
  ).values()) {
    const complexity = await complexityOf(pattern, flags);
    if (complexity !== 'safe') slow.push(`/${pattern}/${flags}: ${complexity}`);
  }
  expect(slow).toEqual([]);
});
