import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { folder, runProcess } from '../cli/command.ts';

// The same tests at full size.
import './reading.test.ts';

test('the time of a document does not include that of loading what reads it', async () => {
  const slow = encodeURIComponent(`
    const { compile } = WebAssembly;
    WebAssembly.compile = async (octets) => {
      await new Promise((resolve) => setTimeout(resolve, 3500));
      return compile(octets);
    };`);
  const pdf = readFileSync(new URL('../tools/generate/media/pdf/ferry-en.pdf', import.meta.url));
  const cwd = folder({ 'a.pdf': pdf, 'b.pdf': pdf });
  const { code, stdout, stderr } = await runProcess(['hash', '-j', '2', '--timeout', '3', '.'], {
    cwd,
    node: ['--import', `data:text/javascript,${slow}`],
  });
  expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 3 });
});
