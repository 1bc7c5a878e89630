import { expect, test } from 'vitest';
import { DEFAULT_MEMORY, DEFAULT_TIMEOUT } from '../../src/documents/hints.ts';
import { openDocuments } from '../../src/documents/run-documents.ts';
import { walk } from '../../src/documents/walk.ts';
import { unopened } from '../../src/documents/walk-plan.ts';
import { DEFAULT_LIMITS } from '../../src/extract/index.ts';
import { LABEL } from '../../src/scheme/labels/label.ts';
import { folder } from '../cli/command.ts';

test('documents that wait for earlier ones count as done, but their bytes do not until they are reported', async () => {
  const count = 40;
  const page = `<p>${'a page of words '.repeat(200)}`;
  const cwd = folder(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i + 100}.html`, page])));
  const hints = {
    label: LABEL,
    charset: undefined,
    type: undefined,
    limits: DEFAULT_LIMITS,
    timeout: DEFAULT_TIMEOUT,
    memory: DEFAULT_MEMORY,
  };
  const documents = openDocuments({ hints, jobs: 2, isHandful: false });
  try {
    const sizes: number[] = [];
    let reported = 0;
    for await (const _ of documents.run('hash', unopened([...walk([cwd])]))) {
      reported++;
      const { bytes, ahead } = documents.done();
      expect(ahead).toBeGreaterThanOrEqual(0);
      expect(bytes).toBe((reported + ahead) * page.length);
      sizes.push(reported + ahead);
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(documents.done()).toEqual({ bytes: count * page.length, ahead: 0 });
  } finally {
    await documents.close();
  }
});
