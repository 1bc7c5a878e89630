import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wrongAdapterIn } from '../../conformance/wrong-bundle.ts';

/**
 * A wrong implementation as the command line of an adapter. Files of tests share it, so its folder is removed after all tests, not
 * after those of the first file.
 */
export const wrong = wrongAdapterIn(mkdtempSync(join(tmpdir(), 'simhash-doc-wrong-')));

const HOSTILE = new URL('../../conformance/adapter/hostile-adapter.mjs', import.meta.url).pathname;

export const hostile = (mode: string): string[] => ['--', process.execPath, HOSTILE, mode];

/** Few vectors of the steps 7, 8 and 11, and few random cases, where that makes no difference. */
export const SHORT = [
  ...['--filter', 'token-hash/four,token-hash/ascii-,simhash/,tables/digits'],
  ...['--random', '5', '--seed', '1'],
];
