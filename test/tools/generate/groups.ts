import type { Group } from './case.ts';
import { accumulatedGroup } from './cases/accumulated.ts';
import { classifyGroup } from './cases/classify.ts';
import { compareGroup } from './cases/compare.ts';
import { decodeGroup } from './cases/decode.ts';
import { documentsGroup } from './cases/documents.ts';
import { extractHtmlGroup } from './cases/extract-html.ts';
import { extractMediaGroup } from './cases/extract-media.ts';
import { fingerprintGroup } from './cases/fingerprint.ts';
import { gapsByGroup } from './cases/gaps.ts';
import { labelGroup } from './cases/label.ts';
import { lookupGroup } from './cases/lookup.ts';
import { minhashGroup } from './cases/minhash.ts';
import { addedCases } from './cases/mutants.ts';
import { normaliseGroup } from './cases/normalise.ts';
import { placesByGroup } from './cases/places.ts';
import { scalarsGroup } from './cases/scalars.ts';
import { serialiseGroup } from './cases/serialise.ts';
import { simhashGroup } from './cases/simhash.ts';
import { stripLocatorsGroup } from './cases/strip-locators.ts';
import { tablesGroup } from './cases/tables.ts';
import { tokenHashGroup } from './cases/token-hash.ts';
import { tokeniseGroup } from './cases/tokenise.ts';
import { variantsGroup } from './cases/variants.ts';

/** In the order of the steps; what runs through several steps, or often, comes last. */
const written: readonly Group[] = [
  decodeGroup,
  classifyGroup,
  normaliseGroup,
  stripLocatorsGroup,
  tokeniseGroup,
  tokenHashGroup,
  simhashGroup,
  serialiseGroup,
  labelGroup,
  compareGroup,
  tablesGroup,
  lookupGroup,
  fingerprintGroup,
  documentsGroup,
  variantsGroup,
  minhashGroup,
  extractHtmlGroup,
  extractMediaGroup,
  scalarsGroup,
  accumulatedGroup,
];

/** All groups, each with the cases that mutants and measurements made necessary. */
export const groups: readonly Group[] = written.map((each) => ({
  ...each,
  cases: [
    ...each.cases,
    ...(addedCases[each.group] ?? []),
    ...(placesByGroup[each.group] ?? []),
    ...(gapsByGroup[each.group] ?? []),
  ],
}));
