import { isRecord } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import { extraction, replacementWarnings } from '../result.ts';
import type { Extractor } from '../types.ts';

type Json = Readonly<Record<string, unknown>>;

/** Escape sequences that colour the output of a terminal (ECMA-48). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with the control character ESC
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;

const DATA_URL = /data:[\w.+/-]{1,100};base64,[\w+/=]+/g;

/** Media types of an output, the best one first; then the names of nbformat 3. */
const TEXT_TYPES = ['text/markdown', 'text/plain', 'text'];

/** Jupyter notebooks (nbformat 3 and 4): the cells and their text outputs, in order (MED-7). */
export const notebook: Extractor = {
  name: 'notebook',
  version: '3',
  mediaType: 'application/x-ipynb+json',
  async extract(bytes) {
    const decoded = new TextDecoder(charsetOf(bytes)).decode(bytes);
    const texts = cellsOf(parse(decoded)).flatMap(({ source, input, outputs }) => [
      lines(source ?? input),
      ...objects(outputs).map(outputText),
    ]);
    const text = texts.filter(Boolean).join('\n\n');
    return extraction(
      notebook,
      text.replace(DATA_URL, ' '),
      replacementWarnings(decoded, charsetOf(bytes).toUpperCase()),
    );
  },
};

/** The encoding of JSON, which begins with ASCII (RFC 4627, 3): the decoder removes a byte order mark. */
function charsetOf([a, b]: Uint8Array): string {
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || a === 0 ? 'utf-16be' : 'utf-8';
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw extractionError('damaged', 'damaged notebook: not well-formed JSON', error);
  }
  throw extractionError('damaged', 'damaged notebook: expected a JSON object');
}

function cellsOf(notebook: Json): Json[] {
  const { cells, worksheets } = notebook;
  const sheets = Array.isArray(cells) ? [notebook] : objects(worksheets);
  if (sheets.length === 0 && !Array.isArray(worksheets))
    throw extractionError('damaged', 'damaged notebook: it has no cells');
  return sheets.flatMap((sheet) => objects(sheet['cells']));
}

function outputText(output: Json): string {
  const { output_type: type, text, data, ename, evalue } = output;
  if (type === 'stream') return lines(text).replace(ESCAPES, '');
  if (type === 'error' || type === 'pyerr') return `${lines(ename)}: ${lines(evalue)}`.replace(ESCAPES, '');
  const media = isRecord(data) ? data : output;
  // The text that stands for a picture is the name of its object.
  if (Object.keys(media).some((name) => /^image\/|^(?:png|jpeg|svg)$/.test(name))) return '';
  return lines(media[TEXT_TYPES.find((name) => name in media) ?? '']).replace(ESCAPES, '');
}

/** Joins a text that may be in lines, each with its line end; in nbformat 2, lines have none. */
function lines(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const strings = value.filter((each) => typeof each === 'string');
  return strings.join(strings.some((each) => each.endsWith('\n')) ? '' : '\n');
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
