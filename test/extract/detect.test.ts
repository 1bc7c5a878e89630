import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasNameOfSeveral, MEDIA } from '../../src/extract/formats.ts';
import { type DocumentType, detectType, type ExtractionHints, extract, type Medium } from '../../src/extract/index.ts';
import { MEDIA_DOCUMENTS } from './media.ts';

/** Bytes, one per character. */
const bytes = (characters: string) => Buffer.from(characters, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** An OLE2 compound file with these streams, as far as its directory. */
function ole2(...streams: readonly string[]): string {
  const header = Buffer.alloc(1024);
  header.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  const entries = streams.map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    return entry;
  });
  return Buffer.concat([header, ...entries]).toString('latin1');
}

test.each([...MEDIA_DOCUMENTS])(
  'a document of the vectors is detected and read as what it is: %s',
  async (_, { bytes, type }) => {
    expect(detectType(bytes)).toBe(type);
    expect((await extract(bytes)).extractor).toMatch(new RegExp(`^${type}/`));
  },
);

describe('detectType by content', () => {
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
  ])('detects HTML whatever its name: %j', (start) => {
    for (const path of [undefined, 'a', 'a.html', 'a.txt', 'a.md', 'a.pdf']) {
      expect(detectType(bytes(`${start} b`), { path })).toBe('html');
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
  ])('detects HTML unless the name suggests text: %j', (start) => {
    for (const path of [undefined, '-', 'a', 'a.php', 'a.html']) {
      expect(detectType(bytes(`${start} b`), { path })).toBe('html');
    }
    for (const path of ['a.txt', 'README.md', 'a.RST']) {
      expect(detectType(bytes(`${start} b`), { path })).toBe('text');
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
  ])('detects text: %j', (start) => {
    expect(detectType(bytes(start))).toBe('text');
  });
});

describe('detectType by name', () => {
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
  test.each(cases)('reads %s as %s', (path, medium) => {
    expect(detectType(bytes('some words'), { path })).toBe(medium);
    expect(detectType(bytes(''), { path })).toBe(medium);
  });
});

describe('detectType of unsupported formats', () => {
  test.each([
    ['PostScript', '%!PS-Adobe-3.0'],
    ['RTF', '{\\rtf1\\ansi'],
    ['RTF', '\xef\xbb\xbf{\\rtf1\\ansi'],
    ['RTF', '\r\n{\\rtf1\\ansi'],
    ['RTF', '{\\urtf1\\ansi'],
    ['WordPerfect', '\xffWPC\x10\0'],
    ['KFX', '\xeaDRMION\xee\0'],
    ['OneNote', '\xe4\x52\x5c\x7b\x8c\xd8\xa7\0'],
    ['PST', '!BDN\0'],
    ['binary property list', 'bplist00\xd1\0'],
    ['CAB', 'MSCF\0\0\0\0'],
    ['LZH', '\x20\0-lh5-'],
    ['ARJ', `\x60\xea\x02\x0a${'\xda\x74\xe1\x9d'.repeat(9)}\x02\x1e\x0b`],
    ['control characters', `${'\xeb\x04z\xf6'.repeat(9)}`],
    ['utf-16le', Buffer.from('ภาษาไทย'.repeat(4), 'utf16le').toString('latin1')],
    ['bzip2', 'BZh91AY&SY'],
    ['bzip2', 'BZh11AY&SY'],
    ['bzip2', 'BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0'],
    ['LZ4', '\x04\x22\x4d\x18\x64\x40'],
    ['lzip', 'LZIP\x01\x0c'],
    ['lzop', '\x89LZO\0\r\n'],
    ['ar archive', '!<arch>\na.txt/'],
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
    ['binary data', 'MZ\x90\0\x03'],
    ['binary data', 'BM\x36\0'],
    ['UTF-32', '\xff\xfe\0\0a\0\0\0'],
    ['UTF-32', '\0\0\xfe\xff\0\0\0a'],
    ['binary data', 'a\0'],
    ['binary data', `${'a'.repeat(1444)}\0`],
    ['utf-16le', utf16('text').toString('latin1')],
    ['utf-16be', utf16('text').swap16().toString('latin1')],
    ['MOBI', `A_book${'\0'.repeat(54)}BOOKMOBI\0\0`],
    ['PalmDOC', `A_book${'\0'.repeat(54)}TEXtREAd\0\0`],
    ['CHM', 'ITSF\x03\0\0\0\x60'],
    ['LIT', 'ITOLITLS\x01\0'],
    ['DjVu', 'AT&TFORM\0\0'],
    ['DOC (Word', ole2('Root Entry', '1Table', 'WordDocument')],
    ['XLS', ole2('Root Entry', 'Workbook')],
    ['PPT', ole2('Root Entry', 'Current User', 'PowerPoint Document')],
    ['MSG', ole2('Root Entry', '__nameid_version1.0')],
    ['an encrypted Office document', ole2('Root Entry', 'EncryptionInfo', 'EncryptedPackage')],
  ])('names %s', async (what, start) => {
    for (const path of [undefined, 'a.txt', 'a']) {
      const refusal = extract(bytes(start), { path });
      await expect(refusal).rejects.toMatchObject({ name: 'Error', code: 'unsupported-media-type' });
      await expect(refusal).rejects.toThrow(what);
    }
    expect((await extract(bytes(start), { type: 'text' })).mediaType).toBe('text/plain');
    expect((await extract(bytes(start), { type: 'html' })).mediaType).toBe('text/html');
  });

  test('advises formats that can be read', () => {
    const source = readFileSync(new URL('../../src/extract/refused-formats.ts', import.meta.url), 'utf8');
    const advice = [...source.matchAll(/'(?:convert|export|save) it (?:to|as) ((?!text with)[^']+)'/g)];
    const formats = advice.flatMap(([, names]) => names!.split(' or '));
    expect(formats.length).toBeGreaterThan(9);
    const readable = [...MEDIA.map((medium) => medium.toUpperCase()), 'EML'];
    for (const format of formats) expect(readable).toContain(format);
  });

  test('names an OLE2 file by its extension if its directory is too far', () => {
    expect(() => detectType(bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), { path: 'a.DOC' })).toThrow('cannot read DOC (');
  });

  test.each([
    ['fields between control characters', '1\x012\x013\x02\n'.repeat(30)],
    ['overstriking', 'b\x08bo\x08ol\x08ld\x08d '.repeat(30)],
    ['escape sequences', '\x1b[1mbold\x1b[0m '.repeat(30)],
    ['an end of file of DOS', 'caf\xe9 noir\r\n\x1a'],
    ['Latin-1 with one control character', `\x07${'caf\xe9 noir '.repeat(30)}`],
  ])('reads %s as text', (_, start) => {
    expect(detectType(bytes(start))).toBe('text');
  });

  test('does not suggest UTF-16 for bytes with few NULs', () => {
    const advice = (start: string) => () => detectType(bytes(start));
    expect(advice(`MZ${'\x90\x01\x02'.repeat(200)}\0\0\0`)).toThrow(/NUL byte\)$/);
    expect(advice('\0\0\0\0\x01\x02')).toThrow(/NUL byte\)$/);
    // Every other character would be half a surrogate pair.
    expect(advice('\x41\0\x03\xd8'.repeat(50))).toThrow(/NUL byte\)$/);
  });

  test('rejects other data with an HTML name', () => {
    for (const start of ['%!PS-Adobe', 'GIF89a', 'a\0b']) {
      expect(() => detectType(bytes(start), { path: 'a.html' })).toThrow('cannot read');
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
  ])('reads %j with %o', (start, hints, medium) => {
    expect(detectType(bytes(start), hints)).toBe(medium);
  });

  test('ignores a charset for data that it recognises', () => {
    expect(() => detectType(bytes('%!PS-Adobe'), { charset: 'utf-8' })).toThrow('PostScript');
    expect(detectType(bytes('%PDF-1.7'), { charset: 'utf-8' })).toBe('pdf');
  });
});

describe('detectType of supported formats', () => {
  test.each<[DocumentType, string]>([
    ['pdf', '%PDF-1.7\n'],
    ['pdf', '\0\x01\x02 %PDF-1.4'],
    ['warc', 'WARC/1.1\r\nWARC-Type: warcinfo'],
    ['warc', 'WARC/1.0\r\r\nWARC-Type: warcinfo'],
    ['warc', 'WARC/1.0 \nWARC-Type: warcinfo'],
    ['warc', 'filedesc://a.arc.gz 127.0.0.1 20140216050221 text/plain 75\n1 0 Crawl\n'],
    ['zip', 'PK\x03\x04\x14\0'],
    ['zip', 'PK\x05\x06\0\0'],
    ['gzip', '\x1f\x8b\x08'],
    ['xml', '<?xml version="1.0"?><article>'],
    ['xml', '<?xml version="1.0"?>'],
    ['xml', '\xef\xbb\xbf<?xml version="1.0"?><!-- <html> --><a/>'],
    ['xml', '<!-- a --><svg xmlns="b">'],
    ['xml', '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS">'],
    ['xml', '<!-- a --><article xmlns:xlink="b" article-type="research-article">'],
    ['xml', '<TEI xmlns="http://www.tei-c.org/ns/1.0">'],
    ['xml', utf16('<?xml version="1.0"?><a/>').toString('latin1')],
    ['xml', `\xff\xfe${utf16('<?xml version="1.0"?><a/>').toString('latin1')}`],
    ['text', `\xff\xfe${utf16('text').toString('latin1')}`],
    ['text', `\xfe\xff${utf16('text').swap16().toString('latin1')}`],
    ['text', '<article>'],
    ['text', 'See %PDF-1.4'],
    ['text', 'WARC/1.1 is a format'],
    ['text', 'filedesc:// begins an ARC file'],
  ])('detects %s: %j', (type, start) => {
    for (const path of [undefined, 'a.txt', 'a', 'a.html'])
      if (type !== 'text' || path !== 'a.html') expect(detectType(bytes(start), { path })).toBe(type);
  });

  test.each<[DocumentType, string, string]>([
    ['xml', 'a.xml', '<article>'],
    ['xml', 'a.nxml', '<book>'],
    ['text', 'a.xml', 'words'],
    ['pdf', 'a.pdf', 'From: a@b\n%PDF-1.4'],
    ['pdf', 'a', `${'junk '.repeat(204)}123\n%PDF-1.4\n1 0 obj\n<<>>\nendobj`],
    ['text', 'a', `${'junk '.repeat(205)}\n%PDF-1.4\n1 0 obj\n<<>>\nendobj`],
    ['pdf', 'a', '%PD\0-1.4\r\n%\xe2\xe3\xcf\xd3\r\n12 0 obj'],
    ['pdf', 'a.pdf', '1 0 obj\n<<>>\nendobj'],
    ['text', 'a', '1 0 obj\n<<>>\nendobj'],
    ['text', 'a.pdf', 'Objects such as 1 0 obj'],
    ['text', 'a.md', 'A file:\n\n%PDF-1.4\n1 0 obj\n<<>>\nendobj'],
    ['text', 'a', 'A file begins with\n%PDF-1.4 or so'],
    ['text', 'a', 'It begins with %PDF-1.4, and objects end with endobj'],
    ['pdf', 'a', '<html>\n<head></head>\n%PDF-1.3\n%\xff\xff\xff\xff\n1 0 obj'],
    ['html', 'a', '<html><pre>\n%PDF-1.3\n1 0 obj\n<<>>\nendobj'],
    ['docx', 'a.docx', 'PK\x03\x04'],
    ['docx', 'a.DOCM', 'PK\x03\x04'],
    ['epub', 'a.epub', 'PK\x03\x04'],
    ['odt', 'a.odt', 'PK\x03\x04'],
    ['zip', 'a.txt', 'PK\x03\x04'],
  ])('detects %s by its name, %s', (type, path, start) => {
    expect(detectType(bytes(start), { path })).toBe(type);
  });

  test('detects gzip whatever the type', () => {
    expect(detectType(bytes('\x1f\x8b\x08'), { type: 'html' })).toBe('gzip');
  });

  /** The header of a member of a ZIP archive, and what it holds as it is. */
  const member = (name: string, content: string, told = true): string => {
    const header = Buffer.alloc(30);
    header.write('PK\x03\x04', 'latin1');
    header.writeUInt16LE(told ? 0 : 8, 6);
    header.writeUInt32LE(told ? content.length : 0, 18);
    header.writeUInt16LE(name.length, 26);
    return header.toString('latin1') + name + content;
  };
  const word = member('[Content_Types].xml', '<Types/>') + member('word/document.xml', 'a');

  test.each<[DocumentType, string]>([
    ['epub', member('mimetype', 'application/epub+zip') + member('a', 'b')],
    ['epub', member('mimetype', 'application/epub+zip', false) + member('a', 'b')],
    ['odt', member('mimetype', 'application/vnd.oasis.opendocument.text')],
    ['zip', member('mimetype', '')],
    ['docx', word],
    ['docx', member('_rels/.rels', 'a') + word],
    ['docx', member('[Content_Types].xml', 'deflated', false) + member('word/document.xml', 'a', false)],
    ['zip', member('a.docx', word)],
    ['zip', member('a.epub', member('mimetype', 'application/epub+zip'))],
    ['zip', member('word/document.xml', 'a')],
    ['xlsx', member('[Content_Types].xml', 'a') + member('xl/workbook.xml', 'a')],
    ['xlsx', member('[Content_Types].xml', 'a') + member('xl/embeddings/a.docx', word)],
    ['pptx', member('[Content_Types].xml', 'a') + member('ppt/presentation.xml', 'a')],
    ['pptx', member('[Content_Types].xml', 'a', false) + member('ppt/a', 'a', false) + member('xl/a', 'a', false)],
    ['odp', member('mimetype', 'application/vnd.oasis.opendocument.presentation')],
    ['odp', member('mimetype', 'application/vnd.oasis.opendocument.presentation-template')],
    ['odt', member('mimetype', 'application/vnd.oasis.opendocument.text-web')],
    ['odt', member('mimetype', 'application/vnd.oasis.opendocument.text-master-template')],
    ['ods', member('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')],
  ])('detects %s by its members', (type, start) => {
    expect(detectType(bytes(start), { path: 'a.zip' })).toBe(type);
  });

  test.each<[DocumentType, string]>([
    ['docx', 'a.dotm'],
    ['pptx', 'a.PPTX'],
    ['pptx', 'a.potx'],
    ['pptx', 'a.ppsm'],
    ['xlsx', 'a.xltx'],
    ['xlsx', 'a.xlsm'],
    ['odt', 'a.ott'],
    ['odp', 'a.odp'],
    ['ods', 'a.ots'],
    ['zip', 'a.xlsb'],
  ])('detects %s by the name %s if the first members do not decide', (type, path) => {
    expect(detectType(bytes(member('a', 'b')), { path })).toBe(type);
  });

  test.each([
    [
      'XLSB',
      member('[Content_Types].xml', 'a') + member('xl/worksheets/sheet1.bin', 'a') + member('xl/workbook.bin', 'a'),
    ],
    ['ODG (an OpenDocument drawing)', member('mimetype', 'application/vnd.oasis.opendocument.graphics-template')],
    ['ODF (an OpenDocument formula)', member('mimetype', 'application/vnd.oasis.opendocument.formula')],
    ['ODB (an OpenDocument database)', member('mimetype', 'application/vnd.oasis.opendocument.base')],
    [
      'application/vnd.oasis.opendocument.constructor',
      member('mimetype', 'application/vnd.oasis.opendocument.constructor'),
    ],
  ])('names %s without reading it', (what, start) => {
    expect(() => detectType(bytes(start))).toThrow(`cannot read ${what}`);
  });
});

describe('the hint of a type', () => {
  test('overrides detection', () => {
    expect(detectType(bytes('<html>'), { type: 'text' })).toBe('text');
    expect(detectType(bytes('words'), { type: 'html', path: 'a.txt' })).toBe('html');
  });

  test.each(['gzip', 'pfd', '', 'HTML', 'toString'])('is unknown: %j', async (type) => {
    const hints = { type } as unknown as ExtractionHints;
    await expect(extract(bytes('a'), hints)).rejects.toMatchObject({ name: 'Error', code: 'unknown-type' });
  });

  test.each([1, null])('has the wrong type: %j', async (type) => {
    const hints = { type } as unknown as ExtractionHints;
    await expect(extract(bytes('a'), hints)).rejects.toMatchObject({ name: 'TypeError', code: 'wrong-type' });
  });
});

test('detection takes linear time in the text before the first tag', () => {
  const start = process.cpuUsage();
  for (const unit of ['<!-->', '<!--', '<?', ' ', '<?>', '\0']) {
    try {
      detectType(bytes(unit.repeat(1 << 18)), { charset: 'utf-16le' });
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported-media-type' });
    }
  }
  expect(process.cpuUsage(start).user).toBeLessThan(2e6);
});

test('detection does not depend on white space before an ordinary character', () => {
  const parts = fc.constantFrom(
    'a',
    ' ',
    '<',
    '<html>',
    '%PDF-1.4',
    '%',
    '%P',
    '\0',
    '\xff',
    'PK\x03\x04',
    'x'.repeat(400),
  );
  const start = fc.constantFrom('a', 'I', 'W', '%', 'See', '0', '~');
  const detected = (text: string, path: string): string => {
    try {
      return detectType(bytes(text), { path });
    } catch (error) {
      // The share of NULs decides about the advice.
      return String(error).replace(/: if it is text in UTF-16.*/, '');
    }
  };
  fc.assert(
    fc.property(
      start,
      fc.array(parts, { maxLength: 3 }),
      fc.constantFrom('a', 'a.pdf', 'a.html'),
      (first, rest, path) => {
        const text = `${first} ${rest.join('')}`;
        expect(detected(text, path)).toBe(detected(`\n\n${text}`, path));
      },
    ),
  );
});

test.each([
  ['a.zip', true],
  ['a.WARC.gz', true],
  ['a.tar.zst', true],
  ['a.tgz', true],
  ['inbox.mbox', true],
  ['a.eml', true],
  ['a.txt.gz', false],
  ['zip', false],
  ['a.docx', false],
])('the name %s is that of several documents: %s', (name, expected) => {
  expect(hasNameOfSeveral(name)).toBe(expected);
});
