import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { assertCommand, assertLimits } from '../options.ts';
import { timesOf } from '../suite/accumulate.ts';
import type { Operation } from '../types.ts';
import { createTail, discharge, endGroup, enlist, type Tail } from './process-group.ts';
import {
  type Adapter,
  excerpt,
  type Hello,
  PROTOCOL,
  parseHello,
  parseLine,
  type Reply,
  toAsciiJson,
} from './protocol.ts';

/** Limits on what an adapter may cost; each holds by default. */
export interface AdapterLimits {
  /**
   * Milliseconds for one reply, and for starting up to the reply to `hello`; for `accumulate`, for each thousand cases.
   * Default 10,000.
   */
  readonly deadline?: number;
  /** How often it is started again after a crash, a timeout or a breach of the protocol. Default 20. */
  readonly restarts?: number;
  /** Octets of one line of its output. Default 64 MiB. */
  readonly line?: number;
  /** Octets kept of the end of its standard error. Default 4 KiB. */
  readonly stderr?: number;
}

const DEFAULTS: Required<AdapterLimits> = { deadline: 10_000, restarts: 20, line: 64 << 20, stderr: 4096 };

/** Fills in the limits that are not given. */
export function createAdapterLimits(limits: AdapterLimits): Required<AdapterLimits> {
  return { ...DEFAULTS, ...limits };
}

type Failure = Extract<Reply, { kind: 'crash' | 'timeout' | 'protocol' }>;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** An adapter in a child process. */
export interface ProcessAdapter extends Adapter {
  /**
   * Ends its standard input and waits for its end; it is ended if it does not do so itself.
   * @returns how it ended by itself; null where it did not, or does not run
   */
  end(): Promise<Ending | null>;
}

/** Splits output into lines, holding at most `limit` octets of one that has not ended. */
function createLineReader(
  limit: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      parts.push(chunk.subarray(from, end));
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      held = 0;
      from = end + 1;
      onLine(line);
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held > limit) {
        parts = [];
        held = 0;
        onTooLong();
      }
    }
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly stderr: Tail;
  /** The request that waits for its reply. */
  waiting: { readonly id: string; readonly settle: (reply: Reply) => void } | undefined;
  /** Why the process is of no more use. */
  failed: Failure | undefined;
  /** The ids of the requests that were answered: a reply to one of them again is told apart from garbage. */
  readonly answered: Set<string>;
}

/**
 * Runs an adapter as a child process and talks with it by the protocol of spec/conformance.md. It survives what it runs:
 * each request has a deadline; a process that crashes, hangs, or says what is no reply is ended with its whole process
 * group, and the next request starts another, up to a bound; its standard error is read and forgotten but for the end; a
 * line without end is cut off; a process that never reads its input only costs the deadline.
 * @param command - the program and its arguments; no shell
 * @param limits - see {@link AdapterLimits}
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function createProcessAdapter(command: readonly string[], limits: AdapterLimits = {}): ProcessAdapter {
  assertCommand(command);
  assertLimits(limits);
  const { deadline, restarts: mostRestarts, line: longestLine, stderr: stderrSize } = createAdapterLimits(limits);
  const [program, ...args] = command as [string, ...string[]];
  let current: Running | undefined;
  /** What went wrong between two requests: the next one is answered by it, as it would be had it been sent sooner. */
  let unreported: Failure | undefined;
  let started = 0;
  let requests = 0;
  let introduction: Hello | undefined;

  function fail(self: Running, kind: Failure['kind'], detail: string): void {
    if (self.failed !== undefined) return;
    const failure: Failure = { kind, detail, stderr: self.stderr.text() };
    self.failed = failure;
    if (self.child.pid !== undefined) endGroup(self.child.pid);
    if (current === self) current = undefined;
    const { waiting } = self;
    self.waiting = undefined;
    if (waiting === undefined) unreported ??= failure;
    else waiting.settle(failure);
  }

  function report(failure: Failure): Failure {
    unreported = undefined;
    return failure;
  }

  function start(): Running {
    started++;
    const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const self: Running = {
      child,
      stderr: createTail(stderrSize),
      waiting: undefined,
      failed: undefined,
      answered: new Set(),
    };
    if (child.pid !== undefined) enlist(child.pid);
    child.stderr?.on('data', (chunk: Buffer) => self.stderr.add(chunk));
    child.stdout?.on(
      'data',
      createLineReader(
        longestLine,
        (line) => receive(self, line),
        () => fail(self, 'protocol', `a line of more than ${longestLine} octets`),
      ),
    );
    // Writing to a process that is gone: its end tells more than EPIPE does.
    child.stdin?.on('error', () => undefined);
    child.on('error', (error) => fail(self, 'crash', `could not be started: ${error.message}`));
    // `close` and not `exit`: what it wrote last is read by then. A grandchild may keep the pipes open, so `exit` counts
    // too, a little later.
    child.on('exit', (code, signal) => {
      const detail = signal === null ? `ended with exit code ${code}` : `ended by ${signal}`;
      const after = setTimeout(() => ended(self, detail), 500);
      child.once('close', () => {
        clearTimeout(after);
        ended(self, detail);
      });
    });
    current = self;
    return self;
  }

  function ended(self: Running, detail: string): void {
    const { pid } = self.child;
    if (pid !== undefined) discharge(pid);
    fail(self, 'crash', self.waiting === undefined ? `${detail} between two requests` : detail);
  }

  function receive(self: Running, line: string): void {
    if (self.failed !== undefined) return;
    const parsed = parseLine(line);
    const { waiting } = self;
    if ('breach' in parsed) fail(self, 'protocol', `garbage: ${parsed.breach}`);
    else if (waiting?.id === parsed.id) {
      self.waiting = undefined;
      self.answered.add(parsed.id);
      waiting.settle(parsed.reply);
    } else if (self.answered.has(parsed.id))
      fail(self, 'protocol', `a second reply to request ${JSON.stringify(parsed.id)}`);
    else {
      const expected = waiting === undefined ? 'no reply' : `a reply to ${JSON.stringify(waiting.id)}`;
      fail(self, 'protocol', `out of order: expected ${expected}, got one to ${excerpt(parsed.id, 40)}`);
    }
  }

  function send(self: Running, op: string, input: unknown): Promise<Reply> {
    if (self.failed !== undefined) return Promise.resolve(report(self.failed));
    const id = String(++requests);
    return new Promise((resolve) => {
      const time = deadline * timesOf(op, input);
      const timer = setTimeout(() => fail(self, 'timeout', `no reply within ${time} ms`), time);
      self.waiting = {
        id,
        settle(reply) {
          clearTimeout(timer);
          resolve(reply);
        },
      };
      self.child.stdin?.write(`${toAsciiJson({ id, op, input })}\n`);
    });
  }

  async function startAndGreet(): Promise<Failure | { hello: Hello; self: Running }> {
    const self = start();
    const reply = await send(self, 'hello', { protocol: PROTOCOL });
    if (reply.kind === 'ok') {
      try {
        return { hello: parseHello(reply.result), self };
      } catch (error) {
        fail(self, 'protocol', (error as Error).message);
      }
    } else if (reply.kind === 'error' || reply.kind === 'unsupported')
      fail(self, 'protocol', `hello: expected "ok", got ${JSON.stringify(reply)}`);
    return report(self.failed ?? { kind: 'protocol', detail: 'hello failed', stderr: self.stderr.text() });
  }

  async function end(): Promise<Ending | null> {
    const self = current;
    if (self === undefined) return null;
    current = undefined;
    self.failed = { kind: 'crash', detail: 'closed', stderr: '' };
    const { child } = self;
    const ending = await new Promise<Ending | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), Math.min(deadline, 2000));
      const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
        clearTimeout(timer);
        resolve({ code, signal });
      };
      child.once('exit', ended);
      child.stdin?.end();
      if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode, child.signalCode);
    });
    if (child.pid !== undefined) endGroup(child.pid);
    return ending;
  }

  return {
    get restarts() {
      return Math.max(0, started - 1);
    },
    async hello() {
      if (introduction !== undefined) return introduction;
      const greeted = await startAndGreet();
      if (!('hello' in greeted)) {
        const stderr = greeted.stderr === '' ? '' : `\n${greeted.stderr}`;
        throw new Error(`${command.join(' ')}: ${greeted.detail}${stderr}`);
      }
      introduction = greeted.hello;
      return introduction;
    },
    async request(operation: Operation, input: unknown) {
      if (unreported !== undefined) return report(unreported);
      let self = current;
      if (self === undefined) {
        if (started > mostRestarts) return { kind: 'not-run', detail: `failed ${started} times; not started again` };
        const greeted = await startAndGreet();
        if (!('hello' in greeted)) return greeted;
        introduction ??= greeted.hello;
        self = greeted.self;
      }
      return send(self, operation, input);
    },
    end,
    async close() {
      await end();
    },
  };
}

/**
 * Runs the shipped implementation as any other: in a child process, through the protocol.
 * @param limits - see {@link AdapterLimits}
 */
export function createReferenceAdapter(limits: AdapterLimits = {}): ProcessAdapter {
  return createProcessAdapter(referenceCommand(), limits);
}

/** The command that runs the shipped implementation as an adapter. */
export function referenceCommand(): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('../../../dist/conformance/adapter/reference.js', import.meta.url))];
}
