import { sep } from 'node:path';

/**
 * Makes a matcher for globs, one of which has to match. A glob without a slash is compared with the last part of a
 * path, another one with the whole path or its end after a slash. `*` and `?` match a leading dot, but no slash; `**`
 * matches folders; `[a-z]`, `[!a-z]` and `{a,b}` are supported. The time is proportional to the length of the path times
 * that of the globs.
 */
export async function createPathMatcher(globs: readonly string[]): Promise<(path: string) => boolean> {
  const matchers = globs.map((glob) => {
    const patterns = (glob.includes('/') ? withEnds(glob) : [glob]).flatMap((each) => expandBraces(each)).map(parse);
    return (path: string): boolean => {
      const name = glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
      if (name === '.' || name === '..') return false;
      return patterns.some((steps) => matches(steps, name));
    };
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

/** The maximum number of globs that one with braces expands to; braces beyond that are literal. */
const MAX_EXPANDED = 1000;

/** Replaces `{a,b}`, innermost first, by one glob for each alternative. */
function expandBraces(glob: string): string[] {
  let globs = [glob];
  for (let expanded = true; expanded; ) {
    expanded = false;
    const next = globs.flatMap((each) => {
      const [braces, list] = /(?<!\\)\{([^{},]*,[^{}]*)\}/.exec(each) ?? [];
      if (braces === undefined || list === undefined) return [each];
      const parts = list.split(',');
      if (parts.length > MAX_EXPANDED) return [each];
      expanded = true;
      return parts.map((part) => each.replace(braces, () => part));
    });
    if (next.length > MAX_EXPANDED) return globs;
    globs = next;
  }
  return globs;
}

/** Matches one character; `STAR` any number of them without a slash, `ALL` with slashes, `FOLDERS` whole folders. */
type Step = ((character: string) => boolean) | typeof STAR | typeof ALL | typeof FOLDERS;
const [STAR, ALL, FOLDERS] = ['*', '**', '**/'] as const;

const TOKEN = /\*\*\/|\*+|\?|\[(?<negation>[!^]?)(?<set>\]?[^\]]*)\]|\\?(?<literal>.)/gsu;
/** Tokens after the last closing bracket: none of them is a set. */
const TOKEN_WITHOUT_SET = /\*\*\/|\*+|\?|\\?(?<literal>.)/gsu;

function parse(glob: string): Step[] {
  const end = glob.lastIndexOf(']') + 1;
  const tokens = [...glob.slice(0, end).matchAll(TOKEN), ...glob.slice(end).matchAll(TOKEN_WITHOUT_SET)];
  let index = 0;
  return tokens.map(({ 0: token, groups }): Step => {
    const { negation, set, literal } = groups!;
    const start = index;
    index += token.length;
    const isWhole = start === 0 || glob[start - 1] === '/';
    if (token === '**/' && isWhole) return FOLDERS;
    if (token === '**' && isWhole && index === glob.length) return ALL;
    if (token === '**/') return (character) => character === '/';
    if (token.startsWith('*')) return STAR;
    if (token === '?') return (character) => character !== '/';
    if (set === undefined) return (character) => character === literal;
    const ranges = Array.from(set.matchAll(/(.)-(.)|(.)/gsu), ([, from, to, one]) => [from ?? one!, to ?? one!]);
    const isIn = (character: string): boolean => ranges.some(([from, to]) => from! <= character && character <= to!);
    return (character) => character !== '/' && isIn(character) === (negation === '');
  });
}

/** Follows all ways through the steps at once, so that none is tried twice. */
function matches(steps: readonly Step[], path: string): boolean {
  let open = new Set<number>();
  /** Adds a step, and those after it that may be skipped. Whole folders have a second state, inside a name: -1 - step. */
  const add = (to: Set<number>, at: number): void => {
    for (let each = at; !to.has(each); each++) {
      to.add(each);
      if (typeof steps[each] !== 'string') return;
    }
  };
  add(open, 0);
  for (const character of path) {
    const next = new Set<number>();
    for (const state of open) {
      const at = state < 0 ? -1 - state : state;
      const step = steps[at];
      if (typeof step === 'function') {
        if (step(character)) add(next, at + 1);
      } else if (step === FOLDERS) {
        if (character === '/') add(next, at);
        else next.add(-1 - at);
      } else if (step === ALL || (step === STAR && character !== '/')) add(next, at);
    }
    open = next;
    if (open.size === 0) return false;
  }
  return open.has(steps.length);
}
