import { extract } from '../../src/extract/index.ts';
import { MEDIA_DOCUMENTS } from '../extract/media.ts';
import { makeCjkPdf } from '../extract/pdf/pdf-made.ts';

/** Documents whose text must be the same everywhere, by name: eight scripts, and the predefined maps of character codes. */
export const PDFS: ReadonlyMap<string, Uint8Array> = new Map([
  ['cjk.pdf', makeCjkPdf().bytes],
  ...[...MEDIA_DOCUMENTS].flatMap(([name, { type, bytes }]) =>
    type === 'pdf' ? [[name.replace(/-pdf$/, '.pdf'), bytes] as const] : [],
  ),
]);

/** Their texts here, by name. */
export async function textsOfPdfs(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, bytes] of PDFS) texts[name] = (await extract(bytes)).text;
  return texts;
}
