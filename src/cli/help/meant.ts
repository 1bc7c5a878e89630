import { didYouMean, nearest } from '../../common/suggest.ts';

/** Options of this program that do the same, or a sentence; `needs` is an option without which the sentence is not shown. */
type Meaning = readonly string[] | string | { readonly sentence: string; readonly needs: string };

type Meanings<T> = readonly (readonly [words: string, meaning: T])[];

/** The meanings of options. Suggested options that the command does not have are left out. */
const OPTIONS: Meanings<Meaning> = [
  ['--colour --colors --no-color', ['--color']],
  ['--min-size --min-length --min-words', ['--min-tokens']],
  ['--extension --suffix -e', ['--ext']],
  ['--from --stdin0 -T', ['--files-from']],
  ['-r -R --recursive', 'a folder is always read with all folders in it'],
  ['-t --threshold --similarity --min-similarity --jaccard', ['--min-overlap', '--distance']],
  ['--overlap', ['--min-overlap']],
  ['--hamming --max-distance', ['--distance']],
  ['-k', { sentence: 'there is no limit on bits here: use --min-overlap SHARE', needs: '--min-overlap' }],
  ['--text', 'did you mean --text-field? A text itself goes through a pipe: echo TEXT | simhash-doc hash -'],
  ['--column --field', ['--text-field']],
  ['--key', ['--id-field']],
  ['-o --out --output', 'results go to standard output: add > FILE'],
  [
    '-d --delete --remove -n --dry-run',
    { sentence: 'nothing is removed: --script prints a script to review', needs: '--script' },
  ],
  ['-f --format', ['--json', '--tsv']],
  ['--csv', ['--tsv', '--json']],
  ['-0 --null', ['--print0', '--files-from']],
  ['-i --ignore-case', 'upper and lower case never count, unless --match-case is given'],
  ['--ignore', ['--exclude']],
  ['--glob --pattern', ['--include']],
  ['-a --all', ['--hidden']],
  ['-l --algorithm --method --scheme --bits', ['--label']],
  ['--encoding', ['--charset']],
  ['--mime-type', ['--type']],
  ['-p --threads --workers --parallel', ['--jobs']],
  ['-s --silent --no-progress', ['--quiet']],
  ['--max-results --top', ['--limit']],
  ['--reference', ['--against']],
  ['--index', ['--store']],
  ['--diff', 'did you mean explain --diff?'],
  ['--html', 'did you mean dupes --html?'],
  ['--lang', { sentence: 'did you mean conformance init --lang?', needs: '--bail' }],
  ['-v --verbose', 'there is no verbose mode: warnings are always printed; --json prints all results'],
];

const COMMANDS: Meanings<string> = [
  ['cluster clusters duplicates find group similar', 'dupes'],
  ['cmp similarity distance', 'compare'],
  ['diff', 'explain --diff'],
  ['digest fingerprint simhash sum', 'hash'],
  ['minhash', 'hash --label minhash-doc'],
  ['check', 'hash --check'],
  ['deduplicate unique uniq', 'dedupe'],
  ['convert read text', 'extract'],
  ['lookup search', 'index query'],
  ['test', 'conformance'],
  ['version', '--version'],
];

const SUBCOMMANDS: Meanings<string> = [
  ['build init new', 'create'],
  ['insert', 'add'],
  ['refresh update', 'sync'],
  ['find lookup search', 'query'],
  ['delete rm', 'remove'],
  ['info status', 'stats'],
  ['dump list ls', 'export'],
  ['load', 'import'],
  ['check fsck', 'verify'],
];

function meaningOf<T>(word: string, meanings: Meanings<T>): T | undefined {
  return meanings.find(([words]) => words.split(' ').includes(word))?.[1];
}

/** The end of a message about an unknown option, with a colon; empty if nothing is near. Options include their hyphens. */
export function meantByOption(given: string, known: readonly string[]): string {
  const begun = given.length > 3 ? known.filter((name) => name.startsWith(given)) : [];
  const exact = meantByWord(given, known, begun);
  if (exact !== '' || !given.startsWith('--')) return exact;
  const other = nearest(
    given,
    OPTIONS.flatMap(([words]) => words.split(' ')).filter((word) => word.startsWith('--')),
  );
  return didYouMean(given, known) || (other === undefined ? '' : meantByWord(other, known));
}

function meantByWord(word: string, known: readonly string[], begun: readonly string[] = []): string {
  const meaning = meaningOf(word, OPTIONS);
  if (typeof meaning === 'string') return `: ${meaning}`;
  if (meaning !== undefined && 'needs' in meaning) return known.includes(meaning.needs) ? `: ${meaning.sentence}` : '';
  const options = [...(meaning ?? []).filter((name) => known.includes(name)), ...begun];
  return options.length === 0 ? '' : `: did you mean ${[...new Set(options)].join(' or ')}?`;
}

export function meantByCommand(given: string, known: readonly string[]): string {
  const meaning = meaningOf(given, COMMANDS);
  return meaning === undefined ? didYouMean(given, known) : `: did you mean ${meaning}?`;
}

export function meantBySubcommand(given: string, known: readonly string[]): string {
  const meaning = meaningOf(given, SUBCOMMANDS);
  return meaning !== undefined && known.includes(meaning) ? `: did you mean ${meaning}?` : didYouMean(given, known);
}
