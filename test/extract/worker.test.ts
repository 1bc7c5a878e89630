import { describe, expect, test } from 'vitest';
import '../built.ts';

// The worker is a file of its own, so this runs what is built.
const { extractInWorker } = (await import(
  new URL('../../dist/extract/worker.js', import.meta.url).href
)) as typeof import('../../src/extract/worker.ts');

const bytes = (text: string) => new TextEncoder().encode(text);

describe('extractInWorker', () => {
  test('returns the result of extract', async () => {
    const document = bytes('<p>some <b>w</b>ords');
    expect(await extractInWorker(document, { path: 'a.html' })).toMatchObject({
      text: 'some words',
      mediaType: 'text/html',
    });
    expect(document).toHaveLength(20);
  });

  test.each<[string, Uint8Array, object, object]>([
    ['a document', bytes('%!PS-Adobe'), {}, { name: 'Error', code: 'unsupported-media-type' }],
    ['a hint', bytes('a'), { charset: 'none' }, { name: 'Error', code: 'unknown-charset' }],
    ['no bytes', 'a' as never, {}, { name: 'TypeError', code: 'wrong-type' }],
  ])('rejects %s with the error of extract', async (_, document, hints, error) => {
    await expect(extractInWorker(document, hints)).rejects.toMatchObject(error);
  });

  test('applies limits', async () => {
    const refused = extractInWorker(bytes('some words'), {}, { limits: { bytes: 5 } });
    await expect(refused).rejects.toMatchObject({ code: 'too-large' });
    const wrong = extractInWorker(bytes('some words'), {}, { limits: { bytes: -1 } });
    await expect(wrong).rejects.toMatchObject({ name: 'RangeError', code: 'out-of-range' });
  });

  test('terminates extraction that takes too long', async () => {
    // Two million elements take far longer than a thousandth of a second, on any machine.
    const slow = extractInWorker(bytes('<p>x'.repeat(2_000_000)), { type: 'html' }, { timeout: 1 });
    await expect(slow).rejects.toMatchObject({ code: 'timeout' });
  });

  test('fails if extraction takes too much memory', async () => {
    // Elements that are open take many times the bytes of their tags.
    const document = bytes('<div>'.repeat(600_000));
    const large = extractInWorker(document, { type: 'html' }, { heap: 64, limits: { depth: 9_999_999 } });
    await expect(large).rejects.toMatchObject({ code: 'out-of-memory' });
  });
});
