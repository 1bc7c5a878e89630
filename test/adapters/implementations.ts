import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** An implementation that shares no code with the reference: written from spec/ alone. */
export interface Implementation {
  readonly name: string;
  /** Its command, or the reason why it cannot be run here. */
  readonly command: () => readonly string[] | { readonly missing: string };
  /** Operations that it does not have. */
  readonly without: readonly string[];
}

function runs(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

let compiled: string | undefined;

/** The implementations in vectors/adapters/. */
export const implementations: readonly Implementation[] = [
  {
    name: 'python',
    without: ['extract', 'extract-html'],
    command: () =>
      runs('python3', '--version')
        ? ['python3', '-B', join(root, 'vectors/adapters/python/adapter.py')]
        : { missing: 'python3' },
  },
  {
    name: 'c',
    without: ['extract', 'extract-html'],
    command() {
      if (!runs('cc', '--version')) return { missing: 'a C compiler (cc)' };
      if (compiled === undefined) {
        compiled = join(mkdtempSync(join(tmpdir(), 'simhash-doc-c-')), 'adapter');
        const source = join(root, 'vectors/adapters/c/adapter.c');
        execFileSync('cc', ['-std=c11', '-O2', '-Wall', '-Wextra', '-Wpedantic', '-Werror', source, '-o', compiled]);
      }
      return [compiled, join(root, 'spec/word-classes.txt')];
    },
  },
];

/**
 * Tells whether a test can run that needs something from outside npm. Where it cannot, that is said loudly, and it is an
 * error where everything is required (SIMHASH_DOC_REQUIRE_ALL=1, as in .ci/run).
 */
export function isThere(
  what: string,
  there: boolean,
  required = process.env['SIMHASH_DOC_REQUIRE_ALL'] === '1',
): boolean {
  if (there) return true;
  if (required) throw new Error(`${what} is missing, and everything is required`);
  console.warn(`NOT TESTED: ${what} is missing; see the README for what the tests need`);
  return false;
}
