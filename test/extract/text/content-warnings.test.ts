import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';

const warningsOf = async (text: string, path?: string) => (await extract(Buffer.from(text), { path })).warnings;

describe('a markup language whose markup is not removed', () => {
  test.each([
    ['LaTeX', '% a comment\n\\documentclass{article}\n', undefined],
    ['LaTeX', 'words', 'a.tex'],
    ['reStructuredText', 'words', 'a.RST'],
    ['LaTeX', '\n\n\\documentclass{article}\n', 'a.txt'],
    ['LaTeX', 'words', 'a.sty'],
    ['Texinfo', '\\input texinfo\n@settitle words', undefined],
    ['BibTeX', '@book{a, title = {Words}}', 'a.bib'],
    ['Typst', '= Words', 'a.typ'],
    ['Typst', '= Words', 'a.typst'],
    ['Org', '* Words', 'a.org'],
    ['POD', '=head1 Words', 'a.pod'],
    ['Textile', 'h1. Words', 'a.textile'],
    ['reStructuredText', 'words', 'a.rst.txt'],
    ['vCard', 'BEGIN:VCARD\nFN:A', undefined],
    ['iCalendar', 'BEGIN:VCALENDAR\nSUMMARY:A', 'a.ics'],
    ['AsciiDoc', 'words', 'a.adoc'],
    ['MediaWiki', 'words', 'a.wiki'],
    ['roff', '.\\" a comment\n.TH LS 1\n.SH NAME\nls', undefined],
    ['roff', '\'\\" t\n.Dd May 1\n', 'ls.1'],
    ['roff', '\n.TH LS 1\n', 'ls.1'],
    ['roff', '\\" a comment\n.SH NAME\n', undefined],
    ['roff', `.\\" a licence\n${'.\\" words\n'.repeat(600)}.TH LS 1\n`, undefined],
  ])('is named: %s: %j %s', async (format, text, path) => {
    const [warning, ...others] = await warningsOf(text, path);
    expect(warning).toContain(`read as plain text, with its markup: ${format}`);
    expect(others).toEqual([]);
  });

  test.each([
    ['words', undefined],
    ['# Markdown\n\n[a](b)', 'README.md'],
    ['% is a sign', undefined],
    ['BEGIN words', undefined],

    ["'Twas brillig", 'a.1'],
  ])('is not named for %j', async (text, path) => expect(await warningsOf(text, path)).toEqual([]));
});

describe('data without words', () => {
  const base64 = Buffer.from(Array.from({ length: 600 }, (_, at) => (at * at * 7) % 256))
    .toString('base64')
    .replace(/.{64}/g, '$&\n');
  const uuencode = `begin 644 a.bin\n${`M${'#4$%!'.repeat(12)}\n`.repeat(4)}end\n`;
  const warning = (name: string) => [`encoded data (${name}), which have no words, are read as text`];

  test.each([
    ['base64', base64],
    ['base64', `-----BEGIN CERTIFICATE-----\r\n${base64.replaceAll('\n', '\r\n')}\r\n-----END CERTIFICATE-----\r\n`],
    ['base64', `${'Some words of a letter.\n'.repeat(60)}\n${base64}`],
    ['uuencode', `Some words.\n\n${uuencode}`],
  ])('cause a warning: %s: %j', async (name, text) => {
    expect(await warningsOf(text)).toEqual(warning(name));
    expect(await warningsOf(`From: a@b\nTo: c@d\nSubject: e\nDate: f\n\n${text}`)).toEqual(warning(name));
  });

  test.each([
    `${'Some words of a letter.\n'.repeat(200)}${base64}`,
    'ACGTACGTAC'.repeat(7).concat('\n').repeat(40),
    '3141592653'.repeat(7).concat('\n').repeat(40),
    'word '.repeat(14).trim().concat('\n').repeat(40),
    'begin 644 of these',
  ])('cause no warning: %j', async (text) => expect(await warningsOf(text)).toEqual([]));

  test('cause a warning for encodings that extend ASCII without a decoder', async () => {
    const korean = '\x1b$)C\x0e0!3*4Y\x0f words';
    expect(await warningsOf(korean)).toEqual(['it seems to be ISO-2022-KR, which is not decoded: convert it to UTF-8']);
    const chinese = 'words ~{<:Ky2;S{#,NpJ)l6HK!#~} words ~{<:Ky2;S{~}';
    expect(await warningsOf(chinese)).toEqual(['it seems to be HZ, which is not decoded: convert it to UTF-8']);
    expect(await warningsOf('a~{\\cite{b}~} ~{some words~}')).toEqual([]);
  });
});
