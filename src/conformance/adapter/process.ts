import { fileURLToPath } from 'node:url';
import { assertCommand, assertLimits } from '../options.ts';
import type { Operation } from '../types.ts';
import { type AdapterLimits, DEFAULT_ADAPTER_LIMITS } from './limits.ts';
import { type Adapter, type ExitStatus, type Hello, PROTOCOL, type ProcessFailure, parseHello } from './protocol.ts';
import { Session } from './session.ts';

/** An adapter in a child process. */
export interface ProcessAdapter extends Adapter {
  another(): ProcessAdapter;
  end(): Promise<ExitStatus | null | undefined>;
}

async function greet(session: Session): Promise<Hello | ProcessFailure> {
  const reply = await session.request('hello', { protocol: PROTOCOL });
  if (reply.kind === 'error' || reply.kind === 'unsupported')
    return session.reject(`hello: expected "ok", got ${JSON.stringify(reply)}`);
  if (reply.kind !== 'ok') return reply as ProcessFailure;
  try {
    return parseHello(reply.result);
  } catch (error) {
    return session.reject((error as Error).message);
  }
}

/**
 * Runs an adapter as a child process, by the protocol of spec/conformance.md. A process that crashes, exceeds the deadline
 * or breaks the protocol is killed with its process group; the next request restarts it, a limited number of times.
 * @param command - the program and its arguments; no shell
 * @param limits - see {@link AdapterLimits}
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * const adapter = createProcessAdapter(['python3', 'adapter.py']);
 */
export function createProcessAdapter(command: readonly string[], limits: AdapterLimits = {}): ProcessAdapter {
  assertCommand(command);
  assertLimits(limits);
  const allLimits = { ...DEFAULT_ADAPTER_LIMITS, ...limits };
  let session: Session | undefined;
  let started = 0;
  let introduction: Hello | undefined;

  async function start(): Promise<ProcessFailure | undefined> {
    started++;
    const next = new Session(command, allLimits);
    const greeting = await greet(next);
    if ('kind' in greeting) return greeting;
    session = next;
    introduction ??= greeting;
    return undefined;
  }

  async function end(): Promise<ExitStatus | null | undefined> {
    const last = session;
    session = undefined;
    if (last === undefined || last.failure !== undefined) return undefined;
    // The next start is not a restart after a failure.
    started--;
    return last.end();
  }

  return {
    get restarts() {
      return Math.max(0, started - 1);
    },
    async hello() {
      const failure = introduction === undefined ? await start() : undefined;
      if (failure !== undefined) throw startError(command, failure);
      return introduction!;
    },
    async request(operation: Operation, input: unknown) {
      if (session === undefined) {
        if (started > allLimits.restarts)
          return { kind: 'not-run', detail: `failed ${started} times; not restarted again` };
        const failure = await start();
        if (failure !== undefined) return failure;
      }
      // After a failure between two requests, this is the reply to the next one.
      const reply = await session!.request(operation, input);
      if (session?.failure === reply) session = undefined;
      return reply;
    },
    another: () => createProcessAdapter(command, limits),
    end,
    async close() {
      await end();
    },
  };
}

export function startError(command: readonly string[], { detail, stderr }: ProcessFailure): Error {
  return new Error(`${command.join(' ')}: ${detail}${stderr === '' ? '' : `\n${stderr}`}`);
}

/**
 * Returns the command that runs the reference implementation as an adapter.
 * @example
 * const adapter = createProcessAdapter(referenceCommand());
 */
export function referenceCommand(): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('../../../dist/conformance/adapter/reference.js', import.meta.url))];
}
