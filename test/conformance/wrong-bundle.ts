import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Bundles wrong-adapter.ts, which starts several times faster than from its sources.
 * @returns makes the arguments of `conformance` that run it
 */
export function wrongAdapterIn(folder: string): (name: string, ...options: string[]) => string[] {
  const outfile = join(folder, 'wrong-adapter.mjs');
  const entryPoints = [new URL('wrong-adapter.ts', import.meta.url).pathname];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return (name, ...options) => ['--', process.execPath, outfile, name, ...options];
}
