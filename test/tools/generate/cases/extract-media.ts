import type { Medium } from '../../../../src/extract/types.ts';
import type { CaseOf, Group } from '../case.ts';
import { MEDIA_DOCUMENTS } from '../media/documents.ts';
import { odp, ods, pptx, xlsx } from '../media/office.ts';
import {
  docx,
  epub,
  html,
  jats,
  mail,
  mhtml,
  notebook,
  odt,
  pdf,
  plainText,
  type Render,
  text,
} from '../media/render.ts';
import { bare } from '../oracle.ts';

/**
 * Every medium in which the documents are written: its name in ids, how it is read, the rule for that, and a
 * description.
 */
const MEDIA: readonly (readonly [name: string, type: Medium, rule: string, what: string, render: Render])[] = [
  ['text', 'text', 'MED-1', 'plain text', text],
  ['html', 'html', 'HTM-3', 'a web page', html],
  ['jats', 'xml', 'MED-2', 'JATS', jats],
  ['epub', 'epub', 'MED-4', 'EPUB', epub],
  ['docx', 'docx', 'MED-5', 'DOCX', docx],
  ['odt', 'odt', 'MED-5', 'ODT', odt],
  ['pdf', 'pdf', 'MED-3', 'PDF', pdf],
  ['mail', 'mail', 'MED-6', 'e-mail', mail],
  ['mhtml', 'mhtml', 'MED-6', 'MHTML', mhtml],
  ['notebook', 'notebook', 'MED-7', 'a Jupyter notebook', notebook],
  ['pptx', 'pptx', 'MED-8', 'PPTX', pptx],
  ['odp', 'odp', 'MED-8', 'ODP', odp],
  ['xlsx', 'xlsx', 'MED-9', 'XLSX', xlsx],
  ['ods', 'ods', 'MED-9', 'ODS', ods],
];

/**
 * The distance that is allowed. A text has to be read as it is; in other media a mark of a note may stick to a word, or a
 * label come along, and with some sixty tokens, as in languages without spaces, each of them flips bits.
 */
const WITHIN = { text: 0, others: 3 };

/**
 * The distances of a PDF that has less than its source: a font's table of characters has Devanagari's vowel signs where they
 * are drawn, not where they are spoken, and glyphs with a sign below stand as far apart as words do.
 */
const WITHIN_PDF: Readonly<Record<string, number>> = { hi: 8 };

/** The distance that is allowed a document in a medium. */
function withinOf(language: string, medium: string): number {
  if (medium === 'text') return WITHIN.text;
  return (medium === 'pdf' ? WITHIN_PDF[language] : undefined) ?? WITHIN.others;
}

const cases: CaseOf<'extract'>[] = [];
for (const document of MEDIA_DOCUMENTS) {
  const { base32 } = bare.explain(plainText(document));
  const language = document.language.toLowerCase();
  for (const [name, type, rule, what, render] of MEDIA) {
    const bytes = await render(document);
    cases.push({
      name: `ferry-${language}-${name}`,
      operation: 'extract',
      title: `a document in the language "${document.language}" as ${what}`,
      rules: [rule, 'EXT-1', 'EXT-2', 'EXT-3'],
      flags: [],
      input: { base64: Buffer.from(bytes).toString('base64'), type },
      hand: { fingerprint: base32, within: withinOf(document.language, name) },
    });
  }
}

/** The codes of JIS X 0208 by character: those of EUC-JP without their first bits. */
const JIS_X_0208 = new Map<string, string>();
const eucJp = new TextDecoder('euc-jp');
for (let row = 0x21; row < 0x7f; row++)
  for (let cell = 0x21; cell < 0x7f; cell++)
    JIS_X_0208.set(eucJp.decode(Uint8Array.of(row + 0x80, cell + 0x80)), String.fromCharCode(row, cell));

/** Encodes a text in ISO-2022-JP, with escape sequences around each run of characters of two bytes. */
function encodeIso2022Jp(source: string): string {
  const encode = (run: string): string => Array.from(run, (character) => JIS_X_0208.get(character)!).join('');
  return source.replace(/\P{ASCII}+/gu, (run) => `\x1b$B${encode(run)}\x1b(B`);
}

const japanese = MEDIA_DOCUMENTS.find(({ language }) => language === 'ja')!;
cases.push({
  name: 'ferry-ja-iso2022jp',
  operation: 'extract',
  title: 'a text in ISO-2022-JP, whose escape sequences tell the charset',
  rules: ['MED-1'],
  flags: [],
  input: {
    base64: Buffer.from(encodeIso2022Jp(Buffer.from(await text(japanese)).toString()), 'latin1').toString('base64'),
    type: 'text',
  },
  hand: { fingerprint: bare.explain(plainText(japanese)).base32, within: WITHIN.text },
});

export const extractMediaGroup: Group = {
  group: 'extract-media',
  description:
    'Step 0: one document in eight languages, each in several media, to the fingerprint of its text, graded by distance.',
  cases,
};
