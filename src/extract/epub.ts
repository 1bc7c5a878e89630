import { extractionError } from './errors.ts';
import type { Extractor } from './types.ts';

/** To be written. */
export const epub: Extractor = {
  name: 'epub',
  version: '1',
  mediaTypes: ['application/epub+zip'],
  async extract() {
    throw extractionError('unsupported-media-type', 'cannot read epub yet');
  },
};
