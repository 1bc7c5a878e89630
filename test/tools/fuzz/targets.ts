import type { Target } from './corpus.ts';
import * as documents from './targets/documents.ts';
import * as lookup from './targets/lookup.ts';
import * as text from './targets/text.ts';

/** The targets, by name. */
export const TARGETS: Readonly<Record<string, Target>> = { ...text, ...documents, ...lookup };
