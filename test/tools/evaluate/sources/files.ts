import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from '../../../../src/extract/index.ts';
import type { Document } from './document.ts';
import { textOfManPage } from './man-page.ts';

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
