// An adapter that breaks the protocol in one way. usage: node smoke-adapter.mjs MODE
import { createInterface } from 'node:readline';

const [, , mode] = process.argv;
const texts = ['keeps-texts', 'encodes-twice', 'writes-latin1'].includes(mode);
const operations =
  { none: [], strange: ['dance', 'token-hash'] }[mode] ?? (texts ? ['token-hash', 'normalise'] : ['token-hash']);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, input } = JSON.parse(line);
  if (mode === 'short-lines' && line.length > 65_536) process.exit(4);
  if (op === 'hello')
    say({ id, ok: { name: 'smoke', version: '1', language: 'JavaScript', protocol: 1, unicode: null, operations } });
  else if (op === 'normalise' && texts) {
    const bytes = Buffer.from(`${JSON.stringify({ id, ok: { text: input.text.normalize() } })}\n`);
    if (mode === 'encodes-twice') process.stdout.write(bytes.toString('latin1'));
    else process.stdout.write(mode === 'writes-latin1' ? Buffer.from(bytes.toString(), 'latin1') : bytes);
  } else if (op !== 'token-hash') {
    if (mode === 'dies-of-the-unknown') process.exit(3);
    if (mode === 'refuses-the-unknown') say({ id, error: { code: 'no-such-operation' } });
    else say({ id, unsupported: true });
  } else if (mode === 'own-code') say({ id, error: { code: 'oops' } });
  else if (mode === 'other-member') say({ id, ok: { value: '00' } });
  else if (mode === 'other-kind') say({ id, ok: { hash: input.text.length } });
  else say({ id, ok: { hash: '0000000000000000' } });
  if (mode === 'one-request' && op === 'token-hash') process.exit(0);
}
if (mode === 'never-ends') setInterval(() => {}, 1000);
if (mode === 'ends-badly') process.exit(9);
