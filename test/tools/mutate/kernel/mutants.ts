/** A change of one place in a source. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole source with the change. */
  readonly source: string;
}

/** Patterns and their replacements. In the kernel's sources, comparisons and shifts have spaces around them, types have none. */
const CHANGES: readonly (readonly [pattern: RegExp, replacements: readonly string[]])[] = [
  [/ <= /g, [' < ', ' > ']],
  [/ < /g, [' <= ', ' >= ']],
  [/ >= /g, [' > ', ' < ']],
  [/ > /g, [' >= ', ' <= ']],
  [/ == /g, [' != ']],
  [/ != /g, [' == ']],
  [/ && /g, [' || ']],
  [/ \|\| /g, [' && ']],
  [/ << /g, [' >> ']],
  [/ >> /g, [' << ']],
  [/ & /g, [' | ']],
  [/ \| /g, [' & ']],
  [/ \+ /g, [' - ']],
  [/ - /g, [' + ']],
  [/\btrue\b/g, ['false']],
  [/\bfalse\b/g, ['true']],
  [/(?<![\w.<])(?:0x[0-9a-f]+|\d+)(?![\w.])/g, ['+1', '-1']],
];

/** Statements that can be left out: assignments, calls and jumps on a line of their own. */
const STATEMENT = /^ +(?:[\w.]+ (?:[-+*|&^]|<<|>>)?= .*|[\w.]+(?:<\w+>)?\(.*\)|\w+(?:\+\+|--)|continue|break);$/;

/** Makes every mutant of a source: one change of one place, inside functions and constants, not in comments and imports. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const lines = source.split('\n');
  const code = lines.map((line) => line.replace(/\/\/.*$/, (comment) => ' '.repeat(comment.length)));
  let isComment = false;
  return code.flatMap((text, i): Mutant[] => {
    const line = lines[i]!;
    isComment = isComment || /^\s*\/\*\*/.test(line);
    const skips = isComment || /^(?:import|export \{|@|\} from)|^ {2}\w+,$/.test(line);
    if (line.includes('*/')) isComment = false;
    if (skips) return [];
    const make = (after: string): Mutant => ({
      ...{ file, line: i + 1, before: line.trim(), after: after.trim() },
      source: lines.with(i, after).join('\n'),
    });
    const changed = CHANGES.flatMap(([pattern, replacements]) =>
      [...text.matchAll(pattern)].flatMap(({ index, 0: found }) =>
        replacements.map((replacement) => {
          const number = /^[+-]1$/.test(replacement) ? `${Number(found) + Number(replacement)}` : replacement;
          return make(line.slice(0, index) + number + line.slice(index + found.length));
        }),
      ),
    );
    return STATEMENT.test(text.trimEnd()) ? [...changed, make(`${/^ */.exec(line)![0]};`)] : changed;
  });
}
