import { describe, expect, test } from 'vitest';
import { detectMedium, type ExtractionHints, extract, type Medium } from '../../src/extract/index.ts';

/** Octets, one per character. */
const octets = (characters: string) => Buffer.from(characters, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('by content', () => {
  test.each([
    '<!doctype html>',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
    '<!DOCTYPE\nhtml>',
    '<html>',
    '<HTML lang=en>',
    '<html\n  lang="en">',
    '<head>',
    '<body bgcolor=white>',
    '<title>a</title>',
    '<meta charset=utf-8>',
    '<frameset cols=1>',
    ' \t\r\n\f<html>',
    '\xef\xbb\xbf<html>',
    '\xef\xbb\xbf \n<!doctype html>',
    '<!-- saved -->\n<!-- twice --> <html>',
    '<!--><html>',
    `<!--${' licence'.repeat(1000)}-->\n<html>`,
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "a" "b"><html xmlns="c">',
    '<?xml version="1.0"?>\n<!-- a -->\n<?xml-stylesheet href="b"?>\n<html>',
    '<?php echo 1 ?><html>',
    `\xff\xfe${utf16('<html>').toString('latin1')}`,
    `\xfe\xff${utf16('<!doctype html>').swap16().toString('latin1')}`,
  ])('HTML whatever its name: %j', (start) => {
    for (const path of [undefined, 'a', 'a.html', 'a.txt', 'a.md', 'a.pdf']) {
      expect(detectMedium(octets(`${start} b`), { path })).toBe('html');
    }
  });

  test.each([
    '<script>',
    '<iframe src=a>',
    '<h1>',
    '<div class=a>',
    '<font size=1>',
    '<table>',
    '<a href=b>',
    '<style>',
    '<b>',
    '<br/>',
    '<p>',
    '<P\nALIGN=center>',
    '<!-- a -->',
    '<!--',
    '\n<p>',
  ])('HTML where the name does not promise text: %j', (start) => {
    for (const path of [undefined, '-', 'a', 'a.php', 'a.html']) {
      expect(detectMedium(octets(`${start} b`), { path })).toBe('html');
    }
    for (const path of ['a.txt', 'README.md', 'a.RST']) {
      expect(detectMedium(octets(`${start} b`), { path })).toBe('text');
    }
  });

  test.each([
    '',
    'a',
    'a <html>',
    '<',
    '<htmlx>',
    '<h2>',
    '<pre>',
    '<address>',
    '<!doctype htmlx>',
    '<!doctype>',
    '<!element a>',
    '<bo',
    '< html>',
    'GIF8',
    'PK',
    'PDF',
    'MZ',
    'BM',
    'BZh',
    'ID3 tags',
    '\xff\xfea',
    'RIFF a WEBP',
  ])('text: %j', (start) => {
    expect(detectMedium(octets(start))).toBe('text');
  });
});

describe('by name', () => {
  const cases: readonly (readonly [path: string | undefined, medium: Medium])[] = [
    ['a.html', 'html'],
    ['a.htm', 'html'],
    ['a.xhtml', 'html'],
    ['a.xht', 'html'],
    ['A.HTML', 'html'],
    ['/b.txt/a.html', 'html'],
    ['a.html.txt', 'text'],
    ['a.html/b', 'text'],
    ['html', 'text'],
    ['a.htmlx', 'text'],
    ['a.txt', 'text'],
    ['a.json', 'text'],
    ['a', 'text'],
    ['-', 'text'],
    ['', 'text'],
    [undefined, 'text'],
  ];
  test.each(cases)('%s is %s', (path, medium) => {
    expect(detectMedium(octets('some words'), { path })).toBe(medium);
    expect(detectMedium(octets(''), { path })).toBe(medium);
  });
});

describe('unsupported', () => {
  test.each([
    ['PDF', '%PDF-1.7\n'],
    ['PostScript', '%!PS-Adobe-3.0'],
    ['RTF', '{\\rtf1\\ansi'],
    ['WARC', 'WARC/1.1\r\nWARC-Type: warcinfo'],
    ['ZIP', 'PK\x03\x04\x14\0'],
    ['ZIP', 'PK\x05\x06\0\0'],
    ['gzip', '\x1f\x8b\x08'],
    ['bzip2', 'BZh91AY&SY'],
    ['xz', '\xfd7zXZ\0\0'],
    ['Zstandard', '\x28\xb5\x2f\xfd\x04'],
    ['7z', '7z\xbc\xaf\x27\x1c'],
    ['RAR', 'Rar!\x1a\x07\x01\0'],
    ['OLE2', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['SQLite', 'SQLite format 3\0'],
    ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['GIF', 'GIF89a'],
    ['JPEG', '\xff\xd8\xff\xe0'],
    ['TIFF', 'II*\0'],
    ['RIFF', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['ISO media', '\0\0\0\x20ftypisom'],
    ['Ogg', 'OggS\0\x02'],
    ['MP3', 'ID3\x04\0'],
    ['ELF', '\x7fELF\x02\x01'],
    ['WebAssembly', '\0asm\x01\0\0\0'],
    ['Java', '\xca\xfe\xba\xbe'],
    ['tar', `a${'\0'.repeat(256)}ustar\x0000`],
    ['XML', '<?xml version="1.0"?><article>'],
    ['XML', '<?xml version="1.0"?>'],
    ['XML', '\xef\xbb\xbf<?xml version="1.0"?><!-- <html> --><a/>'],
    ['XML', '<!-- a --><svg xmlns="b">'],
    ['binary data', 'MZ\x90\0\x03'],
    ['binary data', 'BM\x36\0'],
    ['binary data', 'a\0'],
    ['binary data', `${'a'.repeat(1444)}\0`],
    ['binary data', `\xff\xfe${utf16('text').toString('latin1')}`],
    ['utf-16le', utf16('text').toString('latin1')],
  ])('%s', async (what, start) => {
    for (const path of [undefined, 'a.txt', 'a']) {
      const refusal = extract(octets(start), { path });
      await expect(refusal).rejects.toMatchObject({ name: 'Error', code: 'unsupported-media-type' });
      await expect(refusal).rejects.toThrow(what);
    }
    expect((await extract(octets(start), { type: 'text' })).mediaType).toBe('text/plain');
    expect((await extract(octets(start), { type: 'html' })).mediaType).toBe('text/html');
  });

  test('an HTML name is no passport', () => {
    for (const start of ['%PDF-1.7', 'PK\x03\x04', 'a\0b']) {
      expect(() => detectMedium(octets(start), { path: 'a.html' })).toThrow('cannot read');
    }
  });

  test.each<[string, ExtractionHints, Medium]>([
    [`${'a'.repeat(1445)}\0`, {}, 'text'],
    ['a\0', { charset: 'utf-8' }, 'text'],
    [utf16('text').toString('latin1'), { charset: 'utf-16le' }, 'text'],
    [utf16('<html>').toString('latin1'), { charset: 'utf-16le' }, 'html'],
    [utf16('<html>').toString('latin1'), { transportCharset: 'utf-16' }, 'html'],
    [`\xff\xfe${utf16('text').toString('latin1')}`, { charset: 'utf-16le' }, 'text'],
    [`\xff\xfe${utf16('text').toString('latin1')}`, { path: 'a.html' }, 'html'],
  ])('%j with %o', (start, hints, medium) => {
    expect(detectMedium(octets(start), hints)).toBe(medium);
  });

  test('a charset does not make text of what is recognised', () => {
    expect(() => detectMedium(octets('%PDF-1.7'), { charset: 'utf-8' })).toThrow('PDF');
  });
});

describe('type', () => {
  test('is believed', () => {
    expect(detectMedium(octets('<html>'), { type: 'text' })).toBe('text');
    expect(detectMedium(octets('words'), { type: 'html', path: 'a.txt' })).toBe('html');
  });

  test.each(['pdf', '', 'HTML', 1, null, 'toString'])('%j is unknown', async (type) => {
    const hints = { type } as unknown as ExtractionHints;
    await expect(extract(octets('a'), hints)).rejects.toMatchObject({ name: 'Error', code: 'unknown-type' });
  });
});

test('time is linear in what stands before the first tag', () => {
  const start = performance.now();
  for (const unit of ['<!-->', '<!--', '<?', ' ', '<?>', '\0']) {
    try {
      detectMedium(octets(unit.repeat(1 << 18)), { charset: 'utf-16le' });
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported-media-type' });
    }
  }
  expect(performance.now() - start).toBeLessThan(2000);
});
