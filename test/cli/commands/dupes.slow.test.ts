import { expect, test } from 'vitest';
import { folder, jsonLines, stdoutOf } from '../command.ts';
import '../../duplicates/match.test.ts';

test('dupes compares documents with more distinct tokens than it holds in parts', async () => {
  const words = Array.from({ length: 2_500_000 }, (_, i) => `w${i.toString(36)}`);
  // These decide the bits, so that the fingerprints are near.
  const frequent = ' eight words that decide the bits of it'.repeat(200_000);
  const cwd = folder({ 'a.txt': words.join(' ') + frequent, 'b.txt': words.slice(0, 2_250_000).join(' ') + frequent });
  const stdout = await stdoutOf(['dupes', '--json', '--pairs', '.'], { cwd });
  const overlap = Math.floor((10_000 * 3_850_000) / 4_100_000) / 10_000;
  expect(jsonLines(stdout)).toMatchObject([{ a: './a.txt', b: './b.txt', overlap }]);
});
