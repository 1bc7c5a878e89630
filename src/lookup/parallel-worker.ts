import { parentPort, workerData } from 'node:worker_threads';
import { pairsByTables } from './find-all.ts';
import type { PairsMessage, PairsWorkerData } from './parallel.ts';
import { hasLookupKernel } from './segment/wasm.ts';

const { fingerprints, ready, k, next, credit } = workerData as PairsWorkerData;

/** The tables that this worker comes to before the others do, ascending. */
function* tables(): Generator<number> {
  for (let table = Atomics.add(next, 0, 1); table < 4; table = Atomics.add(next, 0, 1)) yield table;
}

function send(message: PairsMessage): void {
  parentPort!.postMessage(message, message === null ? [] : [message.buffer as ArrayBuffer]);
}

// Compiling it takes as long as writing the fingerprints.
hasLookupKernel();
Atomics.wait(ready, 0, 0);

for (const { numbers, count } of pairsByTables(fingerprints, k, tables())) {
  // Waits while there is no credit left.
  while (Atomics.load(credit, 0) <= 0) Atomics.wait(credit, 0, 0);
  Atomics.sub(credit, 0, 1);
  send(numbers.slice(0, 3 * count));
}
send(null);
