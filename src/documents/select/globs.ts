import { sep } from 'node:path';

/** Tells whether a path is meant. */
export type PathMatcher = (path: string) => boolean;

/**
 * Makes a matcher for globs. A glob without a slash is compared with the last part of a path, another one with the whole path
 * or its end after a slash. `*` and `?` match no slash, `**` matches folders; names that begin with a dot are as others.
 * @param globs - any number of them; what matches one is meant
 */
export async function createPathMatcher(globs: readonly string[]): Promise<PathMatcher> {
  const { default: picomatch } = await import('picomatch');
  const matchers = globs.map((glob) => {
    const isMatch = picomatch(glob.includes('/') ? withEnds(glob) : glob, { dot: true, nonegate: true });
    return (path: string): boolean => isMatch(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
  });
  return (path) => {
    const normal = (sep === '/' ? path : path.replaceAll(sep, '/')).replace(/^(?:\.\/+)+/, '');
    return matchers.some((isMatch) => isMatch(normal));
  };
}

function withEnds(glob: string): string[] {
  const normal = glob.replace(/^(?:\.\/+)+/, '');
  return normal.startsWith('/') ? [normal] : [normal, `**/${normal}`];
}
