import { describe, expect, test } from 'vitest';
import { type ExtractionHints, extract } from '../../../src/extract/index.ts';

const PAGE = '<nav>one</nav><main>two <article>three</article></main>';
const read = (markup: string, hints: ExtractionHints = {}) =>
  extract(Buffer.from(markup), { type: 'html', extractor: 'article', ...hints });

describe('the article of a page (HTM-7)', () => {
  test('is recorded as a separate extractor', async () => {
    expect(await read(PAGE)).toMatchObject({ text: 'three', extractor: 'html-article/2', mediaType: 'text/html' });
    expect(await read(PAGE, { extractor: undefined })).toMatchObject({ extractor: 'html/2' });
  });

  test('is read from HTML only', async () => {
    expect(await read('one', { type: 'text' })).toMatchObject({ text: 'one', extractor: 'text/2' });
  });

  test('is the whole body, with a warning, if no article has text', async () => {
    const { text, warnings } = await read('<form>one <main>two</main></form>');
    expect(text).toBe('one\ntwo');
    expect(warnings).toEqual(['no text outside of navigation and forms: the whole body is read']);
  });

  test('is found again after a late declaration of the charset', async () => {
    const markup = Buffer.from(`<p>${' '.repeat(2000)}<article>é</article><meta charset=iso-8859-2>`, 'latin1');
    expect(await extract(markup, { type: 'html', extractor: 'article' })).toMatchObject({ text: 'é' });
  });

  test('takes bounded time on thousands of nested articles', async () => {
    const start = process.cpuUsage();
    await read(`${'<div hidden><article>'.repeat(900)}one`);
    await read('<article>one</article>'.repeat(100_000));
    expect(process.cpuUsage(start).user).toBeLessThan(1e7);
  });
});

test('unknown hints and extractors are errors', async () => {
  await expect(extract(Buffer.from('one'), { Path: 'a' } as ExtractionHints)).rejects.toThrow('a hint');
  await expect(read(PAGE, { extractor: 'body' as 'article' })).rejects.toMatchObject({ code: 'out-of-range' });
});
