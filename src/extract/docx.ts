import { extractionError } from './errors.ts';
import type { Extractor } from './types.ts';

/** To be written. */
export const docx: Extractor = {
  name: 'docx',
  version: '1',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  async extract() {
    throw extractionError('unsupported-media-type', 'cannot read docx yet');
  },
};
