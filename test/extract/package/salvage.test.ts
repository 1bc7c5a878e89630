import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { lossesOf } from '../../../src/extract/result.ts';
import { IS_SLOW } from '../../suite.ts';
import { type Members, packageOf, relationships } from './package-of.ts';

const TYPES = { '[Content_Types].xml': '<Types/>' };
const words = Array.from({ length: 40 }, (_, index) => `word${index}`);

const relations = (...targets: readonly (readonly [kind: string, target: string])[]) =>
  relationships(...targets.map(([kind, target], index): [string, string, string] => [`r${index}`, kind, target]));
const page = (word: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title></head><body><p>${word}</p></body></html>`;
const slide = (word: string) =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${word}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;

const row = (word: string) => `<row><c t="inlineStr"><is><t>${word}</t></is></c></row>`;
const inEach = (before: string, after: string) => words.map((word) => before + word + after).join('');
const openDocument = (kind: string, content: string) => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><office:body><office:${kind}>${content}</office:${kind}></office:body></office:document-content>`,
  'META-INF/manifest.xml': '<manifest/>',
});

/** Documents of {@link words}, by medium. */
const DOCUMENTS: Readonly<Record<string, Members>> = {
  docx: {
    ...TYPES,
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inEach('<w:p><w:r><w:t>', '</w:t></w:r></w:p>')}</w:body></w:document>`,
    'word/styles.xml': '<w:styles/>',
  },
  odt: openDocument('text', inEach('<text:p>', '</text:p>')),
  odp: openDocument(
    'presentation',
    inEach('<draw:page><draw:frame><draw:text-box><text:p>', '</text:p></draw:text-box></draw:frame></draw:page>'),
  ),
  ods: openDocument(
    'spreadsheet',
    `<table:table>${inEach('<table:table-row><table:table-cell><text:p>', '</text:p></table:table-cell></table:table-row>')}</table:table>`,
  ),
  xlsx: {
    ...TYPES,
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook>${words.map((_, index) => `<sheet r:id="r${index}"/>`).join('')}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations(...words.map((word) => ['worksheet', `${word}.xml`] as const)),
    ...Object.fromEntries(
      words.map((word) => [`xl/${word}.xml`, `<worksheet><sheetData>${row(word)}</sheetData></worksheet>`]),
    ),
  },
  epub: {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf': `<package><manifest>${words.map((word) => `<item id="${word}" href="${word}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${words.map((word) => `<itemref idref="${word}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(words.map((word) => [`${word}.xhtml`, page(word)])),
  },
  pptx: {
    ...TYPES,
    '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation>${words.map((_, index) => `<p:sldId r:id="r${index}"/>`).join('')}</p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(...words.map((word) => ['slide', `${word}.xml`] as const)),
    ...Object.fromEntries(words.map((word) => [`ppt/${word}.xml`, slide(word)])),
  },
};

describe.each(Object.keys(DOCUMENTS))('a package with a damaged end: %s', (medium) => {
  test.each([
    ['stored', 0, false],
    ['deflated', 9, false],
    ['streamed', 9, true],
  ])(
    'that is cut off anywhere yields the first words and a warning, or an error (%s)',
    async (_how, level, streamed) => {
      const bytes = await packageOf(DOCUMENTS[medium]!, level, streamed);
      expect((await extract(bytes)).text.match(/\w+/g)!).toEqual(words);
      let max = 0;
      let before = 0;
      for (let end = 40; end < bytes.length; end += IS_SLOW ? 37 : 149) {
        const result = await extract(bytes.subarray(0, end), { path: `a.${medium}` }).catch(({ code }) => code);
        if (typeof result === 'string') {
          expect(result).toBe('damaged');
          expect(before).toBe(0);
          continue;
        }
        const found = result.text.match(/\w+/g) ?? [];
        expect(found).toEqual(words.slice(0, found.length));
        expect(lossesOf(result.warnings)).toContain('damaged');
        expect(found.length).toBeGreaterThanOrEqual(before);
        before = found.length;
        max = Math.max(max, found.length);
      }
      expect(max).toBe(words.length);
    },
  );

  test('without a directory yields all words and a warning, even without its name', async () => {
    const bytes = await packageOf(DOCUMENTS[medium]!, 9);
    bytes[Buffer.from(bytes).indexOf('PK\x01\x02', 0, 'latin1')] = 0;
    const { text, warnings } = await extract(bytes);
    expect(text.match(/\w+/g)).toEqual(words);
    expect(warnings[0]).toMatch(
      /^damaged: its (?:end is missing|directory is unreadable), and parts may also be missing$/,
    );
  });
});

describe('a package with one damaged part', () => {
  test.each(Object.keys(DOCUMENTS))(
    'yields the text and a warning for any byte of its largest member: %s',
    async (medium) => {
      const members = DOCUMENTS[medium]!;
      const [largest] = Object.entries(members).sort(([, a], [, b]) => b.length - a.length)[0]!;
      const whole = await packageOf(members, 9);
      const start = Buffer.from(whole).indexOf(largest, 0, 'latin1') + largest.length;
      const end = Buffer.from(whole).indexOf('PK', start, 'latin1');
      let kept = 0;
      let count = 0;
      for (let at = start; at < end; at += IS_SLOW ? 7 : 21) {
        const bytes = whole.slice();
        bytes[at]! ^= 0x55;
        const result = await extract(bytes, { path: `a.${medium}` }).catch(({ code }) => code);
        if (typeof result === 'string') expect(result).toBe('damaged');
        else {
          expect(result.warnings[0]).toBe(`damaged: "${largest}" may be incomplete or wrong`);
          kept++;
        }
        count++;
      }
      expect(kept).toBeGreaterThan(count / 2);
    },
  );

  test.each([
    ['pptx', 'ppt/word7.xml'],
    ['xlsx', 'xl/word7.xml'],
  ])('yields the other parts and a warning if one has no markup: %s', async (medium, part) => {
    const bytes = await packageOf({ ...DOCUMENTS[medium]!, [part]: new Uint8Array(99).fill(7) }, 0);
    const { text, warnings } = await extract(bytes, { path: `a.${medium}` });
    expect(text.match(/word\d+/g)).toEqual(words.filter((word) => word !== 'word7'));
    expect(warnings.filter((each) => lossesOf([each]).includes('damaged'))).toEqual([expect.stringContaining(part)]);
  });
});

test('a DOCX whose content types come last is recognised without them', async () => {
  const { '[Content_Types].xml': types, ...others } = DOCUMENTS['docx']!;
  const bytes = await packageOf({ ...others, '[Content_Types].xml': types! }, 9, true);
  const cut = bytes.subarray(0, Buffer.from(bytes).indexOf('[Content_Types]', 0, 'latin1') - 10);
  expect((await extract(cut)).text.match(/\w+/g)).toEqual(words);
});

test('an EPUB that is cut off before its package document is read in the order of its members', async () => {
  const { 'a.opf': document, ...others } = DOCUMENTS['epub']!;
  const bytes = await packageOf({ ...others, 'nav.xhtml': page('no'), 'a.opf': document! });
  const { text, warnings } = await extract(bytes.subarray(0, Buffer.from(bytes).indexOf('a.opf', 200, 'latin1') - 30));
  expect(text.match(/\w+/g)).toEqual(words);
  expect(warnings).toContain('damaged: the package document is missing, and the reading order may be wrong');
});

test('an archive of documents that is cut off is still an error', async () => {
  const bytes = await packageOf({ 'a.txt': 'one two', 'b.html': '<p>three' });
  await expect(extract(bytes.subarray(0, -30))).rejects.toMatchObject({ code: 'damaged' });
});

test('members of an EPUB that may be encrypted are not read as text', async () => {
  const { 'word0.xhtml': _, ...others } = DOCUMENTS['epub']!;
  const noise = Uint8Array.from({ length: 999 }, (_, index) => (index * 7919) % 251).filter((byte) => byte !== 0x3c);
  const bytes = await packageOf({ ...others, 'word0.xhtml': noise });
  const { text, warnings } = await extract(bytes.subarray(0, Buffer.from(bytes).indexOf('PK\x01\x02', 0, 'latin1')));
  expect(text.match(/\S+/g)).toEqual(words.slice(1));
  expect(warnings).toContain('damaged: text of "word0.xhtml" is missing');
});
