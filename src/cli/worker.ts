import { parentPort, workerData } from 'node:worker_threads';
import { extract } from '../extract/index.ts';
import { hashDocument } from './document.ts';
import { failureOf } from './failure.ts';
import type { Answer, Task, WorkerData } from './pool.ts';

const { octetsRead } = workerData as WorkerData;
const port = parentPort!;

async function answer(task: Task): Promise<Answer> {
  try {
    if (task.kind === 'hash') {
      const read = (octets: number) => void Atomics.add(octetsRead, 0, BigInt(octets));
      return { value: await hashDocument(task.source, task.hints, read) };
    }
    return { value: await extract(task.octets, task.hints) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

port.on('message', async (task: Task) => port.postMessage(await answer(task)));
