import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from '../../src/extract/index.ts';
import { makeCjkPdf } from '../extract/pdf/pdf-made.ts';
import { root } from './tools.ts';

/** Documents whose text must be the same everywhere, by name: eight scripts, and the predefined maps of character codes. */
export const PDFS: ReadonlyMap<string, Uint8Array> = (() => {
  const folder = join(root, 'test/tools/generate/media/pdf');
  const documents = new Map<string, Uint8Array>([['cjk.pdf', makeCjkPdf().bytes]]);
  for (const name of readdirSync(folder)) documents.set(name, readFileSync(join(folder, name)));
  return documents;
})();

/** Their texts here, by name. */
export async function textsOfPdfs(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, bytes] of PDFS) texts[name] = (await extract(bytes)).text;
  return texts;
}
