import type { View } from '../view/view.ts';
import { createFingerprints } from './fingerprints.ts';
import { createTexts } from './text.ts';
import '../../styles/details.css';

export function createDetails(): readonly View[] {
  return [createFingerprints(), createTexts()];
}
