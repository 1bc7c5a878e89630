import { printable } from '../../../common/text.ts';
import { statOf } from '../../../documents/plan.ts';
import { following, openInput } from '../../../documents/read.ts';
import { type FileEntry, STDIN } from '../../../documents/walk.ts';
import { readLines, startsWithLine } from '../../../duplicates/lines.ts';
import { usageError } from '../../command.ts';
import { DOCUMENT_LABEL } from '../../options.ts';
import type { Settings } from './settings.ts';

/**
 * Chooses the label of documents: of the option, of the index, or of the first fingerprints among the inputs, or
 * {@link DOCUMENT_LABEL}. Undefined if the index cannot be read, which is reported.
 */
export async function chooseLabel(
  { label: asked, store }: Pick<Settings, 'label' | 'store'>,
  entries: readonly FileEntry[],
): Promise<string | undefined> {
  if (store !== undefined) {
    const { nameOfStore, withStore } = await import('../index-store/store.ts');
    const found = await withStore({ place: store, use: 'read' }, async (index) => index.label);
    if (asked !== undefined && found !== undefined && asked !== found)
      throw usageError(`--label: ${printable(nameOfStore(store))} holds ${found}, not ${asked}: leave --label out`);
    return found;
  }
  if (asked !== undefined) return asked;
  for (const entry of entries)
    if (!entry.found && entry.failure === undefined && entry.path !== STDIN) {
      const found = await labelIn(entry);
      if (found !== undefined) return found;
    }
  return DOCUMENT_LABEL;
}

/** The label of the first fingerprint in a file of them. Errors are reported when the file is read. */
async function labelIn(entry: FileEntry): Promise<string | undefined> {
  // Anything but a file can be read only once.
  if (statOf(entry)?.isFile() !== true) return undefined;
  try {
    const { head, close } = await openInput(entry, () => undefined);
    await close();
    if (!startsWithLine(head)) return undefined;
    for await (const outcomes of readLines(entry.path, following(head, null)))
      for (const { result } of outcomes) if (!('failure' in result)) return result.label;
  } catch {
    return undefined;
  }
  return undefined;
}
