import { wrongAdapterIn } from '../../conformance/wrong-bundle.ts';
import { folder } from '../command.ts';

/** A wrong implementation as the command line of an adapter. */
export const wrong = wrongAdapterIn(folder());

const HOSTILE = new URL('../../conformance/adapter/hostile-adapter.mjs', import.meta.url).pathname;

export const hostile = (mode: string): string[] => ['--', process.execPath, HOSTILE, mode];

/** Few vectors of the steps 7, 8 and 11, and few random cases, where that makes no difference. */
export const SHORT = [
  ...['--filter', 'token-hash/four,token-hash/ascii-,simhash/,tables/digits'],
  ...['--random', '5', '--seed', '1'],
];
