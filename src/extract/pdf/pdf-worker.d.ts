/** The other half of pdf.js, which puts itself into the global scope for the first half to find. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
