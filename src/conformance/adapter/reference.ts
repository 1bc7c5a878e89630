import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { operations, runOperation } from './operations.ts';
import { PROTOCOL, toAsciiJson } from './protocol.ts';

const packageJson: { name: string; version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** The adapter of the shipped implementation: it speaks the protocol over standard input and output, as any other. */
async function answer({ id, op, input }: { id: string; op: string; input: unknown }): Promise<unknown> {
  if (op === 'hello')
    return {
      id,
      ok: {
        name: packageJson.name,
        version: packageJson.version,
        language: 'TypeScript',
        protocol: PROTOCOL,
        unicode: process.versions['unicode'] ?? null,
        operations: Object.keys(operations),
      },
    };
  if (!Object.hasOwn(operations, op)) return { id, unsupported: true };
  try {
    const outcome = await runOperation(op, input);
    return 'error' in outcome ? { id, error: { code: outcome.error } } : { id, ok: outcome.result };
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    // A package that is optional is not installed: it is this kind of input that is not offered.
    if (code === 'missing-parser') return { id, unsupported: true };
    return { id, error: { code: 'internal', message: String(message ?? error) } };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
  if (line !== '') process.stdout.write(`${toAsciiJson(await answer(JSON.parse(line)))}\n`);
