import { pluralize } from '../../../common/text.ts';
import { type Arguments, DONE, FAILED, NO } from '../../command.ts';
import { labelOf } from '../../options.ts';
import { databaseOf } from '../../stores/databases.ts';
import { isStoreFailure, withStore } from '../../stores/open-store.ts';
import { print, printJson, warn } from '../../terminal/print.ts';

const MAX_FAULTS = 20;

export async function exportStore(place: string, args: Arguments): Promise<number> {
  const label = args.value('label') === undefined ? undefined : labelOf(args);
  if (databaseOf(place) !== undefined)
    return (await withStore({ place, use: 'read', label }, (store) => printAll(store.exportLines()))) ?? FAILED;
  const faults: string[] = [];
  try {
    const { salvageLines } = await import('../../../lookup/stores/folder/salvage-lines.ts');
    await printAll(salvageLines(place, (fault) => faults.push(fault), label));
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    warn(error.message);
    return FAILED;
  }
  if (faults.length === 0) return DONE;
  for (const fault of faults.slice(0, MAX_FAULTS)) warn(fault);
  const more = faults.length > MAX_FAULTS ? `${pluralize(faults.length - MAX_FAULTS, 'more fault')}; ` : '';
  warn(`${more}documents in damaged parts are missing, or as they were before their last change`);
  return FAILED;
}

async function printAll(lines: Iterable<string> | AsyncIterable<string>): Promise<number> {
  for await (const line of lines) await print(line);
  return DONE;
}

async function readable(place: string) {
  if (databaseOf(place) !== undefined) return undefined;
  const faults: string[] = [];
  try {
    const { countSalvaged } = await import('../../../lookup/stores/folder/salvage-lines.ts');
    const count = countSalvaged(place, (fault) => faults.push(fault));
    return { count, faults };
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    return undefined;
  }
}

export async function verifyStore(place: string, args: Arguments): Promise<number> {
  const found = await withStore({ place, use: 'read' }, async (store) => store.verify());
  if (found?.faults.length === 0) {
    await printResult(args, found.documents, []);
    return DONE;
  }
  const saved = await readable(place);
  const lost = saved?.faults ?? [];
  const faults = [...(found?.faults ?? []).filter((fault) => !lost.some((each) => each.startsWith(fault))), ...lost];
  if (faults.length === 0) return FAILED;
  await printResult(args, found?.documents ?? null, faults, saved?.count);
  return found === undefined ? FAILED : NO;
}

async function printResult(args: Arguments, documents: number | null, faults: readonly string[], readable?: number) {
  if (args.flag('json')) return printJson({ documents, faults, readable });
  const size = documents === null ? '' : `${pluralize(documents, 'document')}, `;
  const lines = [`${size}${faults.length === 0 ? 'no faults' : pluralize(faults.length, 'fault')}`, ...faults];
  if (readable !== undefined) lines.push(`index export can save ${pluralize(readable, 'document')}`);
  await print(lines.map((line) => `${line}\n`).join(''));
}
