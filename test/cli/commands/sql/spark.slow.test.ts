import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { fingerprint } from '../../../../src/index.ts';
import { findAll } from '../../../../src/lookup/index.ts';
import { exitCodeOf, isRunning } from '../../../process.ts';
import { folder, MAIN, run } from '../../command.ts';

const root = new URL('../../../..', import.meta.url).pathname;
/** The virtual environment that .ci/run makes. */
const venv = join(root, 'build/python');
const lib = join(venv, 'lib');
const home = existsSync(lib)
  ? readdirSync(lib)
      .map((name) => join(lib, name, 'site-packages/pyspark'))
      .find((path) => existsSync(join(path, 'bin/spark-class')))
  : undefined;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const { pid, exitCode } of children) if (pid !== undefined && exitCode === null) killGroup(pid);
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Starts a process of Spark in a group of its own, and waits for a line of its log. */
async function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  line: RegExp,
): Promise<[ChildProcess, string]> {
  const child = spawn(join(home!, 'bin/spark-class'), args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const match = line.exec(log);
      if (match !== null) resolve([child, match[1] ?? '']);
    });
    child.on('exit', () => reject(new Error(log)));
  });
}

/** The programs of the guide. */
function programs(): string[] {
  const guide = readFileSync(join(root, 'spec/deduplication.md'), 'utf8');
  return [...guide.matchAll(/```python\n(.*?)```/gs)].map(([, program]) => program!);
}

test.skipIf(home === undefined && process.env['SIMHASH_DOC_REQUIRE_ALL'] === undefined)(
  'Spark: the pairs of the guide are those of findAll, though a worker is killed',
  async () => {
    const cwd = folder();
    const words = (row: number): string[] =>
      Array.from({ length: 60 }, (_, i) => `w${(row * 7919 + i * 104_729) % 65_521}`);
    const texts = Array.from({ length: 4000 }, (_, row) => {
      if (row % 5 === 1) return words(row - 1).join(' ');
      return row % 5 === 2 ? [...words(row - 2), 'more'].join(' ') : words(row).join(' ');
    });
    writeFileSync(
      join(cwd, 'documents.jsonl'),
      texts.map((text, id) => `${JSON.stringify({ id: `d${id}`, text })}\n`).join(''),
    );
    const [hash, pair] = programs();
    writeFileSync(join(cwd, 'fingerprint.py'), hash!);
    writeFileSync(join(cwd, 'pairs.py'), pair!);
    writeFileSync(join(cwd, 'pairs.sql'), (await run(['sql', '--dialect', 'spark', '--task', 'pairs'])).stdout);
    // Each partition leaves a trace.
    const bin = folder({
      'simhash-doc': `#!/bin/sh\necho started >> ${cwd}/started\nexec ${process.execPath} ${MAIN} "$@"\n`,
    });
    chmodSync(join(bin, 'simhash-doc'), 0o755);
    const env = { ...process.env, SPARK_HOME: home, PATH: `${bin}:${join(venv, 'bin')}:${process.env['PATH']}` };
    const deploy = 'org.apache.spark.deploy';
    const [, url] = await start(
      [`${deploy}.master.Master`, '--host', '127.0.0.1', '--port', '0', '--webui-port', '0'],
      env,
      cwd,
      /Starting Spark master at (spark:\S+)/,
    );
    const worker = () =>
      start(
        [`${deploy}.worker.Worker`, '--host', '127.0.0.1', '--webui-port', '0', '--cores', '1', '--memory', '1g', url],
        env,
        cwd,
        /Successfully registered with master/,
      );
    const [victim] = await worker();
    await worker();

    async function submit(program: string, ...args: string[]): Promise<ChildProcess> {
      const options = [
        '--master',
        url,
        '--conf',
        'spark.driver.host=127.0.0.1',
        '--conf',
        'spark.executor.memory=700m',
        '--conf',
        'spark.sql.shuffle.partitions=4',
      ];
      const child = spawn(join(home!, 'bin/spark-submit'), [...options, program, ...args], {
        cwd,
        env,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      children.push(child);
      let log = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      child.on('exit', (code) => {
        if (code !== 0) console.error(log.slice(-5000));
      });
      return child;
    }
    const hashing = await submit('fingerprint.py', 'documents.jsonl', 'fingerprints');
    const ended = exitCodeOf(hashing);
    const started = (): number =>
      existsSync(join(cwd, 'started')) ? readFileSync(join(cwd, 'started'), 'utf8').split('\n').length - 1 : 0;
    while (started() < 4 && isRunning(hashing)) await setTimeout(100);
    expect(isRunning(hashing)).toBe(true);
    killGroup(victim.pid!);
    expect(await ended).toBe(0);
    // There are 16 partitions, and the killed worker was computing one of them.
    expect(started()).toBeGreaterThanOrEqual(16);
    expect(await exitCodeOf(await submit('pairs.py', 'fingerprints', 'pairs.sql', 'pairs'))).toBe(0);

    const found = readdirSync(join(cwd, 'pairs'))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) =>
        readFileSync(join(cwd, 'pairs', name), 'utf8')
          .split('\n')
          .filter(Boolean),
      )
      .map((line) => JSON.parse(line) as { a: string; b: string; distance: number })
      .map(({ a, b, distance }) => `${[a, b].sort().join(' ')} ${distance}`);
    // The first of equal fingerprints is the one of the least id.
    const ids = texts.map((_, id) => `d${id}`).sort();
    const fingerprints = ids.map((id) => fingerprint(texts[Number(id.slice(1))]!)!);
    const expected = Array.from(
      findAll(fingerprints),
      ({ a, b, distance }) => `${[ids[a], ids[b]].sort().join(' ')} ${distance}`,
    );
    expect(found.sort()).toEqual(expected.sort());
    expect(found.length).toBeGreaterThan(800);
  },
);
