import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { distance, explain } from '../../../src/index.ts';
import { MEDIA_DOCUMENTS } from '../../tools/generate/media/documents.ts';
import { odp, ods, pptx, xlsx } from '../../tools/generate/media/office.ts';
import { plainText } from '../../tools/generate/media/render.ts';

describe.each(MEDIA_DOCUMENTS)('the fingerprint is within 3 bits of that of the plain text: $language', (document) => {
  test.each(Object.entries({ pptx, odp, xlsx, ods }))('%s', async (name, render) => {
    const { text, extractor, warnings } = await extract(await render(document));
    expect([extractor, warnings]).toEqual([`${name}/1`, []]);
    expect(distance(explain(text).fingerprint!, explain(plainText(document)).fingerprint!)).toBeLessThanOrEqual(3);
  });
});
