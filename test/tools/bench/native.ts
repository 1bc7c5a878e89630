import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('.', import.meta.resolve('simhash-doc/package.json')));

/**
 * Compiles a program of `test/tools/bench/native`, which the ratios are measured against.
 * @param name - without its extension
 * @param processor - what it is compiled for, where the compiler knows it
 * @returns a function that runs it with arguments and parses the JSON that it prints; undefined without a compiler
 */
export function compileNative(name: string, processor: string): ((paths: readonly string[]) => unknown) | undefined {
  const source = join(ROOT, 'test', 'tools', 'bench', 'native', `${name}.cpp`);
  const build = join(ROOT, 'build', 'bench');
  mkdirSync(build, { recursive: true });
  const program = join(build, name);
  for (const compiler of ['clang++', 'g++'])
    for (const target of [[`-march=${processor}`], []])
      try {
        execFileSync(compiler, ['-O3', ...target, source, '-o', program], { stdio: 'ignore' });
        return (paths) => JSON.parse(execFileSync(program, paths, { encoding: 'utf8' }));
      } catch {
        // The next compiler, or the processor that it compiles for by default.
      }
  console.log('No clang++ or g++: nothing is compared with native programs.\n');
  return undefined;
}
