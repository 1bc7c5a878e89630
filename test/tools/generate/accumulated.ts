/**
 * Finds the digests of accumulated vectors that the twin is too slow for, with the shipped implementation and those in
 * vectors/adapters/: `npx tsx test/tools/generate/accumulated.ts`. At least one of the latter has to agree.
 */
import { writeFileSync } from 'node:fs';
import { runOperation } from '../../../src/conformance/adapter/operations.ts';
import { createProcessAdapter } from '../../../src/conformance/adapter/process.ts';
import { MAX_CASES } from '../../../src/conformance/suite/accumulate.ts';
import { implementations } from '../../adapters/implementations.ts';
import { type FoundDigest, digests as known } from './cases/accumulated-digests.ts';
import { accumulated, TWIN } from './cases/accumulating.ts';

const file = new URL('cases/accumulated-digests.ts', import.meta.url);

/** Finds the digest of each vector, and the implementations that compute it. */
async function findDigests(): Promise<Record<string, FoundDigest>> {
  // The faster ones first: for the largest tier one is enough.
  const adapters = [...implementations].reverse().map(({ name, command }) => {
    const found = command();
    if ('missing' in found) throw new Error(`${name}: ${found.missing} is missing`);
    return { name, adapter: createProcessAdapter(found, { deadline: 60_000 }) };
  });
  const digests: Record<string, FoundDigest> = {};
  try {
    for (const { name, input } of accumulated) {
      if (input.count <= TWIN) continue;
      const own = await runOperation('accumulate', input);
      if ('error' in own) throw new Error(`${name}: refused with ${own.error}`);
      const { digest } = own.result as { digest: string };
      const agrees: string[] = [];
      for (const each of adapters) {
        if (input.count > MAX_CASES && agrees.length > 0) break;
        const reply = await each.adapter.request('accumulate', input);
        if (reply.kind === 'unsupported') continue;
        if (reply.kind !== 'ok' || reply.result['digest'] !== digest)
          throw new Error(`${name}: expected ${digest}, ${each.name} gives ${JSON.stringify(reply)}`);
        agrees.push(each.name);
      }
      if (agrees.length === 0) throw new Error(`${name}: no other implementation gives a digest`);
      digests[name] = { digest, agrees: agrees.sort() };
      if (digests[name].digest !== known[name]?.digest) console.log(`${name}: ${digest} (${agrees.join(', ')})`);
    }
  } finally {
    for (const { adapter } of adapters) await adapter.close();
  }
  return digests;
}

/** Writes the digests that were found. */
async function writeDigests(): Promise<void> {
  const rows = Object.entries(await findDigests()).map(
    ([name, { digest, agrees }]) => `  '${name}': ['${digest}', '${agrees.join(' ')}'],\n`,
  );
  const text = `/** Digests of vectors that the twin is too slow for, by their names; written by test/tools/generate/accumulated.ts. */
const rows: Readonly<Record<string, readonly [digest: string, agrees: string]>> = {
${rows.join('')}};

/** The digest of an accumulated vector, and the independent implementations that gave it when it was found. */
export interface FoundDigest {
  readonly digest: string;
  readonly agrees: readonly string[];
}

export const digests: Readonly<Record<string, FoundDigest>> = Object.fromEntries(
  Object.entries(rows).map(([name, [digest, agrees]]) => [name, { digest, agrees: agrees.split(' ') }]),
);
`;
  writeFileSync(file, text);
}

if (process.argv[1] === new URL(import.meta.url).pathname) await writeDigests();
