import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { answer, createInProcessAdapter } from './in-process-adapter.ts';
import { toAsciiJson } from './protocol.ts';

async function respond({ id, op, input }: { id: string; op: string; input: unknown }): Promise<object> {
  if (op === 'hello') {
    const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const hello = await createInProcessAdapter().hello();
    return {
      id,
      ok: { ...hello, version: JSON.parse(manifest).version, unicode: process.versions['unicode'] ?? null },
    };
  }
  const reply = await answer(op, input);
  if (reply.kind === 'ok') return { id, ok: reply.result };
  if (reply.kind === 'error') return { id, error: { code: reply.code, message: reply.message } };
  return { id, unsupported: true };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
  if (line !== '') process.stdout.write(`${toAsciiJson(await respond(JSON.parse(line)))}\n`);
