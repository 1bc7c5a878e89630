import { basename } from 'node:path';
import { type Fingerprint, formatLabelled, LABEL, parse, parseLabelled, serialise } from '../../index.ts';
import { assertCommand } from '../checks.ts';
import type { Operation } from '../vector.ts';
import { type AdapterLimits, assertLimits, DEFAULT_ADAPTER_LIMITS } from './adapter-limits.ts';
import { describeStartError, startChild } from './child.ts';
import { startDeadline } from './deadline.ts';
import { startError } from './process-adapter.ts';
import {
  type Adapter,
  describeExit,
  excerpt,
  type Hello,
  PROTOCOL,
  type ProcessFailure,
  type Reply,
} from './protocol.ts';

/** Bytes of output that are read: more than any form of a fingerprint has. */
const MAX_OUTPUT = 4096;
const MAX_WORD = 80;

/**
 * Makes an adapter of a command that reads a document from standard input and prints its fingerprint (vectors/README.md,
 * "One-shot adapters"). It offers only `fingerprint`; the command runs once for each document.
 * @param command - the program and its arguments; no shell
 * @param limits - `restarts` is the number of failures to tolerate: after one more, the command is not run again
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * const adapter = createOneShotAdapter(['./fingerprint']);
 */
export function createOneShotAdapter(command: readonly string[], limits: AdapterLimits = {}): Adapter {
  assertCommand(command);
  assertLimits(limits);
  const { deadline, restarts: maxFailures } = { ...DEFAULT_ADAPTER_LIMITS, ...limits };
  let failures = 0;
  let introduction: Hello | undefined;

  return {
    get restarts() {
      return failures;
    },
    async hello() {
      if (introduction !== undefined) return introduction;
      const output = await runOnce(command, Buffer.from('a'), deadline);
      if (typeof output !== 'string') throw startError(command, output);
      introduction = {
        ...{ name: basename(command[0]!), version: 'unknown', language: 'unknown', protocol: PROTOCOL, unicode: null },
        operations: ['fingerprint'],
        labels: [LABEL],
        declines: ['utf16'],
        functions: { fingerprint: command.join(' ') },
      };
      return introduction;
    },
    async request(operation: Operation, input: unknown) {
      const bytes = operation === 'fingerprint' ? bytesOf(input) : undefined;
      if (bytes === undefined) return { kind: 'unsupported' };
      if (failures > maxFailures) return { kind: 'not-run', detail: `failed ${failures} times; not run again` };
      const output = await runOnce(command, bytes, deadline);
      const reply = typeof output === 'string' ? readOutput(output) : output;
      if (reply.kind !== 'ok') failures++;
      return reply;
    },
    async close() {},
  };
}

function runOnce(command: readonly string[], bytes: Uint8Array, deadline: number): Promise<string | ProcessFailure> {
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    let length = 0;
    const finish = (result: string | ProcessFailure): void => {
      cancel();
      child.kill();
      resolve(result);
    };
    const fail = (kind: ProcessFailure['kind'], detail: string): void =>
      finish({ kind, detail, stderr: child.stderr() });
    const child = startChild(command, {
      onOutput(chunk) {
        length += chunk.length;
        if (length <= MAX_OUTPUT) output.push(chunk);
        else fail('protocol', `more than ${MAX_OUTPUT} bytes of output`);
      },
      onEnd(end) {
        if (end instanceof Error) fail('crash', describeStartError(end));
        else if (end.code !== 0) fail('crash', describeExit(end));
        else finish(Buffer.concat(output).toString('utf8'));
      },
    });
    const cancel = startDeadline(child.pid, deadline, () => fail('timeout', `did not exit within ${deadline} ms`));
    child.stdin.end(bytes);
  });
}

function bytesOf(input: unknown): Uint8Array | undefined {
  const { text, utf8 } = input as { readonly text?: unknown; readonly utf8?: unknown };
  if (typeof utf8 === 'string') return Buffer.from(utf8, 'hex');
  return typeof text === 'string' ? Buffer.from(text, 'utf8') : undefined;
}

/** Reads the output of the command. A single word that is not a fingerprint is a wrong answer, anything else is garbage. */
function readOutput(output: string): Reply {
  const word = output.replace(/^[\t\n\v\f\r ]+|[\t\n\v\f\r ]+$/g, '');
  if (word === '') return { kind: 'ok', result: { fingerprint: null } };
  for (const read of [parse, readLabelled]) {
    try {
      return { kind: 'ok', result: { fingerprint: serialise(read(word)) } };
    } catch {
      // It is in the other form, or not a fingerprint.
    }
  }
  if (/\s/.test(word) || word.length > MAX_WORD)
    return { kind: 'protocol', detail: `garbage: expected one fingerprint, got ${excerpt(word)}`, stderr: '' };
  return { kind: 'ok', result: { fingerprint: word } };
}

function readLabelled(text: string): Fingerprint {
  const { label, fingerprint } = parseLabelled(text);
  if (label !== LABEL) throw new RangeError(`expected ${formatLabelled(LABEL, fingerprint)}`);
  return fingerprint;
}
