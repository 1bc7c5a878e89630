import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { implementations, isThere } from './implementations.ts';

const vectors = new URL('../../vectors/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));

const [, example] = /<!-- example: harness -->\n\n```python\n(.*?)```/s.exec(
  readFileSync(join(vectors, 'README.md'), 'utf8'),
)!;
const found = implementations.find(({ name }) => name === 'python')!.command();
const there = isThere('python', !('missing' in found));

/** Runs the harness with the example of vectors/README.md; returns its lines. */
function runHarness(change: (example: string) => string, ...groups: string[]): readonly string[] {
  writeFileSync(join(folder, 'ours.py'), change(example!));
  const { stdout, stderr } = spawnSync('python3', ['-B', join(vectors, 'harness.py'), 'ours', ...groups], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: `${folder}:${join(vectors, 'adapters/python')}` },
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe.skipIf(!there)('vectors/harness.py, which runs the vectors without the runner,', () => {
  test('has at most 100 lines', () => {
    expect(readFileSync(join(vectors, 'harness.py'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(100);
  });

  test('passes the vectors that the implementation in Python answers', () => {
    const groups = ['decode', 'lookup', 'variants', 'compare', 'tables'];
    expect(runHarness((text) => text, ...groups)).toEqual([expect.stringMatching(/^\d{3} passed, 0 failed/)]);
  });

  test('names vectors that fail, of documents also', () => {
    const lines = runHarness(
      (text) => text.replace('run(given)', '{**run(given), "text": "?", "fingerprint": None}'),
      'decode',
    );
    expect(lines).toContain('failed: decode/ascii');
    expect(lines).toContain('failed: decode/ascii/document');
    expect(lines.at(-1)).toMatch(/^\d+ passed, \d+ failed, 0 not answered$/);
  });
});
