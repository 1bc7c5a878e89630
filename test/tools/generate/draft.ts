/**
 * Writes the core of the specification as an Internet-Draft in RFCXML version 3 (RFC 7991): `npm run spec:draft` writes
 * build/spec/draft-simhash-doc-00.xml. Nothing is submitted; the draft shows that the text fits the form.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../src/common/text.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The documents of the draft. Their headings of level 2 are its sections. */
const DOCUMENTS = ['simhash-doc', 'lookup', 'variants', 'minhash-doc', 'normalisation', 'security'] as const;

const NAME = 'draft-simhash-doc-00';
/** The width of a line in RFCs. */
const WIDTH = 69;

/** Normative references: author, title and year by the number of the RFC. */
const RFCS: Readonly<Record<string, readonly [author: string, title: string, year: number]>> = {
  RFC2119: ['S. Bradner', 'Key words for use in RFCs to Indicate Requirement Levels', 1997],
  RFC4648: ['S. Josefsson', 'The Base16, Base32, and Base64 Data Encodings', 2006],
  RFC5234: ['D. Crocker', 'Augmented BNF for Syntax Specifications: ABNF', 2008],
  RFC7405: ['P. Kyzivat', 'Case-Sensitive String Support in ABNF', 2014],
  RFC8174: ['B. Leiba', 'Ambiguity of Uppercase vs Lowercase in RFC 2119 Key Words', 2017],
};

const marked = new Marked({ gfm: true });

interface Section {
  readonly document: string;
  readonly title: string;
  readonly anchor: string | undefined;
  readonly depth: number;
  readonly tokens: Token[];
}

/** Anchors of the first document stay as they are, the others get a prefix. */
function anchorOf(document: string, anchor: string): string {
  return document === DOCUMENTS[0] ? anchor : `${document}--${anchor}`;
}

/** Cuts a document at its headings. An anchor stands in a paragraph of its own before its heading. */
function sectionsOf(document: string): Section[] {
  const sections: Section[] = [];
  let anchor: string | undefined;
  for (const token of marked.lexer(read(`spec/${document}.md`).replace(/<!--.*?-->/gs, ''))) {
    const [, alone] = /^<a id="([^"]+)"><\/a>\s*$/.exec(token.raw) ?? [];
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      sections.push({ document, title: text, anchor: anchor && anchorOf(document, anchor), depth, tokens: [] });
      anchor = undefined;
    } else if (alone !== undefined) anchor = alone;
    else sections.at(-1)?.tokens.push(token);
  }
  return sections;
}

const sectionsByDocument = DOCUMENTS.map(sectionsOf);
const anchors = new Set(sectionsByDocument.flat().map(({ anchor }) => anchor));

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

/** A link to a section of the draft is a reference; one to a rule or to another document is its text. */
function linkOf(document: string, { href, tokens }: Tokens.Link): string {
  const text = inline(document, tokens);
  if (/^https?:/.test(href)) return `<eref target="${escapeHtml(href)}">${text}</eref>`;
  const [file, anchor = ''] = href.split('#') as [string, string?];
  if (anchor in RFCS) return `<xref target="${anchor}"/>`;
  const target = anchorOf(file.replace('.md', '') || document, anchor);
  return anchors.has(target) ? `<xref target="${target}">${text}</xref>` : text;
}

/** Folds the lines of a listing as RFC 8792, section 7 says, where one is too long. */
function fold(text: string): string {
  if (text.split('\n').every((line) => [...line].length <= WIDTH)) return text;
  const folded = text.split('\n').flatMap((line) => {
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

function row(document: string, cells: readonly Tokens.TableCell[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(document, tokens)}</${tag}>`).join('')}</tr>`;
}

function block(document: string, token: Token): string {
  switch (token.type) {
    case 'paragraph':
    case 'text': {
      if (token.raw.startsWith('The key words MUST,')) return KEY_WORDS;
      const text = inline(document, token.tokens).trim();
      return text === '' ? '' : `<t>${text}</t>`;
    }
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      const isFigure = lang === '' || lang.startsWith('figure');
      const element = isFigure ? 'artwork' : 'sourcecode';
      const type = isFigure || lang === 'text' ? '' : ` type="${lang}"`;
      return `<${element}${type}><![CDATA[\n${fold(text)}\n]]></${element}>`;
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      const tag = ordered ? 'ol' : 'ul';
      return `<${tag}>${items.map(({ tokens }) => `<li>${tokens.map((each) => block(document, each)).join('')}</li>`).join('\n')}</${tag}>`;
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const head = header.some(({ text }) => text !== '') ? `<thead>${row(document, header, 'th')}</thead>` : '';
      return `<table>${head}<tbody>${rows.map((cells) => row(document, cells, 'td')).join('\n')}</tbody></table>`;
    }
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

function referenceOf([name, [author, title, year]]: [string, (typeof RFCS)[string]]): string {
  const front = `<front><title>${title}</title><author fullname="${author}" initials="${author.slice(0, 2)}" surname="${author.slice(3)}"/><date year="${year}"/></front>`;
  const address = `https://www.rfc-editor.org/info/${name.toLowerCase()}`;
  return `<reference anchor="${name}" target="${address}">${front}<seriesInfo name="RFC" value="${name.slice(3)}"/></reference>`;
}

/** What RFC 8174 asks for, word for word. */
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
function middle(first: readonly Section[], others: readonly Section[][]): string {
  const left = first.filter(({ anchor }) => anchor !== 'references' && anchor !== 'reading-guide');
  const conventions = left.findIndex(({ title }) => title === 'Conventions');
  const documents = others.map(([title, ...rest]) =>
    title!.document === 'security'
      ? rest.map((section) => ({ ...section, title: section.title.replace('considerations', 'Considerations') }))
      : [title!, ...rest],
  );
  return `<section anchor="introduction"><name>Introduction</name>
${nest(left.slice(0, conventions))}
</section>
${nest(left.slice(conventions))}
${documents.map(nest).join('\n')}`;
}

/** Makes the Internet-Draft of a date such as `2026-01-31`. */
export function makeDraft(date: string): string {
  const [first, ...others] = sectionsByDocument as [Section[], ...Section[][]];
  const [title, ...sections] = first as [Section, ...Section[]];
  const [abstract] = title.tokens.filter(({ type, raw }) => type === 'paragraph' && !/^Version/.test(raw));
  const [year, month, day] = date.split('-').map(Number);
  return `<?xml version="1.0" encoding="utf-8"?>
<rfc xmlns:xi="http://www.w3.org/2001/XInclude" version="3" ipr="trust200902" submissionType="independent"
  category="info" docName="${NAME}" xml:lang="en" tocInclude="true" symRefs="true" sortRefs="true">
<front>
<title abbrev="simhash-doc">${escapeHtml(title.title)}</title>
<seriesInfo name="Internet-Draft" value="${NAME}"/>
<author fullname="The simhash-doc authors"><organization>simhash-doc</organization></author>
<date year="${year}" month="${month}" day="${day}"/>
<abstract>${block(DOCUMENTS[0], abstract!)}</abstract>
</front>
<middle>
${middle(sections, others)}
<section anchor="iana"><name>IANA Considerations</name>
<t>The registration of the HTTP field Document-Fingerprint is drafted in registrations.md of the specification. This document
asks for no action.</t></section>
</middle>
<back>
<references><name>Normative References</name>
${Object.entries(RFCS).map(referenceOf).join('\n')}
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
