import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { reportsDamage } from '../../../src/extract/result.ts';
import { type Members, packageOf } from './package-of.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = { '[Content_Types].xml': '<Types/>' };
const words = Array.from({ length: 40 }, (_, index) => `word${index}`);

const relations = (...targets: readonly (readonly [kind: string, target: string])[]) =>
  `<Relationships>${targets.map(([kind, target], index) => `<Relationship Id="r${index}" Type="${OFFICE}/${kind}" Target="${target}"/>`).join('')}</Relationships>`;
const page = (word: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title></head><body><p>${word}</p></body></html>`;
const slide = (word: string) =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${word}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;

/** Documents of {@link words}, by medium. */
const DOCUMENTS: Readonly<Record<string, Members>> = {
  docx: {
    ...TYPES,
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${words.map((word) => `<w:p><w:r><w:t>${word}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`,
    'word/styles.xml': '<w:styles/>',
  },
  odt: {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>${words.map((word) => `<text:p>${word}</text:p>`).join('')}</office:text></office:body></office:document-content>`,
    'META-INF/manifest.xml': '<manifest/>',
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

describe.each(Object.keys(DOCUMENTS))('%s', (medium) => {
  test.each([
    ['stored', 0, false],
    ['deflated', 9, false],
    ['streamed', 9, true],
  ])('cut off anywhere: the first words and a warning, or an error (%s)', async (_how, level, streamed) => {
    const octets = await packageOf(DOCUMENTS[medium]!, level, streamed);
    const whole = (await extract(octets)).text.match(/\w+/g)!;
    expect(whole).toEqual(words);
    let most = 0;
    let before = 0;
    for (let end = 40; end < octets.length; end += 37) {
      const result = await extract(octets.subarray(0, end), { path: `a.${medium}` }).catch(({ code }) => code);
      if (typeof result === 'string') {
        expect(result).toBe('damaged');
        expect(before).toBe(0);
        continue;
      }
      const found = result.text.match(/\w+/g) ?? [];
      expect(found).toEqual(words.slice(0, found.length));
      expect(result.warnings.some(reportsDamage)).toBe(true);
      expect(found.length).toBeGreaterThanOrEqual(before);
      before = found.length;
      most = Math.max(most, found.length);
    }
    expect(most).toBe(words.length);
  });

  test('its directory is damaged: all words and a warning, without its name', async () => {
    const octets = await packageOf(DOCUMENTS[medium]!, 9);
    octets[Buffer.from(octets).indexOf('PK\x01\x02', 0, 'latin1')] = 0;
    const { text, warnings } = await extract(octets);
    expect(text.match(/\w+/g)).toEqual(words);
    expect(warnings[0]).toMatch(
      /^damaged: its (?:end is missing|directory is unreadable), and parts may be missing, too$/,
    );
  });
});

test('a DOCX whose content types are its last member is recognised without them', async () => {
  const { '[Content_Types].xml': types, ...others } = DOCUMENTS['docx']!;
  const octets = await packageOf({ ...others, '[Content_Types].xml': types! }, 9, true);
  const cut = octets.subarray(0, Buffer.from(octets).indexOf('[Content_Types]', 0, 'latin1') - 10);
  expect((await extract(cut)).text.match(/\w+/g)).toEqual(words);
});

test('an archive of documents that is cut off stays an error', async () => {
  const octets = await packageOf({ 'a.txt': 'one two', 'b.html': '<p>three' });
  await expect(extract(octets.subarray(0, -30))).rejects.toMatchObject({ code: 'damaged' });
});

test('members of an EPUB that may be encrypted are not read as text', async () => {
  const { 'word0.xhtml': _, ...others } = DOCUMENTS['epub']!;
  const noise = Uint8Array.from({ length: 999 }, (_, index) => (index * 7919) % 251).filter((octet) => octet !== 0x3c);
  const octets = await packageOf({ ...others, 'word0.xhtml': noise });
  const cut = octets.subarray(0, Buffer.from(octets).indexOf('PK\x01\x02', 0, 'latin1'));
  await expect(extract(cut)).rejects.toMatchObject({ code: 'damaged' });
});
