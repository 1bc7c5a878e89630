import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POLICY } from '../../src/site/build/layout.ts';
import { HEADERS, serve } from '../../src/site/build/serve.ts';
import { folder } from '../cli/command.ts';

test('the headers of the README are those of the tested site, and forbid frames', async () => {
  const readme = readFileSync(new URL('../../src/site/README.md', import.meta.url), 'utf8');
  const lines = [...readme.matchAll(/^ +add_header (\S+) "(.+)" always;$/gm)];
  expect(Object.fromEntries(lines.map(([, name, value]) => [name!.toLowerCase(), value]))).toEqual(HEADERS);
  const server = await serve(folder({ 'index.html': '<p>x', '404.html': '<p>missing' }));
  try {
    for (const [path, status] of [
      ['', 200],
      ['missing', 404],
    ] as const) {
      const response = await fetch(server.url + path);
      expect([response.status, await response.text()]).toEqual([status, `<p>${path || 'x'}`]);
      for (const [name, value] of Object.entries(HEADERS)) expect(response.headers.get(name)).toBe(value);
    }
  } finally {
    server.close();
  }
  expect(HEADERS['content-security-policy']).toContain("frame-ancestors 'none'");
  // Browsers ignore it in <meta>, with a message.
  expect(POLICY).not.toContain('frame-ancestors');
});
