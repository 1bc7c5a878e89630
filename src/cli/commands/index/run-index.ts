import { existsSync } from 'node:fs';
import { formatBytes, formatNumber } from '../../../common/text.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { assertStorePlace, type OpenIndex, type Use, withStore } from '../../stores/open-store.ts';
import { print, printJson } from '../../terminal/print.ts';

export interface Prepared {
  readonly action: (store: OpenIndex) => Promise<number>;
  readonly newLabel?: string;
}

export type Prepare = (args: Arguments, operands: readonly string[]) => Promise<Prepared>;

export async function runOnStore(args: Arguments, use: Use, prepare: Prepare): Promise<number> {
  const [place, ...operands] = args.positionals;
  // Reports operands in the wrong order before `prepare` finds that they do not exist or are not documents.
  if (place !== undefined && existsSync(place)) await assertStorePlace(place, use, operands[0]);
  const { action, newLabel } = await prepare(args, operands);
  await assertStorePlace(place!, use);
  const [takeOver, exclusive] = [args.flag('take-over'), args.flag('exclusive')];
  const label = args.value('label') === undefined ? undefined : (await import('../../options.ts')).labelOf(args);
  return (await withStore({ place: place!, use, takeOver, exclusive, label, newLabel }, action)) ?? FAILED;
}

/** Throws a usage error if operands after STORE are missing (`needed` names them) or, if none are needed, present. */
export function assertOperands({ positionals }: Arguments, needed: string | null): void {
  const [place, first] = positionals;
  if (place === undefined) throw usageError('expected STORE: a folder, or the URL of a database');
  if (needed === null && first !== undefined)
    throw usageError(`expected STORE and nothing else, got ${JSON.stringify(first)}`);
  if (needed !== null && first === undefined) throw usageError(`expected ${needed} after STORE`);
}

export async function prepareStats(args: Arguments): Promise<Prepared> {
  assertOperands(args, null);
  return { action: (store) => printStats(store, args.flag('json')) };
}

async function printStats(store: OpenIndex, json: boolean): Promise<number> {
  const { documents, bytes, buckets, losses } = await store.stats();
  if (json) {
    await printJson({ label: store.label, documents, bytes, buckets, losses });
    return DONE;
  }
  const lossy = Object.entries(losses ?? {});
  const { count, mean, median, p99, largest } = buckets;
  const lines = [
    `label         ${store.label}`,
    `documents     ${formatNumber(documents)}`,
    `fingerprints  ${formatBytes(bytes.fingerprints)}`,
    `ids           ${formatBytes(bytes.ids)}`,
    `buckets       ${formatNumber(count)}; ${mean.toFixed(1)} documents in the mean, ${median} in the median, ${p99} in the 99th percentile, ${largest} in the largest`,
    ...(lossy.length > 0
      ? [`losses        ${lossy.map(([loss, count]) => `${formatNumber(count)} ${loss}`).join(', ')}`]
      : []),
  ];
  await print(`${lines.join('\n')}\n`);
  return DONE;
}
