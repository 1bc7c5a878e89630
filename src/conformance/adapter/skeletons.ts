import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertOneOf, assertString } from '../../errors.ts';
import { VECTORS } from '../suite/load.ts';

/** An adapter to begin with, in one language. */
export interface Skeleton {
  /** Its file, under vectors/skeletons/<language>/. */
  readonly file: string;
  /** What makes it runnable, in the folder of the file; null where nothing has to be done. */
  readonly build: string | null;
  /** What runs it, in the folder of the file. */
  readonly run: string;
}

/** The skeletons by language. */
export const SKELETONS: { readonly [L in Language]: Skeleton } = {
  python: { file: 'adapter.py', build: null, run: 'python3 adapter.py' },
  c: { file: 'adapter.c', build: 'cc -O2 -o adapter adapter.c', run: './adapter' },
  go: { file: 'adapter.go', build: 'go build -o adapter adapter.go', run: './adapter' },
  rust: { file: 'adapter.rs', build: 'rustc -O --edition 2021 adapter.rs', run: './adapter' },
  java: { file: 'Adapter.java', build: 'javac Adapter.java', run: 'java Adapter' },
  javascript: { file: 'adapter.mjs', build: null, run: 'node adapter.mjs' },
};

export type Language = 'python' | 'c' | 'go' | 'rust' | 'java' | 'javascript';

/** Tells whether there is a skeleton in a language. */
export function isLanguage(name: string): name is Language {
  assertString('name', name);
  return Object.hasOwn(SKELETONS, name);
}

/**
 * The text of a skeleton.
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function readSkeleton(language: Language): string {
  assertOneOf('language', language, Object.keys(SKELETONS));
  return readFileSync(new URL(`skeletons/${language}/${SKELETONS[language].file}`, VECTORS), 'utf8');
}

/**
 * Writes a skeleton into a folder, which is made if it does not exist.
 * @param language - see {@link SKELETONS}
 * @param folder - where to
 * @returns the path of the file
 * @throws TypeError `wrong-type`, RangeError `out-of-range`; Error with the code EEXIST when there is a file of that name, which is never overwritten
 */
export function writeSkeleton(language: Language, folder: string): string {
  const text = readSkeleton(language);
  assertString('folder', folder);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, SKELETONS[language].file);
  writeFileSync(path, text, { flag: 'wx' });
  return path;
}
