import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from '../../../../src/extract/index.ts';

/** A document of a collection. */
export interface Document {
  readonly id: string;
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  /** The group of documents that are copies or releases of each other. */
  readonly group?: string;
}

/** Texts with fewer letters are stubs, not documents. */
const MIN_LETTERS = 100;

/** Keeps the first of documents with the same text, and at most `most` of them, evenly from the whole list. */
export function choose(documents: readonly Document[], most: number): Document[] {
  const seen = new Set<string>();
  const distinct = documents.filter(
    ({ text }) => (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS && !seen.has(text) && seen.add(text),
  );
  return evenly(distinct, most);
}

/** At most `most` of a list, at even steps. */
export function evenly<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]!);
}

/** Larger files are data, not documents. */
const MAX_FILE = 4_000_000;

/** All files below a folder, by their names. Symbolic links are left out: what they name is listed once. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size <= MAX_FILE)
    .sort();
}

/** Reads files as documents. Those that cannot be read are left out. */
export async function readDocuments(
  paths: readonly string[],
  { root, language, group }: { root: string; language: string; group?: (path: string) => string },
): Promise<Document[]> {
  const documents: Document[] = [];
  for (const path of paths) {
    const text = await readText(path);
    if (text === undefined) continue;
    const id = relative(root, path);
    documents.push({ id, text, language, ...(group && { group: group(id) }) });
  }
  return documents;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const file = readFileSync(path);
    const bytes = path.endsWith('.gz') ? gunzipSync(file) : file;
    if (/\/man\d\/|\.\dp?(?:\.gz)?$/.test(path)) return textOfManPage(bytes.toString('utf8'));
    return (await extract(bytes, { path: path.replace(/\.gz$/, ''), charset: 'auto' })).text;
  } catch {
    return undefined;
  }
}

/** Requests of man(7), mdoc(7) and groff whose arguments are text. */
const TEXT_REQUESTS =
  /^[.'](?:S[HSmB]|B[IR]?|I[BRP]?|R[BI]|S[MB]|TP|TQ|Nm|Nd|Ar|Fl|Pa|Xr|Dq|Sq|Em|Sy|Li|Cm|Ic|Op|It|Sh|Ss)\b/;

const CHARACTERS: Readonly<Record<string, string>> = {
  aq: "'",
  dq: '"',
  oq: '‘',
  cq: '’',
  lq: '“',
  rq: '”',
  en: '–',
  em: '—',
};

/** Returns the text of a manual page, approximately as displayed: without comments, requests and escapes. */
export function textOfManPage(source: string): string {
  const lines = source
    .replace(/\\\n/g, '')
    .split('\n')
    .flatMap((line) => {
      if (!/^[.']/.test(line)) return [line];
      return TEXT_REQUESTS.test(line) ? [line.replace(/^\S+\s*/, '').replaceAll('"', '')] : [];
    });
  return lines.map(unescapeLine).join('\n');
}

function unescapeLine(line: string): string {
  return line
    .replace(/\\".*$/, '')
    .replace(
      /\\\*?\((..)|\\\*?\[([^\]]*)\]/g,
      (_, short?: string, long?: string) => CHARACTERS[(short ?? long)!] ?? ' ',
    )
    .replace(/\\f(?:\((?:..)|\[[^\]]*\]|.)/g, '')
    .replace(/\\[smvh](?:'[^']*'|[-+]?\d)/g, '')
    .replace(/\\[&%|^/,:)]/g, '')
    .replace(/\\([-'`e.~ 0])/g, (_, one: string) => (one === '-' ? '-' : ' '));
}
