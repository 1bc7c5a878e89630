import { countDeadlines } from '../suite/accumulate.ts';
import { type Child, describeExit, type ExitStatus, startChild } from './child.ts';
import { type AdapterLimits, MAX_STDERR } from './limits.ts';
import { createLineReader } from './lines.ts';
import { excerpt, type ProcessFailure, parseLine, type Reply, toAsciiJson } from './protocol.ts';

/** One life of an adapter's process, from its start to its end or its first failure. */
export interface Session {
  /** Why the process was given up; undefined while it works. */
  readonly failure: ProcessFailure | undefined;
  /** Sends one request; a second one only after the reply. Never rejects. */
  request(operation: string, input: unknown): Promise<Reply>;
  /** Marks the process as failed for a reply that breaks the protocol, and kills it. */
  reject(detail: string): ProcessFailure;
  /**
   * Closes standard input and waits until the process exits; kills it if it does not.
   * @returns how it exited by itself, or null
   */
  end(): Promise<ExitStatus | null>;
}

/** Milliseconds that a process has to exit after its standard input was closed. */
const MAX_EXIT_TIME = 2000;

interface State {
  failure: ProcessFailure | undefined;
  /** The request that has no reply yet. */
  waiting: { readonly id: string; readonly settle: (reply: Reply) => void } | undefined;
  /** The number of requests that were sent; it is the id of the last one. */
  requests: number;
  onExit: ((status: ExitStatus) => void) | undefined;
  exit: ExitStatus | undefined;
}

/**
 * Starts the process of an adapter.
 * @param command - the program and its arguments; no shell
 * @param limits - see {@link AdapterLimits}
 */
export function startSession(command: readonly string[], limits: Required<AdapterLimits>): Session {
  const { deadline, line } = limits;
  const state: State = { failure: undefined, waiting: undefined, requests: 0, onExit: undefined, exit: undefined };
  const lines = createLineReader(
    line,
    (text) => receive(state, text, fail),
    () => fail('protocol', `a line of more than ${line} octets`),
  );
  const child = startChild(command, MAX_STDERR, {
    onOutput: (chunk) => lines.push(chunk),
    onEnd: (end) => finish(state, end, fail),
  });

  /** Gives the process up. The first failure counts. */
  function fail(kind: ProcessFailure['kind'], detail: string): ProcessFailure {
    if (state.failure !== undefined) return state.failure;
    const failure: ProcessFailure = { kind, detail, stderr: child.stderr.text() };
    state.failure = failure;
    child.kill();
    settle(state, failure);
    return failure;
  }

  return {
    get failure() {
      return state.failure;
    },
    request(operation, input) {
      if (state.failure !== undefined) return Promise.resolve(state.failure);
      const id = String(++state.requests);
      const time = deadline * countDeadlines(operation, input);
      return new Promise((resolve) => {
        const timer = setTimeout(() => fail('timeout', `no reply within ${time} ms`), time);
        const settleOnce = (reply: Reply): void => {
          clearTimeout(timer);
          resolve(reply);
        };
        state.waiting = { id, settle: settleOnce };
        child.stdin.write(`${toAsciiJson({ id, op: operation, input })}\n`);
      });
    },
    reject: (detail) => fail('protocol', detail),
    end: () => endChild(state, child, Math.min(deadline, MAX_EXIT_TIME)),
  };
}

type Fail = (kind: ProcessFailure['kind'], detail: string) => void;

/** Hands a reply to the request that waits for one. */
function settle(state: State, reply: Reply): void {
  const { waiting } = state;
  state.waiting = undefined;
  waiting?.settle(reply);
}

/** Reads a line of output. */
function receive(state: State, line: string, fail: Fail): void {
  if (state.failure !== undefined) return;
  const parsed = parseLine(line);
  if ('breach' in parsed) fail('protocol', `garbage: ${parsed.breach}`);
  else if (state.waiting?.id === parsed.id) settle(state, parsed.reply);
  else fail('protocol', describeStray(state, parsed.id));
}

/** Describes a reply that was not waited for. */
function describeStray({ waiting, requests }: State, id: string): string {
  const number = /^[1-9]\d*$/.test(id) ? Number(id) : 0;
  if (number > 0 && number <= requests) return `a second reply to request ${JSON.stringify(id)}`;
  const expected = waiting === undefined ? 'no reply' : `a reply to ${JSON.stringify(waiting.id)}`;
  return `out of order: expected ${expected}, got one to ${excerpt(id, 40)}`;
}

/** Notes that the process has ended, or could not be started. */
function finish(state: State, end: ExitStatus | Error, fail: Fail): void {
  if (end instanceof Error) {
    fail('crash', `could not be started: ${end.message}`);
    return;
  }
  state.exit = end;
  state.onExit?.(end);
  fail('crash', `${describeExit(end)}${state.waiting === undefined ? ' between two requests' : ''}`);
}

/** Closes the standard input of a process and waits until it exits; kills it if it does not. */
async function endChild(state: State, child: Child, time: number): Promise<ExitStatus | null> {
  if (state.exit !== undefined) return state.exit;
  state.failure ??= { kind: 'crash', detail: 'closed', stderr: '' };
  const status = await new Promise<ExitStatus | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), time);
    state.onExit = (exit) => {
      clearTimeout(timer);
      resolve(exit);
    };
    child.stdin.end();
  });
  child.kill();
  return status;
}
