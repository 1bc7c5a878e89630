import { sep } from 'node:path';
import { compileGlob } from './glob.ts';

/** Tells whether a path is meant. */
export type PathMatcher = (path: string) => boolean;

/**
 * Makes a matcher for globs. A glob without a slash is compared with the last part of a path, another one with the whole path
 * or its end behind a slash.
 * @param globs - any number of them, as {@link compileGlob} reads them; what matches one is meant
 * @throws a usage error for a glob that cannot be read
 */
export function createPathMatcher(globs: readonly string[]): PathMatcher {
  const matchers = globs.map((glob) => {
    const isMatch = compileGlob(glob.includes('/') ? withEnd(glob) : glob);
    return (path: string): boolean => isMatch(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
  });
  return (path) => {
    const normal = (sep === '/' ? path : path.replaceAll(sep, '/')).replace(/^(?:\.\/+)+/, '');
    return matchers.some((isMatch) => isMatch(normal));
  };
}

function withEnd(glob: string): string {
  const normal = glob.replace(/^(?:\.\/+)+/, '');
  return normal.startsWith('/') ? normal : `**/${normal}`;
}
