import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';

const warningsOf = async (text: string, path?: string) => (await extract(Buffer.from(text), { path })).warnings;

describe('a markup language whose markup is not removed is named', () => {
  test.each([
    ['LaTeX', '% a comment\n\\documentclass{article}\n', undefined],
    ['LaTeX', 'words', 'a.tex'],
    ['reStructuredText', '.. note::\n   words', undefined],
    ['reStructuredText', 'words', 'a.RST'],
    ['AsciiDoc', '= A title\n:author: A\n\nwords', undefined],
    ['AsciiDoc', 'words', 'a.adoc'],
    ['MediaWiki', "'''A''' is a [[letter]].", undefined],
    ['MediaWiki', '{{Infobox river}}\n[[Rhine]]', 'a.txt'],
    ['MediaWiki', 'words', 'a.wiki'],
    ['roff', '.\\" a comment\n.TH LS 1\n.SH NAME\nls', undefined],
    ['roff', '\'\\" t\n.Dd May 1\n', 'ls.1'],
  ])('%s: %j %s', async (format, text, path) => {
    const [warning, ...others] = await warningsOf(text, path);
    expect(warning).toContain(`read as plain text, with its markup: ${format}`);
    expect(others).toEqual([]);
  });

  test.each([
    ['words', undefined],
    ['# Markdown\n\n[a](b)', 'README.md'],
    ['100 % of [[these]]', 'a.txt'],
    ['% is a sign', undefined],

    ["'Twas brillig", 'a.1'],
    ['{"a": [[1]]}', 'a.json'],
    ['== Heading ==\nwithout a link', undefined],
  ])('nothing is said of %j', async (text, path) => expect(await warningsOf(text, path)).toEqual([]));
});
