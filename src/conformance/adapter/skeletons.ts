import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../common/folder.ts';
import { assertOneOf, assertString } from '../../errors.ts';
import { readText } from '../suite/load-suite.ts';

/** A start for an adapter in one language. */
export interface Skeleton {
  /** The file to edit, under vectors/skeletons/<language>/. */
  readonly file: string;
  /** Other files that it needs. */
  readonly others?: readonly string[];
  /** The command that builds it, in the folder of the file; null if none is needed. */
  readonly build: string | null;
  /** The command that runs it, in the folder of the file. */
  readonly run: string;
}

/** The skeletons by language. */
export const SKELETONS: { readonly [L in Language]: Skeleton } = {
  python: { file: 'adapter.py', build: null, run: 'python3 adapter.py' },
  c: { file: 'adapter.c', build: 'cc -O2 -o adapter adapter.c', run: './adapter' },
  go: { file: 'adapter.go', others: ['go.mod'], build: 'go build -o adapter .', run: './adapter' },
  rust: { file: 'adapter.rs', build: 'rustc -O --edition 2021 adapter.rs', run: './adapter' },
  java: { file: 'Adapter.java', build: 'javac Adapter.java', run: 'java Adapter' },
  javascript: { file: 'adapter.mjs', build: null, run: 'node adapter.mjs' },
};

export type Language = 'python' | 'c' | 'go' | 'rust' | 'java' | 'javascript';

/**
 * Tests whether there is a skeleton in a language.
 * @throws TypeError `wrong-type`
 * @example
 * isLanguage('python'); // true
 */
export function isLanguage(name: string): name is Language {
  assertString('name', name);
  return Object.hasOwn(SKELETONS, name);
}

/**
 * Writes a skeleton into a folder, which is made if it does not exist.
 * @param language - see {@link SKELETONS}
 * @param folder - the folder
 * @returns the path of the file to edit
 * @throws TypeError `wrong-type`, RangeError `out-of-range`; Error with the code EEXIST, and the path, if a file of
 * that name exists: no file is overwritten
 * @example
 * writeSkeleton('go', 'my-port'); // 'my-port/adapter.go'
 */
export function writeSkeleton(language: Language, folder: string): string {
  assertOneOf('language', language, Object.keys(SKELETONS));
  assertString('folder', folder);
  const { file, others = [] } = SKELETONS[language];
  makeFolder(folder);
  const names = [file, ...others];
  // Nothing is written unless all files can be.
  const path = names.map((name) => join(folder, name)).find(existsSync);
  if (path !== undefined)
    throw Object.assign(new Error(`EEXIST: file already exists, ${path}`), { code: 'EEXIST', path });
  for (const name of names)
    writeFileSync(join(folder, name), readText(`skeletons/${language}/${name}`), { flag: 'wx' });
  return join(folder, file);
}
