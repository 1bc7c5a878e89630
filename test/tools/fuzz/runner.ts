import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Input } from './corpus.ts';

/** The maximum time for one input, in milliseconds: hundreds of times the usual, since the machine may be busy. */
const MAX_TIME = 30_000;
/** The maximum growth of the process, in bytes, while one input is checked. */
const MAX_GROWTH = 2 ** 31;
const MAX_HEAP_MEBIBYTES = 1024;

/** Checks inputs. */
export interface Runner {
  /** Returns the failure of an input: an error's stack, a time limit, a memory limit; null if there is none. */
  check(target: string, input: Input): Promise<string | null>;
  close(): Promise<void>;
}

/** Creates a runner with a worker thread, which is replaced when it is terminated. Bundled, since threads run no TypeScript. */
export function createRunner(): Runner {
  let worker: Worker | null = null;

  async function check(target: string, input: Input): Promise<string | null> {
    worker ??= new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEBIBYTES },
    });
    const stop = new AbortController();
    const options = { signal: stop.signal };
    worker.postMessage({ target, input });
    try {
      const outcome = await Promise.race([
        once(worker, 'message', options).then(([found]) => ({ found: found as string | null })),
        once(worker, 'error', options).then(([error]) => ({ ended: `the thread ended: ${(error as Error).stack}` })),
        watch(options.signal),
      ]);
      if ('found' in outcome) return outcome.found;
      await close();
      return outcome.ended;
    } finally {
      stop.abort();
    }
  }

  async function close(): Promise<void> {
    await worker?.terminate();
    worker = null;
  }

  return { check, close };
}

/** Resolves when time or memory is used up. */
function watch(signal: AbortSignal): Promise<{ ended: string }> {
  const start = Date.now();
  const before = process.memoryUsage.rss();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const grown = process.memoryUsage.rss() - before;
      if (Date.now() - start > MAX_TIME) resolve({ ended: `timeout: more than ${MAX_TIME / 1000} s` });
      else if (grown > MAX_GROWTH) resolve({ ended: `memory: the process grew by ${Math.round(grown / 2 ** 20)} MiB` });
    }, 100);
    signal.addEventListener('abort', () => clearInterval(timer));
  });
}
