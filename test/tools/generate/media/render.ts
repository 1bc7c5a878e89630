import { readFileSync } from 'node:fs';
import { type Members, packageOf } from '../../../extract/package/package-of.ts';
import type { Block, MediaDocument } from './documents.ts';

/** Writes a document in one medium. */
export type Render = (document: MediaDocument) => Promise<Uint8Array>;

const utf8 = new TextEncoder();

/** A text in pieces, every other of them emphasised. */
function pieces(text: string): { readonly text: string; readonly emphasised: boolean }[] {
  return text.split('*').map((piece, index) => ({ text: piece, emphasised: index % 2 === 1 }));
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A text with its emphasis as markup. */
function inline(text: string, emphasise: (inner: string) => string, plain = (inner: string) => inner): string {
  return pieces(text)
    .filter((piece) => piece.text !== '')
    .map((piece) => (piece.emphasised ? emphasise : plain)(escapeXml(piece.text)))
    .join('');
}

/** Everything that a document holds, in order, as lines of plain text: what all media are measured against. */
export function plainText(document: MediaDocument): string {
  const plain = (text: string): string => text.replaceAll('*', '');
  const blockLines = (block: Block): string[] => {
    switch (block.kind) {
      case 'paragraph':
        return [plain(block.text), ...(block.note === undefined ? [] : [block.note])];
      case 'list':
        return block.items.map((item) => `- ${item}`);
      case 'table':
        return [block.caption, ...block.rows.map((row) => row.join('\t'))];
      case 'figure':
        return [block.caption];
      case 'quote':
        return [block.text];
    }
  };
  const { title, abstract, sections, referencesHeading, references } = document;
  const body = sections.flatMap(({ heading, blocks }) => [heading, ...blocks.flatMap(blockLines)]);
  return [title, abstract, ...body, referencesHeading, ...references, ''].join('\n');
}

/** Words that are not part of the text: the distance reveals an extractor that keeps them. */
export const METADATA =
  'metadata publisher keywords generator identifier subject rights department university institute';

/** The blocks of a document as HTML; notes are collected. */
function htmlBlocks(blocks: readonly Block[], notes: string[]): string {
  const em = (inner: string): string => `<em>${inner}</em>`;
  const blockOf = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph': {
        const mark =
          block.note === undefined ? '' : `<sup><a href="#n${notes.push(block.note)}">${notes.length}</a></sup>`;
        return `<p>${inline(block.text, em)}${mark}</p>`;
      }
      case 'list':
        return `<ul>${block.items.map((item) => `<li>${inline(item, em)}</li>`).join('')}</ul>`;
      case 'table': {
        const rows = block.rows.map((row, index) => {
          const cell = index === 0 ? 'th' : 'td';
          return `<tr>${row.map((each) => `<${cell}>${escapeXml(each)}</${cell}>`).join('')}</tr>`;
        });
        return `<table><caption>${escapeXml(block.caption)}</caption><tbody>${rows.join('')}</tbody></table>`;
      }
      case 'figure':
        return `<figure><img src="x.png" alt="${METADATA}"/><figcaption>${escapeXml(block.caption)}</figcaption></figure>`;
      case 'quote':
        return `<blockquote><p>${inline(block.text, em)}</p></blockquote>`;
    }
  };
  return blocks.map(blockOf).join('\n');
}

/** The parts of a document as HTML, one for each page of an EPUB. */
function htmlParts(document: MediaDocument): string[] {
  const notes: string[] = [];
  const front = `<h1>${escapeXml(document.title)}</h1>\n<p>${escapeXml(document.abstract)}</p>`;
  const sections = document.sections.map(
    ({ heading, blocks }) => `<section><h2>${escapeXml(heading)}</h2>\n${htmlBlocks(blocks, notes)}</section>`,
  );
  const foot = notes.map((note, index) => `<aside id="n${index + 1}"><p>${escapeXml(note)}</p></aside>`).join('\n');
  const references = document.references.map((reference) => `<li>${escapeXml(reference)}</li>`).join('\n');
  return [front, ...sections, `${foot}\n<h2>${escapeXml(document.referencesHeading)}</h2>\n<ol>${references}</ol>`];
}

/** The document as PDF, kept as a file (see pdf.ts). */
export const pdf: Render = async ({ language }) =>
  readFileSync(new URL(`./pdf/ferry-${language.toLowerCase()}.pdf`, import.meta.url));

/** The document as plain text. */
export const text: Render = async (document) => utf8.encode(plainText(document));

/** The document as a web page, with a script, a style sheet and metadata. */
export const html: Render = async (document) =>
  utf8.encode(`<!DOCTYPE html>
<html lang="${document.language}" dir="${document.direction}">
<head><meta charset="utf-8"><title>${escapeXml(document.title)} - ${METADATA}</title>
<meta name="description" content="${METADATA}"><style>p { color: black }</style><script>const no = '${METADATA}';</script></head>
<body><main>
${htmlParts(document).join('\n')}
</main></body>
</html>
`);

/** The document as JATS. */
export const jats: Render = async (document) => {
  const notes: string[] = [];
  const em = (inner: string): string => `<italic>${inner}</italic>`;
  const blockOf = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph': {
        const mark =
          block.note === undefined
            ? ''
            : `<xref ref-type="fn" rid="fn${notes.push(block.note)}"><sup>${notes.length}</sup></xref>`;
        return `<p>${inline(block.text, em)}${mark}</p>`;
      }
      case 'list':
        return `<list list-type="bullet">${block.items.map((item) => `<list-item><p>${inline(item, em)}</p></list-item>`).join('')}</list>`;
      case 'table': {
        const rows = block.rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`);
        return `<table-wrap><object-id pub-id-type="doi">${METADATA}</object-id><label>1</label><caption><p>${escapeXml(block.caption)}</p></caption><table><tbody>${rows.join('')}</tbody></table></table-wrap>`;
      }
      case 'figure':
        return `<fig><label>1</label><caption><p>${escapeXml(block.caption)}</p></caption><alt-text>${METADATA}</alt-text><graphic xlink:href="x.png"/></fig>`;
      case 'quote':
        return `<disp-quote><p>${inline(block.text, em)}</p></disp-quote>`;
    }
  };
  const sections = document.sections.map(
    ({ heading, blocks }) => `<sec><title>${escapeXml(heading)}</title>\n${blocks.map(blockOf).join('\n')}</sec>`,
  );
  const footnotes = notes.map(
    (note, index) => `<fn id="fn${index + 1}"><label>${index + 1}</label><p>${escapeXml(note)}</p></fn>`,
  );
  const references = document.references.map(
    (reference, index) =>
      `<ref><label>${index + 1}.</label><mixed-citation>${escapeXml(reference)} <pub-id pub-id-type="pmid">${METADATA}</pub-id></mixed-citation></ref>`,
  );
  return utf8.encode(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" "JATS-archivearticle1.dtd">
<article article-type="research-article" xml:lang="${document.language}" xmlns:xlink="http://www.w3.org/1999/xlink">
<front>
<journal-meta><journal-id>${METADATA}</journal-id><journal-title-group><journal-title>${METADATA}</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">${METADATA}</article-id>
<title-group><article-title>${escapeXml(document.title)}</article-title></title-group>
<contrib-group><contrib><name><surname>Metadata</surname><given-names>Author</given-names></name></contrib></contrib-group><aff>${METADATA}</aff>
<permissions><copyright-statement>${METADATA}</copyright-statement></permissions>
<abstract><p>${escapeXml(document.abstract)}</p></abstract><kwd-group><kwd>${METADATA}</kwd></kwd-group></article-meta>
</front>
<body>
${sections.join('\n')}
</body>
<back><fn-group>${footnotes.join('')}</fn-group>
<ref-list><title>${escapeXml(document.referencesHeading)}</title>
${references.join('\n')}</ref-list></back>
</article>
`);
};

/** The document as EPUB 3, a page for each of its parts. */
export const epub: Render = async (document) => {
  const page = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="${document.language}" dir="${document.direction}">
<head><title>${METADATA}</title></head>
<body>
${body}
</body>
</html>
`;
  const parts = htmlParts(document);
  const names = parts.map((_part, index) => `part${index + 1}.xhtml`);
  const headings = [document.title, ...document.sections.map(({ heading }) => heading), document.referencesHeading];
  const links = names.map((name, index) => `<li><a href="${name}">${escapeXml(headings[index]!)}</a></li>`);
  const members: Members = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `<?xml version="1.0" encoding="UTF-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`,
    'EPUB/package.opf': `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:00000000-0000-4000-8000-000000000000</dc:identifier><dc:title>${escapeXml(document.title)}</dc:title><dc:language>${document.language}</dc:language><dc:description>${METADATA}</dc:description><meta property="dcterms:modified">1980-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${names.map((name, index) => `<item id="p${index}" href="${name}" media-type="application/xhtml+xml"/>`).join('')}</manifest>
<spine><itemref idref="nav"/>${names.map((_name, index) => `<itemref idref="p${index}"/>`).join('')}</spine>
</package>
`,
    'EPUB/nav.xhtml': page(
      `<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>${links.join('')}</ol></nav>`,
    ),
    ...Object.fromEntries(names.map((name, index) => [`EPUB/${name}`, page(parts[index]!)])),
  };
  return packageOf(members);
};

/** The document as DOCX, with a comment, a deletion and a field. */
export const docx: Render = async (document) => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const notes: string[] = [];
  const run = (inner: string, properties = ''): string =>
    `<w:r>${properties}<w:t xml:space="preserve">${inner}</w:t></w:r>`;
  const runs = (content: string): string =>
    inline(
      content,
      (inner) => run(inner, '<w:rPr><w:i/></w:rPr>'),
      (inner) => run(inner),
    );
  const paragraph = (content: string, style?: string): string =>
    `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${content}</w:p>`;
  const deleted = `<w:del w:id="1" w:author="x"><w:r><w:delText>${METADATA}</w:delText></w:r></w:del>`;
  const page = `<w:r><w:tab/></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${METADATA}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const blockOf = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph': {
        const mark =
          block.note === undefined
            ? ''
            : `<w:r><w:footnoteReference w:id="${notes.push(block.note) + 1}"/></w:r>${deleted}`;
        return paragraph(runs(block.text) + mark);
      }
      case 'list':
        return block.items.map((item) => paragraph(runs(item), 'ListBullet')).join('');
      case 'table': {
        const rows = block.rows.map(
          (row) =>
            `<w:tr>${row.map((cell) => `<w:tc><w:tcPr/>${paragraph(run(escapeXml(cell)))}</w:tc>`).join('')}</w:tr>`,
        );
        return `${paragraph(run(escapeXml(block.caption)), 'Caption')}<w:tbl><w:tblPr/><w:tblGrid>${'<w:gridCol/>'.repeat(block.rows[0]!.length)}</w:tblGrid>${rows.join('')}</w:tbl>`;
      }
      case 'figure':
        return paragraph(run(escapeXml(block.caption)) + page, 'Caption');
      case 'quote':
        return paragraph(runs(block.text), 'Quote');
    }
  };
  const body = [
    paragraph(run(escapeXml(document.title)), 'Title'),
    paragraph(run(escapeXml(document.abstract))),
    ...document.sections.flatMap(({ heading, blocks }) => [
      paragraph(run(escapeXml(heading)), 'Heading1'),
      ...blocks.map(blockOf),
    ]),
    paragraph(run(escapeXml(document.referencesHeading)), 'Heading1'),
    ...document.references.map((reference) => paragraph(run(escapeXml(reference)))),
  ];
  const rules = ['separator', 'continuationSeparator'].map(
    (kind, index) => `<w:footnote w:type="${kind}" w:id="${index}"><w:p><w:r><w:${kind}/></w:r></w:p></w:footnote>`,
  );
  const footnotes = notes.map(
    (note, index) =>
      `<w:footnote w:id="${index + 2}">${paragraph(`<w:r><w:footnoteRef/></w:r>${run(` ${escapeXml(note)}`)}`)}</w:footnote>`,
  );
  const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const styles = ['Title', 'Heading1', 'ListBullet', 'Caption', 'Quote'].map(
    (name) => `<w:style w:type="paragraph" w:styleId="${name}"><w:name w:val="${name}"/></w:style>`,
  );
  return packageOf({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/><Override PartName="/word/footnotes.xml" ContentType="${types}.footnotes+xml"/><Override PartName="/word/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relationships}/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'docProps/core.xml': `${head}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${METADATA}</dc:title></cp:coreProperties>`,
    'word/document.xml': `${head}<w:document ${W}><w:body>${body.join('\n')}<w:sectPr/></w:body></w:document>`,
    'word/_rels/document.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relationships}/footnotes" Target="footnotes.xml"/><Relationship Id="r2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    'word/footnotes.xml': `${head}<w:footnotes ${W}>${rules.join('')}${footnotes.join('')}</w:footnotes>`,
    'word/styles.xml': `${head}<w:styles ${W}>${styles.join('')}</w:styles>`,
  });
};

/** The document as ODT, with a comment and a deletion. */
export const odt: Render = async (document) => {
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns';
  const xmlns = ['office', 'text', 'table', 'style', 'meta']
    .map((name) => `xmlns:${name}="${oasis}:${name}:1.0"`)
    .join(' ');
  let notes = 0;
  const span = (inner: string): string => `<text:span text:style-name="Emphasis">${inner}</text:span>`;
  const paragraph = (content: string): string => `<text:p>${content}</text:p>`;
  const heading = (content: string, level: number): string =>
    `<text:h text:outline-level="${level}">${escapeXml(content)}</text:h>`;
  const noteOf = (note: string): string =>
    `<text:note text:note-class="footnote"><text:note-citation>${++notes}</text:note-citation><text:note-body>${paragraph(escapeXml(note))}</text:note-body></text:note>`;
  const blockOf = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph': {
        const behind =
          block.note === undefined
            ? ''
            : `${noteOf(block.note)}<office:annotation>${paragraph(METADATA)}</office:annotation>`;
        return paragraph(inline(block.text, span) + behind);
      }
      case 'list':
        return `<text:list>${block.items.map((item) => `<text:list-item>${paragraph(inline(item, span))}</text:list-item>`).join('')}</text:list>`;
      case 'table': {
        const rows = block.rows.map(
          (row) =>
            `<table:table-row>${row.map((cell) => `<table:table-cell>${paragraph(escapeXml(cell))}</table:table-cell>`).join('')}</table:table-row>`,
        );
        return `${paragraph(escapeXml(block.caption))}<table:table><table:table-column table:number-columns-repeated="${block.rows[0]!.length}"/>${rows.join('')}</table:table>`;
      }
      case 'figure':
        return paragraph(escapeXml(block.caption));
      case 'quote':
        return paragraph(inline(block.text, span));
    }
  };
  const body = [
    `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>${paragraph(METADATA)}</text:deletion></text:changed-region></text:tracked-changes>`,
    heading(document.title, 1),
    paragraph(`${escapeXml(document.abstract)}<text:change text:change-id="c1"/>`),
    ...document.sections.flatMap((section) => [heading(section.heading, 2), ...section.blocks.map(blockOf)]),
    heading(document.referencesHeading, 2),
    ...document.references.map((reference) => paragraph(escapeXml(reference))),
  ];
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const type = 'application/vnd.oasis.opendocument.text';
  const entries = ['content.xml', 'meta.xml'].map(
    (path) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="text/xml"/>`,
  );
  return packageOf({
    mimetype: type,
    'content.xml': `${head}<office:document-content ${xmlns} office:version="1.3"><office:automatic-styles><style:style style:name="Emphasis" style:family="text"/></office:automatic-styles><office:body><office:text>\n${body.join('\n')}\n</office:text></office:body></office:document-content>`,
    'meta.xml': `${head}<office:document-meta ${xmlns} office:version="1.3"><office:meta><meta:keyword>${METADATA}</meta:keyword></office:meta></office:document-meta>`,
    'META-INF/manifest.xml': `${head}<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>${entries.join('')}</manifest:manifest>`,
  });
};

const base64 = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');

const crlf = (lines: readonly string[]): Uint8Array => utf8.encode(lines.join('\r\n'));

/** The document as an e-mail message with a plain body, one in HTML, and an attachment. */
export const mail: Render = async (document) =>
  crlf([
    `Received: from ${METADATA.split(' ', 1)[0]}.example by mail.example; Mon, 23 Nov 2026 10:00:00 +0000`,
    'From: "publisher" <publisher@example.org>',
    'To: university@example.org',
    `Subject: =?utf-8?B?${Buffer.from(document.title).toString('base64')}?=`,
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    'Message-ID: <identifier@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    'This message has several parts.',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64(METADATA),
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64(await html(document)),
    '--inner--',
    '--outer',
    'Content-Type: text/plain; name=keywords.txt',
    'Content-Disposition: attachment; filename=keywords.txt',
    '',
    METADATA,
    '--outer--',
    '',
  ]);

/** The document as a web page in one file. */
export const mhtml: Render = async (document) =>
  crlf([
    'From: <Saved by generator>',
    'Snapshot-Content-Location: https://example.org/',
    'Subject: metadata',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related;',
    '\ttype="text/html";',
    '\tboundary="page"',
    '',
    '--page',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: base64',
    'Content-Location: https://example.org/',
    '',
    base64(await html(document)),
    '--page',
    'Content-Type: text/css',
    'Content-Location: https://example.org/style.css',
    '',
    '.metadata { color: black }',
    '--page--',
    '',
  ]);

/** The document as a Jupyter notebook, half of it printed by cells of code. */
export const notebook: Render = async (document) => {
  const cells = plainText(document)
    .split('\n')
    .map((line, index) =>
      index % 2 === 0
        ? { cell_type: 'markdown', metadata: { tags: [METADATA] }, source: [line] }
        : {
            cell_type: 'code',
            execution_count: index,
            metadata: {},
            outputs: [{ name: 'stdout', output_type: 'stream', text: [line, '\n'] }],
            source: [],
          },
    );
  return utf8.encode(JSON.stringify({ cells, metadata: { title: METADATA }, nbformat: 4, nbformat_minor: 5 }, null, 1));
};
