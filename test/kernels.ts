import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Compiles the WebAssembly kernels whose sources have changed: tests of `src/` use what was compiled last. */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests.
export default function compileKernels(): void {
  const code = "import { buildKernels } from './src/wasm/build.mjs'; await buildKernels();";
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, stdio: 'inherit' });
}
