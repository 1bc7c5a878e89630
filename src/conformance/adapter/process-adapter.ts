import { fileURLToPath } from 'node:url';
import { formatBytes } from '../../common/text.ts';
import { assertCommand } from '../checks.ts';
import { countDeadlines } from '../suite/accumulate.ts';
import type { Operation } from '../vector.ts';
import { type AdapterLimits, assertLimits, DEFAULT_ADAPTER_LIMITS } from './adapter-limits.ts';
import { type Child, describeStartError, startChild } from './child.ts';
import { startDeadline } from './deadline.ts';
import { createLineReader, type LineReader, parseLine } from './line-reader.ts';
import {
  type Adapter,
  describeExit,
  type ExitStatus,
  excerpt,
  type Hello,
  PROTOCOL,
  type ProcessFailure,
  parseHello,
  type Reply,
  toAsciiJson,
} from './protocol.ts';

/** An adapter in a child process. */
export interface ProcessAdapter extends Adapter {
  another(): ProcessAdapter;
  end(): Promise<ExitStatus | null | undefined>;
}

/**
 * Runs an adapter as a child process, by the protocol of vectors/README.md. A process that crashes, exceeds the deadline
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
  let life: Life | undefined;
  let started = 0;
  let introduction: Hello | undefined;

  async function start(): Promise<ProcessFailure | undefined> {
    started++;
    const next = new Life(command, allLimits);
    const reply = await next.request('hello', { protocol: PROTOCOL });
    if (reply.kind === 'error' || reply.kind === 'unsupported')
      return next.fail('protocol', `hello: expected "ok", got ${JSON.stringify(reply)}`);
    if (reply.kind !== 'ok') return reply as ProcessFailure;
    try {
      introduction ??= parseHello(reply.result);
    } catch (error) {
      return next.fail('protocol', (error as Error).message);
    }
    life = next;
    return undefined;
  }

  async function end(): Promise<ExitStatus | null | undefined> {
    const last = life;
    life = undefined;
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
      if (life === undefined) {
        if (started > allLimits.restarts)
          return { kind: 'not-run', detail: `failed ${started} times; not restarted again` };
        const failure = await start();
        if (failure !== undefined) return failure;
      }
      // After a failure between two requests, this is the reply to the next one.
      const reply = await life!.request(operation, input);
      if (life?.failure === reply) life = undefined;
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
  return [
    process.execPath,
    fileURLToPath(new URL('../../../dist/conformance/adapter/reference-adapter.js', import.meta.url)),
  ];
}

/** Milliseconds to wait for a reply that appears when standard input is closed: the adapter did not flush it. */
const MAX_FLUSH_TIME = 1000;
const NOT_FLUSHED = 'the reply came only after standard input was closed: does the adapter flush after each line?';

/** Bytes that a reply may have, whatever the size of its request. */
const MIN_REPLY = 1 << 20;
/** Bytes that a reply may have for each byte of its request: the largest of the vectors has 15. */
const REPLY_RATIO = 32;

function maxReply(requestLength: number): number {
  return MIN_REPLY + REPLY_RATIO * requestLength;
}

/** One life of an adapter's process, from its start to its end or its first failure. */
class Life {
  failure: ProcessFailure | undefined;
  readonly #child: Child;
  readonly #lines: LineReader;
  readonly #deadline: number;
  #waiting: { readonly id: string; readonly settle: (reply: Reply) => void } | undefined;
  #requests = 0;
  #maxReply = maxReply(0);
  /** True if standard input was closed after the deadline, to find out if the reply was not flushed. */
  #isLate = false;
  #exit: ExitStatus | undefined;
  #onExit: ((status: ExitStatus) => void) | undefined;

  constructor(command: readonly string[], { deadline }: Required<AdapterLimits>) {
    this.#deadline = deadline;
    this.#lines = createLineReader(
      () => this.#maxReply,
      (line) => this.#receive(line),
      () => this.fail('protocol', `a line of more than ${formatBytes(this.#maxReply)}`),
    );
    this.#child = startChild(command, {
      onOutput: (chunk) => this.#lines.push(chunk),
      onEnd: (end) => this.#finish(end),
    });
  }

  /** Sends a request; the next one must wait for the reply. Never rejects. */
  request(operation: string, input: unknown): Promise<Reply> {
    if (this.failure !== undefined) return Promise.resolve(this.failure);
    const id = String(++this.#requests);
    const line = `${toAsciiJson({ id, op: operation, input })}\n`;
    this.#maxReply = maxReply(line.length);
    const time = this.#deadline * countDeadlines(operation, input);
    return new Promise((resolve) => {
      const cancel = startDeadline(this.#child.pid, time, (isIdle) =>
        this.#expire(`no reply within ${time} ms`, isIdle),
      );
      const settle = (reply: Reply): void => {
        cancel();
        resolve(reply);
      };
      this.#waiting = { id, settle };
      this.#child.stdin.write(line);
    });
  }

  /** Closes standard input and waits until the process exits; null if it had to be killed. */
  async end(): Promise<ExitStatus | null> {
    if (this.#exit !== undefined) return this.#exit;
    this.failure ??= { kind: 'crash', detail: 'closed', stderr: '' };
    const status = await new Promise<ExitStatus | null>((resolve) => {
      const cancel = startDeadline(this.#child.pid, this.#deadline, () => resolve(null));
      this.#onExit = (exit) => {
        cancel();
        resolve(exit);
      };
      this.#child.stdin.end();
    });
    this.#child.kill();
    return status;
  }

  fail(kind: ProcessFailure['kind'], detail: string): ProcessFailure {
    if (this.failure !== undefined) return this.failure;
    const failure = { kind, detail, stderr: this.#child.stderr() };
    this.failure = failure;
    this.#child.kill();
    this.#settle(failure);
    return failure;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.settle(reply);
  }

  #receive(line: Buffer): void {
    if (this.failure !== undefined) return;
    const parsed = parseLine(line);
    if ('breach' in parsed) this.fail('protocol', `garbage: ${parsed.breach}`);
    else if (this.#waiting?.id !== parsed.id) this.fail('protocol', this.#describeStray(parsed.id));
    else if (this.#isLate) this.fail('protocol', NOT_FLUSHED);
    else this.#settle(parsed.reply);
  }

  #expire(detail: string, isIdle: boolean): void {
    const rest = this.#lines.rest();
    if (rest !== '' || !isIdle) {
      this.fail('timeout', rest === '' ? detail : `${detail}; ${describeUnfinished(rest)}`);
      return;
    }
    // A buffered reply appears when the process exits.
    this.#isLate = true;
    this.#child.stdin.end();
    const timer = setTimeout(() => this.fail('timeout', detail), MAX_FLUSH_TIME);
    this.#onExit = () => {
      clearTimeout(timer);
      this.fail('timeout', detail);
    };
  }

  #describeStray(id: string): string {
    const number = /^[1-9]\d*$/.test(id) ? Number(id) : 0;
    if (number > 0 && number <= this.#requests) return `a second reply to request ${JSON.stringify(id)}`;
    const expected = this.#waiting === undefined ? 'no reply' : `a reply to ${JSON.stringify(this.#waiting.id)}`;
    return `out of order: expected ${expected}, got one to ${excerpt(id, 40)}`;
  }

  #finish(end: ExitStatus | Error): void {
    if (end instanceof Error) {
      this.fail('crash', describeStartError(end));
      return;
    }
    this.#exit = end;
    this.#onExit?.(end);
    const when = this.#waiting === undefined ? ' between two requests' : '';
    const rest = this.#lines.rest();
    this.fail('crash', `${describeExit(end)}${when}${rest === '' ? '' : `; ${describeUnfinished(rest)}`}`);
  }
}

function describeUnfinished(line: string): string {
  const end = line.endsWith('\r') ? 'it ends with CR instead of LF' : 'it does not end with LF';
  return `unfinished line ${excerpt(line)}: ${end}`;
}
