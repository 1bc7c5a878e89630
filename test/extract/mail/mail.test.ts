import { describe, expect, test } from 'vitest';
import { detectType, type ExtractionHints, extract } from '../../../src/extract/index.ts';
import { type Member, readMessage } from '../../../src/extract/mail/read-message.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
const HEAD = 'From: no <no@example.org>\nTo: no@example.org\nSubject: no\nDate: Mon, 23 Nov 2026 10:00:00 +0000\n';
const base64 = (content: Uint8Array | string) =>
  (typeof content === 'string' ? Buffer.from(content) : Buffer.from(content))
    .toString('base64')
    .replace(/.{76}/g, '$&\n');
const part = (type: string, content: Uint8Array | string, fields = '') =>
  `--b\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\n${fields}\n${base64(content)}\n`;
const multipart = (kind: string, ...parts: readonly string[]) =>
  bytes(`${HEAD}MIME-Version: 1.0\nContent-Type: multipart/${kind}; boundary="b"\n\n${parts.join('')}--b--\n`);
const PAGE = (content: Uint8Array) =>
  bytes(
    `From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: no\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype="text/html"; boundary="b"\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n${base64(content)}\n--b\nContent-Type: text/css\n\nno { }\n--b--\n`,
  );

describe('a message', () => {
  test('is detected by its header fields', () => {
    expect(detectType(bytes(`${HEAD}\na`))).toBe('mail');
    expect(detectType(bytes('Return-Path: <a@b>\nReceived: from c\n\tby d\nFrom: e\n\nf'))).toBe('mail');
    expect(detectType(bytes('From: a\n\nb'), { path: 'a.eml' })).toBe('mail');
    expect(detectType(bytes('X-POP3-Rcpt: a\nMessage-Id: <b@c>\nDate: d\nFrom: e\n\nf'))).toBe('mail');
    expect(detectType(bytes('From  : a\nMessage-ID : <b@c>\n\nd'))).toBe('mail');
    expect(detectType(bytes('Content-Type: multipart/mixed;\n boundary=a\n\n--a\n\nb\n--a--'))).toBe('mail');
    expect(detectType(bytes('Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYQ=='))).toBe('mail');
    expect(detectType(bytes('From a@b\nReturn-Path: <a@b>\nReceived: from c\nFrom: d\n\ne'))).toBe('mail');
    expect(detectType(bytes('Received: from a\nMessage-Id: <b@c>\nDate: d\nno field\n\ne'))).toBe('mail');
    expect(detectType(PAGE(Buffer.from('a')))).toBe('mhtml');
    expect(detectType(multipart('related', part('text/html', 'a')))).toBe('mail');
    expect(detectType(multipart('related', part('text/html', 'a')), { path: 'a.mht' })).toBe('mhtml');
    const title = PAGE(Buffer.from('a')).toString().replace('Subject: no', 'Subject: no\r\nof two lines');
    expect(detectType(Buffer.from(title), { path: 'a.mhtml' })).toBe('mhtml');
  });

  test('is detected after a byte order mark, empty lines and the length that Apple Mail writes', async () => {
    const message = `${HEAD}\nwords\n`.replaceAll('\n', '\r\n');
    for (const [before, after] of [
      ['\xef\xbb\xbf', ''],
      ['\r\n \r\n', ''],
      ['\r\nFrom a@b Mon Nov 23 10:00:00 2026\r\n', ''],
      [`${message.length}      \n`, '<?xml version="1.0"?>\n<plist><string>no</string></plist>\n'],
    ] as const) {
      const { text, extractor } = await extract(Buffer.from(before + message + after, 'latin1'), { path: 'a.eml' });
      expect([before, extractor, text.trim()]).toEqual([before, 'mail/4', 'words']);
    }
    expect(detectType(bytes('12\nFrom: here to there'))).toBe('text');
  });

  test.each([
    'From: here to there',
    'Note: a\nDate: b\n\nc',
    'From here on',
    'From here on\nNote: a\n',
    'Content-Type: text/html\n\na',
    'Received: a\nDate: b\n\nc',
    'Subject: a',
    'title: a\ndate: b\n',
    ':',
    'a:',
  ])('is not detected in %j', (text) => {
    expect(detectType(bytes(text))).toBe('text');
  });
});

test('a page in XHTML is read as XML, and an attached one is no part of the text', async () => {
  const xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><p><![CDATA[in]]> XML</p></html>';
  const page = multipart('related', part('application/xhtml+xml', xhtml));
  expect(await extract(page, { path: 'a.mht' })).toMatchObject({ text: 'in XML', warnings: [] });
  const attached = part('application/xhtml+xml\nContent-Disposition: attachment', xhtml);
  expect((await extract(multipart('mixed', part('text/plain', 'words'), attached))).text.trim()).toBe('words');
});

describe('the charset of a message', () => {
  const RUSSIAN = 'Все люди рождаются свободными и равными в своём достоинстве и правах. '.repeat(3).trim();
  const encodeKoi8 = (text: string): Buffer => {
    const table = new TextDecoder('koi8-r').decode(Uint8Array.from({ length: 256 }, (_, at) => at));
    return Buffer.from(Array.from(text, (character) => table.indexOf(character)));
  };
  const body = (type: string, content: Buffer) =>
    Buffer.concat([bytes(`${HEAD}MIME-Version: 1.0\nContent-Type: ${type}\n\n`), content]);

  const read = async (document: Uint8Array, hints: ExtractionHints = {}) => {
    const { text, warnings } = await extract(document, hints);
    return { text: text.trim(), warnings };
  };

  test('is that of the caller, or guessed, if it is not declared', async () => {
    const document = body('text/plain', encodeKoi8(RUSSIAN));
    expect(await read(document, { charset: 'koi8-r' })).toMatchObject({ text: RUSSIAN, warnings: [] });
    expect(await read(document, { charset: 'auto' })).toMatchObject({
      text: RUSSIAN,
      warnings: ['no charset is declared: guessed KOI8-R'],
    });
    expect((await read(document)).warnings).toEqual([expect.stringMatching(/replacement characters .* as UTF-8/)]);
    const page = body('text/html', Buffer.concat([Buffer.from('<meta charset=koi8-r><p>'), encodeKoi8(RUSSIAN)]));
    expect(await read(page)).toMatchObject({ text: RUSSIAN, warnings: [] });
  });

  test.each(['text/plain', 'text/html'])('ISO-2022-JP is recognised without a declaration: %s', async (type) => {
    expect(await read(body(type, Buffer.from('\x1b$BF|K\\\x1b(B')))).toEqual({ text: '日本', warnings: [] });
  });

  test('may have a label of e-mail only; other labels cause a warning', async () => {
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
    expect((await read(body('text/plain; charset=cp932', japanese))).text).toBe('日本');
    expect((await read(body('text/plain; charset=X-MS932', japanese))).text).toBe('日本');
    expect((await read(body('text/plain; charset=utf-7', Buffer.from('+BBIEQQQ1-')))).warnings).toEqual([
      'the declared charset "utf-7" is unknown and not used',
    ]);
    expect((await read(body('text/html; charset=cp850', Buffer.from('W\x81rde', 'latin1')))).warnings).toEqual([
      'the declared charset "cp850" is unknown and not used',
      '1 replacement character (U+FFFD) after decoding as UTF-8: it may be damaged or in another charset',
    ]);
    await expect(extract(body('text/plain; charset=iso-2022-kr', japanese))).rejects.toMatchObject({
      code: 'unknown-charset',
      message: 'charset "iso-2022-kr" is not supported: the Encoding Standard maps it to "replacement"',
    });
  });

  test('is UTF-8 despite a declaration of US-ASCII', async () => {
    const word = 'Würde';
    expect(await read(body('text/plain; charset=us-ascii', Buffer.from(word)))).toMatchObject({
      text: word,
      warnings: [],
    });
    expect((await read(body('text/plain; charset=us-ascii', Buffer.from(word, 'latin1')))).text).toBe(word);
    expect((await read(body('text/plain; charset=iso-8859-1', Buffer.from(word)))).warnings).toEqual([
      'read as windows-1252, though the bytes are well-formed UTF-8',
    ]);
  });

  test('of an attachment is that of its part, whatever that of the body', async () => {
    const attachment = 'Content-Disposition: attachment; filename=a.txt\n';
    const text = part('text/plain; charset=hz-gb-2312', 'a');
    const document = multipart('mixed', text, part('text/plain; charset=koi8-r', encodeKoi8(RUSSIAN), attachment));
    const { attachments } = await readMessage(document);
    const [{ hints, content }] = attachments as [Member];
    if (!('bytes' in content)) throw new Error('expected the attachment to be read');
    expect(await extract(content.bytes, hints)).toMatchObject({ text: RUSSIAN, charset: 'KOI8-R', warnings: [] });
  });
});

describe('the body (MED-6)', () => {
  const textOf = async (document: Uint8Array) => (await extract(document)).text.trim();

  test('is HTML if there is some, decoded from transfer encodings and charsets', async () => {
    const document = multipart(
      'alternative',
      part('text/plain', 'plain'),
      part('text/html', '<style>no</style><p>one</p>two'),
    );
    expect(await textOf(document)).toBe('one\ntwo');
    expect(await textOf(bytes(`${HEAD}Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9`))).toBe('café');
    const quoted = 'Content-Transfer-Encoding: quoted-printable\n\nseve=\nral =C3=A4';
    expect(await textOf(bytes(`${HEAD}Content-Type: text/plain; charset=utf-8\n${quoted}`))).toBe('several ä');
  });

  test('excludes attachments', async () => {
    const attachment = 'Content-Disposition: attachment; filename=a.txt\n';
    const document = multipart(
      'mixed',
      part('text/plain', 'one'),
      part('text/plain', 'no', attachment),
      part('message/rfc822', `${HEAD}\nno`),
    );
    expect(await extract(document)).toMatchObject({
      text: 'one',
      extractor: 'mail/4',
      warnings: ['2 documents attached to the message are not part of its text'],
    });
  });

  test('may be missing, for a reason that is reported', async () => {
    await expect(extract(multipart('mixed', part('image/png', 'a')))).rejects.toMatchObject({
      code: 'no-text',
      message: 'the message has no body, only 1 attachment, a document of its own',
    });
    await expect(extract(multipart('encrypted', part('application/pgp-encrypted', 'a')))).rejects.toMatchObject({
      code: 'encrypted',
    });
  });

  test('that is cut off causes a warning', async () => {
    const whole = multipart('mixed', part('text/plain', 'one'), part('text/plain', 'two'));
    expect((await extract(whole)).warnings).toEqual([]);
    expect(await extract(whole.subarray(0, whole.lastIndexOf('--b\r\n')))).toMatchObject({
      text: expect.stringMatching(/^one\s*$/),
      warnings: ['truncated: the mark at the end of the message is missing'],
    });
  });

  test.each([
    ['another one', 'boundary="x"'],
    ['none', 'a=b'],
    ['one that is a part of it', 'boundary="bb"'],
  ])('is found if the boundary that is declared is %s', async (_name, parameter) => {
    const parts = `--b\r\n\r\none\r\n--b\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n`;
    const document = bytes(`${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; ${parameter}\r\n\r\n${parts}`);
    const { text, warnings } = await extract(document);
    expect(text.split(/\s+/).filter(Boolean)).toEqual(['one', 'two']);
    expect(warnings).toEqual(['damaged: the declared boundary does not occur, and another one separates the parts']);
  });

  test('is the whole text if there are no parts', async () => {
    const head = `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/mixed\r\n\r\n`;
    expect((await extract(bytes(`${head}one two\r\n`))).text.trim()).toBe('one two');
    await expect(extract(bytes(`${head}This is a multi-part message in MIME format.\r\n`))).rejects.toMatchObject({
      code: 'no-text',
    });
  });

  test('may have blanks after soft line breaks', async () => {
    const head = `${HEAD}MIME-Version: 1.0\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
    expect((await extract(bytes(`${head}o=  \r\nn=\t\r\ne=20 \r\ntwo=`))).text).toBe('one \ntwo');
  });

  test('is rejected in multiparts that are nested too deeply', async () => {
    const deep = Array.from(
      { length: 200 },
      (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary="b${at + 1}"\n\n`,
    );
    const document = bytes(`${HEAD}Content-Type: multipart/mixed; boundary="b0"\n\n${deep.join('')}`);
    await expect(extract(document)).rejects.toMatchObject({ code: 'damaged' });
  });
});
