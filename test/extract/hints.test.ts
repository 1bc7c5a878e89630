import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { extract } from '../../src/extract/index.ts';

test('the guide lists exactly the hints that exist', async () => {
  const guide = readFileSync(new URL('../../src/site/guides/library.md', import.meta.url), 'utf8');
  const list = /from bytes and hints \((.*?)\):/s.exec(guide)![1]!;
  const names = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const bytes = new TextEncoder().encode('a');
  for (const name of names) expect((await extract(bytes, { [name]: undefined })).text).toBe('a');
  const message = await extract(bytes, { other: 1 } as object).catch((error: Error) => error.message);
  for (const name of names) expect(message).toContain(name);
  expect(names).toHaveLength(5);
});
