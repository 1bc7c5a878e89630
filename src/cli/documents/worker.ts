import { parentPort, workerData } from 'node:worker_threads';
import { extractDocument, hashDocument, type Listener } from './document.ts';
import { failureOf } from './failure.ts';
import type { Answer, Message, Task, WorkerData } from './pool.ts';

const { octetsRead, current } = workerData as WorkerData;
const port = parentPort!;

const listener: Listener = {
  read: (octets) => void Atomics.add(octetsRead, 0, BigInt(octets)),
  extracting: () => tell({ kind: 'extracting' }),
  pages: (done, total) => tell({ kind: 'pages', done, total }),
};

function tell(message: Message): void {
  port.postMessage(message);
}

async function answerTo({ kind, source, hints }: Task): Promise<Answer> {
  try {
    const work = kind === 'hash' ? hashDocument : extractDocument;
    return { value: await work(source, hints, listener) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

port.on('message', async (tasks: readonly Task[]) => {
  const answers: Answer[] = [];
  for (const [index, task] of tasks.entries()) {
    Atomics.store(current, 0, index);
    answers.push(await answerTo(task));
  }
  tell({ kind: 'answers', answers });
});
