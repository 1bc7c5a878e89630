import { formatNumber, pluralize } from '../../../../common/text.ts';
import { type Arguments, DONE, FAILED } from '../../../command.ts';
import { print, printJson } from '../../../terminal/output.ts';

export type Counts = ReturnType<typeof noCounts>;

/** The numbers of documents by outcome; those of `unchanged` are files that were not read. */
export function noCounts() {
  return { added: 0, replaced: 0, same: 0, removed: 0, unchanged: 0, failed: 0 };
}

export async function printCounts(counts: Counts, args: Arguments): Promise<number> {
  await (args.flag('json') ? printJson(counts) : print(`${summary(counts)}\n`));
  return counts.failed > 0 ? FAILED : DONE;
}

function summary({ added, replaced, same, removed, unchanged, failed }: Counts): string {
  const parts = [
    `added ${pluralize(added, 'document')}`,
    `replaced ${formatNumber(replaced)}`,
    ...(same > 0 ? [`${formatNumber(same)} the same`] : []),
    ...(removed > 0 ? [`removed ${formatNumber(removed)}`] : []),
    ...(unchanged > 0 ? [`skipped ${pluralize(unchanged, 'unchanged file')}`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
  ];
  return parts.join(', ');
}
