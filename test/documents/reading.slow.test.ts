import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folder, runProcess } from '../cli/command.ts';
import { MEDIA_DOCUMENTS } from '../extract/media.ts';

test('the time of a document does not include that of loading its parser', async () => {
  const slow = encodeURIComponent(`
    const { compile } = WebAssembly;
    WebAssembly.compile = async (octets) => {
      await new Promise((resolve) => setTimeout(resolve, 3500));
      return compile(octets);
    };`);
  const pdf = MEDIA_DOCUMENTS.get('ferry-en-pdf')!.bytes;
  const cwd = folder({ 'a.pdf': pdf, 'b.pdf': pdf });
  const { code, stdout, stderr } = await runProcess(['hash', '-j', '2', '--timeout', '3', '.'], {
    cwd,
    node: ['--import', `data:text/javascript,${slow}`],
  });
  expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 3 });
});

test.each(['many.gz', '-'])('an archive of more documents than its size allows is aborted: %s', async (path) => {
  const many = gzipSync('From a 00:00\nA:\n\nb\n\n'.repeat(20_000));
  const { code, stdout } = await runProcess(['hash', '--json', path], {
    cwd: folder({ 'many.gz': many }),
    stdin: many,
  });
  const lines = stdout.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([3, 10_001]);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    path,
    error: {
      code: 'too-large',
      message: 'contains more than 10,000 documents: far more than its size allows',
    },
  });
});
