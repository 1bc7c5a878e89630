import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { fingerprint, LABEL, serialise } from '../../../src/index.ts';
import { firstRows, slowTest } from '../../suite.ts';
import { capturesOf, httpOf, warcRecord } from '../archives.ts';
import { folder, imports, run, runOnTerminal, runProcess, shell, stdoutOf } from '../command.ts';

const HOSTILE = 'a\u001b[2J\u009b31m\u202eb';
const SHOWN = 'a\\x1b[2J\\x9b31m\\u{202e}b';

/** The characters that a terminal interprets: no output may hold any of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const base32 = (text: string): string => serialise(fingerprint(text)!);

describe('on a terminal', () => {
  const cwd = folder({
    [`${HOSTILE}.txt`]: `some ${HOSTILE} words\n\tindented`,
    'copy.txt': `some ${HOSTILE} words\n\tindented`,
  });

  test.each(
    firstRows(2, [
      ['dupes', ['dupes', '.']],
      ['a missing file', ['hash', `${HOSTILE} missing`]],
      ['hash', ['hash', '.']],
      ['explain', ['explain', `${HOSTILE}.txt`]],
      ['extract', ['extract', '.']],
      ['explain --diff', ['explain', '--diff', `${HOSTILE}.txt`, 'copy.txt']],
      ['compare', ['compare', `${HOSTILE}.txt`, 'copy.txt', '--label', `${HOSTILE}`]],
      ['dupes --tsv', ['dupes', '--tsv', '.']],
      ['dupes --pairs', ['dupes', '--pairs', '.']],
      ['an unknown command', [HOSTILE]],
      ['an unknown option', ['hash', `--${HOSTILE}`]],
    ]),
  )('control characters are escaped: %s', async (_, args) => {
    const { stdout } = await runOnTerminal(args, cwd);
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout).toMatch(/(?:x|u00)1b\[2J/);
  });

  test('JSON is escaped to JSON of the same value', async () => {
    const { stdout } = await runOnTerminal(['hash', '--json', '.'], cwd);
    expect(stdout).not.toMatch(OBEYED);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('simhash-doc: warning: '))
        .map((line) => JSON.parse(line).path),
    ).toContain(`./${HOSTILE}.txt`);
  });

  slowTest('JSON about the answers of an adapter stays JSON', async () => {
    const adapter = [process.execPath, '-e', 'process.stdin.resume(); process.stdout.write(process.argv[1])', HOSTILE];
    const options = ['--json', '--one-shot', '--random', '0', '--filter', 'fingerprint/even'];
    const { stdout } = await runOnTerminal(['conformance', ...options, '--', ...adapter], cwd);
    expect(stdout).not.toMatch(OBEYED);
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    const records = lines.map((line) => JSON.parse(line));
    expect(records.map(({ type }) => type)).toEqual(['vector', 'summary']);
    expect(JSON.stringify(records)).toContain('\u202e');
  });

  slowTest('the colours of a document are escaped', async () => {
    const text = 'some \u001b[31mred\u001b[39m words';
    const { stdout } = await runOnTerminal(['extract', 'red.txt'], folder({ 'red.txt': text }));
    expect(stdout).toBe('some \\x1b[31mred\\x1b[39m words\n');
  });

  test('line ends and tabs of a text are kept', async () => {
    const { stdout } = await runOnTerminal(['extract', 'copy.txt'], cwd);
    expect(stdout).toBe(`some ${SHOWN} words\n        indented\n`.replace('        ', '\t'));
  });
});

test('a pipe gets the unescaped name', async () => {
  const cwd = folder({ [`${HOSTILE}.txt`]: 'some words' });
  expect(await stdoutOf(['hash', '.'], { cwd })).toBe(`simhash-doc:${base32('some words')}  ./${HOSTILE}.txt\n`);
});

describe('messages escape control characters', () => {
  test('in an unexpected error of the system', async () => {
    const long = 'x'.repeat(300);
    const check = ['conformance', '--quiet', '--group', 'serialise', '--random', '0'];
    const { code, stderr } = await run([...check, '--results', HOSTILE + long], { cwd: folder() });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`simhash-doc: ${SHOWN}${long}: `) });
  });

  test.each(
    firstRows(1, [
      ['an error in a timer', `throw new Error(${JSON.stringify(HOSTILE)})`],
      ['a rejection that nobody handles', `Promise.reject(new Error(${JSON.stringify(HOSTILE)}))`],
    ]),
  )('in %s', async (_, thrown) => {
    const program = `process.once('newListener', () => setTimeout(() => { ${thrown} }));`;
    const { code, stderr } = await runProcess(['--version'], { node: imports(program) });
    expect(code).toBe(3);
    expect(stderr).toContain(`simhash-doc: bug in this program, please report it: Error: ${SHOWN}\n`);
    expect(stderr).not.toMatch(OBEYED);
  });

  test('in JSON Lines', async () => {
    const error = { code: 'x', message: `${HOSTILE}\nsimhash-doc: forged` };
    const { stderr } = await run(['dupes'], { stdin: `${JSON.stringify({ path: HOSTILE, label: LABEL, error })}\n` });
    expect(stderr).toBe(`simhash-doc: ${SHOWN}: ${SHOWN}\\x0asimhash-doc: forged\n`);
  });

  test.each([
    ['charset', httpOf('text/html; charset=x\u009b31m', '<p>words'), {}],
    ['Content-Encoding', 'HTTP/1.1 200 OK\r\nContent-Encoding: x\u009b31m\r\n\r\nwords', {}],
    ['WARC-Truncated', httpOf('text/plain', 'words'), { 'WARC-Truncated': 'x\u00c2\u009b31m' }],
  ])('in %s of a WARC record', async (_, block, fields) => {
    const record = warcRecord(block, { ...fields, 'Content-Length': `${Buffer.byteLength(block, 'latin1')}` });
    const { stderr } = await run(['hash'], { stdin: Buffer.from(record, 'latin1') });
    expect(stderr).toMatch(/\\(?:x|u00)9b31m/);
    expect(stderr).not.toMatch(OBEYED);
  });
});

test.each(firstRows(1, ['2', '1']))('a pipe that is named is read as an archive once (%s at a time)', async (jobs) => {
  const cwd = folder({ 'a.warc': capturesOf(['first words', 'others']) });
  execFileSync('mkfifo', [`${cwd}/pipe`]);
  const { code, stdout } = await shell('cat a.warc > pipe & "$@"', ['hash', '-j', jobs, 'pipe', 'a.warc'], cwd);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.slice('simhash-doc:'.length).slice(0, 13))).toEqual(
    ['first words', 'others', 'first words', 'others'].map(base32).concat(''),
  );
});
