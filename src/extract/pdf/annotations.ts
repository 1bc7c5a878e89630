import type { PdfLine } from './build-lines.ts';
import { floatAt, type Pdfium, readText, withBytes } from './pdfium.ts';

/** Subtypes of annotations: text that stands on the page, a stamp, and a part of a form. */
const [FREE_TEXT, STAMP, WIDGET] = [3, 13, 20];
const INVISIBLE = 2 | 32;
/** Types of form fields whose value is a text, or that draw one. */
const [PUSH_BUTTON, COMBO_BOX, LIST_BOX, TEXT_FIELD, SIGNATURE] = [1, 4, 5, 6, 7];
/** The flag of a text field that shows no value. */
const PASSWORD = 1 << 13;

/** The form of a document, which is opened for the first field. */
export interface FormHandle {
  readonly pdfium: Pdfium;
  readonly document: number;
  info: number;
  form: number;
}

type ReadLines = (page: number) => readonly Pick<PdfLine, 'text'>[];

export function readAnnotations(handle: FormHandle, page: number, readLines: ReadLines): PdfLine[] {
  const { pdfium } = handle;
  const lines: PdfLine[] = [];
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const text = textOf(handle, annotation) ?? drawnText(handle, annotation, readLines);
    if (text.trim() !== '') lines.push(...linesOf(pdfium, annotation, text));
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return lines;
}

export function closeForm({ pdfium, form, info }: FormHandle): void {
  if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
  if (info !== 0) pdfium.PDFiumExt_CloseFormFillInfo(info);
}

/** Returns the text of an annotation; undefined if its appearance has to be read. */
function textOf(handle: FormHandle, annotation: number): string | undefined {
  const { pdfium } = handle;
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
  if (subtype !== FREE_TEXT && subtype !== STAMP && subtype !== WIDGET) return '';
  if ((pdfium.FPDFAnnot_GetFlags(annotation) & INVISIBLE) !== 0) return '';
  if (subtype === WIDGET) return fieldValue(handle, annotation);
  if (subtype === STAMP) return undefined;
  const contents = withBytes(pdfium, CONTENTS, (key) =>
    readText(pdfium, (buffer, size) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)),
  );
  return contents.trim() === '' ? undefined : contents;
}

const CONTENTS = new TextEncoder().encode('Contents\0');

function fieldValue(handle: FormHandle, annotation: number): string | undefined {
  const { pdfium } = handle;
  if (handle.info === 0) {
    handle.info = pdfium.PDFiumExt_OpenFormFillInfo();
    handle.form = pdfium.PDFiumExt_InitFormFillEnvironment(handle.document, handle.info);
  }
  const { form } = handle;
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === SIGNATURE || type === PUSH_BUTTON) return undefined;
  const isHidden = (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) !== 0;
  if (type === COMBO_BOX || type === LIST_BOX) {
    const labels = selectedLabels(handle, annotation);
    if (labels !== '') return labels;
  } else if (type !== TEXT_FIELD || isHidden) return '';
  const value = readText(pdfium, (buffer, size) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size));
  // Scripts of a form may have drawn text that the field does not hold. A list shows options that are not chosen.
  return value.trim() === '' && type !== LIST_BOX ? undefined : value;
}

/** Returns the text that the appearance of an annotation shows: PDFium makes a document of it. */
function drawnText({ pdfium }: FormHandle, annotation: number, readLines: ReadLines): string {
  const document = pdfium.EPDFAnnot_ExportAppearanceAsDocument(annotation);
  if (document === 0) return '';
  const page = pdfium.FPDF_LoadPage(document, 0);
  const lines = page === 0 ? [] : readLines(page);
  if (page !== 0) pdfium.FPDF_ClosePage(page);
  pdfium.FPDF_CloseDocument(document);
  return lines.map(({ text }) => text).join('\n');
}

/** Returns the text for the chosen options of a field, whose value may be a code for each. */
function selectedLabels({ pdfium, form }: FormHandle, annotation: number): string {
  const labels: string[] = [];
  const count = pdfium.FPDFAnnot_GetOptionCount(form, annotation);
  for (let index = 0; index < count; index++)
    if (pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index) !== 0)
      labels.push(
        readText(pdfium, (buffer, size) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, size)),
      );
  return labels.join('\n');
}

/** The size of the letters that are supposed in an annotation. */
const SIZE = 10;

function linesOf(pdfium: Pdfium, annotation: number, text: string): PdfLine[] {
  const [start, top, end] = withBytes(pdfium, new Uint8Array(16), (rectangle) => {
    pdfium.FPDFAnnot_GetRect(annotation, rectangle);
    return [0, 4, 8].map((at) => floatAt(pdfium, rectangle + at));
  }) as [number, number, number];
  const place = { start, end, size: SIZE, firstSize: SIZE, angle: 0, continuesRow: false };
  return text
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .map((line, index) => ({ ...place, text: line, baseline: top - (index + 1) * 1.2 * SIZE }));
}
