import { extractionError } from '../errors.ts';

export type PdfParser = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let parser: Promise<PdfParser> | undefined;

/**
 * Loads pdf.js, once.
 * @throws (rejects) Error `missing-parser`
 */
export function loadPdfParser(): Promise<PdfParser> {
  parser ??= importQuietly().catch((cause: unknown) => {
    parser = undefined;
    throw extractionError(
      'missing-parser',
      'reading PDF needs a package that is not installed: npm install pdfjs-dist',
      cause,
    );
  });
  return parser;
}

/**
 * Imports pdf.js so that nothing is printed and nothing stays behind. Without a package for drawing, it prints that it
 * has none, and fails unless there is a DOMMatrix, though nothing is ever drawn here.
 */
async function importQuietly(): Promise<PdfParser> {
  const scope = globalThis as Record<string, unknown>;
  const placeholders = ['DOMMatrix', 'ImageData', 'Path2D'].filter((name) => scope[name] === undefined && !canDraw());
  for (const name of placeholders) scope[name] = class {};
  const { warn } = console;
  console.warn = (...message: unknown[]) => {
    if (!String(message[0]).startsWith('Warning: Cannot ')) warn.apply(console, message);
  };
  try {
    const found = await import('pdfjs-dist/legacy/build/pdf.mjs');
    // In Node it finds its other half itself. Elsewhere it would fetch it from an address that only the page knows, unless
    // that is loaded already, as part of the page's bundle; then both halves run on this thread.
    if (requireOfParser() === undefined && found.GlobalWorkerOptions.workerSrc === '')
      await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return found;
  } finally {
    console.warn = warn;
    for (const name of placeholders) delete scope[name];
  }
}

/** Whether pdf.js finds what it needs for drawing, in which case it brings its own DOMMatrix. */
function canDraw(): boolean {
  try {
    requireOfParser()?.('@napi-rs/canvas');
    return true;
  } catch {
    return false;
  }
}

/** What `require` finds from where pdf.js lies; nothing outside Node. */
function requireOfParser(): NodeJS.Require | undefined {
  const { createRequire } = globalThis.process?.getBuiltinModule?.('node:module') ?? {};
  return createRequire?.(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
}

/**
 * What pdf.js asks for tables that it ships (character maps, fonts): read from its own folder and from nowhere else.
 */
export class PackageData {
  /**
   * @param request.kind - which folder, as the name of the parameter that would name it
   * @param request.filename - which file
   */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = kind === 'cMapUrl' ? 'cmaps' : kind === 'standardFontDataUrl' ? 'standard_fonts' : undefined;
    // A document names its character maps: only names, never paths.
    if (folder === undefined || !/^[\w.-]+$/.test(filename)) throw new Error(`no such table: ${kind} ${filename}`);
    const path = requireOfParser()?.resolve(`pdfjs-dist/${folder}/${filename}`);
    if (path === undefined) throw new Error('tables of pdf.js are at hand in Node only');
    const { readFile } = globalThis.process.getBuiltinModule('node:fs/promises');
    return new Uint8Array(await readFile(path));
  }
}
