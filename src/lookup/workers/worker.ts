import { parentPort, workerData } from 'node:worker_threads';
import { findPairs, PARTS } from '../pairs/find.ts';
import { joinGrouping } from '../pairs/grouping.ts';
import { hasLookupKernel } from '../segment/kernel.ts';
import { FIND_PAIRS, type PairsMessage, type PairsWorkerData } from './messages.ts';

const data = workerData as Partial<PairsWorkerData> | null | undefined;
if (data?.task === FIND_PAIRS) run(data as PairsWorkerData);

function run({ fingerprints, ready, k, grouping, share, next, credit }: PairsWorkerData): void {
  let part = -1;

  /** The parts that this worker is the first to begin, ascending. */
  function* parts(): Generator<number> {
    for (part = Atomics.add(next, 0, 1); part < PARTS.length; part = Atomics.add(next, 0, 1)) {
      yield part;
      send({ part, numbers: 'end of part' });
    }
  }

  // Compiling takes as long as writing the fingerprints.
  hasLookupKernel();
  Atomics.wait(ready, 0, 0);
  for (const { numbers, count } of findPairs(fingerprints, k, parts(), joinGrouping(grouping, share))) {
    while (Atomics.load(credit, 0) <= 0) Atomics.wait(credit, 0, 0);
    Atomics.sub(credit, 0, 1);
    send({ part, numbers: numbers.slice(0, 3 * count) });
  }
  send(null);
}

function send(message: PairsMessage): void {
  const isBatch = message !== null && message.numbers !== 'end of part';
  parentPort!.postMessage(message, isBatch ? [message.numbers.buffer as ArrayBuffer] : []);
}
