import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { formatLabelled, LABEL, parse, parseLabelled, serialise } from '../../index.ts';
import { assertCommand, assertLimits } from '../options.ts';
import type { Operation } from '../types.ts';
import { type AdapterLimits, createAdapterLimits } from './process.ts';
import { createTail, discharge, endGroup, enlist } from './process-group.ts';
import { type Adapter, excerpt, type Hello, PROTOCOL, type Reply } from './protocol.ts';

type Failure = Extract<Reply, { kind: 'crash' | 'timeout' | 'protocol' }>;

/** More than any form of a fingerprint; what is longer is not read to its end. */
const MOST_OUTPUT = 4096;
/** The longest word that counts as an attempt at a fingerprint. */
const LONGEST_WORD = 80;

/** What one run of the command came to. */
type Ran = { readonly output: string } | { readonly failure: Failure };

/**
 * Makes an adapter of a command that reads a document on its standard input and prints its fingerprint (spec/conformance.md,
 * "One-shot adapters"). It offers `fingerprint` and nothing else; the command is run once for each document.
 * @param command - the program and its arguments; no shell
 * @param limits - as of an adapter that runs on; `restarts` is how often the command may fail before it is not run again,
 * and `line` has no meaning
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function createOneShotAdapter(command: readonly string[], limits: AdapterLimits = {}): Adapter {
  assertCommand(command);
  assertLimits(limits);
  const { deadline, restarts: mostFailures, stderr: stderrSize } = createAdapterLimits(limits);
  const [program, ...args] = command as [string, ...string[]];
  let failures = 0;
  let introduction: Hello | undefined;

  function run(octets: Uint8Array): Promise<Ran> {
    return new Promise((resolve) => {
      const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
      const { pid } = child;
      if (pid !== undefined) enlist(pid);
      const stderr = createTail(stderrSize);
      const output: Buffer[] = [];
      let length = 0;
      let settled = false;
      const settle = (ran: Ran): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        if (pid !== undefined) discharge(pid);
        resolve(ran);
      };
      const fail = (kind: Failure['kind'], detail: string): void =>
        settle({ failure: { kind, detail, stderr: stderr.text() } });
      const timer = setTimeout(() => fail('timeout', `no end within ${deadline} ms`), deadline);
      child.on('error', (error) => fail('crash', `could not be started: ${error.message}`));
      child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
      child.stdout.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MOST_OUTPUT) output.push(chunk);
        else fail('protocol', `more than ${MOST_OUTPUT} octets of output`);
      });
      const ended = (code: number | null, signal: string | null): void => {
        if (signal !== null) fail('crash', `ended by ${signal}`);
        else if (code !== 0) fail('crash', `ended with exit code ${code}`);
        else settle({ output: Buffer.concat(output).toString('utf8') });
      };
      // `close` comes when all output is read; something that the command left behind may hold the pipe open.
      child.on('exit', (code, signal) => {
        const after = setTimeout(() => ended(code, signal), 500);
        child.once('close', () => {
          clearTimeout(after);
          ended(code, signal);
        });
        if (pid !== undefined) endGroup(pid);
      });
      // A command that needs no more of its input may end before it has read all.
      child.stdin.on('error', () => undefined);
      child.stdin.end(octets);
    });
  }

  return {
    get restarts() {
      return failures;
    },
    async hello() {
      if (introduction !== undefined) return introduction;
      const ran = await run(Buffer.from('a'));
      if ('failure' in ran) {
        const { detail, stderr } = ran.failure;
        throw new Error(`${command.join(' ')}: ${detail}${stderr === '' ? '' : `\n${stderr}`}`);
      }
      introduction = {
        name: basename(program),
        version: 'unknown',
        language: 'unknown',
        protocol: PROTOCOL,
        unicode: null,
        operations: ['fingerprint'],
      };
      return introduction;
    },
    async request(operation: Operation, input: unknown) {
      const octets = operation === 'fingerprint' ? octetsOf(input) : undefined;
      if (octets === undefined) return { kind: 'unsupported' };
      if (failures > mostFailures) return { kind: 'not-run', detail: `failed ${failures} times; not run again` };
      const ran = await run(octets);
      const reply = 'failure' in ran ? ran.failure : readOutput(ran.output);
      if (reply.kind !== 'ok') failures++;
      return reply;
    },
    async close() {},
  };
}

/** The octets of a document; 16-bit units have none. */
function octetsOf(input: unknown): Uint8Array | undefined {
  const { text, utf8 } = input as { readonly text?: unknown; readonly utf8?: unknown };
  if (typeof utf8 === 'string') return Buffer.from(utf8, 'hex');
  return typeof text === 'string' ? Buffer.from(text, 'utf8') : undefined;
}

/** Reads what the command printed. A single word that is no fingerprint is a wrong answer, anything else is garbage. */
function readOutput(output: string): Reply {
  const word = output.replace(/^[\t\n\v\f\r ]+|[\t\n\v\f\r ]+$/g, '');
  if (word === '') return { kind: 'ok', result: { fingerprint: null } };
  for (const read of [parse, readLabelled]) {
    try {
      return { kind: 'ok', result: { fingerprint: serialise(read(word)) } };
    } catch {
      // The other form is tried, or the word is what it is.
    }
  }
  if (/\s/.test(word) || word.length > LONGEST_WORD)
    return { kind: 'protocol', detail: `garbage: expected one fingerprint, got ${excerpt(word)}`, stderr: '' };
  return { kind: 'ok', result: { fingerprint: word } };
}

function readLabelled(text: string): bigint {
  const { label, fingerprint } = parseLabelled(text);
  if (label !== LABEL) throw new RangeError(`expected ${formatLabelled(LABEL, fingerprint)}`);
  return fingerprint;
}
