import { parentPort, workerData } from 'node:worker_threads';
import { extractDocument, hashDocument, type Listener } from './document.ts';
import { failureOf } from './failure.ts';
import type { Message, Task, WorkerData } from './pool.ts';

const { octetsRead } = workerData as WorkerData;
const port = parentPort!;

const listener: Listener = {
  read: (octets) => void Atomics.add(octetsRead, 0, BigInt(octets)),
  extracting: () => tell({ kind: 'extracting' }),
  pages: (done, total) => tell({ kind: 'pages', done, total }),
};

function tell(message: Message): void {
  port.postMessage(message);
}

port.on('message', async ({ kind, source, hints }: Task) => {
  try {
    const work = kind === 'hash' ? hashDocument : extractDocument;
    tell({ kind: 'answer', value: await work(source, hints, listener) });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  }
});
