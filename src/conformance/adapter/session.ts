import { formatBytes } from '../../common/text.ts';
import { countDeadlines } from '../suite/accumulate.ts';
import { type Child, describeStartError, startChild } from './child.ts';
import { startDeadline } from './deadline.ts';
import { type AdapterLimits, MAX_STDERR, maxReply } from './limits.ts';
import { createLineReader, type LineReader } from './line/lines.ts';
import { parseLine } from './line/reply.ts';
import { describeExit, type ExitStatus, excerpt, type ProcessFailure, type Reply, toAsciiJson } from './protocol.ts';

/** One life of an adapter's process, from its start to its end or its first failure. */
export interface Session {
  /** The reason why the process was terminated; undefined while it works. */
  readonly failure: ProcessFailure | undefined;
  /** A second request may be sent only after the reply. Never rejects. */
  request(operation: string, input: unknown): Promise<Reply>;
  reject(detail: string): ProcessFailure;
  /** Closes standard input and waits until the process exits; null if it had to be killed. */
  end(): Promise<ExitStatus | null>;
}

/** Milliseconds to wait for a reply that appears when standard input is closed: the adapter did not flush it. */
const MAX_FLUSH_TIME = 1000;

interface State {
  failure: ProcessFailure | undefined;
  /** The request that has no reply yet. */
  waiting: { readonly id: string; readonly settle: (reply: Reply) => void } | undefined;
  /** The number of requests that were sent; it is the id of the last one. */
  requests: number;
  maxReply: number;
  /** True if standard input was closed after the deadline, to find out if the reply was not flushed. */
  isLate: boolean;
  onExit: ((status: ExitStatus) => void) | undefined;
  exit: ExitStatus | undefined;
}

export function startSession(command: readonly string[], limits: Required<AdapterLimits>): Session {
  const { deadline } = limits;
  const state: State = {
    ...{ failure: undefined, waiting: undefined, onExit: undefined, exit: undefined },
    ...{ requests: 0, maxReply: maxReply(0), isLate: false },
  };
  const lines = createLineReader(
    () => state.maxReply,
    (line) => receive(state, line, fail),
    () => fail('protocol', `a line of more than ${formatBytes(state.maxReply)}`),
  );
  const child = startChild(command, MAX_STDERR, {
    onOutput: (chunk) => lines.push(chunk),
    onEnd: (end) => finish(state, end, lines, fail),
  });

  /** Terminates the process. The first failure counts. */
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
      const line = `${toAsciiJson({ id, op: operation, input })}\n`;
      state.maxReply = maxReply(line.length);
      const time = deadline * countDeadlines(operation, input);
      return new Promise((resolve) => {
        const cancel = startDeadline(child.pid, time, (isIdle) =>
          expire(state, child, lines, { detail: `no reply within ${time} ms`, isIdle }, fail),
        );
        const settleOnce = (reply: Reply): void => {
          cancel();
          resolve(reply);
        };
        state.waiting = { id, settle: settleOnce };
        child.stdin.write(line);
      });
    },
    reject: (detail) => fail('protocol', detail),
    end: () => endChild(state, child, deadline),
  };
}

type Fail = (kind: ProcessFailure['kind'], detail: string) => void;

function settle(state: State, reply: Reply): void {
  const { waiting } = state;
  state.waiting = undefined;
  waiting?.settle(reply);
}

function receive(state: State, line: Buffer, fail: Fail): void {
  if (state.failure !== undefined) return;
  const parsed = parseLine(line);
  if ('breach' in parsed) fail('protocol', `garbage: ${parsed.breach}`);
  else if (state.waiting?.id === parsed.id && state.isLate) fail('protocol', NOT_FLUSHED);
  else if (state.waiting?.id === parsed.id) settle(state, parsed.reply);
  else fail('protocol', describeStray(state, parsed.id));
}

const NOT_FLUSHED = 'the reply came only after standard input was closed: does the adapter flush after each line?';

function expire(
  state: State,
  child: Child,
  lines: LineReader,
  { detail, isIdle }: { readonly detail: string; readonly isIdle: boolean },
  fail: Fail,
): void {
  const rest = lines.rest();
  if (rest !== '' || !isIdle) {
    fail('timeout', rest === '' ? detail : `${detail}; ${describeUnfinished(rest)}`);
    return;
  }
  // A reply that was not flushed appears when the process exits.
  state.isLate = true;
  child.stdin.end();
  const timer = setTimeout(() => fail('timeout', detail), MAX_FLUSH_TIME);
  state.onExit = () => {
    clearTimeout(timer);
    fail('timeout', detail);
  };
}

function describeUnfinished(line: string): string {
  const end = line.endsWith('\r') ? 'it ends with CR instead of LF' : 'it does not end with LF';
  return `unfinished line ${excerpt(line)}: ${end}`;
}

function describeStray({ waiting, requests }: State, id: string): string {
  const number = /^[1-9]\d*$/.test(id) ? Number(id) : 0;
  if (number > 0 && number <= requests) return `a second reply to request ${JSON.stringify(id)}`;
  const expected = waiting === undefined ? 'no reply' : `a reply to ${JSON.stringify(waiting.id)}`;
  return `out of order: expected ${expected}, got one to ${excerpt(id, 40)}`;
}

function finish(state: State, end: ExitStatus | Error, lines: LineReader, fail: Fail): void {
  if (end instanceof Error) {
    fail('crash', describeStartError(end));
    return;
  }
  state.exit = end;
  state.onExit?.(end);
  const when = state.waiting === undefined ? ' between two requests' : '';
  const rest = lines.rest();
  fail('crash', `${describeExit(end)}${when}${rest === '' ? '' : `; ${describeUnfinished(rest)}`}`);
}

async function endChild(state: State, child: Child, time: number): Promise<ExitStatus | null> {
  if (state.exit !== undefined) return state.exit;
  state.failure ??= { kind: 'crash', detail: 'closed', stderr: '' };
  const status = await new Promise<ExitStatus | null>((resolve) => {
    const cancel = startDeadline(child.pid, time, () => resolve(null));
    state.onExit = (exit) => {
      cancel();
      resolve(exit);
    };
    child.stdin.end();
  });
  child.kill();
  return status;
}
