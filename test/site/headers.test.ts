import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

test('the server refuses what it cannot answer, and goes on', async () => {
  const cwd = folder({ 'site/index.html': '<p>x', 'secret.txt': 'secret' });
  const server = await serve(`${cwd}/site`, { base: '/under/' });
  const { port } = new URL(server.url);
  const request = async (line: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    return text(socket);
  };
  try {
    for (const [status, line] of [
      [400, 'GET /%'],
      [400, 'GET /under/%ff'],
      [400, 'GET /under/%00'],
      [400, 'GET http://'],
      [400, 'GET nonsense'],
      [400, 'GET under/ and more'],
      [404, 'GET //'],
      [404, 'GET /under/../secret.txt'],
      [404, 'GET /under/..%2fsecret.txt'],
      [404, 'GET /under/%2e%2e/secret.txt'],
      [404, `GET /under/${'a'.repeat(5000)}`],
      [404, 'HEAD /under/none'],
      [405, 'POST /under/'],
      [405, 'OPTIONS *'],
      [431, `GET /under/${'a'.repeat(50_000)}`],
      [200, 'HEAD /under/'],
      [200, 'GET http://localhost/under/?a=%'],
    ] as const) {
      const answer = await request(line);
      expect([line, answer.split('\r\n')[0]]).toEqual([line, expect.stringContaining(` ${status} `)]);
      expect(answer.includes('<p>x')).toBe(status === 200 && line.startsWith('GET'));
      expect(answer).not.toContain('secret');
    }
  } finally {
    server.close();
  }
});
