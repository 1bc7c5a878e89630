// One-shot commands, right ones and others, one for each mode. usage: node one-shot-command.mjs MODE
// They answer with what the document says after `print `, or with the fingerprint of "a".
import { spawn } from 'node:child_process';

const [, , mode, file] = process.argv;
const chunks = [];
if (mode !== 'never-reads') for await (const chunk of process.stdin) chunks.push(chunk);
const document = Buffer.concat(chunks).toString('utf8');
const wanted = document === 'a' ? 'LATEPLCY22DQQ' : document.replace(/^print /, '');

switch (mode) {
  case 'print':
    process.stdout.write(wanted);
    break;
  case 'hangs':
    if (document !== 'a') setInterval(() => {}, 1000);
    else console.log(wanted);
    break;
  case 'hangs-with-child':
    if (document !== 'a') {
      const { appendFileSync } = await import('node:fs');
      appendFileSync(file, `${spawn('sleep', ['600'], { stdio: 'inherit' }).pid}\n`);
      setInterval(() => {}, 1000);
    } else console.log(wanted);
    break;
  case 'leaves-a-child':
    spawn('sleep', ['600'], { stdio: 'inherit' }).unref();
    process.stdout.write(wanted, () => process.exit(0));
    break;
  case 'crashes':
    if (document === 'a') console.log(wanted);
    else {
      console.error('fatal: out of cheese');
      process.exit(70);
    }
    break;
  case 'killed':
    if (document === 'a') console.log(wanted);
    else process.kill(process.pid, 'SIGSEGV');
    break;
  case 'floods':
    if (document === 'a') console.log(wanted);
    else
      for (;;)
        if (!process.stdout.write('A'.repeat(1 << 16))) await new Promise((done) => process.stdout.once('drain', done));
    break;
  case 'never-reads':
    process.stdout.write('LATEPLCY22DQQ\n');
    break;
  default:
    process.exit(2);
}
