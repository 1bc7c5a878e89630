import { readdirSync, readFileSync } from 'node:fs';
import { loadFiles } from '../../conformance/suite/load-suite.ts';
import { collectCitations } from './citations.ts';
import { pageOfDocument, renderDocuments, renderIndexes } from './documents.ts';
import type { Asset, Page } from './html.ts';
import { renderReference } from './reference/reference.ts';
import { renderVectors } from './vectors.ts';

/** Renders everything that is not the playground. The repository must be built: the reference is made from `dist/`. */
export async function renderPages(root: URL): Promise<Page[]> {
  const groups = loadFiles();
  const citations = collectCitations(groups);
  return [
    ...renderIndexes(root),
    ...renderVectors(groups, citations),
    ...renderDocuments(root, citations),
    ...renderReference(root),
  ];
}

const COPIED: readonly (readonly [folder: string, name: RegExp])[] = [
  ['spec/', /\.txt$/],
  ['spec/bigrams/', /\.txt$/],
  ['spec/evaluation/', /\.svg$/],
  ['vectors/', /^(?!mutants|manifest).*\.json$/],
  ['vectors/schema/', /\.json$/],
  ['vectors/reports/', /\.json$/],
  ['vectors/claims/', /\.json$/],
  ['src/site/guides/pictures/', /\.webp$/],
];

export async function renderAssets(root: URL): Promise<Asset[]> {
  return COPIED.flatMap(([folder, name]) =>
    readdirSync(new URL(folder, root))
      .filter((file) => name.test(file))
      .map((file) => ({ path: pageOfDocument(folder + file), bytes: readFileSync(new URL(folder + file, root)) })),
  );
}
