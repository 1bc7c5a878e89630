import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectType } from '../../../src/extract/detect.ts';
import { extract } from '../../../src/extract/extract.ts';
import type { ExtractionLimits } from '../../../src/extract/limits.ts';
import { type ReadArchiveOptions, readMbox } from '../../../src/extract/mail/mbox.ts';
import { inParts, listOf } from '../archive/reading.ts';

const FROM = 'From a@b.example Mon Nov 23 10:00:00 2026\n';

async function* messagesOf(parts: Iterable<Uint8Array>, options: ReadArchiveOptions) {
  for await (const member of readMbox(parts, options)) {
    expect(member.hints).toEqual({ type: 'mail' });
    yield member;
  }
}

const read = (mailbox: string | Iterable<Uint8Array>, limits: Partial<ExtractionLimits> = {}) => {
  const parts = typeof mailbox === 'string' ? [Buffer.from(mailbox)] : mailbox;
  return listOf((options) => messagesOf(parts, options), limits, 'message');
};

test.each([
  ['one message', `${FROM}Subject: a\n\nText\n`, ['#1: Subject: a\n\nText\n']],
  ['no line feed at the end', `${FROM}Subject: a\n\nText`, ['#1: Subject: a\n\nText']],
  ['the empty line at the end', `${FROM}Subject: a\n\nText\n\n`, ['#1: Subject: a\n\nText\n']],
  ['no header field', `${FROM}\n\nText`, ['@0: damaged mbox: text before the first line that begins a message']],
  [
    'text before',
    `Text\n\n${FROM}Subject: a`,
    ['@0: damaged mbox: text before the first line that begins a message', '#1: Subject: a'],
  ],
  ['empty lines before', `\n\r\n${FROM}Subject: a`, ['#1: Subject: a']],
  [
    'Message-ID',
    `${FROM}Subject: a\nmessage-id:\n <1@x>\n\nText\n\n${FROM}Message-ID: <1@x>\n\n\n${FROM}To: b\n\nMessage-ID: <2@x>\n`,
    [
      '1@x: Subject: a\nmessage-id:\n <1@x>\n\nText\n',
      '1@x#2: Message-ID: <1@x>\n\n',
      '#3: To: b\n\nMessage-ID: <2@x>\n',
    ],
  ],
  [
    'CR LF',
    `${FROM}Subject: a\n\nText\n\n${FROM}Subject: b\n`.replaceAll('\n', '\r\n'),
    ['#1: Subject: a\r\n\r\nText\r\n', '#2: Subject: b\r\n'],
  ],
  [
    'the line of Mozilla',
    `From - Mon Nov 23 10:00:00 2026\nSubject: a\n\n\nFrom - Mon Nov 23 10:00:00 2026\nTo: b`,
    ['#1: Subject: a\n\n', '#2: To: b'],
  ],
  [
    'lines that begin no message',
    `${FROM}Subject: a\n\nText\n${FROM}Not: after an empty line\n\nFrom here on, at ten\nIt: is text\n\n${FROM}and no header\n`,
    [
      `#1: Subject: a\n\nText\n${FROM}Not: after an empty line\n\nFrom here on, at ten\nIt: is text\n\n${FROM}and no header\n`,
    ],
  ],
  [
    'quoted lines',
    `${FROM}Subject: a\n\n>From me\n>>From you\n> From x\n >From y\n>Fromage\n>From`,
    ['#1: Subject: a\n\nFrom me\n>From you\n> From x\n >From y\n>Fromage\n>From'],
  ],
  [
    'a false Content-Length',
    `${FROM}Content-Length: 9999\n\nText\n\n${FROM}Subject: b\n`,
    ['#1: Content-Length: 9999\n\nText\n', '#2: Subject: b\n'],
  ],
])('a mailbox is read: %s', async (_title, mailbox, expected) => {
  expect(await read(mailbox)).toEqual(expected);
});

test('a message above the limit is rejected, and the others are read', async () => {
  const long = `${FROM}Subject: a\n\n${'long line\n'.repeat(30_000)}\n`;
  expect(await read(`${FROM}To: a\n\n${long}${FROM}To: c\n\n${long}${FROM}To: b`, { bytes: 100_000 })).toEqual([
    '#1: To: a\n',
    '#2: is larger than the 97.7 KiB limit',
    '#3: To: c\n',
    '#4: is larger than the 97.7 KiB limit',
    '#5: To: b',
  ]);
});

test('parts of any size make no difference', async () => {
  const lines = [FROM, 'Subject: a\n', '\n', '\r\n', '>From x\n', 'Message-ID: <a@b>\n'];
  const pieces = [...lines, 'x'.repeat(400), 'y\n'.repeat(70_000)];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { maxLength: 20 }),
      fc.integer({ min: 500, max: 70_000 }),
      async (list, size) => {
        const bytes = Buffer.from(list.join(''));
        const limits = { bytes: 200_000 };
        expect(await read(inParts(bytes, size), limits)).toEqual(await read([bytes], limits));
      },
    ),
    { numRuns: 40 },
  );
});

test('a mailbox is detected by its first line, and holds several documents', async () => {
  for (const start of ['From a@b Mon Nov 23 10:00:00 2026\n', 'From 1@xxx Mon Nov 23 10:00:00 +0000 2026\n']) {
    const bytes = Buffer.from(`${start}From: a\n\nb`);
    expect(detectType(bytes)).toBe('mbox');
    expect(detectType(bytes, { path: 'a.eml' })).toBe('mail');
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'archive' });
  }
});
