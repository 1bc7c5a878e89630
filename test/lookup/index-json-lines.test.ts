import { expect, test } from 'vitest';
import { fingerprint, LABEL } from '../../src/index.ts';
import { createMemoryIndex } from '../../src/lookup/memory/memory-index.ts';
import { folder, jsonLines, run } from '../cli/command.ts';

const cwd = folder({
  'a.txt': 'some words',
  'b.txt': 'other words',
  'empty.txt': '',
  'damaged.pdf': '%PDF-1.7 nothing',
  'a.warc': [
    ['https://a.example/1', 'words of a record'],
    ['https://a.example/2', '1 2 3'],
  ]
    .map(
      ([uri, text]) =>
        `WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: ${uri}\r\nContent-Type: text/plain\r\nContent-Length: ${text!.length}\r\n\r\n${text}\r\n\r\n`,
    )
    .join(''),
});
const { stdout: lines } = await run(['hash', '--json', 'a.txt', 'empty.txt', 'a.warc', 'damaged.pdf', 'b.txt'], {
  cwd,
});

test('lines of hash --json have the path as id, followed by the name in the archive', async () => {
  const index = createMemoryIndex({ label: LABEL });
  expect(await index.importLines(lines)).toEqual({ added: 3, replaced: 0, refused: 0, bad: 3 });
  const entries = [...index.entries()].map(({ id, fingerprint: found }) => [id, found]);
  expect(entries).toEqual([
    ['a.txt', fingerprint('some words')],
    ['a.warc!https://a.example/1', fingerprint('words of a record')],
    ['b.txt', fingerprint('other words')],
  ]);
});

test('lines of documents without a fingerprint are reported with the reason, and stop nothing', async () => {
  const failed = jsonLines(lines).flatMap(({ path, member, error }, i) =>
    error === undefined ? [] : [{ line: i + 1, id: member === undefined ? path : `${path}!${member}`, error }],
  ) as { line: number; id: string; error: { message: string } }[];
  expect(failed.map(({ id }) => id)).toEqual(['empty.txt', 'a.warc!https://a.example/2', 'damaged.pdf']);
  for (const bad of ['stop', 'skip'] as const) {
    const told: unknown[] = [];
    const index = createMemoryIndex({ label: LABEL });
    await index.importLines(lines, {
      bad,
      onBad: ({ line, error }) => told.push({ line, error }),
    });
    expect(told).toMatchObject(
      failed.map(({ line, id, error }) => {
        const message = expect.stringMatching(new RegExp(`^${escapePattern(id)}: .*${escapePattern(error.message)}$`));
        return { line, error: { code: 'no-fingerprint', message } };
      }),
    );
  }
});

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
