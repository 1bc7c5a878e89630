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

const repeated = (text) => (id) => say({ id, ok: { hash: text } });
const nested =
  (levels) =>
  (id, _, { text }) =>
    say(
      text === 'a'
        ? `{"id":"${id}","ok":{"hash":${'['.repeat(levels)}${']'.repeat(levels)}}}`
        : { id, ok: { hash: HASH } },
    );
const exit = (code) => () => process.exit(code);

/** The answers to `token-hash`, by mode. */
const REPLIES = {
  garbage: () => say('debug: hashing now'),
  'raw-octets': (id) => process.stdout.write(Buffer.from(`{"id":"${id}","ok":{"hash":"\xff\xfe"}}\n`, 'latin1')),
  // A byte at a time, endlessly.
  drips() {
    const drip = setInterval(() => process.stdout.write('a'), 50);
    process.stdout.on('error', () => clearInterval(drip));
  },
  'half-json': () => say('{"id":'),
  'not-an-object': () => say('[1,2,3]'),
  'two-members': (id) => say({ id, ok: {}, unsupported: true }),
  'no-member': (id) => say({ id }),
  'error-without-code': (id) => say({ id, error: 'bad' }),
  'byte-order-mark': (id) => say(`\ufeff${JSON.stringify({ id, ok: { hash: HASH } })}`),
  nested: nested(6000),
  'nested-deeply': nested(500_000),
  huge: (id, _, input) => repeated(input.text === 'a' ? HASH.repeat(60e6 / 16) : HASH)(id),
  'ends-with-cr': (id) => process.stdout.write(`${JSON.stringify({ id, ok: { hash: HASH } })}\r`),
  'never-ends-the-line': (id) => process.stdout.write(JSON.stringify({ id, ok: { hash: HASH } })),
  'wrong-id': () => repeated(HASH)('never-sent'),
  twice(id) {
    if (file !== undefined) writeFileSync(file, String(process.pid));
    for (let i = 0; i < 2; i++) repeated(HASH)(id);
  },
  // Answers each request when the next one has come.
  late(id) {
    if (last !== undefined) repeated(HASH)(last);
    last = id;
  },
  crashes: (id) => (requests % 2 === 0 ? process.exit(3) : repeated(HASH)(id)),
  'crashes-always': exit(3),
  killed: () => process.kill(process.pid, 'SIGSEGV'),
  hangs() {},
  // The processes that it started must end with it.
  'hangs-with-child': () => appendFileSync(file, `${spawn('sleep', ['600'], { stdio: 'inherit' }).pid}\n`),
  'ignores-signals'() {},
  spins() {
    for (;;);
  },
  'stderr-flood'(id) {
    for (let i = 0; i < 64; i++) process.stderr.write(`${'noise '.repeat(10_000)}\n`);
    process.stderr.write('last words\n');
    repeated(HASH)(id);
  },
  'stderr-then-crash'() {
    process.stderr.write(`${'x'.repeat(100_000)}\nfatal: out of cheese\n`);
    process.exit(70);
  },
  'endless-line': () => process.stdout.write('a'.repeat(1 << 20), REPLIES['endless-line']),
  memorised(id, op, input) {
    const known = JSON.parse(readFileSync(file, 'utf8'))[JSON.stringify([op, input])];
    say({ id, ...(known ?? { ok: { hash: HASH } }) });
  },
};

if (mode !== 'never-reads')
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, input } = JSON.parse(line);
    if (op === 'hello' && mode === 'never-greets') continue;
    if (op === 'hello' && mode === 'leaves-a-session')
      // A process in a session of its own, which keeps the pipes.
      appendFileSync(file, `${spawn('sleep', ['600'], { detached: true, stdio: 'inherit' }).pid}\n`);
    if (mode === 'never-flushes') buffered.push({ id, ok: hello });
    else if (op === 'hello') say({ id, ok: hello });
    else {
      requests++;
      (REPLIES[mode] ?? repeated(HASH))(id, op, input);
    }
  }
for (const message of buffered) say(message);
if (mode === 'never-ends') setInterval(() => {}, 1000);
if (mode === 'ends-badly') process.exit(9);
