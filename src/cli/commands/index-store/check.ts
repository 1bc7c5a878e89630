import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pluralize } from '../../../common/text.ts';
import type { Verification } from '../../../lookup/index/stores/types.ts';
import { type Arguments, DONE, FAILED, NO } from '../../command.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { withStore } from './store.ts';

/** Checks that an index is consistent. */
export async function verifyStore(place: string, args: Arguments): Promise<number> {
  const isFolder = !/^[a-z]+:\/\//i.test(place);
  const found = isFolder
    ? await verifyFolder(place)
    : await withStore({ place, use: 'read' }, async (store) => store.verify());
  if (found === undefined) return FAILED;
  const { documents, faults } = found;
  if (args.flag('json')) await printJson({ documents, faults });
  else {
    const count = faults.length === 0 ? 'no faults' : pluralize(faults.length, 'fault');
    await print(`${pluralize(documents, 'document')}, ${count}\n${faults.map((fault) => `${fault}\n`).join('')}`);
  }
  return faults.length === 0 ? DONE : NO;
}

/**
 * Checks an index in a folder in another process: a file that LMDB maps into memory ends it if the file is damaged.
 * @returns what was found; undefined if the index cannot be opened, which is reported
 */
async function verifyFolder(place: string): Promise<Verification | undefined> {
  const program = fileURLToPath(new URL('./verify-process.js', import.meta.url));
  const child = spawn(process.execPath, [program, place], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0)
    return {
      documents: 0,
      faults: [`the file is damaged: reading it ended the process (${signal ?? `exit ${code}`})`],
    };
  const result = JSON.parse(text) as Verification | { readonly error: string };
  if (!('error' in result)) return result;
  warn(result.error);
  return undefined;
}
