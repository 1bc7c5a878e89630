import { usageError } from '../../command.ts';

/** A state of the automaton: it takes one character and goes to the next state, or goes on to others without one. */
type State = { readonly takes: (character: string) => boolean } | { readonly to: number[] };

/** Where the parser is in a glob, and what it has made of it so far. */
interface Parser {
  readonly glob: string;
  readonly groups: ReadonlyMap<number, Group>;
  readonly states: State[];
  at: number;
}

/** Alternatives in braces or parentheses: where each of them begins and ends. */
interface Group {
  readonly close: number;
  /** The separators. */
  readonly between: readonly number[];
}

/** The deepest nesting of groups: the parser calls itself for each. */
const MAX_DEPTH = 500;

/**
 * Compiles a glob. `?` and `*` match no slash, `**` as a whole part of a path matches folders; `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`,
 * `?(a)`, `*(a)` and `+(a)` are as in bash, and a backslash makes the next character an ordinary one. The time of a match grows
 * with the length of the path, whatever the glob and the path are: names of files come from strangers.
 * @param glob - the glob
 * @returns tells whether the whole of a text matches
 * @throws a usage error for `!(…)` and for groups that are nested too deeply
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const parser: Parser = { glob, groups: findGroups(glob), states: [], at: 0 };
  addSequence(parser, glob.length);
  return (text) => simulate(parser.states, text);
}

/** Runs all ways through the automaton at once. */
function simulate(states: readonly State[], text: string): boolean {
  let current = follow(states, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const at of current) {
      const state = states[at];
      if (state !== undefined && 'takes' in state && state.takes(character)) next.push(at + 1);
    }
    if (next.length === 0) return false;
    current = follow(states, next);
  }
  return current.has(states.length);
}

/** All states that are reached without a character. */
function follow(states: readonly State[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set(from);
  // A set also goes through what is added meanwhile.
  for (const at of reached) {
    const state = states[at];
    if (state !== undefined && 'to' in state) for (const target of state.to) reached.add(target);
  }
  return reached;
}

/** Finds the groups that are closed. Other brackets are ordinary characters. */
function findGroups(glob: string): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>();
  const open: { readonly at: number; readonly close: string; readonly between: number[] }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]!;
    const inner = open.at(-1);
    if (character === '\\') at++;
    else if (character === '[') at = endOfClass(glob, at) ?? at;
    else if (character === '{') open.push({ at, close: '}', between: [] });
    else if (character === '(' && isExtended(glob, at)) open.push({ at, close: ')', between: [] });
    else if (character === (inner?.close === ')' ? '|' : ',')) inner?.between.push(at);
    else if (character === inner?.close) {
      open.pop();
      if (character === ')' || inner.between.length > 0) groups.set(inner.at, { close: at, between: inner.between });
    }
    if (open.length > MAX_DEPTH) throw usageError(`glob: more than ${MAX_DEPTH} groups are open at once`);
  }
  return groups;
}

/** Whether a parenthesis begins a group. */
function isExtended(glob: string, at: number): boolean {
  const before = glob[at - 1] ?? '';
  if (before === '!') throw usageError('glob: !(…) is not supported: use the opposite option');
  return '@?*+'.includes(before) && before !== '';
}

/** Where a class of characters ends that begins here; undefined if it does not. */
function endOfClass(glob: string, start: number): number | undefined {
  // A bracket that comes first is a member.
  const first = start + (glob[start + 1] === '!' || glob[start + 1] === '^' ? 2 : 1);
  const end = glob.indexOf(']', first + 1);
  return end < 0 ? undefined : end;
}

function addSequence(parser: Parser, end: number): void {
  while (parser.at < end) addElement(parser);
}

function addElement(parser: Parser): void {
  const { glob, groups, at } = parser;
  const group = groups.get(glob[at + 1] === '(' ? at + 1 : at);
  if (group !== undefined) addGroup(parser, group, glob[at]!);
  else if (!addGlobstar(parser)) addCharacters(parser);
}

function addCharacters(parser: Parser): void {
  const { glob, at } = parser;
  const character = takeCharacter(parser);
  const end = character === '[' ? endOfClass(glob, at) : undefined;
  if (character === '*') {
    while (glob[parser.at] === '*' && glob[parser.at + 1] !== '(') parser.at++;
    addRepeated(parser, isNoSlash);
  } else if (character === '?') addOne(parser, isNoSlash);
  else if (end !== undefined) {
    parser.at = end + 1;
    addOne(parser, classOf(glob.slice(at + 1, end)));
  } else {
    const literal = character === '\\' && parser.at < glob.length ? takeCharacter(parser) : character;
    addOne(parser, (each) => each === literal);
  }
}

function takeCharacter(parser: Parser): string {
  const character = String.fromCodePoint(parser.glob.codePointAt(parser.at)!);
  parser.at += character.length;
  return character;
}

const isNoSlash = (character: string): boolean => character !== '/';

function addOne({ states }: Parser, takes: (character: string) => boolean): void {
  states.push({ takes });
}

/** Any number of such characters. */
function addRepeated({ states }: Parser, takes: (character: string) => boolean): void {
  const start = states.length;
  states.push({ to: [start + 1, start + 3] }, { takes }, { to: [start] });
}

/** `**` followed by a slash: any number of folders; `/**` at the end: a folder and all in it. */
function addGlobstar(parser: Parser): boolean {
  const { glob, at, states } = parser;
  const [stars, slash] = [/\/?\*\*+/y, glob[at] === '/'];
  stars.lastIndex = at;
  const end = at + (stars.exec(glob)?.[0].length ?? 0);
  const isPart = (slash || isBoundary(glob[at - 1])) && isBoundary(glob[end]);
  if (end === at || !isPart || (slash && glob[end] === '/')) return false;
  const start = states.length;
  if (glob[end] === '/') {
    states.push({ to: [start + 1, start + 6] });
    addRepeated(parser, isNoSlash);
    states.push({ takes: (character) => character === '/' }, { to: [start] });
  } else {
    if (slash) states.push({ to: [start + 1, start + 5] }, { takes: (character) => character === '/' });
    addRepeated(parser, () => true);
  }
  parser.at = glob[end] === '/' ? end + 1 : end;
  return true;
}

/** Whether a part of a path, or an alternative, can begin or end with this character before or behind it. */
function isBoundary(character: string | undefined): boolean {
  return character === undefined || '/{,}(|)'.includes(character);
}

/** The alternatives of a group, which are repeated as the character before it says. */
function addGroup(parser: Parser, { close, between }: Group, kind: string): void {
  const { states } = parser;
  const start = states.length;
  const first: number[] = [];
  states.push({ to: first });
  const last: number[][] = [];
  parser.at += kind === '{' ? 1 : 2;
  for (const end of [...between, close]) {
    first.push(states.length);
    addSequence(parser, end);
    parser.at = end + 1;
    const to: number[] = [];
    states.push({ to });
    last.push(to);
  }
  const isRepeated = kind === '*' || kind === '+';
  for (const to of last) to.push(states.length, ...(isRepeated ? [start] : []));
  if (kind === '*' || kind === '?') first.push(states.length);
}

/** The members of a class such as `a-z_`, or all others behind `!` or `^`. A slash is in no class. */
function classOf(members: string): (character: string) => boolean {
  const isOther = members.startsWith('!') || members.startsWith('^');
  const characters = Array.from(isOther ? members.slice(1) : members);
  const ranges: [number, number][] = [];
  for (let i = 0; i < characters.length; i++) {
    const code = characters[i]!.codePointAt(0)!;
    const isRange = characters[i + 1] === '-' && i + 2 < characters.length;
    ranges.push([code, isRange ? characters[i + 2]!.codePointAt(0)! : code]);
    if (isRange) i += 2;
  }
  return (character) => {
    const code = character.codePointAt(0)!;
    return character !== '/' && ranges.some(([least, most]) => code >= least && code <= most) !== isOther;
  };
}
