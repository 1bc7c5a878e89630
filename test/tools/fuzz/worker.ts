import { parentPort } from 'node:worker_threads';
import type { Input } from './corpus.ts';
import { TARGETS } from './targets.ts';

/** Checks inputs one by one. A thread of its own, so that one that does not end can be ended. */
parentPort!.on('message', async ({ target, input }: { target: string; input: Input }) => {
  try {
    await TARGETS[target]!.check(input);
    parentPort!.postMessage(null);
  } catch (error) {
    const { stack, code, cause } = error as Error & { code?: unknown };
    const reason = cause === undefined ? '' : `\ncaused by ${(cause as Error).stack ?? cause}`;
    parentPort!.postMessage(`${code === undefined ? '' : `undocumented code ${String(code)}: `}${stack}${reason}`);
  }
});
