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

  test.each(['a.tar', 'a.tgz'])('every document of %s is read, also from standard input', async (path) => {
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
  ])('the documents before the end of %s are read, and the rest is reported', async (path, kept) => {
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

test('every message of a mailbox is read by its Message-ID, also after a damaged one', async () => {
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

describe('attachments of e-mail', () => {
  const part = (fields: string, body: string): string => `--b\n${fields}\n\n${body}\n`;
  const attached = (name: string, body: string, type = 'application/octet-stream'): string =>
    part(`Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"`, body);
  const message = (...parts: readonly string[]): string =>
    `From: a@b\nTo: c@d\nDate: Mon, 23 Nov 2026 10:00:00 +0000\nMessage-ID: <1@x>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${parts.join('')}--b--\n`;
  const body = part('Content-Type: text/plain', TEXT);
  const tar = Buffer.concat([member({ name: 'inner.txt', data: TEXT }), END]).toString('base64');
  const forwarded = message(body, attached('deep.txt', TEXT))
    .replaceAll('boundary=b', 'boundary=c')
    .replaceAll('--b', '--c');
  const all = message(
    body,
    attached('a.html', `<p>${TEXT}</p>`),
    attached('a.html', `<p>${TEXT}</p>`, 'text/html'),
    attached('all.tar', tar, 'application/x-tar\nContent-Transfer-Encoding: base64'),
    part('Content-Type: message/rfc822', forwarded),
    attached('signature.asc', 'text', 'application/pgp-signature'),
    attached('invitation.ics', 'text', 'text/calendar'),
    attached('logo.png', 'text', 'image/png'),
    attached('none.txt', ''),
  );
  const names = [undefined, 'a.html', 'a.html#2', 'all.tar!inner.txt', '#4', '#4!deep.txt'];
  const skipped = '1 application/pgp-signature, 1 empty, 1 image/png, 1 text/calendar';
  const inMailbox = `From a@b Mon Nov 23 10:00:00 2026\n${all}\n`;

  test('are documents, in a message, in a mailbox and from standard input', async () => {
    const cwd = folder({ 'm.eml': all, 'm.eml.gz': gzipSync(all), inbox: inMailbox });
    for (const [args, stdin] of [[['m.eml']], [['m.eml.gz']], [['-'], all]] as const) {
      const { code, stdout, stderr } = await run(['hash', '--json', ...args], {
        cwd,
        ...(stdin !== undefined && { stdin }),
      });
      expect(code).toBe(0);
      const lines = jsonLines(stdout);
      expect(lines.map(({ member: name }) => name)).toEqual(names);
      expect(new Set(lines.map(({ fingerprint }) => fingerprint)).size).toBe(1);
      expect(stderr).toContain(`skipped: ${skipped}`);
    }
    const { stdout } = await run(['hash', '--json', 'inbox'], { cwd });
    const inInbox = ['1@x', ...names.slice(1).map((name) => `1@x!${name}`)];
    expect(jsonLines(stdout).map(({ member: name }) => name)).toEqual(inInbox);
  });

  test('are not part of the text of a message in a comparison, which causes a warning', async () => {
    const cwd = folder({ 'm.eml': all });
    const warning = 'm.eml: warning: 4 documents attached to the message are not part of its text';
    expect((await run(['compare', 'm.eml', 'm.eml'], { cwd })).stderr).toContain(warning);
    expect((await run(['hash', 'm.eml'], { cwd })).stderr).not.toContain('not part of its text');
  });

  test('replace a message without text, which is not a failure', async () => {
    const cwd = folder({ 'm.eml': message(attached('a.txt', TEXT)) });
    const { code, stdout, stderr } = await run(['hash', '--json', 'm.eml'], { cwd });
    expect([code, jsonLines(stdout).map(({ member: name }) => name)]).toEqual([0, ['a.txt']]);
    expect(stderr).toContain('skipped: 1 message without text');
    const compared = await run(['compare', 'm.eml', 'm.eml'], { cwd });
    expect([compared.code, compared.stderr]).toEqual([
      3,
      expect.stringContaining('the message has no body, only 1 attachment'),
    ]);
  });

  test('are not read below --max-nesting, with a warning; the message is read', async () => {
    const cwd = folder({ 'm.eml': all });
    const { code, stdout } = await run(['hash', '--json', '--max-nesting', '1', 'm.eml'], { cwd });
    const lines = jsonLines(stdout);
    expect(code).toBe(3);
    expect(lines.map(({ member: name }) => name)).toEqual([undefined, 'a.html', 'a.html#2', 'all.tar', '#4']);
    expect(lines[3]).toMatchObject({ error: { code: 'too-deep' } });
    expect(lines[4]).toMatchObject({ warnings: ['attachments below 1 level are not read (--max-nesting)'] });
  });

  test('keep a message with a duplicate body from being removed, unless all of it is a duplicate', async () => {
    const long = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
    const text = part('Content-Type: text/plain', long);
    const cwd = folder({
      'a.eml': message(text, attached('a.txt', 'one')),
      'b.eml': message(text, attached('a.txt', 'two')),
      'same.eml': message(text, attached('a.txt', 'one')),
      'plain.eml': message(text),
    });
    const args = ['--keep', 'oldest', 'a.eml', 'b.eml', 'same.eml', 'plain.eml'];
    const { stdout } = await run(['dupes', '--script', ...args], { cwd });
    const removed = stdout.split('\n').filter((line) => line.startsWith('remove '));
    expect(removed.map((line) => /\w+\.eml/.exec(line)![0])).toEqual(['same.eml', 'plain.eml']);
  });
});

test('ISO-2022-JP without a declared charset is decoded, in a small text, a long one and several', async () => {
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

describe('a document of several chunks', () => {
  const words = (name: string, count: number): string =>
    Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
  const text = words('body', 90_000);
  const attached = words('attached', 40_000);
  const mail = `From: a@example.org\nDate: Mon, 23 Nov 2026 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n\n${text.replaceAll(/(?:\S+ ){8}/g, '$&\n')}\n--b\nContent-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\n${attached}\n--b--\n`;
  const cwd = folder({ 'a.eml': mail, 'a.eml.gz': gzipSync(mail), 'body.txt': text, 'attached.txt': attached });
  const fingerprintsOf = async (args: readonly string[], stdin?: string) => {
    const { stdout } = await run(['hash', '--json', ...args], { cwd, ...(stdin !== undefined && { stdin }) });
    return jsonLines(stdout).map(({ fingerprint }) => fingerprint);
  };

  test('is a message with its attachment, from a file, compressed, and from a pipe', async () => {
    const expected = await fingerprintsOf(['body.txt', 'attached.txt']);
    expect(mail.length).toBeGreaterThan(1 << 20);
    expect(await fingerprintsOf(['a.eml'])).toEqual(expected);
    expect(await fingerprintsOf(['a.eml.gz'])).toEqual(expected);
    expect(await fingerprintsOf(['-'], mail)).toEqual(expected);
  });

  test('is printed unchanged by extract if it is plain text', async () => {
    const { stdout } = await run(['extract', 'body.txt'], { cwd });
    expect(stdout.trimEnd() === text).toBe(true);
  });
});
