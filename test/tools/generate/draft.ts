/**
 * Writes what an implementer needs of the specification as an Internet-Draft in RFCXML version 3 (RFC 7991): `npm run
 * spec:draft` writes build/spec/draft-simhash-doc-00.xml. Nothing is submitted; the draft shows that the text fits the form.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../src/common/text.ts';
import { SCHEME } from '../../../src/conformance/report/files/claim.ts';
import { address } from './address.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The documents of the draft. Their headings of level 2 are its sections. */
const DOCUMENTS = [
  ...(['simhash-doc', 'normalisation', 'lookup', 'minhash-doc', 'variants'] as const),
  ...(['extraction', 'conformance', 'annexes', 'security'] as const),
] as const;

/** The first sections that are left out of a document, with all that follow: they bind vectors, adapters and runners. */
const ENDS: Readonly<Record<string, string>> = { conformance: 'operations' };

const NAME = 'draft-simhash-doc-00';
/** The width of a line in RFCs. */
const WIDTH = 69;

interface Reference {
  readonly author: string;
  readonly title: string;
  /** A year, or a year and a month. */
  readonly date?: string;
  readonly target: string;
  readonly rfc?: number;
}

const rfc = (rfc: number, author: string, title: string, date: string): Reference => ({
  ...{ rfc, author, title, date },
  target: `https://www.rfc-editor.org/info/rfc${rfc}`,
});

/** Normative references by their anchors in the specification. */
const NORMATIVE: Readonly<Record<string, Reference>> = {
  RFC2119: rfc(2119, 'S. Bradner', 'Key words for use in RFCs to Indicate Requirement Levels', '1997'),
  RFC4648: rfc(4648, 'S. Josefsson', 'The Base16, Base32, and Base64 Data Encodings', '2006'),
  RFC5234: rfc(5234, 'D. Crocker', 'Augmented BNF for Syntax Specifications: ABNF', '2008'),
  RFC7405: rfc(7405, 'P. Kyzivat', 'Case-Sensitive String Support in ABNF', '2014'),
  RFC8174: rfc(8174, 'B. Leiba', 'Ambiguity of Uppercase vs Lowercase in RFC 2119 Key Words', '2017'),
  UNICODE: {
    author: 'The Unicode Consortium',
    title: 'The Unicode Standard, Version 12.0.0',
    date: '2019',
    target: 'https://www.unicode.org/versions/Unicode12.0.0/',
  },
  UAX15: {
    author: 'The Unicode Consortium',
    title: 'Unicode Standard Annex #15: Unicode Normalization Forms',
    target: 'https://www.unicode.org/reports/tr15/',
  },
  STABILITY: {
    author: 'The Unicode Consortium',
    title: 'Unicode Character Encoding Stability Policies: Normalization Stability',
    target: 'https://www.unicode.org/policies/stability_policy.html',
  },
  HTML: {
    author: 'WHATWG',
    title: 'HTML Standard, Review Draft',
    date: '2025 January',
    target: 'https://html.spec.whatwg.org/review-drafts/2025-01/',
  },
  ENCODING: {
    author: 'WHATWG',
    title: 'Encoding Standard, Review Draft',
    date: '2024 December',
    target: 'https://encoding.spec.whatwg.org/review-drafts/2024-12/',
  },
};

const INFORMATIVE: Readonly<Record<string, Reference>> = {
  SPEC: {
    author: 'The simhash-doc authors',
    title: `simhash-doc: the specification, version ${SCHEME}, with its data files, rationale and evaluation`,
    date: '2026',
    target: `${address()}spec/`,
  },
  PROPOSAL: {
    author: 'B. Newbold',
    title: 'Interoperability of Locality-Sensitive Hashing Schemes',
    date: '2017',
    target: 'https://git.bnewbold.net/lsh-interop/about/',
  },
  JENKINS: {
    author: 'B. Jenkins',
    title: 'lookup3.c',
    date: '2006',
    target: 'http://burtleburtle.net/bob/c/lookup3.c',
  },
  CHARIKAR: {
    author: 'M. S. Charikar',
    title: 'Similarity Estimation Techniques from Rounding Algorithms',
    date: '2002',
    target: 'https://doi.org/10.1145/509907.509965',
  },
  MANKU: {
    author: 'G. S. Manku, A. Jain, A. Das Sarma',
    title: 'Detecting Near-Duplicates for Web Crawling',
    date: '2007',
    target: 'https://doi.org/10.1145/1242572.1242592',
  },
  RFC8792: rfc(8792, 'K. Watsen', 'Handling Long Lines in Content of Internet-Drafts and RFCs', '2020'),
};

const isReference = (anchor: string): boolean => anchor in NORMATIVE || anchor in INFORMATIVE;

const marked = new Marked({ gfm: true });

interface Section {
  readonly document: string;
  readonly title: string;
  readonly anchor: string | undefined;
  readonly depth: number;
  readonly tokens: Token[];
}

const RULE = /^[A-Z]{3}-\d+$/;

/** Anchors of rules and of the first document stay as they are, the others get a prefix. */
function anchorOf(document: string, anchor: string): string {
  return document === DOCUMENTS[0] || RULE.test(anchor) ? anchor : `${document}--${anchor}`;
}

/**
 * The text of a document. Only the subject remains of the paragraph with its version; version, conventions and
 * references are those of the draft.
 */
function readDocument(document: string): string {
  return read(`spec/${document}.md`)
    .replace(/<!--.*?-->/gs, '')
    .replace(/^Version .*?(?=\n\n)/ms, (paragraph) =>
      (document === DOCUMENTS[0] ? '' : paragraph)
        .split(/(?<=\.)\s+/)
        .filter((sentence) => !/^Version|onventions|^The errors are/.test(sentence))
        .join(' ')
        .replace(/\bThis document\b/, 'This section'),
    );
}

/** Cuts a document at its headings. An anchor stands in a paragraph of its own before its heading. */
function sectionsOf(document: string): Section[] {
  const sections: Section[] = [];
  let anchor: string | undefined;
  for (const token of marked.lexer(readDocument(document))) {
    const [, alone] = /^<a id="([^"]+)"><\/a>\s*$/.exec(token.raw) ?? [];
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      if (anchor !== undefined && anchor === ENDS[document]) break;
      if (depth === 1) anchor = `document-${document}`;
      sections.push({
        document,
        title: text,
        anchor: anchor && (depth === 1 ? anchor : anchorOf(document, anchor)),
        depth,
        tokens: [],
      });
      anchor = undefined;
    } else if (alone !== undefined) anchor = alone;
    else if (token.type !== 'space') {
      // An anchor without a heading is that of the block after it.
      sections
        .at(-1)
        ?.tokens.push(anchor === undefined ? token : { ...token, raw: `<a id="${anchor}"></a>${token.raw}` });
      anchor = undefined;
    }
  }
  return sections;
}

const sectionsByDocument = DOCUMENTS.map(sectionsOf).map((sections) =>
  // The references are those of the draft.
  sections.filter(({ title }) => title !== 'References'),
);
const ANCHOR = /<a id="([^"]+)"><\/a>/g;
const anchors = new Set([
  ...['introduction', 'status'],
  ...sectionsByDocument
    .flat()
    .flatMap(({ document, anchor, tokens }) => [
      anchor,
      ...tokens.flatMap(({ raw }) => Array.from(raw.matchAll(ANCHOR), ([, inside]) => anchorOf(document, inside!))),
    ]),
]);

function inline(document: string, tokens: readonly Token[] = []): string {
  return tokens.map((token) => inlineToken(document, token)).join('');
}

function inlineToken(document: string, token: Token): string {
  switch (token.type) {
    case 'strong':
      return `<strong>${inline(document, token.tokens)}</strong>`;
    case 'em':
      return `<em>${inline(document, token.tokens)}</em>`;
    case 'codespan':
      return `<tt>${escapeHtml((token as Tokens.Codespan).text)}</tt>`;
    case 'link':
      return linkOf(document, token as Tokens.Link);
    case 'html':
      return '';
    default:
      return 'tokens' in token ? inline(document, token.tokens) : escapeHtml(token.raw);
  }
}

/** A file of the specification, by its name. */
const FILE = /^[A-Za-z./-]+\.(?:md|txt)$/;

/** A link to a part of the draft or to a reference refers to it; one to another document names the specification. */
function linkOf(document: string, { href, text: name, tokens }: Tokens.Link): string {
  const text = inline(document, tokens);
  if (/^https?:/.test(href)) return `<eref target="${escapeHtml(href)}">${text}</eref>`;
  const [file, anchor = ''] = href.split('#') as [string, string?];
  if (isReference(anchor))
    return anchor.startsWith('RFC') ? `<xref target="${anchor}"/>` : `${text} <xref target="${anchor}"/>`;
  if (RULE.test(anchor) && anchors.has(anchor)) return `<xref target="${anchor}" format="none">${text}</xref>`;
  if (file.endsWith('.txt')) return `<eref target="${address()}spec/${file}">${text}</eref>`;
  const to = file.replace('.md', '') || document;
  const whole = to === DOCUMENTS[0] ? 'introduction' : `document-${to}`;
  const target = anchor === '' ? whole : anchorOf(to, anchor);
  if (!anchors.has(target)) return `${text} <xref target="SPEC"/>`;
  return FILE.test(name) ? `<xref target="${target}"/>` : `<xref target="${target}">${text}</xref>`;
}

const widthOf = (text: string): number => [...text].length;

/** Breaks a long line of JSON after a comma. */
function breakJson(line: string): string[] {
  const characters = [...line];
  const at = characters.slice(0, WIDTH).lastIndexOf(',') + 1;
  if (characters.length <= WIDTH || at === 0) return [line];
  return [characters.slice(0, at).join(''), ...breakJson(`    ${characters.slice(at).join('').trimStart()}`)];
}

/** Breaks a long line at a space; what follows is indented. */
function breakAtSpace(line: string, indent: string): string[] {
  const characters = [...line];
  const at = characters.slice(0, WIDTH + 1).lastIndexOf(' ');
  if (characters.length <= WIDTH || at <= indent.length) return [line];
  const rest = characters.slice(at).join('').trimStart();
  return [characters.slice(0, at).join('').trimEnd(), ...breakAtSpace(indent + rest, indent)];
}

/** Puts the remark of a long line of pseudo-code or of a grammar before it. */
function breakCode(line: string): string[] {
  if (widthOf(line) <= WIDTH) return [line];
  const [, indent, code, remark] = /^( *)(.*?)\s*([#;] (?! ).*)?$/.exec(line)!;
  const before = remark === undefined ? [] : breakAtSpace(`${indent}${remark}`, `${indent}${remark[0]} `);
  return [...before, ...breakAtSpace(`${indent}${code}`, `${indent}        `)];
}

/** Puts the remark of a long line of a figure below it. */
function breakFigure(line: string): string[] {
  if (widthOf(line) <= WIDTH) return [line];
  const [, figure, remark] = /^(.*\S) {4,}(\S.*)$/.exec(line) ?? [];
  return remark === undefined
    ? breakAtSpace(line, ' '.repeat(8))
    : [figure!, ...breakAtSpace(`        ${remark}`, ' '.repeat(8))];
}

/** Breaks the long lines of a listing where its language allows that; others are folded as in RFC 8792, section 7.1. */
function fitLines(text: string, breakLine: (line: string) => string[]): string {
  const lines = text.split('\n').flatMap(breakLine);
  if (lines.every((line) => widthOf(line) <= WIDTH)) return lines.join('\n');
  const folded = lines.flatMap((line) => {
    const parts: string[] = [];
    let rest = [...line];
    while (rest.length > WIDTH) {
      parts.push(`${rest.slice(0, WIDTH - 1).join('')}\\`);
      rest = rest.slice(WIDTH - 1);
    }
    return [...parts, rest.join('')];
  });
  return ["=============== NOTE: '\\' line wrapping per RFC 8792 ===============", '', ...folded].join('\n');
}

/** The anchor that a text begins with, as an attribute. */
function anchorIn(document: string, raw: string): string {
  const [, anchor] = /^[\s|]*<a id="([^"]+)"><\/a>/.exec(raw) ?? [];
  return anchor === undefined ? '' : ` anchor="${anchorOf(document, anchor)}"`;
}

function row(document: string, cells: readonly Tokens.TableCell[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map(({ text, tokens }) => `<${tag}${anchorIn(document, text)}>${inline(document, tokens)}</${tag}>`).join('')}</tr>`;
}

/** A table; where its columns do not fit on a page, a list of its rows. */
function table(document: string, { raw, header, rows }: Tokens.Table): string {
  const longest = ({ text }: Tokens.TableCell): number =>
    Math.max(
      ...text
        .replace(/<[^>]*>|\]\([^)]*\)|[`*[]/g, '')
        .split(/[ -]/)
        .map(widthOf),
    );
  const widths = header.map((cell, at) => Math.max(longest(cell), ...rows.map((cells) => longest(cells[at]!))));
  // Characters of East Asia are wider than xml2rfc reckons.
  if (widths.reduce((sum, width) => sum + width + 3, 1) <= WIDTH && !/[\u2e80-\uffef]/.test(raw)) {
    const head = header.some(({ text }) => text !== '') ? `<thead>${row(document, header, 'th')}</thead>` : '';
    return `<table${anchorIn(document, raw)}>${head}<tbody>${rows.map((cells) => row(document, cells, 'td')).join('\n')}</tbody></table>`;
  }
  const items = rows.map(([first, ...others]) => {
    const values = others.map((cell, at) => [inline(document, header[at + 1]!.tokens), inline(document, cell.tokens)]);
    const lines = values
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `<t>${name === '' ? '' : `${name}: `}${value}</t>`);
    return `<dt${anchorIn(document, first!.text)}>${inline(document, first!.tokens)}</dt><dd>${lines.join('')}</dd>`;
  });
  return `<dl${anchorIn(document, raw)} newline="true">${items.join('\n')}</dl>`;
}

/** A paragraph; where it has more than one anchor, one for each. */
function paragraphs(document: string, { raw, tokens = [] }: Tokens.Generic): string {
  const parts: Token[][] = [[]];
  const names: string[] = [''];
  for (const token of tokens) {
    const [, anchor] = /^<a id="([^"]+)">$/.exec(token.raw) ?? [];
    if (anchor === undefined) parts.at(-1)!.push(token);
    else if (parts.at(-1)!.every((each) => each.raw.trim() === '')) names[names.length - 1] = anchor;
    else {
      parts.push([]);
      names.push(anchor);
    }
  }
  if (raw.startsWith('The key words MUST,')) return KEY_WORDS;
  return parts
    .map((part, at) => {
      const text = inline(document, part).trim();
      const anchor = anchorIn(document, names[at] === '' && at === 0 ? raw : `<a id="${names[at]}"></a>`);
      return text === '' ? '' : `<t${anchor}>${text}</t>`;
    })
    .join('');
}

function listing({ text, lang = '' }: Tokens.Code): string {
  const isFigure = lang === '' || lang.startsWith('figure');
  const element = isFigure ? 'artwork' : 'sourcecode';
  const type = isFigure || lang === 'text' ? '' : ` type="${lang}"`;
  const breakLine = isFigure ? breakFigure : lang === 'json' ? breakJson : breakCode;
  return `<${element}${type}><![CDATA[\n${fitLines(text, breakLine)}\n]]></${element}>`;
}

function block(document: string, token: Token): string {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return paragraphs(document, token);
    case 'code':
      return listing(token as Tokens.Code);
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      // A table of contents is made anew.
      if (items.every(({ text }) => /^(?:Annex .: )?\[[^\]]*\]\([^)]*\)(?: \(informative\))?$/.test(text))) return '';
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag}>${items.map(({ tokens }) => `<li>${tokens.map((each) => block(document, each)).join('')}</li>`).join('\n')}</${tag}>`;
    }
    case 'table':
      return table(document, token as Tokens.Table);
    default:
      return '';
  }
}

/** Nests sections by their depth. The title of a document is a section that holds the others, but for the first document. */
function nest(sections: readonly Section[]): string {
  const out: string[] = [];
  const open: number[] = [];
  for (const { document, title, anchor, depth, tokens } of sections) {
    while (open.length > 0 && open.at(-1)! >= depth) {
      open.pop();
      out.push('</section>');
    }
    open.push(depth);
    out.push(
      `<section${anchor === undefined ? '' : ` anchor="${anchor}"`}><name>${escapeHtml(title.replaceAll('`', ''))}</name>`,
    );
    out.push(...tokens.map((token) => block(document, token)));
  }
  return [...out, ...open.map(() => '</section>')].join('\n');
}

function referenceOf([anchor, { author, title, date, target, rfc }]: [string, Reference]): string {
  const people = /^[A-Z]\. /.test(author) ? author.split(', ') : [];
  const authors = people.map((name) => {
    const [, initials, surname] = /^((?:[A-Z]\. ?)+)(.+)$/.exec(name)!;
    return `<author fullname="${name}" initials="${initials!.trim()}" surname="${surname}"/>`;
  });
  const by = authors.length > 0 ? authors.join('') : `<author><organization>${author}</organization></author>`;
  const [year, month] = date?.split(' ') ?? [];
  const when = year === undefined ? '' : `<date year="${year}"${month === undefined ? '' : ` month="${month}"`}/>`;
  const series = rfc === undefined ? '' : `<seriesInfo name="RFC" value="${rfc}"/>`;
  return `<reference anchor="${anchor}" target="${target}"><front><title>${escapeHtml(title)}</title>${by}${when}</front>${series}</reference>`;
}

/** The text that RFC 8174 requires, word for word. */
const KEY_WORDS = `<t>The key words ${[
  'MUST',
  'MUST NOT',
  'REQUIRED',
  'SHALL',
  'SHALL NOT',
  'SHOULD',
  'SHOULD NOT',
  'RECOMMENDED',
  'NOT RECOMMENDED',
  'MAY',
]
  .map((word) => `"<bcp14>${word}</bcp14>",`)
  .join(' ')} and "<bcp14>OPTIONAL</bcp14>" in this document are to be interpreted as described in BCP 14
<xref target="RFC2119"/> <xref target="RFC8174"/> when, and only when, they appear in all capitals, as shown here.</t>`;

/** The sections as RFCs have them: an introduction, and the considerations with capitals. */
function middle(summary: readonly Token[], first: readonly Section[], others: readonly Section[][]): string {
  const left = first.filter(({ anchor }) => anchor !== 'status' && anchor !== 'reading-guide');
  const conventions = left.findIndex(({ title }) => title === 'Conventions');
  const documents = others.map(([title, ...rest]) =>
    title!.document === 'security'
      ? rest.map((section) => ({ ...section, title: section.title.replace('considerations', 'Considerations') }))
      : [title!, ...rest],
  );
  return `<section anchor="introduction"><name>Introduction</name>
${summary.map((token) => block(DOCUMENTS[0], token)).join('')}
<section anchor="status"><name>Status</name>
<t>This draft renders what an implementer needs of <xref target="SPEC"/>, version ${SCHEME}. Where the two differ, that text decides.
Its data files are at the addresses that this draft gives; their digests are in this draft. It also has the reasons, the evaluation,
test vectors with a protocol to run them, and documents on carrying fingerprints and sharing indexes. The outline of the scheme comes from
<xref target="PROPOSAL"/>.</t>
<t>Algorithms, tables, grammars, rules such as <xref target="TOK-2" format="none">TOK-2</xref>, the data files that they name, and the pseudo-code
of lookup3 and of S (<xref target="MIN-2" format="none">MIN-2</xref>) are normative. Examples, other pseudo-code and sections marked
informative are not. Lines that end with a backslash are folded as <xref target="RFC8792"/> says.</t>
</section>
${nest(left.slice(0, conventions))}
</section>
${nest(left.slice(conventions))}
${documents.map(nest).join('\n')}`;
}

/** Makes the Internet-Draft of a date such as `2026-01-31`. */
export function makeDraft(date: string): string {
  const [first, ...others] = sectionsByDocument as [Section[], ...Section[][]];
  const [title, ...sections] = first as [Section, ...Section[]];
  const about = title.tokens.findIndex(({ type }) => type === 'paragraph');
  const [year, month, day] = date.split('-').map(Number);
  return `<?xml version="1.0" encoding="utf-8"?>
<rfc xmlns:xi="http://www.w3.org/2001/XInclude" version="3" ipr="trust200902" submissionType="independent"
  category="info" docName="${NAME}" xml:lang="en" tocInclude="true" symRefs="true" sortRefs="true">
<front>
<title abbrev="simhash-doc">simhash-doc and minhash-doc: Similarity Fingerprints for Documents</title>
<seriesInfo name="Internet-Draft" value="${NAME}"/>
<author><organization>The simhash-doc authors</organization><address><uri>${address()}</uri></address></author>
<date year="${year}" month="${month}" day="${day}"/>
<abstract>${block(DOCUMENTS[0], title.tokens[about]!)}
<t>minhash-doc gives the same texts 64 or 256 bits that estimate how many words two documents share.</t></abstract>
</front>
<middle>
${middle(title.tokens.slice(about + 1), sections, others)}
<section anchor="iana"><name>IANA Considerations</name>
<t>This document asks for no action. <xref target="SPEC"/> has a draft of the registration of the HTTP field
Document-Fingerprint.</t></section>
</middle>
<back>
<references><name>Normative References</name>
${Object.entries(NORMATIVE).map(referenceOf).join('\n')}
</references>
<references><name>Informative References</name>
${Object.entries(INFORMATIVE).map(referenceOf).join('\n')}
</references>
</back>
</rfc>
`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const folder = new URL('build/spec/', root);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${NAME}.xml`, folder);
  writeFileSync(file, makeDraft(new Date().toISOString().slice(0, 10)));
  console.log(file.pathname);
}
