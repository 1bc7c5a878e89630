// Adapters that misbehave, one for each mode, for the tests of the runner. usage: node hostile-adapter.mjs MODE [FILE]
// They answer `token-hash` with a constant unless the mode says otherwise.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , mode, file] = process.argv;
const HASH = '582647ac58d68708';
const hello = {
  name: 'hostile',
  version: '0',
  language: 'JavaScript',
  protocol: mode === 'other-protocol' ? 2 : 1,
  unicode: null,
  operations: mode === 'memorised' ? ['token-hash', 'tables', 'parse'] : ['token-hash'],
};
const say = (message) => process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);

if (mode === 'dies-at-once') process.exit(7);
if (mode === 'never-reads') setInterval(() => {}, 1000);
else if (mode === 'ignores-signals') for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});

let requests = 0;
const buffered = [];
let last;

function reply(id, op, input) {
  requests++;
  switch (mode) {
    case 'garbage':
      return say('debug: hashing now');
    case 'raw-octets':
      return process.stdout.write(Buffer.from(`{"id":"${id}","ok":{"hash":"\xff\xfe"}}\n`, 'latin1'));
    case 'drips': {
      // A byte at a time, endlessly.
      const drip = setInterval(() => process.stdout.write('a'), 50);
      return process.stdout.on('error', () => clearInterval(drip));
    }
    case 'half-json':
      return say('{"id":');
    case 'not-an-object':
      return say('[1,2,3]');
    case 'two-members':
      return say({ id, ok: {}, unsupported: true });
    case 'no-member':
      return say({ id });
    case 'error-without-code':
      return say({ id, error: 'bad' });
    case 'byte-order-mark':
      return say(`\ufeff${JSON.stringify({ id, ok: { hash: HASH } })}`);
    case 'nested':
    case 'nested-deeply': {
      const levels = mode === 'nested' ? 6000 : 500_000;
      const hash = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      return say(input.text === 'a' ? `{"id":"${id}","ok":{"hash":${hash}}}` : { id, ok: { hash: HASH } });
    }
    case 'huge':
      return say({ id, ok: { hash: input.text === 'a' ? HASH.repeat(60e6 / 16) : HASH } });
    case 'ends-with-cr':
      return process.stdout.write(`${JSON.stringify({ id, ok: { hash: HASH } })}\r`);
    case 'never-ends-the-line':
      return process.stdout.write(JSON.stringify({ id, ok: { hash: HASH } }));
    case 'wrong-id':
      return say({ id: 'never-sent', ok: { hash: HASH } });
    case 'twice':
      if (file !== undefined) writeFileSync(file, String(process.pid));
      say({ id, ok: { hash: HASH } });
      return say({ id, ok: { hash: HASH } });
    case 'late': {
      // Answers each request when the next one has come.
      const answer = last;
      last = { id, ok: { hash: HASH } };
      return answer === undefined ? undefined : say(answer);
    }
    case 'crashes':
      if (requests % 2 === 0) process.exit(3);
      return say({ id, ok: { hash: HASH } });
    case 'crashes-always':
      return process.exit(3);
    case 'killed':
      return process.kill(process.pid, 'SIGSEGV');
    case 'hangs':
      return undefined;
    case 'hangs-with-child':
      // The processes that it started must end with it.
      appendFileSync(file, `${spawn('sleep', ['600'], { stdio: 'inherit' }).pid}\n`);
      return undefined;
    case 'ignores-signals':
      return undefined;
    case 'spins':
      for (;;);
    case 'stderr-flood':
      for (let i = 0; i < 64; i++) process.stderr.write(`${'noise '.repeat(10_000)}\n`);
      process.stderr.write('last words\n');
      return say({ id, ok: { hash: HASH } });
    case 'stderr-then-crash':
      process.stderr.write(`${'x'.repeat(100_000)}\nfatal: out of cheese\n`);
      return process.exit(70);
    case 'endless-line':
      return (function more() {
        process.stdout.write('a'.repeat(1 << 20), more);
      })();
    case 'memorised': {
      const known = JSON.parse(readFileSync(file, 'utf8'))[JSON.stringify([op, input])];
      return say(known === undefined ? { id, ok: { hash: HASH } } : { id, ...known });
    }
    default:
      return say({ id, ok: { hash: HASH } });
  }
}

if (mode !== 'never-reads')
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, input } = JSON.parse(line);
    if (op === 'hello' && mode === 'never-greets') continue;
    if (op === 'hello' && mode === 'leaves-a-session')
      // A process in a session of its own, which keeps the pipes.
      appendFileSync(file, `${spawn('sleep', ['600'], { detached: true, stdio: 'inherit' }).pid}\n`);
    if (mode === 'never-flushes') buffered.push({ id, ok: hello });
    else if (op === 'hello') say({ id, ok: hello });
    else reply(id, op, input);
  }
for (const message of buffered) say(message);
if (mode === 'never-ends') setInterval(() => {}, 1000);
