/** The parts of the site, in the order of its navigation. */
export const SECTIONS = [
  'playground',
  'specification',
  'vectors',
  'report card',
  'evaluation',
  'guides',
  'reference',
] as const;

/** A page of the site. */
export interface Page {
  /** Relative to the site, without a leading slash: `spec/simhash-doc.html`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly section: (typeof SECTIONS)[number] | 'search' | 'not found';
  /** HTML inside `<main>`, readable without JavaScript. Links are relative to the page. */
  readonly body: string;
  /** The path of the site on its server, for a page that is shown at any address. */
  readonly base?: string;
  /** HTML of a table of contents. */
  readonly contents?: string;
}

/** A file of the site that is not a page. */
export interface Asset {
  /** Relative to the site. */
  readonly path: string;
  readonly bytes: Uint8Array;
}
