import { parentPort, workerData } from 'node:worker_threads';
import { createInflationMeter, limitInflation } from '../../extract/limits.ts';
import { type DocumentContent, WORK, type WorkListener } from '../document-tasks.ts';
import { failureOf } from '../failure.ts';
import { type ChunkGenerator, readFile, readFrom } from '../read.ts';
import {
  countersOf,
  type DocumentTask,
  type QueuedTask,
  type QueueMessage,
  SINCE,
  TASK,
  type TaskAnswer,
  type WorkerData,
} from './worker-messages.ts';

const { counters, state } = workerData as WorkerData;
const port = parentPort!;

const { onRead, onText } = countersOf(counters);

const listener: WorkListener = {
  onExtracting: () => void Atomics.store(state, SINCE, process.hrtime.bigint()),
  onPages: (done, total) => send({ kind: 'pages', task: Number(Atomics.load(state, TASK)), done, total }),
};

function send(message: QueueMessage): void {
  port.postMessage(message);
}

async function contentOf({ source, ...task }: DocumentTask): Promise<DocumentContent> {
  if (source instanceof Uint8Array) return { ...task, head: source, rest: null };
  const { file, codings } = source;
  if (codings === 0 && !task.isUtf8Text)
    return { ...task, head: readFile(file, task.limits.bytes, onRead), rest: null };
  let rest: ChunkGenerator = readFrom(file, 0, onRead);
  if (codings > 0) {
    const { gunzipStream } = await import('../../extract/archive/gzip.ts');
    const meter = createInflationMeter(limitInflation(task.limits, file.size));
    for (let i = 0; i < codings; i++)
      rest = gunzipStream(rest, { onInflated: meter }) as AsyncGenerator<Uint8Array, undefined>;
  }
  return { ...task, head: new Uint8Array(0), rest };
}

async function answerTo(task: QueuedTask): Promise<TaskAnswer> {
  try {
    if (task.kind === 'texts')
      return await (await import('../small-texts.ts')).hashTexts(task.entries, task.hints, onText);
    return await WORK[task.kind](await contentOf(task), listener);
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error), warnings: [] };
  } finally {
    Atomics.store(state, SINCE, 0n);
  }
}

/** Milliseconds after which a worker takes no further task of a batch, since another worker may be idle. */
const MAX_BATCH_TIME = 50;

port.on('message', async (tasks: readonly QueuedTask[]) => {
  const answers: TaskAnswer[] = [];
  const end = performance.now() + MAX_BATCH_TIME;
  for (const [index, task] of tasks.entries()) {
    Atomics.store(state, TASK, BigInt(index));
    answers.push(await answerTo(task));
    if (performance.now() > end) break;
  }
  send({ kind: 'answers', answers });
});
