/** CPU of processes that are not the bench's own, from proc_pid_stat(5). Linux only. */
import { readFileSync, readdirSync } from 'node:fs';

/** Of `_SC_CLK_TCK`, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

interface Stat {
  parent: number;
  ownMs: number;
  /** Of children that have ended. */
  endedMs: number;
}

function statOf(pid: number | string): Stat {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * MS_PER_TICK;
  return { parent: fields[1] ?? 0, ownMs: ticks(11), endedMs: ticks(13) };
}

export function cpuMsOf(pid: number): number {
  return statOf(pid).ownMs;
}

/** With all its children, also those that have ended. */
export function cpuMsOfTree(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = processes.map(statIfThere).filter((stat) => stat?.parent === pid);
  const { ownMs, endedMs } = statOf(pid);
  return children.reduce((sum, child) => sum + (child?.ownMs ?? 0), ownMs + endedMs);
}

/** A process may end while it is looked at. */
function statIfThere(pid: string): Stat | null {
  try {
    return statOf(pid);
  } catch {
    return null;
  }
}
