// Runs the checks that need no test runner side by side: types, lint, the package. Prints what each of them says, one after
// the other, and fails if one of them does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const commands = [scripts.typecheck, scripts.lint, scripts.package].flatMap((script) => script.split(' && '));

/** Runs a command in a shell, where npm has put the tools of the dependencies on the path. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => resolve({ output: Buffer.concat(output), isPassed: code === 0 }));
  });
}

for (const [index, result] of commands.map(run).entries()) {
  const { output, isPassed } = await result;
  process.stdout.write(`> ${commands[index]}\n`);
  process.stdout.write(output);
  if (!isPassed) process.exitCode = 1;
}
