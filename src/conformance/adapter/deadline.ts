import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  readonly cpu: number;
  /** True if one of them computes, or waits for a processor or a disk. */
  readonly isRunnable: boolean;
}

/** The maximum factor by which a busy machine may extend a deadline. */
const MAX_PATIENCE = 10;
/** Checks after the deadline are `time / CHECKS` apart. */
const CHECKS = 8;
/** Share of the time between two checks that an idle process may compute. */
const MAX_IDLE_SHARE = 0.05;
/** Share of a processor that counts as a whole one: part of the time goes to the runner. */
const WHOLE_PROCESSOR = 0.9;
/** Share of the deadline after which the CPU time is first measured: faster requests cost no measurement. */
const FIRST_SHARE = 0.1;

/**
 * Starts a deadline in milliseconds; returns its cancellation. On a busy machine it counts CPU time: it is extended while the
 * group waits for a processor, but not while the group seems to sleep (`isIdle`).
 */
export function startDeadline(
  leader: number | undefined,
  time: number,
  onExpire: (isIdle: boolean) => void,
  readUsage = readGroupUsage,
): () => void {
  const usage = (): Usage | undefined => (leader === undefined ? undefined : readUsage(leader));
  const first = FIRST_SHARE * time;
  let baseline: Usage | undefined;
  let last: Usage | undefined;
  let elapsed = first;
  const wait = (delay: number, then: () => void): NodeJS.Timeout =>
    setTimeout(() => {
      elapsed += delay;
      then();
    }, delay);
  const check = (): void => {
    const before = last;
    const now = usage();
    last = now;
    const computed = now === undefined || baseline === undefined ? 0 : now.cpu - baseline.cpu;
    const isSpent = computed >= WHOLE_PROCESSOR * (time - first);
    const isIdle =
      now === undefined ||
      before === undefined ||
      !(now.isRunnable || now.cpu - before.cpu > MAX_IDLE_SHARE * (time / CHECKS));
    if (isSpent || isIdle || elapsed >= MAX_PATIENCE * time) onExpire(isIdle);
    else timer = wait(time / CHECKS, check);
  };
  let timer = setTimeout(() => {
    baseline = usage();
    last = baseline;
    timer = wait(time - first, check);
  }, first);
  return () => clearTimeout(timer);
}

function readGroupUsage(leader: number): Usage | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(leader) : readFromPs(leader);
  } catch {
    return undefined;
  }
}

/** Milliseconds of a clock tick: USER_HZ is 100 on Linux. */
const TICK = 10;

function readFromProc(leader: number): Usage {
  let cpu = 0;
  let isRunnable = false;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(`/proc/${name}/stat`);
    if (fields === undefined || Number(fields[2]) !== leader) continue;
    cpu += TICK * (Number(fields[11]) + Number(fields[12]));
    isRunnable ||= isThreadRunnable(`/proc/${name}/task`);
  }
  return { cpu, isRunnable };
}

/** Tests whether a thread of a process runs: the main one may wait for another, which waits for a processor. */
function isThreadRunnable(folder: string): boolean {
  try {
    return readdirSync(folder).some((thread) => /^[RD]/.test(readStat(`${folder}/${thread}/stat`)?.[0] ?? ''));
  } catch {
    return false;
  }
}

/** Reads the fields of proc(5) after the name, which may contain spaces: state, ppid, pgrp, …; undefined after the exit. */
function readStat(path: string): string[] | undefined {
  try {
    const stat = readFileSync(path, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function readFromPs(leader: number): Usage | undefined {
  // Windows has no ps.
  if (process.platform === 'win32') return undefined;
  const rows = execFileSync('ps', ['-A', '-o', 'pgid=', '-o', 'stat=', '-o', 'time='], {
    encoding: 'utf8',
    timeout: MAX_PS_TIME,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([group]) => Number(group) === leader);
  return {
    cpu: rows.reduce((sum, [, , time = '0']) => sum + readClock(time), 0),
    isRunnable: rows.some(([, state = '']) => /^[RDU]/.test(state)),
  };
}

const MAX_PS_TIME = 5000;

/** Reads a time such as 1-02:03:04 or 3:04.56, in milliseconds. */
function readClock(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  const seconds = clock!.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return 1000 * (86_400 * Number(days) + seconds);
}
