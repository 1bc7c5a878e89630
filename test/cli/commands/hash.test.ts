import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { fingerprint, formatLabelled, LABEL, serialise, toHex } from '../../../src/index.ts';
import { firstRows } from '../../suite.ts';
import { folder, jsonLines, jsonOf, run, runProcess, shell, stdoutOf, success, testWrongUsage } from '../command.ts';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ');

/** A text of so many words that differs from those of other numbers. */
function textOf(seed: number, words: number): string {
  return Array.from({ length: words }, (_, i) => `${WORDS[(seed * 7 + i * i) % WORDS.length]}${seed % 50}`).join(' ');
}

const base32 = (text: string | Uint8Array) => serialise(fingerprint(text)!);
const labelled = (text: string | Uint8Array) => formatLabelled(LABEL, fingerprint(text)!);
const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');

describe('hash', () => {
  const cwd = folder({ 'a.txt': 'the quick brown fox', 'b.html': '<p>the quick <b>brown</b> fox', 'no\\n\n.txt': 'x' });

  test('prints fingerprint, two spaces and path', async () => {
    const line = labelled('the quick brown fox');
    expect(await run(['hash', 'a.txt', 'b.html'], { cwd })).toEqual(success(`${line}  a.txt\n${line}  b.html\n`));
  });

  test('warns once of short documents, and marks them with --json', async () => {
    const long = Array.from({ length: 80 }, () => 'words').join(' ');
    const texts = folder({ 'a.txt': long, 'b.txt': long.slice(0, -6), 'c.txt': 'x' });
    const say = async (...args: string[]) => run(['hash', ...args], { cwd: texts, keepsShort: true });
    expect((await say('a.txt')).stderr).toBe('');
    expect((await say('b.txt')).stderr).toBe(
      'simhash-doc: b.txt: warning: fewer than 80 tokens: its fingerprint is unreliable\n',
    );
    const all = await say('--json', '.');
    expect(all.stderr).toBe(
      'simhash-doc: warning: 2 documents have fewer than 80 tokens: their fingerprints are unreliable (the first: ./b.txt)\n',
    );
    expect(jsonLines(all.stdout).map(({ tokens, short }) => [tokens, short])).toEqual([
      [80, undefined],
      [79, true],
      [1, true],
    ]);
    expect((await say('--raw', '--bare', 'c.txt')).stderr).toBe('');
    for (const alone of ['--raw', '--bare'])
      expect((await say(alone, 'c.txt')).stderr).toContain('fewer than 80 tokens');
  });

  test('escapes backslashes and line ends in paths like sha256sum', async () => {
    expect(await run(['hash', 'no\\n\n.txt'], { cwd })).toMatchObject({
      stdout: `\\${labelled('x')}  no\\\\n\\n.txt\n`,
    });
  });

  test('prints the keys of --json in their order, for text and HTML as extraction reports them', async () => {
    const hex = toHex(fingerprint('the quick brown fox')!);
    const expected = await Promise.all(
      ['a.txt', 'b.html'].map(async (path) => {
        const { mediaType, extractor } = await extract(bytes(path === 'a.txt' ? 'a' : '<p>a'), { path });
        const fields = { path, label: LABEL, fingerprint: base32('the quick brown fox'), hex, tokens: 4, short: true };
        return `${JSON.stringify({ ...fields, mediaType, extractor })}\n`;
      }),
    );
    expect(await stdoutOf(['hash', '--json', 'a.txt', 'b.html'], { cwd })).toBe(expected.join(''));
  });

  test('does not escape paths twice with --json', async () => {
    const stdout = await stdoutOf(['hash', '--json', 'no\\n\n.txt'], { cwd });
    expect(jsonLines(stdout)[0]).toMatchObject({ path: 'no\\n\n.txt' });
  });
});

describe('--raw and --bare', () => {
  const files = {
    'a.html': '<p>the quick <b>brown</b> fox',
    'b.gz': Uint8Array.of(0x1f, 0x8b, 8, 0, ...bytes('words that are no member')),
    'c.txt': Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62, 0),
    'd.txt': '123',
    'e.txt': '',
    'f.txt': Buffer.concat([Buffer.from('\ufeff'), Buffer.alloc(1 << 20, 'word ')]),
  };
  const cwd = folder(files);
  const names = Object.keys(files);
  const right = Object.values(files).map((content) => fingerprint(Buffer.from(content as string)));

  test('--raw reads the bytes that step 1 reads, in this thread and in workers', async () => {
    const lines = names.flatMap((name, i) =>
      right[i] === null ? [] : [`${formatLabelled(LABEL, right[i]!)}  ${name}\n`],
    );
    expect(lines.length).toBe(4);
    for (const jobs of ['1', '3']) {
      const { code, stdout, stderr } = await run(['hash', '--raw', '-j', jobs, ...names], { cwd });
      expect({ code, stdout }).toEqual({ code: 3, stdout: lines.join('') });
      const none = 'no letters in the document, so it has no fingerprint';
      expect(stderr).toBe(
        `simhash-doc: d.txt: ${none}\nsimhash-doc: e.txt: ${none}\nsimhash-doc: 2 of 6 documents failed\n`,
      );
    }
  });

  test('--bare prints a line for each, an empty one for none, and exits with 0, like a one-shot adapter', async () => {
    const lines = right.map((value) => (value === null ? '\n' : `${serialise(value)}\n`));
    expect(await run(['hash', '--raw', '--bare', ...names], { cwd })).toEqual(success(lines.join('')));
    expect(await run(['hash', '--raw', '--bare'])).toEqual(success('\n'));
  });

  test('--bare exits with 3 for documents that cannot be read', async () => {
    expect(await run(['hash', '--bare', 'd.txt', 'b.gz'], { cwd })).toMatchObject({ code: 3, stdout: '\n' });
  });
});

describe('hash of stdin', () => {
  test.each([
    ['no path', []],
    ['-', ['-']],
  ])('reads it: %s', async (_, args) => {
    const { code, stdout } = await run(['hash', ...args], { stdin: 'some words' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${labelled('some words')}  -\n` });
  });

  test('keeps its place between files', async () => {
    const cwd = folder({ 'a.txt': 'a', 'c.txt': 'c' });
    const stdout = await stdoutOf(['hash', 'a.txt', '-', 'c.txt'], { cwd, stdin: 'b' });
    expect(stdout).toBe(`${labelled('a')}  a.txt\n${labelled('b')}  -\n${labelled('c')}  c.txt\n`);
  });

  test('reads small and large HTML whole', async () => {
    for (const words of [3, 20_000]) {
      const stdout = await stdoutOf(['hash'], { stdin: `<!doctype html><p>${textOf(1, words)}</p>` });
      expect(stdout).toBe(`${labelled(textOf(1, words))}  -\n`);
    }
  });

  test('reads parts that cut characters and locators', async () => {
    const text = `Ünïcödé 한글 https://example.org/${'x'.repeat(99)} ${textOf(2, 50)}`;
    const whole = Buffer.from(text);
    const parts = Array.from({ length: Math.ceil(whole.length / 7) }, (_, i) => whole.subarray(7 * i, 7 * i + 7));
    expect(await run(['hash'], { stdin: parts })).toMatchObject({ stdout: `${labelled(text)}  -\n`, stderr: '' });
  });

  test('rejects a folder', async () => {
    const { code, stderr } = await shell('"$@" < sub', ['hash'], folder({ 'sub/a.txt': 'a' }));
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'simhash-doc: -: is a folder: expected a file\n' });
  });
});

describe('hash', () => {
  const cwd = folder({
    'latin.txt': bytes('caf\xe9 \x80uro'),
    'page.html': bytes('<meta charset=iso-8859-1><p>caf\xe9 na\xefve \x93quoted\x94'),
    'undeclared.html': bytes('<p>caf\xe9 na\xefve'),
    'utf16.txt': Buffer.from('\uFEFFdeux mots', 'utf16le'),
    'unmarked.txt': Buffer.from('deux mots', 'utf16le'),
    'markup.txt': '<p>hidden <script>no</script>words',
  });
  const hashed = async (...args: string[]) => {
    const { stdout } = await run(['hash', ...args], { cwd });
    return stdout.slice('simhash-doc:'.length, 'simhash-doc:'.length + 13);
  };

  test('reads HTML in windows-1252, declared or by default, including bytes 80 to 9F', async () => {
    expect(await hashed('page.html')).toBe(base32('café naïve “quoted”'));
    expect(await hashed('undeclared.html')).toBe(base32('café naïve'));
  });

  test('reads text as UTF-8 unless --charset names another charset, and warns if it is not UTF-8', async () => {
    const { code, stdout, stderr } = await run(['hash', 'latin.txt'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${labelled('caf\uFFFD \uFFFDuro')}  latin.txt\n` });
    expect(stderr).toMatch(/^simhash-doc: latin\.txt: warning: .*--charset/);
    expect(await run(['hash', '--charset', 'windows-1252', 'latin.txt'], { cwd })).toEqual(
      success(`${labelled('café €uro')}  latin.txt\n`),
    );
  });

  test('reads UTF-16 with a byte order mark or by --charset', async () => {
    expect(await hashed('utf16.txt')).toBe(base32('deux mots'));
    const { code, stderr } = await run(['hash', 'unmarked.txt'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('name the charset');
    expect(await hashed('--charset', 'utf-16le', 'unmarked.txt')).toBe(base32('deux mots'));
  });

  test('overrides the detected type by --type', async () => {
    expect(await hashed('--type', 'text', 'page.html')).not.toBe(await hashed('page.html'));
    expect(await hashed('markup.txt')).toBe(base32('<p>hidden <script>no</script>words'));
    expect(await hashed('--type', 'html', 'markup.txt')).toBe(base32('hidden words'));
  });

  test('accepts a letter across two reads, and warns of half a letter anywhere', async () => {
    const letters = 'é'.repeat(200_000);
    const files = { 'whole.txt': `x${letters}`, 'end.txt': bytes('x\xc3'), 'late.txt': Buffer.from(`${letters} `) };
    files['late.txt'][390_001] = 0x20;
    const { stderr } = await run(['hash', 'end.txt', 'late.txt', 'whole.txt'], { cwd: folder(files) });
    expect(stderr.match(/^simhash-doc: .*: warning.*/gm)).toEqual([
      expect.stringMatching(/^simhash-doc: end.txt: warning: not well-formed UTF-8.* \(and 1 more like this\)$/),
    ]);
  });

  test('carries codes of what a text may have lost, counts them, and fails for those of --refuse', async () => {
    const page = (text: string) => bytes(`<p>caf\xe9 ${text}`);
    const files = {
      'a.html': page('1'),
      'b.html': page('22'),
      'c.tex': 'one',
      'd.html': '<frameset></frameset>',
      'e.txt': 'f',
    };
    const cwd = folder(files);
    const { stdout, stderr } = await run(['hash', '--json', '.'], { cwd });
    expect(jsonLines(stdout).map(({ path, losses }) => [path, losses])).toEqual([
      ['./a.html', ['charset-guessed']],
      ['./b.html', ['charset-guessed']],
      ['./c.tex', ['markup']],
      ['./e.txt', undefined],
    ]);
    expect(stderr).toContain('a.html: warning: no charset is declared: read as windows-1252 (and 1 more like this)\n');
    expect(stderr).toContain('3 documents have warnings: 2 charset-guessed, 1 markup\n');
    const refused = await run(['hash', '--refuse', 'charset-guessed', '--refuse', 'damaged', '.'], { cwd });
    expect([refused.code, refused.stdout.match(/\S+$/gm)]).toEqual([3, ['./c.tex', './e.txt']]);
    expect(refused.stderr).toContain('a.html: is refused (--refuse charset-guessed): no charset is declared');
  });

  test('detects the medium in as many bytes as extraction does', async () => {
    for (const length of [64_000, 70_000, 100_000]) {
      const page = `${' '.repeat(length)}<html><p>text`;
      const { mediaType } = await extract(Buffer.from(page));
      async function* slowly() {
        yield Buffer.from(page.slice(0, 5000));
        yield Buffer.from(page.slice(5000));
      }
      expect((await jsonOf(['hash', '--json'], { stdin: slowly() }))[0]).toMatchObject({ mediaType });
    }
  });
});

describe('hash of paths without a fingerprint', () => {
  const cwd = folder({
    'good.txt': 'good',
    'empty.txt': '',
    'mark.txt': '\uFEFF',
    'digits.txt': '1 2 3',
    'blank.html': '<p><script>x</script>',
    'archive.zip': 'PK\x03\x04 zip',
    'slides.ps': '%!PS-Adobe-3.0',
    'sub/inside.txt': 'inside',
  });
  symlinkSync('..', join(cwd, 'sub/loop'));
  symlinkSync('nowhere', join(cwd, 'sub/dangling'));
  symlinkSync('self', join(cwd, 'sub/self'));
  symlinkSync('../good.txt', join(cwd, 'sub/link.txt'));
  execFileSync('mkfifo', [join(cwd, 'sub/pipe')]);

  const errors = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['hash', '--json', ...args], { cwd });
    expect(stderr.replace(/^simhash-doc: (?:skipped \d files?: not|no documents found in) .*\n/gm, '')).toBe('');
    const found = (stdout === '' ? [] : jsonLines(stdout)).map(({ path, error }) => [
      path,
      (error as { code: string } | undefined)?.code,
    ]);
    return { code, found };
  };

  test('reports each with its reason, reads the others, and exits with 3', async () => {
    const paths = ['empty.txt', 'good.txt', 'digits.txt', 'mark.txt', 'blank.html', 'archive.zip', 'slides.ps'];
    expect(await errors(...paths)).toEqual({
      code: 3,
      found: [
        ['empty.txt', 'empty'],
        ['good.txt', undefined],
        ['digits.txt', 'no-tokens'],
        ['mark.txt', 'no-tokens'],
        ['blank.html', 'no-tokens'],
        ['archive.zip', 'damaged'],
        ['slides.ps', 'unsupported-media-type'],
      ],
    });
  });

  test('reports each entry of a walk in its place, and neither follows loops nor waits for pipes', async () => {
    expect(await errors('sub')).toEqual({
      code: 0,
      found: [
        ['sub/inside.txt', undefined],
        ['sub/link.txt', undefined],
      ],
    });
    const { stderr } = await run(['hash', 'sub'], { cwd });
    expect(stderr).toContain('skipped 4 files: not documents (2 links to nothing, 1 links to folders, 1 special)');
  });

  test('reads and shows a name that is not UTF-8', async () => {
    const odd = folder({ 'good.txt': 'good' });
    const bytes = (name: string) => Buffer.concat([Buffer.from(`${odd}/`), Buffer.from(name, 'latin1')]);
    mkdirSync(bytes('d\xff'));
    writeFileSync(bytes('d\xff/x\xe9.txt'), 'in an odd place');
    writeFileSync(bytes('z\xfe.txt'), 'by an odd name');
    writeFileSync(join(odd, 'z\\xfe.txt'), 'by another name');
    for (const jobs of ['1', '2']) {
      const stdout = await stdoutOf(['hash', '--json', '-j', jobs, '.'], { cwd: odd });
      expect(jsonLines(stdout).map(({ path, fingerprint: found }) => [path, found])).toEqual([
        ['./d\\xff/x\\xe9.txt', base32('in an odd place')],
        ['./good.txt', base32('good')],
        ['./z\\x5cxfe.txt', base32('by another name')],
        ['./z\\xfe.txt', base32('by an odd name')],
      ]);
      expect(jsonLines(stdout).map(({ pathBase64 }) => pathBase64)).toEqual(
        ['./d\xff/x\xe9.txt', undefined, './z\\xfe.txt', './z\xfe.txt'].map(
          (each) => each && Buffer.from(each, 'latin1').toString('base64'),
        ),
      );
    }
  });

  test('skips a socket in a folder, and fails for one that is named', async () => {
    mkdirSync(join(cwd, 'socket'));
    const server = createServer().listen(join(cwd, 'socket/s'));
    try {
      expect(await errors('socket')).toEqual({ code: 0, found: [] });
      expect(await errors('socket/s')).toEqual({ code: 3, found: [['socket/s', 'special-file']] });
    } finally {
      server.close();
    }
  });

  test('follows a link to a folder that is named', async () => {
    expect((await errors('sub/loop/empty.txt', 'sub/loop/sub/link.txt')).found).toEqual([
      ['sub/loop/empty.txt', 'empty'],
      ['sub/loop/sub/link.txt', undefined],
    ]);
  });

  test('reads a pipe that is named', async () => {
    const line = '(printf "through a pipe" > sub/pipe) & "$@"; wait';
    const { code, stdout } = await shell(line, ['hash', 'sub/pipe'], cwd);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${labelled('through a pipe')}  sub/pipe\n` });
  });

  test('prints the reasons on stderr for a person, and a summary if there are several', async () => {
    const noLetters = 'no letters in the document, so it has no fingerprint';
    expect(await run(['hash', 'digits.txt', 'good.txt'], { cwd })).toEqual({
      code: 3,
      stdout: `${labelled('good')}  good.txt\n`,
      stderr: `simhash-doc: digits.txt: ${noLetters}\n`,
    });
    const { stderr } = await run(['hash', 'digits.txt', 'empty.txt', 'good.txt'], { cwd });
    expect(stderr.split('\n')).toEqual([
      `simhash-doc: digits.txt: ${noLetters}`,
      'simhash-doc: empty.txt: the document is empty',
      'simhash-doc: 2 of 3 documents failed',
      '',
    ]);
  });

  test('escapes control characters in a path on the terminal', async () => {
    const { stderr } = await run(['hash', 'a\x1b[2Jb\nc'], { cwd });
    expect(stderr).toMatch(/^simhash-doc: a\\x1b\[2Jb\\x0ac: no such file or folder\n/);
  });

  test('prints code and message as JSON', async () => {
    const { stdout } = await run(['hash', '--json', 'empty.txt'], { cwd });
    expect(stdout).toBe('{"path":"empty.txt","error":{"code":"empty","message":"the document is empty"}}\n');
  });

  test('reports a folder without files', async () => {
    mkdirSync(join(cwd, 'none'));
    expect(await run(['hash', 'none'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'simhash-doc: no documents found in none\n',
    });
  });

  // The test of extractInWorker covers this in the fast suite.
  test.each(firstRows(0, ['2', '1']))(
    'fails alone for a document that takes all memory (%s at a time)',
    async (jobs) => {
      const hostile = folder({
        'a.txt': 'before',
        // Elements that are open take many times the bytes of their tags.
        'b.html': '<div>'.repeat(2_000_000),
        'c.txt': 'after',
        'd.html': `<p>${textOf(3, 5000)}`,
      });
      const { code, stdout, stderr } = await runProcess(['hash', '--json', '--max-depth', '9999999', '-j', jobs, '.'], {
        cwd: hostile,
        env: { NODE_OPTIONS: '--max-old-space-size=96' },
      });
      expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
      expect(jsonLines(stdout).map(({ fingerprint, error }) => fingerprint ?? error)).toEqual([
        base32('before'),
        { code: 'out-of-memory', message: 'not enough memory for this document' },
        base32('after'),
        base32(textOf(3, 5000)),
      ]);
    },
  );
});

describe('hash of folders', () => {
  const names = Array.from(
    { length: 200 },
    (_, i) => `d${i % 7}/${i % 3 === 0 ? 'Z' : 'z'}${i}.${i % 5 ? 'txt' : 'html'}`,
  );
  const files = {
    ...Object.fromEntries(names.map((name, i) => [name, i === 33 ? '' : textOf(i, 1 + ((i * 37) % 3000))])),
    '.hidden': 'hidden too',
    'd1.txt': 'beside the folder d1',
    // The order of UTF-8 would be another.
    '\u{1f600}.txt': 'an astral letter',
    '\uff5e.txt': 'no astral letter',
  } as Readonly<Record<string, string>>;
  const cwd = folder(files);
  const SKIPPED =
    'simhash-doc: skipped 1 file: hidden, or node_modules (--hidden reads them)\nsimhash-doc: skipped 1 file: not a document (1 empty)\n';

  test('prints the same for 200 files, in the order of the names, with any number of jobs', async () => {
    // Folders stand among files by their names alone, without the separator.
    const keys = Object.keys(files)
      .filter((name) => name !== '.hidden')
      .sort((a, b) => {
        const [x, y] = [a.split('/'), b.split('/')];
        return x[0] === y[0] ? (x[1]! < y[1]! ? -1 : 1) : x[0]! < y[0]! ? -1 : 1;
      });
    const expected = keys
      .flatMap((name) => (files[name] === '' ? [] : [`${labelled(files[name]!)}  ./${name}\n`]))
      .join('');
    for (const jobs of firstRows(2, ['1', '2', '3', '5'])) {
      expect(await run(['hash', '--jobs', jobs, '.'], { cwd })).toEqual({ stdout: expected, code: 0, stderr: SKIPPED });
    }
  });

  test('prints paths as they were given', async () => {
    for (const [given, start] of firstRows(2, [
      ['d1/', 'd1/'],
      [join(cwd, 'd1'), `${join(cwd, 'd1')}/`],
      ['d1', 'd1/'],
      ['./d1', './d1/'],
    ] as const)) {
      const stdout = await stdoutOf(['hash', given], { cwd });
      expect(stdout.trimEnd().split('\n')).toHaveLength(29);
      expect(stdout.split('\n').every((line) => line === '' || line.slice(27).startsWith(start))).toBe(true);
    }
  });

  test('reports a folder tree that is too deep for a path', async () => {
    const deep = folder();
    const down = `const name = 'n'.repeat(200); for (let i = 0; i < 30; i++) fs.mkdirSync(name), process.chdir(name)`;
    execFileSync(process.execPath, ['-e', down], { cwd: deep });
    const { code, stdout } = await run(['hash', '--json', '.'], { cwd: deep });
    execFileSync('rm', ['-rf', deep]);
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([
      { error: { code: 'unreadable', message: 'cannot be read: ENAMETOOLONG: name too long' } },
    ]);
  });
});

describe('hash', () => {
  testWrongUsage('hash', [
    [['-', '-'], 'can be read only once'],
    [['--jobs', '0'], '--jobs: expected a whole number from 1 to 256, got "0"'],
    [['--jobs', 'many'], '--jobs: expected a whole number from 1 to 256, got "many"'],
    [['--type', 'pfd'], 'got "pfd": did you mean pdf?'],
    [['--type', 'gzip'], '--type: expected one of text, html'],
    [['--timeout', '0'], '--timeout: expected seconds'],
    [['--timeout', '1e9'], '--timeout: expected seconds'],
    [['--max-size', '-1'], '--max-size: expected a size'],
    [['--max-size', '5X'], '--max-size: expected a size such as'],
    [['--max-inflated', '0'], '--max-inflated: expected a size such as'],
    [['--max-pages', 'many'], '--max-pages: expected a whole number'],
    [['--charset', 'klingon'], 'unknown charset "klingon"'],
    [['--charset'], "option '--charset' needs a value"],
    [['--json=yes'], "option '--json' takes no value"],
    [['--colour'], "unknown option '--colour'"],
  ]);

  test('reads an option after -- as a path', async () => {
    const cwd = folder({ '--json': 'a file' });
    expect(await run(['hash', '--', '--json'], { cwd })).toMatchObject({ stdout: `${labelled('a file')}  --json\n` });
  });
});
