// One-shot commands, right ones and others, one for each mode. usage: node one-shot-command.mjs MODE
// They answer with what the document says after `print `, or with the fingerprint of "a".
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [, , mode, file] = process.argv;
const chunks = [];
if (mode !== 'never-reads') for await (const chunk of process.stdin) chunks.push(chunk);
const document = Buffer.concat(chunks).toString('utf8');
const wanted = document === 'a' ? 'LATEPLCY22DQQ' : document.replace(/^print /, '');

const hang = () => setInterval(() => {}, 1000);

const MODES = {
  print: () => process.stdout.write(wanted),
  'never-reads': () => process.stdout.write('LATEPLCY22DQQ\n'),
  'leaves-a-child'() {
    spawn('sleep', ['600'], { stdio: 'inherit' }).unref();
    process.stdout.write(wanted, () => process.exit(0));
  },
  hangs: hang,
  'hangs-with-child'() {
    appendFileSync(file, `${spawn('sleep', ['600'], { stdio: 'inherit' }).pid}\n`);
    hang();
  },
  crashes() {
    console.error('fatal: out of cheese');
    process.exit(70);
  },
  killed: () => process.kill(process.pid, 'SIGSEGV'),
  async floods() {
    for (;;)
      if (!process.stdout.write('A'.repeat(1 << 16))) await new Promise((done) => process.stdout.once('drain', done));
  },
};

if (MODES[mode] === undefined) process.exit(2);
// The modes that fail answer the first document, by which a runner sees whether they can be run.
if (document === 'a' && !['print', 'never-reads', 'leaves-a-child'].includes(mode)) console.log(wanted);
else await MODES[mode]();
