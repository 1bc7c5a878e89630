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

export interface Page {
  /** The path relative to the site, without a leading slash: `spec/simhash-doc.html`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly section: (typeof SECTIONS)[number] | 'search' | 'not found';
  /** HTML inside `<main>`, readable without JavaScript. Links are relative to the page. */
  readonly body: string;
  /** The path of the site on its server, for the page that is shown at any address. */
  readonly base?: string;
  readonly contents?: string;
}

export interface Asset {
  readonly path: string;
  readonly bytes: Uint8Array;
}
