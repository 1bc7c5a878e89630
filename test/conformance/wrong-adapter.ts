// A wrong implementation as an adapter, or as a one-shot command. usage: wrong-adapter.ts NAME [OPERATION,…|--one-shot]
import { createInterface } from 'node:readline';
import { makeAnswer } from './wrong.ts';

const [, , name = 'right', option] = process.argv;

if (option === '--one-shot') {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const reply = makeAnswer(name).answer('fingerprint', { utf8: Buffer.concat(chunks).toString('hex') });
  console.log(reply.kind === 'ok' ? (reply.result['fingerprint'] ?? '') : '');
} else {
  const { hello, answer } = makeAnswer(name, option === undefined ? {} : { operations: option.split(',') });
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, input } = JSON.parse(line);
    const reply = op === 'hello' ? ({ kind: 'ok', result: hello } as const) : answer(op, input);
    const body =
      reply.kind === 'ok'
        ? { ok: reply.result }
        : reply.kind === 'error'
          ? { error: { code: reply.code } }
          : { unsupported: true };
    console.log(JSON.stringify({ id, ...body }));
  }
}
