import { expect, test } from 'vitest';
import { folder, run } from '../command.ts';

test('compares documents of many distinct tokens, which are counted in parts', async () => {
  const words = Array.from({ length: 2_200_000 }, (_, i) => `w${i.toString(36)}`);
  const files = folder({ a: words.join(' '), b: words.slice(0, 2_090_000).join(' ') });
  const { stdout } = await run(['compare', '--json', 'a', 'b'], { cwd: files });
  expect(JSON.parse(stdout)).toMatchObject({ overlap: 0.95 });
  const one = await run(['compare', '--json', 'a', 'simhash-doc:AAAAAAAAAAAAA'], { cwd: files });
  expect(JSON.parse(one.stdout)).not.toHaveProperty('overlap');
});
