import { didYouMean } from '../../common/suggest.ts';

/**
 * The options of this program that do the same as an option of another program, or a sentence, which may need an
 * option.
 */
type Meaning = readonly string[] | string | { readonly sentence: string; readonly needs: string };

const FOLDERS = 'a folder is always read with all folders in it';
const OUTPUT: Meaning = 'results go to standard output: add > FILE';
const SIMILARITY: Meaning = ['--min-overlap', '--distance'];
const REMOVAL: Meaning = { sentence: 'nothing is removed: --script prints a script to review', needs: '--script' };

/** Options of other programs, and guesses. Options that the command does not have are left out. */
const OPTIONS: Readonly<Record<string, Meaning>> = {
  '-r': FOLDERS,
  '-R': FOLDERS,
  '--recursive': FOLDERS,
  '--threshold': SIMILARITY,
  '--similarity': SIMILARITY,
  '--min-similarity': SIMILARITY,
  '--jaccard': SIMILARITY,
  '-t': SIMILARITY,
  '--overlap': ['--min-overlap'],
  '--hamming': ['--distance'],
  '--max-distance': ['--distance'],
  '-k': { sentence: 'there is no limit on bits here: use --min-overlap SHARE', needs: '--min-overlap' },
  '--text': 'did you mean --text-field? A text itself goes through a pipe: echo TEXT | simhash-doc hash -',
  '--column': ['--text-field'],
  '--field': ['--text-field'],
  '--key': ['--id-field'],
  '-o': OUTPUT,
  '--out': OUTPUT,
  '--output': OUTPUT,
  '-d': REMOVAL,
  '--delete': REMOVAL,
  '--remove': REMOVAL,
  '-n': REMOVAL,
  '--dry-run': REMOVAL,
  '-f': ['--json', '--tsv'],
  '--format': ['--json', '--tsv'],
  '--csv': ['--tsv', '--json'],
  '-0': ['--print0', '--files0-from'],
  '--null': ['--print0', '--files0-from'],
  '-i': 'upper and lower case never count, unless --match-case is given',
  '--ignore-case': 'upper and lower case never count, unless --match-case is given',
  '--ignore': ['--exclude'],
  '--glob': ['--include'],
  '--pattern': ['--include'],
  '-a': ['--hidden'],
  '--all': ['--hidden'],
  '-l': ['--label'],
  '--algorithm': ['--label'],
  '--method': ['--label'],
  '--scheme': ['--label'],
  '--bits': ['--label'],
  '--encoding': ['--charset'],
  '--mime-type': ['--type'],
  '--threads': ['--jobs'],
  '--workers': ['--jobs'],
  '--parallel': ['--jobs'],
  '-p': ['--jobs'],
  '-s': ['--quiet'],
  '--silent': ['--quiet'],
  '--no-progress': ['--quiet'],
  '--max-results': ['--limit'],
  '--top': ['--limit'],
  '--reference': ['--against'],
  '--index': ['--store'],
  '--diff': 'did you mean explain --diff?',
  '--html': 'did you mean dupes --html?',
  '--lang': { sentence: 'did you mean conformance init --lang?', needs: '--baseline' },
  '--label': { sentence: 'any label of 64 bits will do: choose it in hash', needs: '--query-table' },
  '--version': 'type simhash-doc --version',
  '-V': 'type simhash-doc --version',
  '-v': 'there is no verbose mode: warnings are always printed; --json prints all results',
  '--verbose': 'there is no verbose mode: warnings are always printed; --json prints all results',
};

/** Commands of other programs, and guesses. */
const COMMANDS: Readonly<Record<string, string>> = {
  cluster: 'dupes',
  clusters: 'dupes',
  duplicates: 'dupes',
  find: 'dupes',
  group: 'dupes',
  similar: 'dupes',
  cmp: 'compare',
  similarity: 'compare',
  diff: 'explain --diff',
  distance: 'compare',
  digest: 'hash',
  fingerprint: 'hash',
  minhash: 'hash --label minhash-doc',
  simhash: 'hash',
  sum: 'hash',
  deduplicate: 'dedupe',
  unique: 'dedupe',
  uniq: 'dedupe',
  convert: 'extract',
  read: 'extract',
  text: 'extract',
  lookup: 'index query',
  search: 'index query',
  check: 'hash --check',
  test: 'conformance',
  version: '--version',
};

/** Subcommands of `index` and `conformance`, and of other programs that keep one. */
const SUBCOMMANDS: Readonly<Record<string, string>> = {
  build: 'create',
  check: 'verify',
  delete: 'remove',
  dump: 'export',
  find: 'query',
  fsck: 'verify',
  info: 'stats',
  init: 'create',
  insert: 'add',
  list: 'export',
  load: 'import',
  ls: 'export',
  lookup: 'query',
  new: 'create',
  refresh: 'sync',
  rm: 'remove',
  search: 'query',
  status: 'stats',
  update: 'sync',
};

const own = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/**
 * Says what an unknown option may have meant.
 * @param given - as it was typed, with its hyphens
 * @param known - the options of the command, with theirs
 * @returns the end of a message, with a colon; empty if nothing is near
 */
export function meantByOption(given: string, known: readonly string[]): string {
  const near = didYouMean(given, known);
  const meaning = own(OPTIONS, given);
  if (near !== '' && given.startsWith('--')) return near;
  if (typeof meaning === 'string') return `: ${meaning}`;
  if (meaning !== undefined && 'needs' in meaning) return known.includes(meaning.needs) ? `: ${meaning.sentence}` : '';
  const begins = given.length > 3 ? known.filter((name) => name.startsWith(given)) : [];
  const options = [...(meaning ?? []).filter((name) => known.includes(name)), ...begins];
  const [first] = options;
  return first === undefined ? '' : `: did you mean ${[...new Set(options)].join(' or ')}?`;
}

/**
 * Says which command an unknown one may have meant.
 * @param given - the word
 * @param known - the commands
 * @returns the end of a message, with a colon; empty if nothing is near
 */
export function meantByCommand(given: string, known: readonly string[]): string {
  const meaning = own(COMMANDS, given);
  return meaning === undefined ? didYouMean(given, known) : `: did you mean ${meaning}?`;
}

/**
 * Says which subcommand an unknown one may have meant.
 * @param given - the word
 * @param known - the subcommands of the command
 * @returns the end of a message, with a colon; empty if nothing is near
 */
export function meantBySubcommand(given: string, known: readonly string[]): string {
  const meaning = own(SUBCOMMANDS, given);
  return meaning !== undefined && known.includes(meaning) ? `: did you mean ${meaning}?` : didYouMean(given, known);
}
