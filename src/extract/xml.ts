import { extractionError } from './errors.ts';
import type { Extractor } from './types.ts';

/** To be written. */
export const xml: Extractor = {
  name: 'xml',
  version: '1',
  mediaTypes: ['application/xml'],
  async extract() {
    throw extractionError('unsupported-media-type', 'cannot read xml yet');
  },
};
