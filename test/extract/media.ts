import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import type { InputOf } from '../../src/conformance/vector.ts';

/** The documents of the vectors of media: a story in eight languages, in each medium, by names such as `ferry-en-pdf`. */
export const MEDIA_DOCUMENTS: ReadonlyMap<string, InputOf<'extract'> & { readonly bytes: Uint8Array }> = new Map(
  loadFiles()
    .find(({ group }) => group === 'extract-media')!
    .vectors.map(({ id, input }) => {
      const document = input as InputOf<'extract'>;
      return [id.slice('extract-media/'.length), { ...document, bytes: Buffer.from(document.base64, 'base64') }];
    }),
);
