import { extractionError } from '../errors.ts';

export type PdfParser = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let parser: Promise<PdfParser> | undefined;

/**
 * Loads pdf.js, once.
 * @throws (rejects) Error `missing-parser` with its cause: the package is not installed, or cannot run here
 */
export function loadPdfParser(): Promise<PdfParser> {
  parser ??= importQuietly().catch((cause: unknown) => {
    parser = undefined;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw extractionError(
      'missing-parser',
      code === 'ERR_MODULE_NOT_FOUND'
        ? 'reading PDF needs a package that is not installed: npm install pdfjs-dist'
        : `pdf.js, which reads PDF, cannot run here: ${message}`,
      cause,
    );
  });
  return parser;
}

/** What pdf.js needs when it is loaded, though nothing is ever drawn here. */
const PLACEHOLDERS = ['DOMMatrix', 'ImageData', 'Path2D'] as const;

/** What pdf.js and its polyfills leave in the global scope. */
const LEFTOVERS = [
  ...PLACEHOLDERS,
  ...['Iterator', '__core-js_shared__', '_pdfjsTestingUtils', 'navigator', 'pdfjsLib', 'pdfjsWorker', 'self', 'window'],
];

/** Imports pdf.js so that nothing is printed, nothing is sent, and nothing stays behind in the global scope. */
async function importQuietly(): Promise<PdfParser> {
  const scope = globalThis as Record<string, unknown>;
  const added = LEFTOVERS.filter((name) => !(name in scope));
  for (const name of PLACEHOLDERS) scope[name] ??= class {};
  // In a page's own worker, the other half of pdf.js would answer on that worker's channel unless there is a window.
  const require = requireOfParser();
  if (require === undefined) scope['window'] ??= scope;
  const { warn } = console;
  console.warn = (...message: unknown[]) => {
    if (!String(message[0]).startsWith('Warning: Cannot ')) warn.apply(console, message);
  };
  try {
    const found = await import('pdfjs-dist/legacy/build/pdf.mjs');
    // In Node it finds its other half itself. Elsewhere it would fetch it from an address that only the page knows, unless
    // that is loaded already, as part of the page's bundle; then both halves run on this thread.
    if (require === undefined && found.GlobalWorkerOptions.workerSrc === '')
      await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    // It looks for its other half in the global scope, and remembers where that was.
    const worker = new found.PDFWorker({ verbosity: 0 });
    await worker.promise;
    worker.destroy();
    return found;
  } finally {
    console.warn = warn;
    for (const name of added) delete scope[name];
  }
}

/** What `require` finds from where pdf.js is installed; nothing outside Node, or where it is part of a bundle. */
function requireOfParser(): NodeJS.Require | undefined {
  const { createRequire } = globalThis.process?.getBuiltinModule?.('node:module') ?? {};
  try {
    return createRequire?.(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  } catch {
    return undefined;
  }
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
