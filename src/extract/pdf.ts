import { extractionError } from './errors.ts';
import type { Extractor } from './types.ts';

/** To be written. */
export const pdf: Extractor = {
  name: 'pdf',
  version: '1',
  mediaTypes: ['application/pdf'],
  async extract() {
    throw extractionError('unsupported-media-type', 'cannot read pdf yet');
  },
};
