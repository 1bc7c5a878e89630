import type { Asset, Page } from './types.ts';

/**
 * Renders the pages of the site, except the playground.
 * @param _root - the folder of the repository
 */
export async function renderPages(_root: URL): Promise<Page[]> {
  return [];
}

/** Renders the files that the pages refer to. */
export async function renderAssets(_root: URL): Promise<Asset[]> {
  return [];
}
