import { describe, expect, test } from 'vitest';
import { detectType, extract } from '../../../src/extract/index.ts';
import { distance, explain } from '../../../src/index.ts';
import { MEDIA_DOCUMENTS } from '../../tools/generate/media/documents.ts';
import { mail, mhtml, plainText } from '../../tools/generate/media/render.ts';

const octets = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
const HEAD = 'From: no <no@example.org>\nTo: no@example.org\nSubject: no\nDate: Mon, 23 Nov 2026 10:00:00 +0000\n';
const base64 = (content: Uint8Array | string) => Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n');
const part = (type: string, content: string, fields = '') =>
  `--b\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\n${fields}\n${base64(content)}\n`;
const multipart = (kind: string, ...parts: readonly string[]) =>
  octets(`${HEAD}MIME-Version: 1.0\nContent-Type: multipart/${kind}; boundary="b"\n\n${parts.join('')}--b--\n`);
const PAGE = (content: Uint8Array) =>
  octets(
    `From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: no\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype="text/html"; boundary="b"\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n${base64(content)}\n--b\nContent-Type: text/css\n\nno { }\n--b--\n`,
  );

describe('detection', () => {
  test('detects a message by its header fields', () => {
    expect(detectType(octets(`${HEAD}\na`))).toBe('mail');
    expect(detectType(octets('Return-Path: <a@b>\nReceived: from c\n\tby d\nFrom: e\n\nf'))).toBe('mail');
    expect(detectType(octets('From: a\n\nb'), { path: 'a.eml' })).toBe('mail');
    expect(detectType(PAGE(Buffer.from('a')))).toBe('mhtml');
    expect(detectType(multipart('related', part('text/html', 'a')))).toBe('mail');
    expect(detectType(multipart('related', part('text/html', 'a')), { path: 'a.mht' })).toBe('mhtml');
  });

  test.each([
    'From: here to there',
    'Note: a\nDate: b\n\nc',
    'From here on',
    'Subject: a',
    'title: a\ndate: b\n',
    ':',
    'a:',
  ])('reads other text as text: %j', (text) => {
    expect(detectType(octets(text))).toBe('text');
  });
});

describe('the body (MED-6)', () => {
  const textOf = async (document: Uint8Array) => (await extract(document)).text.trim();

  test('prefers HTML, and decodes transfer encodings and charsets', async () => {
    const document = multipart(
      'alternative',
      part('text/plain', 'plain'),
      part('text/html', '<style>no</style><p>one</p>two'),
    );
    expect(await textOf(document)).toBe('one\ntwo');
    expect(await textOf(octets(`${HEAD}Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9`))).toBe('café');
    const quoted = 'Content-Transfer-Encoding: quoted-printable\n\nseve=\nral =C3=A4';
    expect(await textOf(octets(`${HEAD}Content-Type: text/plain; charset=utf-8\n${quoted}`))).toBe('several ä');
  });

  test('leaves attachments out', async () => {
    const attachment = 'Content-Disposition: attachment; filename=a.txt\n';
    const document = multipart(
      'mixed',
      part('text/plain', 'one'),
      part('text/plain', 'no', attachment),
      part('message/rfc822', `${HEAD}\nno`),
    );
    expect(await extract(document)).toMatchObject({
      text: 'one',
      extractor: 'mail/1',
      warnings: [],
    });
  });

  test('says why there is no text', async () => {
    await expect(extract(multipart('mixed', part('image/png', 'a')))).rejects.toMatchObject({
      code: 'no-text',
      message: 'the message has only 1 attachment',
    });
    await expect(extract(multipart('encrypted', part('application/pgp-encrypted', 'a')))).rejects.toMatchObject({
      code: 'encrypted',
    });
  });

  test('refuses multiparts that are nested too deeply', async () => {
    const deep = Array.from(
      { length: 200 },
      (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary="b${at + 1}"\n\n`,
    );
    const document = octets(`${HEAD}Content-Type: multipart/mixed; boundary="b0"\n\n${deep.join('')}`);
    await expect(extract(document)).rejects.toMatchObject({ code: 'damaged' });
  });

  test.each(MEDIA_DOCUMENTS)('within 3 bits of the plain text: $language', async (document) => {
    const plain = explain(plainText(document)).fingerprint;
    for (const [render, name] of [
      [mail, 'mail/1'],
      [mhtml, 'mhtml/1'],
    ] as const) {
      const { text, extractor } = await extract(await render(document));
      expect(extractor).toBe(name);
      expect(distance(explain(text).fingerprint!, plain!)).toBeLessThanOrEqual(3);
    }
  });
});
