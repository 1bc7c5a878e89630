/**
 * Writes the documents as PDF, by pdfkit: `npx tsx test/tools/generate/media/pdf.ts FOLDER`, where FOLDER holds the fonts of
 * Debian's fonts-noto-core and fonts-noto-cjk (`/usr/share/fonts`). Run by hand, when a document changes: the files are
 * kept, since fonts are too large to come along.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import PdfDocument from 'pdfkit';
import { type Block, MEDIA_DOCUMENTS, type MediaDocument } from './documents.ts';

/** The folder of the files. */
const PDF_FOLDER = new URL('./pdf/', import.meta.url);

const CJK = 'opentype/noto/NotoSansCJK-Regular.ttc';
const LATIN = 'truetype/noto/NotoSans-Regular.ttf';
/** Fonts by language; of a collection, the name of the font in it. */
const FONTS: Readonly<Record<string, readonly [path: string, name?: string]>> = {
  en: [LATIN],
  ru: [LATIN],
  ar: ['truetype/noto/NotoNaskhArabic-Regular.ttf'],
  hi: ['truetype/noto/NotoSansDevanagari-Regular.ttf'],
  th: ['truetype/noto/NotoSansThai-Regular.ttf'],
  'zh-Hans': [CJK, 'NotoSansCJKsc-Regular'],
  ja: [CJK, 'NotoSansCJKjp-Regular'],
  ko: [CJK, 'NotoSansCJKkr-Regular'],
};

const PAGE = { width: 420, height: 595, margin: 45 };
const SIZE = { title: 18, heading: 13, text: 11, note: 8, mark: 6 };
const RTL = { features: ['rtla'] as never };
/** Thai without taking SARA AM apart: pdfkit would write both parts as the whole. */
const WHOLE = { features: { ccmp: false } as never };

/** Writes one document. */
async function writePdf(document: MediaDocument, fonts: string): Promise<Buffer> {
  const { language, direction } = document;
  const pdf = new PdfDocument({
    size: [PAGE.width, PAGE.height],
    margin: PAGE.margin,
    autoFirstPage: false,
    info: { Title: 'metadata title', Author: 'metadata author', CreationDate: new Date(Date.UTC(1980, 0, 1)) },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve) => pdf.on('end', resolve));
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [path, name] = FONTS[language]!;
  pdf.registerFont('main', `${fonts}/${path}`, name);
  pdf.registerFont('latin', `${fonts}/${LATIN}`);
  const isRtl = direction === 'rtl';
  let y = 0;
  let page = 0;
  const notes: string[] = [];

  /** A line in pieces of one direction and one font; the Thai font has no digits. */
  const runsOf = (line: string): string[] =>
    line.match(language === 'th' ? /[0-9.,()]+|[^0-9.,()]+/g : isRtl ? /[0-9]+|[^0-9]+/g : /.+/g) ?? [];
  const isLatin = (run: string): boolean => /^[0-9.,()]+$/.test(run);
  const use = (run: string, size: number) => {
    pdf.font(language === 'th' && isLatin(run) ? 'latin' : 'main').fontSize(size);
    if (language === 'th') return WHOLE;
    return isRtl && !isLatin(run) ? RTL : {};
  };
  const widthOf = (line: string, size: number): number =>
    runsOf(line).reduce((sum, run) => sum + pdf.widthOfString(run, use(run, size)), 0);

  /** Draws a line from a place, to the left in right-to-left text. */
  function draw(line: string, x: number, size: number, at: number = y): number {
    for (const run of runsOf(line)) {
      const options = use(run, size);
      const width = pdf.widthOfString(run, options);
      pdf.text(run, isRtl ? x - width : x, at, { lineBreak: false, ...options });
      x += isRtl ? -width : width;
    }
    return x;
  }

  function newPage(): void {
    pdf.addPage();
    y = PAGE.margin;
    pdf.font('latin').fontSize(SIZE.note);
    pdf.text(String(++page), PAGE.width / 2, PAGE.height - 30, { lineBreak: false });
  }

  /** Splits a text where a line may break: after spaces, and in writing without them between words or characters. */
  function partsOf(text: string): string[] {
    if (!['th', 'zh-Hans', 'ja'].includes(language)) return text.match(/\S+\s*/g) ?? [];
    const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)].map(
      ({ segment }) => segment,
    );
    return words.reduce<string[]>((parts, word) => {
      // No line begins with a mark of punctuation, or with what is counted.
      if (parts.length > 0 && (/^[\p{P}\s]/u.test(word) || /[0-9]$/.test(parts.at(-1)!)))
        parts[parts.length - 1] += word;
      else parts.push(word);
      return parts;
    }, []);
  }

  function paragraph(text: string, size: number, indent = 0): number {
    const height = size * 1.6;
    const width = PAGE.width - 2 * PAGE.margin - indent;
    const start = isRtl ? PAGE.width - PAGE.margin - indent : PAGE.margin + indent;
    let line = '';
    let end = start;
    const flush = (): void => {
      if (y + height > PAGE.height - 90) newPage();
      end = draw(line.trimEnd(), start, size);
      y += height;
    };
    for (const part of partsOf(text)) {
      if (line !== '' && widthOf((line + part).trimEnd(), size) > width) {
        flush();
        line = '';
      }
      line += part;
    }
    flush();
    return end;
  }

  function block(each: Block): void {
    switch (each.kind) {
      case 'paragraph': {
        const end = paragraph(each.text.replaceAll('*', ''), SIZE.text);
        if (each.note !== undefined) {
          const mark = String(notes.push(each.note));
          draw(mark, end + (isRtl ? -1 : 1), SIZE.mark, y - SIZE.text * 1.6);
        }
        break;
      }
      case 'list':
        for (const item of each.items) paragraph(item, SIZE.text, 20);
        break;
      case 'table': {
        paragraph(each.caption, SIZE.text);
        const widths = each.rows[0]!.map((_cell, index) =>
          Math.max(...each.rows.map((row) => widthOf(row[index]!, SIZE.text))),
        );
        for (const row of each.rows) {
          let x = PAGE.margin + 10;
          if (y + 20 > PAGE.height - 90) newPage();
          for (const [index, cell] of row.entries()) {
            draw(cell, isRtl ? PAGE.width - x : x, SIZE.text);
            x += widths[index]! + 24;
          }
          y += SIZE.text * 1.6;
        }
        break;
      }
      case 'figure':
        if (y + 80 > PAGE.height - 90) newPage();
        pdf.rect(PAGE.margin, y + 4, 120, 40).stroke();
        y += 52;
        paragraph(each.caption, SIZE.text);
        break;
      case 'quote':
        paragraph(each.text, SIZE.text, 30);
    }
    y += 6;
  }

  newPage();
  paragraph(document.title, SIZE.title);
  paragraph(document.abstract, SIZE.text);
  for (const { heading, blocks } of document.sections) {
    y += 8;
    paragraph(heading, SIZE.heading);
    for (const each of blocks) block(each);
    // Notes stand at the foot of the page, as print has them.
    const resume = y;
    for (const [index, note] of notes.splice(0).entries()) {
      y = PAGE.height - 80;
      const start = isRtl ? PAGE.width - PAGE.margin : PAGE.margin;
      draw(String(index + 1), start, SIZE.mark);
      y = PAGE.height - 80;
      footnote(note);
    }
    y = resume;
  }
  y += 8;
  paragraph(document.referencesHeading, SIZE.heading);
  for (const reference of document.references) paragraph(reference, SIZE.text);
  pdf.end();
  await done;
  return Buffer.concat(chunks);

  /** A note, in lines that stay on the page. */
  function footnote(note: string): void {
    const start = isRtl ? PAGE.width - PAGE.margin - 8 : PAGE.margin + 8;
    let line = '';
    for (const part of [...partsOf(note), '']) {
      if (
        line !== '' &&
        (part === '' || widthOf((line + part).trimEnd(), SIZE.note) > PAGE.width - 2 * PAGE.margin - 8)
      ) {
        draw(line.trimEnd(), start, SIZE.note);
        y += SIZE.note * 1.5;
        line = '';
      }
      line += part;
    }
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  mkdirSync(PDF_FOLDER, { recursive: true });
  for (const document of MEDIA_DOCUMENTS)
    writeFileSync(
      new URL(`ferry-${document.language.toLowerCase()}.pdf`, PDF_FOLDER),
      await writePdf(document, process.argv[2] ?? '/usr/share/fonts'),
    );
}
