import { extractionError } from './errors.ts';
import type { Extractor } from './types.ts';

/** To be written. */
export const odt: Extractor = {
  name: 'odt',
  version: '1',
  mediaTypes: ['application/vnd.oasis.opendocument.text'],
  async extract() {
    throw extractionError('unsupported-media-type', 'cannot read odt yet');
  },
};
