import { pluralize } from '../../../common/text.ts';
import { type Arguments, DONE, FAILED, NO } from '../../command.ts';
import { print, printJson } from '../../terminal/output.ts';
import { withStore } from './store.ts';

/** Checks that an index is consistent. */
export async function verifyStore(place: string, args: Arguments): Promise<number> {
  const found = await withStore({ place, use: 'read' }, async (store) => store.verify());
  if (found === undefined) return FAILED;
  const { documents, faults } = found;
  if (args.flag('json')) await printJson({ documents, faults });
  else {
    const count = faults.length === 0 ? 'no faults' : pluralize(faults.length, 'fault');
    await print(`${pluralize(documents, 'document')}, ${count}\n${faults.map((fault) => `${fault}\n`).join('')}`);
  }
  return faults.length === 0 ? DONE : NO;
}
