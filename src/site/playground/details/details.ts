import type { Actions } from '../actions.ts';
import type { View } from '../view/view.ts';
import { createCounters } from './counters.ts';
import { createFingerprints } from './fingerprints.ts';
import { createLabels } from './labels.ts';
import { createTables } from './tables.ts';
import { createTexts } from './text.ts';
import '../../styles/details.css';

export function createDetails(actions: Actions): readonly View[] {
  return [createFingerprints(), createTexts(), createCounters(), createTables(), createLabels(actions)];
}
