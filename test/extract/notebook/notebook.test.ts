import { describe, expect, test } from 'vitest';
import { detectType, extract } from '../../../src/extract/index.ts';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const notebookOf = (...cells: readonly unknown[]) => bytes({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
const textOf = async (document: Uint8Array) => (await extract(document, { path: 'a.ipynb' })).text;

describe('a notebook', () => {
  test('is detected by its cells, or by its name', () => {
    expect(detectType(notebookOf({ cell_type: 'markdown', source: 'a' }))).toBe('notebook');
    expect(detectType(notebookOf(), { path: 'A.IPYNB' })).toBe('notebook');
    expect(detectType(bytes({ worksheets: [{ cells: [{ cell_type: 'code' }] }] }))).toBe('notebook');
  });

  test.each([
    ['UTF-8 with a byte order mark', 'utf8', '\ufeff'],
    ['UTF-16 with a byte order mark', 'utf16le', '\ufeff'],
    ['UTF-16 without one', 'utf16le', ''],
    ['UTF-8 after white space', 'utf8', '\r\n  '],
  ] as const)('is read in %s, under any name', async (_name, encoding, start) => {
    const json = new TextDecoder().decode(notebookOf({ cell_type: 'markdown', source: 'é' }));
    const document = new Uint8Array(Buffer.from(start + json, encoding));
    const expected = { text: 'é', extractor: 'notebook/3', warnings: [] };
    expect(await extract(document)).toMatchObject(expected);
    if (encoding === 'utf16le') expect(await extract(Buffer.from(document).swap16())).toMatchObject(expected);
  });

  test('is not detected in other JSON, which is read as text', () => {
    expect(detectType(bytes({ cells: [] }))).toBe('text');
    expect(detectType(bytes({ cell_type: 'code' }), { path: 'a.json' })).toBe('text');
  });
});

describe('the text of a notebook', () => {
  test('has the cells and their text outputs in order (MED-7)', async () => {
    const document = notebookOf(
      { cell_type: 'markdown', source: ['# Title\n', 'one'], metadata: { tags: ['no'] } },
      {
        cell_type: 'code',
        source: 'two()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['\u001b[31mthree\u001b[0m\n', 'four'] },
          { output_type: 'execute_result', data: { 'text/html': '<b>no</b>', 'text/plain': ['five'] } },
          { output_type: 'display_data', data: { 'image/png': 'bm8=', 'text/plain': '<Figure no>' } },
          { output_type: 'error', ename: 'Six', evalue: 'seven', traceback: ['no'] },
        ],
      },
      { cell_type: 'raw', source: 'eight ![](data:image/png;base64,bm8bm8=)' },
    );
    expect((await textOf(document)).split(/\s+/).join(' ')).toBe(
      '# Title one two() three four five Six: seven eight ![]( )',
    );
  });

  test('is read in nbformat 3', async () => {
    const outputs = [
      { output_type: 'pyout', text: 'b', html: 'no' },
      { output_type: 'display_data', png: 'no', text: 'no' },
    ];
    const cells = [{ cell_type: 'code', input: ['a'], outputs }];
    expect(await textOf(bytes({ worksheets: [{ cells }] }))).toBe('a\n\nb');
  });

  test('is read in nbformat 2, whose lines have no line ends', async () => {
    const cells = [{ cell_type: 'markdown', source: ['one', '', 'two'] }];
    expect(await textOf(bytes({ worksheets: [{ cells }], nbformat: 2 }))).toBe('one\n\ntwo');
  });

  test('is rejected with the name of the damaged part', async () => {
    for (const damaged of ['{"cells": [', '{}', '{"cells": 1}'])
      await expect(textOf(bytes(damaged))).rejects.toMatchObject({ code: 'damaged' });
    const { extractor, mediaType } = await extract(notebookOf(), { path: 'a.ipynb' });
    expect([extractor, mediaType]).toEqual(['notebook/3', 'application/x-ipynb+json']);
  });
});
