import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { folder, jsonLines, run } from '../cli/command.ts';
import { END, member } from '../extract/archive/tar/member.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog.';

describe('tar', () => {
  const page = member({ name: 'docs/page.html', data: `<title>not this</title><p>${TEXT}` });
  const inner = Buffer.concat([member({ name: 'inner.txt', data: TEXT }), END]);
  const tar = Buffer.concat([
    member({ name: 'a.txt', data: TEXT }),
    page,
    member({ name: 'inner.tar', data: inner }),
    member({ name: 'b.txt.gz', data: gzipSync(TEXT) }),
    END,
  ]);
  const names = ['a.txt', 'docs/page.html', 'inner.tar!inner.txt', 'b.txt.gz'];
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, at) => 97 + ((at * at * 7 + (at >> 3)) % 26)));
  const cut = gzipSync(Buffer.concat([page, member({ name: 'noise.txt', data: noise }), END]));
  const cwd = folder({
    'a.tar': tar,
    'a.tgz': gzipSync(tar),
    'cut.tgz': gzipSync(tar).subarray(0, -60),
    'cut-long.tgz': cut.subarray(0, cut.length / 2),
    'bomb.tgz': gzipSync(Buffer.concat([member({ name: 'a.txt', data: ' '.repeat(2 ** 26) }), END])),
  });

  test.each(['a.tar', 'a.tgz'])('every document of %s, also from standard input', async (path) => {
    const { code, stdout } = await run(['hash', '--json', path], { cwd });
    expect(code).toBe(0);
    const lines = jsonLines(stdout);
    expect(lines.map(({ member: name }) => name)).toEqual(names);
    expect(new Set(lines.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    const piped = await run(['hash', '--json', '-'], { cwd, stdin: path === 'a.tar' ? tar : gzipSync(tar) });
    expect(jsonLines(piped.stdout).map(({ member: name }) => name)).toEqual(names);
  });

  test.each([
    ['cut.tgz', names.slice(0, 2)],
    ['cut-long.tgz', ['docs/page.html']],
  ])('%s: the documents before the end are kept, and the rest is reported', async (path, kept) => {
    const { code, stdout } = await run(['hash', '--json', path], { cwd });
    expect(code).toBe(3);
    const lines = jsonLines(stdout);
    expect(lines.flatMap((line) => (line['fingerprint'] === undefined ? [] : [line['member']]))).toEqual(
      expect.arrayContaining(kept),
    );
    expect(lines.at(-1)).toMatchObject({ path, error: { code: 'damaged' } });
  });

  test('limits on decompression apply to all members together', async () => {
    const { code, stdout } = await run(['hash', '--json', 'bomb.tgz'], { cwd });
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([{ path: 'bomb.tgz', error: { code: 'too-large' } }]);
  });
});

test('mbox: every message by its Message-ID, one that is damaged does not stop the others', async () => {
  const mail = (header: string, body: string): string =>
    `From a@b Mon Nov 23 10:00:00 2026\n${header}Subject: x\n\n${body}\n\n`;
  const mailbox = [
    mail('Message-ID: <1@x>\n', TEXT),
    mail('Content-Type: text/html\n', `<p>${TEXT}`),
    mail('Message-ID: <3@x>\nContent-Type: multipart/encrypted\n', TEXT),
    mail('Message-ID: <4@x>\n', TEXT),
  ].join('');
  const cwd = folder({ inbox: mailbox, 'inbox.gz': gzipSync(mailbox) });
  for (const path of ['inbox', 'inbox.gz']) {
    const { code, stdout } = await run(['hash', '--json', path], { cwd });
    expect(code).toBe(3);
    const lines = jsonLines(stdout);
    expect(lines.map(({ member: name }) => name)).toEqual(['1@x', '#2', '3@x', '4@x']);
    expect(lines[2]).toMatchObject({ error: { code: 'encrypted' } });
    expect(new Set(lines.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  }
});

test('ISO-2022-JP whose charset nobody names is decoded, in a small text, a long one and several', async () => {
  const text = Buffer.from('\x1b$BF|K\\\x1b(B and more\n');
  const utf8 = Buffer.from('日本 and more\n');
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, text]));
  const long = (line: Buffer) => Buffer.concat(Array<Buffer>(30_000).fill(line));
  const cwd = folder({ ...files, 'utf8.txt': utf8, 'long.txt': long(text), 'long-utf8.txt': long(utf8) });
  const { stdout, stderr } = await run(['hash', '.'], { cwd });
  const found = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).reverse() as [string, string]),
  );
  const of = (name: string) => [...found].find(([path]) => path.endsWith(name))![1];
  for (let at = 0; at < 40; at++) expect(of(`${at}.txt`)).toBe(of('utf8.txt'));
  expect(of('long.txt')).toBe(of('long-utf8.txt'));
  expect(stderr).not.toContain('ISO-2022-JP');
});
