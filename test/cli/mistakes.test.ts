import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/all-commands.ts';
import { folder, run, stdoutOf, success, wordsOf } from './command.ts';

const words = wordsOf('', 100).join(' ');
const LOREM = `${words} ${words}`;

async function surroundings(): Promise<string> {
  const cwd = folder({
    'docs/a.txt': LOREM,
    'docs/b.txt': `${LOREM} more`,
    'fox/a.txt': LOREM,
    'fox.txt': 'The quick brown fox jumps over the lazy dog.',
    'cut.pdf': '%PDF-1.7\n1 0 obj\n<</Type/Cat',
    'list.txt': 'docs/a.txt\ndocs/b.txt\n',
    'rows.jsonl': '{"text":"a row"}\n',
    'chat.jsonl': '{"prompt":"a row"}\n',
    'rows.csv': 'text\na row\n',
    'bad.docx': 'PK\x03\x04 and no more',
    'nul.bin': 'a\0b',
  });
  await run(['index', 'add', 'index', 'docs'], { cwd });
  await run(['index', 'create', 'empty'], { cwd });
  return cwd;
}

const cwd = await surroundings();

const MISTAKES: (readonly [typed: string, message: string, code?: number])[] = [
  // Options of other programs.
  ['hash -r docs', "unknown option '-r': a folder is always read with all folders in it"],
  ['dupes --threshold 0.8 docs', "unknown option '--threshold': did you mean --min-overlap or --distance?"],
  ['compare -k 3 fox.txt docs/a.txt', "unknown option '-k': there is no limit on bits here: use --min-overlap SHARE"],
  ['hash -k 3 docs', "unknown option '-k'\n"],
  ['compare --diff fox.txt docs/a.txt', "unknown option '--diff': did you mean explain --diff?"],
  ['hash --text hello', "unknown option '--text': did you mean --text-field? A text itself goes through a pipe: echo"],
  ['conformance --lang python', "unknown option '--lang': did you mean conformance init --lang?"],
  ['hash —json docs', '—json: no such file or folder: did you mean --json?'],
  ['dedupe rows.jsonl --text text --out kept', "unknown option '--text': did you mean --text-field?"],
  ['hash --colour docs', "unknown option '--colour': did you mean --color?"],
  ['hash --color=blue docs', '--color: expected auto, always or never, got "blue"'],
  ['hash --ext *. docs', '--ext: expected extensions such as pdf or html,txt, got "*."'],
  ['hash --files-from a --files0-from b', '--files-from cannot be used with --files0-from'],
  ['hash -o out.txt docs', "unknown option '-o': results go to standard output: add > FILE"],
  ['hash --format json docs', "unknown option '--format': did you mean --json?"],
  ['dupes -n docs', "unknown option '-n': nothing is removed: --script prints a script to review"],
  ['hash -n docs', "unknown option '-n'\n"],
  ['dupes -i docs', "unknown option '-i': upper and lower case never count"],
  ['hash -help', "unknown option '-help': did you mean --help?"],
  ['-v', "unknown option '-v': did you mean --version?"],
  ['--json hash docs', "unknown option '--json': expected a command, then its options"],
  ['hash --max-sise 1', "unknown option '--max-sise': did you mean --max-size?"],
  [
    'index stats --take-over --jobs 5',
    "index stats: unknown option '--take-over'\nTry: simhash-doc index stats --help\n",
  ],
  // Commands of other programs.
  ['duplicates docs', 'unknown command "duplicates": did you mean dupes?'],
  ['diff fox.txt docs/a.txt', 'unknown command "diff": did you mean explain --diff?'],
  ['fingerprint docs', 'unknown command "fingerprint": did you mean hash?'],
  ['verify index', 'unknown command "verify": did you mean conformance verify or index verify?'],
  ['version', 'unknown command "version": did you mean --version?'],
  ['docs', 'unknown command "docs": to read it, type simhash-doc dupes docs'],
  ['fox.txt', 'unknown command "fox.txt": to read it, type simhash-doc hash fox.txt'],
  ['index search index fox.txt', 'unknown subcommand "search": did you mean query?'],
  ['index --json', 'expected a subcommand before --json: one of create, add'],
  ['conformance inti', 'unknown subcommand "inti": did you mean init?'],
  ['conformance foo', 'unknown subcommand "foo"; expected -- before the command of the adapter: -- foo'],
  ['vectors tokenise', 'unknown subcommand "tokenise": did you mean --group tokenise?'],
  ['index index add docs', 'expected add before "index"'],
  ['hsah', 'unknown command "hsah": did you mean hash?'],
  ['help limit', 'unknown command "limit": did you mean limits?'],
  ['nothing-like-it', 'unknown command "nothing-like-it": expected one of hash, compare'],
  ['help nope', 'unknown command "nope"'],
  ['toString', 'unknown command "toString"'],
  ['help index ad', 'unknown subcommand "ad": did you mean add?'],
  // Operands.
  ['dupes --html fox', '--html: fox is a folder: expected the name of a file, then PATH'],
  ['dupes --against docs', 'expected PATH before or after --against docs'],
  ['dupes --exclude docs', '--exclude: "docs" was read as GLOB: add PATH'],
  ['hash --include fox.txt', '--include: "fox.txt" was read as GLOB: add PATH'],
  ['dupes docs --store docs', 'docs: is not an index: simhash-doc index sync STORE docs makes one in STORE'],
  ['dupes --against index docs', 'index: is an index of simhash-doc, not a folder of documents'],
  ['dupes --html no/page.html docs', '--html: no/page.html: no such folder: no'],
  ['explain fox.txt docs/a.txt', 'expected one document, got 2: did you mean explain --diff?'],
  ['explain simhash-doc:4L3UPEMLCUTGM', 'simhash-doc:4L3UPEMLCUTGM: no such file or folder (a fingerprint does not'],
  ['explain docs', 'docs: is a folder: name one file of it'],
  ['compare fox.txt docs', 'docs: is a folder: expected a file (dupes compares the files of a folder)'],
  ['compare simhash-doc:4L3UPEMLCUTGM minhash-doc:EZEFOEQ2U2YJ6', 'labels differ'],
  [
    'compare simhash-doc:4L3UPEMLCUTGN fox.txt',
    'fingerprint: expected a valid one (a typing error?), got "4L3UPEMLCUTGN"',
  ],
  [
    'compare 4L3UPEMLCUTGN fox.txt',
    '4L3UPEMLCUTGN: no such file or folder (and not a valid fingerprint: a typing error?)',
  ],
  ['compare 4LTE fox.txt', '4LTE: no such file or folder (and not a fingerprint: expected 13 characters, or 52'],
  [
    'compare simhash-doc-4L3UPEMLCUTGM fox.txt',
    'simhash-doc-4L3UPEMLCUTGM: no such file or folder: did you mean simhash-doc:4L3UPEMLCUTGM?',
  ],
  ['compare hello world', 'hello: no such file or folder (texts are read from files, or one from -, standard input)'],
  ['hash file:///etc/hosts', 'file://…: expected a file or a folder, got a URL: use the path /etc/hosts'],
  ['hash *.docx', "*.docx: no such file or folder (to choose files of a folder: --include '*.docx')"],
  ['hash index', 'index: is an index of simhash-doc, not a folder of documents'],
  ['hash bad.docx', 'bad.docx: is not a valid Word (Office Open XML) file: damaged, truncated or', 3],
  ['hash nul.bin', 'nul.bin: cannot read binary data (a NUL byte)', 3],
  ['hash --check fox.txt', '--check: fox.txt is not a list of hash: hash --json docs/ > LIST makes one'],
  ['hash cut.pdf', 'cut.pdf: cannot be read as PDF: damaged or truncated, or not a PDF', 3],
  ['hash --files0-from list.txt', '--files0-from: list.txt: expected paths that are each terminated by NUL'],
  ['dedupe docs --text-field text --out kept', 'docs: is a folder: expected JSON Lines or Parquet (dupes compares'],
  ['dedupe rows.csv --text-field text --out kept', 'rows.csv: CSV is not read: convert it to JSON Lines or Parquet'],
  ['dedupe chat.jsonl --out kept', '--text-field: expected the field that holds the text: its fields are prompt'],
  ['dedupe rows.jsonl --text-field text --out no/kept', '--out: no/kept: no such folder: no'],
  [
    'index add docs fox.txt',
    'index add: docs: has other files: expected STORE, an index or a new folder such as docs.index',
  ],
  [
    'index add fox.txt docs',
    'index add: fox.txt: is a file: expected STORE, the folder of an index, before all others',
  ],
  ['index sync docs new', 'index sync: docs: has other files: did you mean new docs?'],
  [
    'index query docs fox.txt',
    'index query: docs: is not an index: simhash-doc index sync STORE docs makes one in STORE',
  ],
  ['index query docs index', 'index query: docs: is not an index: did you mean index docs?'],
  ['index stats docs', 'index stats: docs: is not an index'],
  ['index add index --label simhash-doc docs', 'index add: --label: index: expected an index of simhash-doc, got'],
  ['dupes --label simhash-doc docs --store index', '--label: index holds minhash-doc-256, not simhash-doc: leave'],
  [
    'index query index simhash-doc:4L3UPEMLCUTGM',
    'index query: simhash-doc:4L3UPEMLCUTGM: the index holds minhash-doc-256: not comparable (hash --label minhash',
  ],
  ['index query index 4L3UPEMLCUTGM', 'index query: 4L3UPEMLCUTGM: a fingerprint of simhash-doc or'],
  ['index export index out.jsonl', 'index export: expected STORE and nothing else, got "out.jsonl"'],
  ['hash', '-: standard input is empty: name a PATH?', 3],
  // Values.
  [
    'hash --label simhash docs',
    '--label: expected one of simhash-doc, simhash-doc+bg1, minhash-doc, minhash-doc-256, got "simhash": did you mean',
  ],
  ['hash --label nilsimsa docs', '--label: expected one of simhash-doc, simhash-doc+bg1, minhash-doc, minhash-doc-256'],
  ['extract --extractor articel fox.txt', '--extractor: expected article, got "articel"'],
  ['dupes --keep docs fox', '--keep: got "docs": expected first, longest'],
  ['dupes --json --script docs', '--script cannot be used with --json'],
  [
    'dupes --min-overlap 80 docs',
    '--min-overlap: expected a number from 0 to 1, such as 0.8, got "80": did you mean 0.8?',
  ],
  [
    'dupes --min-overlap 85% docs',
    '--min-overlap: expected a number from 0 to 1, such as 0.8, got "85%": did you mean 0.85?',
  ],
  [
    'dupes --min-overlap 0,8 docs',
    '--min-overlap: expected a number from 0 to 1, such as 0.8, got "0,8": did you mean 0.8?',
  ],
  ['hash --type jsonl rows.jsonl', '--type: rows are read with --text-field NAME, got "jsonl"'],
  ['hash --type htm docs', '--type: expected one of text, html, xml'],
  ['hash --max-memory 1 docs', '--max-memory: expected at least 64M, got "1"'],
  ['hash --timeout -1 docs', '--timeout: expected seconds, more than 0 and at most 2000000, got "-1"'],
  [
    'conformance init --lang py',
    'conformance init: --lang: expected one of python, c, go, rust, java, javascript, got "py": did you mean python?\n',
  ],
  ['vectors --group tokenize', 'no such group: "tokenize": did you mean tokenise?'],
  ['vectors --rule FOO', 'no such rule: "FOO"; expected one such as TOK-2, from spec/'],
  [
    'sql --dialect duckdb --task pair',
    '--task: expected one of pairs, query, clusters, got "pair": did you mean pairs?',
  ],
  ['sql duckdb pairs', 'expected options only, as in --dialect duckdb --task pairs, got "duckdb"'],
  ['conformance init python', 'conformance init: expected options only, as in --lang python --out mine, got "python"'],
  ['vectors show tokenise/emty', 'vectors show: no such vector: "tokenise/emty": did you mean tokenise/empty?'],
];

test.each(MISTAKES.map(([typed, message, code = 2]) => ({ typed, message, expected: code })))(
  'the message about a mistake explains $typed',
  async (mistake) => {
    const { typed, message, expected } = mistake;
    const { code, stdout, stderr } = await run(typed.split(' '), { cwd });
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr.startsWith(`simhash-doc: ${message}`), stderr).toBe(true);
    const [command = ''] = typed.split(' ');
    const name = Object.hasOwn(COMMANDS, command) ? `${command} (?:[a-z]+ )?` : '';
    if (expected === 2) expect(stderr).toMatch(new RegExp(`\nTry: simhash-doc ${name}--help\n$`));
  },
);

describe('the command', () => {
  test('reads fingerprints of 13 characters as simhash-doc, unless a label is given', async () => {
    const pair = ['4L3UPEMLCUTGM', '4L3UPEMLCUTGQ'];
    const { code, stdout, stderr } = await run(['compare', ...pair]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'fingerprints are near: distance 3 of 64\n' });
    expect(stderr).toBe('simhash-doc: fingerprints without a label are read as simhash-doc; --label names another\n');
    expect((await run(['compare', '--label', 'minhash-doc', ...pair])).stderr).toBe('');
    expect(await run(['compare', 'minhash-doc:4L3UPEMLCUTGM', '4L3UPEMLCUTGQ'])).toEqual(success(stdout));
  });

  test('skips and counts an index in a folder', async () => {
    const { code, stdout, stderr } = await run(['hash', '.', '--include', '*.txt', '--include', '**/index'], { cwd });
    expect(code).toBe(0);
    expect(stdout).not.toContain('index/');
    expect(stderr).toContain('skipped 1 file: not a document (1 with an index)\n');
  });

  test('accepts help as a subcommand, and shows its help without arguments', async () => {
    expect(await run(['index', 'help'])).toEqual(await run(['index', '--help']));
    const stdout = await stdoutOf(['--help']);
    expect(await run(['help', 'help'])).toEqual(success(stdout));
    expect(await run([])).toEqual({ code: 2, stdout: '', stderr: stdout });
  });

  test('reports that index query found nothing', async () => {
    const query = (...args: string[]) => run(['index', 'query', ...args], { cwd });
    expect(await query('index', 'fox.txt')).toEqual({ code: 0, stdout: '', stderr: 'simhash-doc: no match\n' });
    expect(await query('empty', 'fox.txt')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'simhash-doc: the index is empty\n',
    });
    expect(await query('empty', '--json', 'fox.txt')).toEqual(success(''));
  });

  test('warns in compare of a short document if only fingerprints are compared', async () => {
    const compare = (other: string) => run(['compare', 'fox.txt', other], { cwd, keepsShort: true });
    expect((await compare('docs/a.txt')).stderr).toBe('');
    expect((await compare('simhash-doc:4L3UPEMLCUTGM')).stderr).toBe(
      'simhash-doc: fox.txt: warning: fewer than 80 tokens: its fingerprint is unreliable\n',
    );
  });

  test('accepts --help before a command', async () => {
    expect(await run(['--help', 'dupes'])).toEqual(await run(['dupes', '--help']));
  });
});
